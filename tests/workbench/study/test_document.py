"""The document of a study: one plain dictionary, in its file and in a store."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from generators import random_tan
from learners import PriorClassifier
from workbench import Source, compare, load, read_study, run, write_study
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.base.seeds import canonical, hashed
from workbench.designs import RepeatedFolds
from workbench.study.document import StudyDocument

OWN = """
name = "own"
seed = 7
compared = ["nb", "tree"]
learners = ["nb", {key = "tree", learner = "c45", prune = false}, "truth", "prior"]
[[sources]]
generator = "tan"
n_attributes = 4
label_noise = 0.1
[design]
kind = "crossover_search"
pair = ["nb", "tree"]
sizes = [20, 80]
replicates = 2
[scores]
metrics = ["ir_b", {key = "ece_10", metric = "expected_calibration_error", n_bins = 10}]
cutoffs = ["none"]
"""


@pytest.fixture(scope="module")
def document() -> StudyDocument:
    return StudyDocument.of(read_study(OWN))


def test_what_determines_the_numbers_is_fixed(document, experiments):
    identities = [document.sources, document.learners]
    assert hashed(canonical(identities)) == "c70dec6a657d6266510ae70968dd2c8f3b5d16e53c6ebbada8debb955d837f99"
    small = StudyDocument.of(read_study(experiments / "small.toml"))
    assert (
        hashed(canonical([small.sources, small.learners]))
        == "eb617fb79b81c52d4e758567bee291fb00d068a7672ff03b0db90722e146af11"
    )


def test_a_document_is_the_file_of_its_study(document, tmp_path):
    study = read_study(OWN)
    assert document.to_toml() == write_study(study)
    assert read_study(document.to_toml()) == study


def test_what_only_python_can_express_has_a_key_alone(tmp_path):
    rows = pd.DataFrame({"a": [float(i % 3) for i in range(20)]}), list("ab") * 10
    found = compare({"prior": PriorClassifier()}, on={"mine": rows}, metrics="accuracy").study
    assert found.entry("mine") == {"key": "mine"}
    assert not found.is_kept("mine")
    with pytest.raises(WorkbenchError, match=r"Python objects .*: source 'mine'. Name"):
        found.to_toml()


def test_a_document_survives_its_json(document):
    assert StudyDocument.from_json(document.to_json()) == document
    assert json.loads(document.to_json(indent=1)) == json.loads(document.to_json())


def test_a_store_keeps_the_document(tiny, tmp_path):
    results = run(tiny, tmp_path / "tiny.db")
    assert load(tmp_path / "tiny.db").study == results.study == StudyDocument.of(tiny)


def test_a_document_says_who_is_compared(document):
    assert document.compared_learners() == ["nb", "tree"]
    assert document.compared_learners(["prior", "nb"]) == ["prior", "nb"]
    assert document.other_learners(["nb"]) == ["tree", "truth", "prior"]
    assert document.with_role("truth", "prior") == ["truth", "prior"]
    assert document.ceilings == ["truth"]


def test_a_document_knows_its_sources(document, tiny_table):
    (tan,) = document.sources.values()
    assert (tan["generator"], tan["parameters"]["label_noise"]) == ("tan", 0.1)
    assert not document.is_given("tan")
    assert not document.on_datasets
    assert tiny_table.on_datasets
    assert tiny_table.digest("rows") is not None
    with pytest.raises(WorkbenchError, match="expected a list of at least one"):
        tiny_table.only_sources([])


@pytest.fixture(scope="module")
def tiny_table() -> StudyDocument:
    rows = pd.DataFrame({"a": [float(i % 3) for i in range(20)]}), list("ab") * 10
    return compare({"prior": PriorClassifier()}, on=rows, metrics="accuracy").study


def test_missing_scores_are_those_that_no_cell_has(document):
    metric = read_study(OWN).scores.metric
    key = ScoreKey("ir_b", "training", "exact", "none")
    missing = document.missing_scores({key: 3}, n_done=4, n_exact=3, metric=metric)
    assert key not in missing
    assert missing[key._replace(rows="test")] == 4


@pytest.mark.parametrize(
    "change, message",
    [
        ({"learners": ["nb"]}, "cannot be read"),
        ({"content": {}}, "cannot be read"),
        ({"learners": {"a\nb": {}}}, "cannot be read"),
        ({"sources": {"a": {}}}, "cannot be read"),
    ],
)
def test_what_no_run_writes_is_refused(change, message, document):
    text = json.dumps({**json.loads(document.to_json()), **change})
    with pytest.raises(WorkbenchError, match=message):
        StudyDocument.from_json(text)


@pytest.mark.parametrize("text", ["", "[", "3", "[]", None])
def test_what_is_no_document_is_refused(text):
    with pytest.raises(WorkbenchError, match="the study's record cannot be read"):
        StudyDocument.from_json(text)


def test_a_document_is_not_written_as_toml(document):
    with pytest.raises(WorkbenchError, match="cannot write a StudyDocument as TOML: expected a Study"):
        write_study(document)


# ---- what neither TOML nor JSON can express


def test_a_parameter_with_keys_that_are_no_text_is_not_kept_as_another(tmp_path):
    learner = LogisticRegression(class_weight={0: 1, 1: 50, 2: 1})
    rows = load_iris(return_X_y=True)
    found = compare({"weighted": learner}, on=rows, cv=2, store=tmp_path / "s.db", metrics="accuracy")
    assert found.study.content["learners"] == [{"key": "weighted"}]
    with pytest.raises(WorkbenchError, match="source 'rows' and learner 'weighted'"):
        found.study.to_toml()


def test_options_of_a_design_may_be_numbers_of_numpy():
    cv = StratifiedKFold(np.int64(3), shuffle=True, random_state=np.int64(1))
    assert compare("nb", on="iris", cv=cv).study.design["n_splits"] == 3


@dataclass(frozen=True)
class Folders(RepeatedFolds):
    """A design with an option that no file can hold."""

    key: ClassVar[str] = "folders"
    place: Path = Path()


def test_an_option_of_a_design_that_no_store_keeps_is_one_sentence():
    with pytest.raises(WorkbenchError, match="design 'folders' has an option that a store cannot keep"):
        compare("nb", on="iris", design=Folders())


def ten(key: int = 4, *, random_state: object = None) -> object:
    """Make a generator whose parameter has the name of an entry's key."""
    return random_tan(n_attributes=key, random_state=random_state)


