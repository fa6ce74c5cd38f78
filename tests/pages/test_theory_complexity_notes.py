"""The script of the notes on theories codes a tree as the learner does that minimizes the message."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from learners.code_lengths.tree import category_bits
from workbench.base.catalogue import find

FOLDER = Path(__file__).resolve().parents[2] / "experiments" / "studies" / "theory_complexity"


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
