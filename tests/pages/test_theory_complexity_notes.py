"""What the notes on theories say of their truths is what the study draws and the intervals count."""

import re
import runpy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from learners.code_lengths.tree import category_bits
from workbench import read_study, run
from workbench.base.catalogue import find

FOLDER = Path(__file__).resolve().parents[2] / "experiments" / "studies" / "theory_complexity"
STUDY = read_study(FOLDER / "truths.toml")
HEAD = (FOLDER / "truths.toml").read_text(encoding="utf-8").partition("\nname")[0]
NOTES = " ".join((FOLDER / "notes.md").read_text(encoding="utf-8").split())


def small_study():
    """Two truths of each kind at the three sizes, with trees and rules."""
    keys = ("one_r", "c45_unpruned", "mml_tree", "c45rules", "induct_rdr", "induct_dnf")
    learners = tuple(STUDY.learner(key) for key in keys)
    return replace(STUDY, learners=learners, design=replace(STUDY.design, replicates=2, n_test=60))


@pytest.fixture(scope="module")
def results():
    """Run the small study."""
    return run(small_study())


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
def test_no_interval_counts_a_truth_twice(results, tmp_path) -> None:
    """Every table of truths is of one size, so that its subjects are as many as its truths."""
    scores = runpy.run_path(str(FOLDER / "training_scores.py"))
    study = small_study()
    (cells,) = study.design.rounds(scores["plan_of"](study))
    tasks = scores["tasks_of"](study, [("", cell) for cell in cells])
    rows = [row for task in tasks for row in scores["of_task"](study, task)]
    pd.DataFrame(rows).to_csv(tmp_path / "truths.csv", index=False)
    script = runpy.run_path(str(FOLDER / "write_notes.py"))
    counted = []
    plain = script["interval"]

    def counting(values, decimals=2):
        counted.append(values.index)
        return plain(values, decimals)

    script["of_truths"].__globals__["interval"] = counting
    script["of_truths"](script["read"](results, "as printed", tmp_path))
    assert counted
    for index in counted:
        assert not index.duplicated().any()
        assert list(index.names) == ["source", "replicate"]


def test_the_message_of_a_tree_is_that_of_the_learner_that_minimizes_it() -> None:
    """On nominal attributes `mml_tree` and the script must code one tree alike."""
    scores = runpy.run_path(str(FOLDER / "training_scores.py"))
    truth = find("generators", "tan")(random_state=3, n_attributes=6)
    X, y = truth.sample(400, np.random.default_rng(5))
    learner = find("learners", "mml_tree")().fit(X, y)
    counts = scores["leaf_counts"](learner, X, np.searchsorted(learner.classes_, y))
    bits = scores["tree_bits"](learner.tree_, X.shape[1]) + category_bits(counts, 1.0).sum()
    assert learner.n_leaves_ > 3
    assert bits == pytest.approx(learner.message_length_)