def test_a_generator_whose_parameter_is_a_key_of_entries_is_kept_by_its_key(tmp_path):
    source = Source("a", f"{__name__}:ten", {"key": 3})
    found = compare("nb", on=source, sizes=20, n_test=10, store=tmp_path / "s.db")
    assert found.study.entry("a") == {"key": "a"}
    assert load(tmp_path / "s.db").study == found.study


def damaged(document: StudyDocument) -> Iterator[str]:
    """Yield texts of a document in which one value is of another kind."""
    whole = json.loads(document.to_json())
    for path in [
        ("content", "seed"), ("content", "compared"), ("content", "design"), ("content", "design", "kind"),
        ("content", "scores", "metrics"), ("content", "scores", "rows"), ("content", "sources"),
        ("sources", "tan"), ("learners", "nb"), ("learners", "nb", "parameters"), ("learners", "nb", "class"),
    ]:  # fmt: skip
        for wrong in (None, 5, [None], {"a": 1}):
            copy = json.loads(json.dumps(whole))
            inner = copy
            for name in path[:-1]:
                inner = inner[name]
            inner[path[-1]] = wrong
            kind = type(wrong)
            if kind is not type(_at(whole, path)):
                yield json.dumps(copy)


def _at(whole: dict, path: tuple[str, ...]) -> object:
    for name in path:
        whole = whole[name]
    return whole


def test_a_document_that_is_damaged_anywhere_is_refused(document):
    texts = list(damaged(document))
    assert len(texts) > 30
    for text in texts:
        with pytest.raises(WorkbenchError, match="the study's record cannot be read"):
            StudyDocument.from_json(text)


def test_a_document_is_shown_in_a_line(document):
    assert (
        repr(document) == "<study 'own', seed 7: 2 learners (alongside: truth and class prior) on 1 source>"
    )
