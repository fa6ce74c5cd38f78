"""The work of one task: what a truth answers, and what learners may not change."""

import numpy as np
import pytest

from generators import random_tan
from workbench import compare
from workbench.engine import worker
from workbench.engine.problem import DrawSpec, build_problem
from workbench.estimators.fair_fit import FairFit
from workbench.estimators.truth_classifier import TruthClassifier
from workbench.metrics import kl_divergence
from workbench.study.source import Source


class BlurredTruth(TruthClassifier):
    """Knows the truth, and answers otherwise."""

    def predict_proba(self, X):
        exact = super().predict_proba(X)
        return (exact + 1 / exact.shape[1]) / 2


@pytest.fixture
def problem():
    return build_problem(DrawSpec(Source("tan", "tan", {"n_attributes": 3}), 1, 0, 40, True))


def answers(learner, block, problem):
    y_prob, _ = worker._forecasts(FairFit(learner, problem.classes), {"test": block}, problem, {})
    return y_prob["test"]


@pytest.mark.parametrize("name", ["test", "exact"])
def test_the_truth_answers_what_it_would_forecast(problem, name):
    block = getattr(problem, name)
    learner = TruthClassifier(problem.truth).fit(block.X)
    known = answers(learner, block, problem)
    np.testing.assert_array_equal(known, problem.truth.posterior(block.X))
    known[:] = 0.5  # of whoever scores it
    np.testing.assert_array_equal(block.p_true, problem.truth.posterior(block.X))


def test_a_truth_of_the_users_and_a_subclass_answer_for_themselves(problem):
    block = problem.test
    blurred = answers(BlurredTruth(problem.truth).fit(block.X), block, problem)
    assert np.abs(blurred - block.p_true).max() > 0.01
    assert not worker._knows(TruthClassifier(random_tan(n_attributes=3, random_state=5)), problem)


def test_a_blurred_truth_is_scored_as_such():
    results = compare(
        {"truth": TruthClassifier(), "blurred": BlurredTruth()},
        on=random_tan(n_attributes=3, random_state=1),
        sizes=[20],
        metrics=[kl_divergence],
        n_jobs=1,
    )
    frame = results.frame()
    means = frame[frame["cutoff"] == "none"].groupby("learner")["value"].mean()
    assert means["truth"] == pytest.approx(0, abs=1e-12)
    assert means["blurred"] > 0.01
