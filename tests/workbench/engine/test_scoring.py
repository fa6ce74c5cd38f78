"""Scores of a forecast against counts by hand."""

import math

import numpy as np
import pandas as pd

from workbench.base.score_key import ScoreKey
from workbench.engine.problem import Rows
from workbench.engine.scoring import score
from workbench.metrics import METRICS

P_TRUE = np.array([[0.5, 0.5], [1.0, 0.0], [0.25, 0.75]])
ANSWERS = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def only(metric, rows, *, prior="none", y=(), joint=None):
    block = Rows(X=pd.DataFrame(index=range(3)), y=np.array(y, dtype=np.intp), joint=joint, p_true=P_TRUE)
    keys = [ScoreKey(metric, prior, rows, "none")]
    (found,) = score(block, ANSWERS, keys=keys, priors={"uniform": np.array([0.5, 0.5])}, n_train=50)
    return found.value, found.n_infinite


def test_infinite_scores_of_the_attribute_space_are_counted_by_cell():
    joint = P_TRUE / 3
    assert only("log_loss", "exact", joint=joint) == (math.inf, 2)
    assert only("ir_b", "exact", prior="uniform", joint=joint) == (-math.inf, 2)
    assert only("kl_divergence", "exact", joint=joint) == (math.inf, 2)
    impossible = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
    assert only("log_loss", "exact", joint=impossible) == (0.0, 0)
    assert only("kl_divergence", "exact", joint=impossible) == (0.0, 0)


def test_infinite_scores_of_test_rows_are_counted_by_row():
    assert only("log_loss", "test", y=(1, 0, 0)) == (math.inf, 2)
    assert only("log_loss", "test", y=(0, 0, 1)) == (0.0, 0)
    assert only("ir_b", "test", prior="uniform", y=(0, 0, 0)) == (-math.inf, 1)
    assert only("kl_divergence", "test", y=(0, 0, 1)) == (math.inf, 2)


def test_a_metric_of_all_samples_together_is_exact_where_it_can_be():
    joint = P_TRUE / 3
    prior = np.array([0.5, 0.5])
    value, n_infinite = only("d2_brier", "exact", prior="uniform", joint=joint)
    assert (value, n_infinite) == (METRICS["d2_brier"].expected(joint, ANSWERS, prior=prior), 0)
    assert value == 1 - (0.5 * 2 + 0 + 0.25 * 2) / 3 / 0.5


def test_three_classes_that_are_all_infinite_are_one_cell():
    joint = np.full((1, 3), 1 / 3)
    rows = Rows(X=pd.DataFrame(index=range(1)), y=np.empty(0, dtype=np.intp), joint=joint, p_true=joint)
    keys = [ScoreKey("ir_b", "uniform", "exact", "none")]
    certain = np.array([[1.0, 0.0, 0.0]])
    (found,) = score(rows, certain, keys=keys, priors={"uniform": np.full(3, 1 / 3)}, n_train=50)
    assert (found.value, found.n_infinite) == (-math.inf, 1)
