"""The document of a study: one plain dictionary, in its file and in a store."""

import json

import pandas as pd
import pytest

from learners import PriorClassifier
from workbench import compare, load, read_study, run, write_study
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.base.seeds import canonical, hashed
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
    assert found.to_toml() is None


def test_a_document_survives_its_json(document):
    assert StudyDocument.from_json(document.to_json()) == document
    assert json.loads(document.to_json(indent=1)) == json.loads(document.to_json())


def test_a_store_keeps_the_document(tiny, tmp_path):
    results = run(tiny, tmp_path / "tiny.db")
    assert load(tmp_path / "tiny.db").study == results.study == StudyDocument.of(tiny)


def test_a_document_says_who_is_compared(document):
    assert document.compared_learners() == ["nb", "tree"]
    assert document.compared_learners(["prior", "nb"]) == ["nb", "prior"]
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
    assert tiny_table.only_sources([]).source_keys == []


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
