"""The pure parts of the scripts that tell what departs in the reproduced papers."""

import importlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from workbench import read_study
from workbench.reproduction import Printed

TOOLS = Path(__file__).parents[2] / "experiments" / "tools"


@pytest.fixture
def counts(monkeypatch):
    monkeypatch.syspath_prepend(TOOLS)
    return importlib.import_module("departure_counts")


@pytest.fixture
def boosting(monkeypatch):
    monkeypatch.syspath_prepend(TOOLS)
    return importlib.import_module("departure_boosting")


def test_a_tree_without_errors_is_not_boosted(boosting):
    X, y = pd.DataFrame({"n": np.arange(8.0)}), pd.Series(pd.Categorical(list("aaaabbbb")))
    forecast, n_trees = boosting.boosted_1996(X, y, X[2:6])
    assert n_trees == 1
    np.testing.assert_array_equal(forecast, np.eye(2)[[0, 0, 1, 1]])


def test_the_trees_of_1996_vote_with_the_logarithms_of_their_odds(boosting):
    X = pd.DataFrame({"n": np.arange(12.0)})
    y = pd.Series(pd.Categorical(list("aaaaabbbbbba")))
    forecast, n_trees = boosting.boosted_1996(X, y, X)
    assert n_trees > 1
    np.testing.assert_allclose(forecast.sum(axis=1), 1)
    assert len(np.unique(forecast[:, 0])) > 2


def test_a_printed_score_is_hit_in_the_middle_of_ours(boosting):
    ours = np.arange(101.0)[:, None]
    hits = [bool(boosting.cells_hit(ours, np.array([printed]))[0]) for printed in (2.0, 2.5, 50.0, 97.6)]
    assert hits == [False, True, True, False]


def test_what_is_printed_has_a_cell_for_each_set_trial_and_table(boosting):
    printed = boosting.printed_scores()
    assert printed.shape == (16, 5, 3)
    assert printed[boosting.SETS.index("V1"), 3, 0] == 0.9078341


def test_a_pair_counts_for_both_and_an_unknown_cell_for_none(counts):
    cells = pd.DataFrame(
        {
            "learner": ["nb", "nb", "tan", "nb", ""],
            "other": ["", "tan", "", "", ""],
            "verdict": ["differ", "differ", "agree", "unknown", "differ"],
        }
    )
    found = counts.by_learner(cells)
    assert found.loc["nb"].tolist() == [2, 2]
    assert found.loc["tan"].tolist() == [2, 1]
    assert list(found.index) == ["nb", "tan"]


def test_what_an_ablation_moves_is_added_up_over_tables(counts):
    moves = pd.DataFrame(
        {
            "ablation": ["a", "b", "a"],
            "table": ["one", "one", "two"],
            "cells": [3, 3, 4],
            "moved_in": [1, 0, 2],
            "moved_out": [0, 1, 1],
        }
    )
    assert counts.by_ablation(moves).loc["a"].tolist() == [7, 3, 1]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["korb2001", "hope2002", "hope2004_uci", "cleary1996"])
def test_named_cells_are_printed_and_their_changes_are_ablations(counts, shared, name):
    folder = TOOLS.parent / "papers" / name
    printed = Printed.from_toml(folder / "printed.toml")
    keys = {one.key for one in read_study(folder / "ablations.toml", data=shared).learners}
    for start, learner, datasets, turned in counts.NAMED[name]:
        table = next(one for one in printed.tables if one.statistic == "mean" and one.name.startswith(start))
        own = table.cells[table.cells["learner"] == learner]
        assert set(datasets.split()) <= set(own["dataset"])
        assert {f"{learner}__{word}" for word in turned} <= keys
