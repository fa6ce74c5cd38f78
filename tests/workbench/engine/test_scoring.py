"""Scores of a forecast against counts by hand."""

import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from workbench.base.score_key import ScoreKey
from workbench.engine.problem import ForecastRows
from workbench.engine.scoring import priors_of, score, with_errors
from workbench.metrics import METRICS
from workbench.optimal.sampled_forecast import SampledForecast

P_TRUE = np.array([[0.5, 0.5], [1.0, 0.0], [0.25, 0.75]])
ANSWERS = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def only(metric, rows, *, prior="none", y=(), joint=None):
    block = ForecastRows(
        X=pd.DataFrame(index=range(3)), y=np.array(y, dtype=np.intp), joint=joint, p_true=P_TRUE
    )
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
    rows = ForecastRows(
        X=pd.DataFrame(index=range(1)), y=np.empty(0, dtype=np.intp), joint=joint, p_true=joint
    )
    keys = [ScoreKey("ir_b", "uniform", "exact", "none")]
    certain = np.array([[1.0, 0.0, 0.0]])
    (found,) = score(rows, certain, keys=keys, priors={"uniform": np.full(3, 1 / 3)}, n_train=50)
    assert (found.value, found.n_infinite) == (-math.inf, 1)


def test_priors_are_of_training_rows_test_rows_and_none():
    problem = SimpleNamespace(classes="abc", marginal=None, test=SimpleNamespace(y=np.array([0, 0, 1])))
    found = priors_of(problem, np.array([2, 2]))
    assert found["uniform"].tolist() == [1 / 3] * 3
    assert found["training"].argmax() == 2
    assert found["test"].argmax() == 0
    assert "marginal" not in found
    problem.marginal = np.array([0.5, 0.25, 0.25])
    assert priors_of(problem, np.array([2, 2]))["marginal"] is problem.marginal


def errors_of(chains, shifted=()):
    """Return the standard errors of the log loss and the accuracy of three rows of class 0, 0 and 1."""
    block = ForecastRows(X=pd.DataFrame(index=range(3)), y=np.array([0, 0, 1]), joint=None, p_true=P_TRUE)
    keys = [ScoreKey(metric, "none", "test", "none") for metric in ("log_loss", "accuracy")]
    sampled = SampledForecast(chains, shifted)
    found = score(block, sampled.y_prob, keys=keys, priors={}, n_train=50)
    return [one.mc_error for one in with_errors(found, block, sampled, priors={}, n_train=50)]


# One chain may dominate the forecast of a row: the others count fully where it is left out.
@pytest.mark.parametrize("largest", [1.0, 1e30])
def test_the_error_of_a_sampled_forecast_is_the_jackknifes_over_chains(largest):
    a, b, c = (np.array([[p, 1 - p]] * 3) for p in (0.5, 0.25, 0.125))
    log_loss, accuracy = errors_of(np.array([largest * a, b, c]))
    without = []
    for pair in ((b, c), (largest * a, c), (largest * a, b)):
        p = pair[0][0] + pair[1][0]
        p /= p.sum()
        without.append(-(2 * math.log2(p[0]) + math.log2(p[1])) / 3)
    mean = sum(without) / 3
    assert log_loss == pytest.approx(math.sqrt(2 / 3 * sum((one - mean) ** 2 for one in without)))
    assert accuracy is None  # which jumps


def test_the_error_of_an_evidence_adds_to_that_of_the_chains():
    alike = np.full((2, 3, 2), 0.5)
    less, more = (np.array([[p, 1 - p]] * 3) for p in (0.25, 0.5))
    score_of = [-(2 * math.log2(p) + math.log2(1 - p)) / 3 for p in (0.25, 0.5)]
    log_loss, accuracy = errors_of(alike, [(less, more)])
    assert log_loss == pytest.approx(abs(score_of[0] - score_of[1]) / 2)
    assert accuracy is None


def test_a_chain_that_alone_gives_a_row_any_probability_leaves_the_error_unknown():
    chains = np.array([[[0.5, 0.5]] * 3, [[0.0, 0.0]] * 3])
    assert errors_of(chains) == [None, None]


def test_one_chain_has_no_error():
    assert errors_of(np.full((1, 3, 2), 0.5)) == [None, None]
