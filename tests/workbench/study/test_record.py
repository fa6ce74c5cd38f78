"""The record of a study: what a store keeps, in a form that never changes."""

import json

import pandas as pd
import pytest

from learners import PriorClassifier
from workbench import compare, load, read_study, run, write_study
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.study.record import StudyRecord

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
def record() -> StudyRecord:
    return StudyRecord.of(read_study(OWN))


def test_the_hash_of_a_record_is_fixed(record, experiments):
    assert record.identity == "9a7158b2c3bcb5eb1e7a145ca71f97c755cc76f7e949d7f4e0433430144c5acd"
    stored = StudyRecord.of(read_study(experiments / "small.toml"))
    assert stored.identity == "9a5078f7bef2b80af098b75f394cd9af463d10c7e434c6ada489a6cd4e92804f"


def test_a_record_survives_its_json(record):
    assert StudyRecord.from_json(record.to_json()) == record
    assert json.loads(record.to_json(indent=1)) == json.loads(record.to_json())


def test_a_store_keeps_the_record(tiny, tmp_path):
    results = run(tiny, tmp_path / "tiny.db")
    assert load(tmp_path / "tiny.db").study == results.study == StudyRecord.of(tiny)


def test_a_record_says_who_is_compared(record):
    assert record.compared_learners() == ["nb", "tree"]
    assert record.compared_learners(["prior", "nb"]) == ["nb", "prior"]
    assert record.other_learners(["nb"]) == ["tree", "truth", "prior"]
    assert [one.key for one in record.learners if one.is_truth or one.is_prior] == ["truth", "prior"]


def test_a_record_knows_its_sources(record, tiny_table):
    (tan,) = record.sources
    assert (tan.generator, tan.parameters["label_noise"], tan.is_given) == ("tan", 0.1, False)
    assert not record.on_datasets
    assert tiny_table.on_datasets
    assert tiny_table.sources[0].digest is not None
    assert tiny_table.only_sources([]).sources == ()


@pytest.fixture(scope="module")
def tiny_table() -> StudyRecord:
    rows = pd.DataFrame({"a": [float(i % 3) for i in range(20)]}), list("ab") * 10
    return compare({"prior": PriorClassifier()}, on=rows, metrics="accuracy").study


def test_missing_scores_are_those_that_no_cell_has(record):
    facts = read_study(OWN).scores.facts
    key = ScoreKey("ir_b", "training", "exact", "none")
    missing = record.missing_scores({key: 3}, n_done=4, n_exact=3, facts=facts)
    assert key not in missing
    assert missing[key._replace(rows="test")] == 4


@pytest.mark.parametrize(
    "change, message",
    [
        ({"learners": [["nb"]]}, "cannot be read"),
        ({"scores": {}}, "cannot be read"),
        ({"name": "a\nb"}, "expected one line"),
    ],
)
def test_what_no_run_writes_is_refused(change, message, record):
    text = json.dumps({**json.loads(record.to_json()), **change})
    with pytest.raises(WorkbenchError, match=message):
        StudyRecord.from_json(text)


@pytest.mark.parametrize("text", ["", "[", "3", "[]", None])
def test_what_is_no_record_is_refused(text):
    with pytest.raises(WorkbenchError, match="the study's record cannot be read"):
        StudyRecord.from_json(text)


def test_a_record_is_not_written_as_toml(record):
    with pytest.raises(WorkbenchError, match="cannot write a StudyRecord as TOML: expected a Study"):
        write_study(record)
