"""What the notes on theories say of their truths is what the study draws and the intervals count."""

import re
import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from workbench import read_study, run

FOLDER = Path(__file__).resolve().parents[2] / "experiments" / "studies" / "theory_complexity"
STUDY = read_study(FOLDER / "truths.toml")
HEAD = (FOLDER / "truths.toml").read_text(encoding="utf-8").partition("\nname")[0]
NOTES = " ".join((FOLDER / "notes.md").read_text(encoding="utf-8").split())


@pytest.fixture(scope="module")
def results():
    """Run two truths of each kind at the three sizes, with trees and rules."""
    keys = ("one_r", "c45_unpruned", "mml_tree", "c45rules", "induct_rdr", "induct_dnf")
    learners = tuple(STUDY.learner(key) for key in keys)
    return run(replace(STUDY, learners=learners, design=replace(STUDY.design, replicates=2, n_test=60)))


def test_the_number_of_truths_is_reported() -> None:
    n = len(STUDY.sources) * STUDY.design.replicates
    assert f"{n} generated truths" in NOTES
    assert f"{n} generated truths" in HEAD
    assert not re.search(r"\b360\b", NOTES + HEAD)


@pytest.mark.slow
def test_all_sizes_of_a_truth_have_its_test_rows(results) -> None:
    digests = results.cells().groupby(["source", "replicate"], observed=True)["test_digest"].unique()
    assert len(digests) == 6
    assert all(len(own) == 1 for own in digests)
    assert len({own[0] for own in digests}) == 6
    assert "judged on the same 1000 test rows" in NOTES
    assert STUDY.design.n_test == 1000


@pytest.mark.slow
def test_no_interval_counts_a_truth_twice(results) -> None:
    """Every table of truths is of one size, so that its subjects are as many as its truths."""
    script = runpy.run_path(str(FOLDER / "write_notes.py"))
    counted = []
    plain = script["interval"]

    def counting(values, decimals=2):
        counted.append(values.index)
        return plain(values, decimals)

    script["_of_truths"].__globals__["interval"] = counting
    script["_of_truths"](results)
    assert counted
    for index in counted:
        assert not index.duplicated().any()
        assert list(index.names) == ["source", "replicate"]
