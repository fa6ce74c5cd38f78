"""Accuracy, costs, log loss, quadratic loss and D2 against scikit-learn, KL divergence against scipy."""

import numpy as np
import pytest

from workbench.metrics import (
    CostMatrix,
    accuracy,
    d2_brier,
    d2_log_loss,
    kl_divergence,
    log_loss,
    quadratic_loss,
)

reference = pytest.importorskip("sklearn.metrics")
special = pytest.importorskip("scipy.special")


@pytest.mark.parametrize(("n_classes", "concentration"), [(2, 30.0), (3, 0.1), (10, 1.0)])
class TestSameAsTheOracle:
    @pytest.fixture
    def sample(self, n_classes, concentration):
        rng = np.random.default_rng(n_classes)
        y_prob = rng.dirichlet(np.full(n_classes, concentration), size=500) * 0.999 + 0.001 / n_classes
        return rng.integers(0, n_classes, 500), y_prob

    def test_log_loss(self, sample, n_classes):
        y, y_prob = sample
        nats = reference.log_loss(y, y_prob, labels=range(n_classes))
        assert log_loss(y, y_prob) == pytest.approx(nats / np.log(2), rel=1e-12)

    def test_accuracy(self, sample):
        y, y_prob = sample
        assert accuracy(y, y_prob) == reference.accuracy_score(y, y_prob.argmax(axis=1))

    def test_costs_are_those_of_the_confusion_matrix(self, sample, n_classes):
        y, y_prob = sample
        costs = np.random.default_rng(1).uniform(0.0, 9.0, (n_classes, n_classes))
        decided = {"argmax": y_prob.argmax(axis=1), "bayes": (y_prob @ costs).argmin(axis=1)}
        for decision, classes in decided.items():
            confusion = reference.confusion_matrix(y, classes, labels=range(n_classes))
            found = CostMatrix(costs, decision=decision)(y, y_prob)
            assert found == pytest.approx((confusion * costs).sum() / len(y), rel=1e-12)

    def test_quadratic_loss(self, sample, n_classes):
        y, y_prob = sample
        brier = reference.brier_score_loss(y, y_prob, labels=range(n_classes), scale_by_half=False)
        assert quadratic_loss(y, y_prob) == pytest.approx(brier, rel=1e-12)

    @pytest.mark.parametrize("metric", [d2_log_loss, d2_brier], ids=lambda metric: metric.name)
    def test_d2_against_the_class_frequencies(self, metric, sample, n_classes):
        y, y_prob = sample
        frequencies = np.bincount(y, minlength=n_classes) / len(y)
        oracle = getattr(reference, f"{metric.name}_score")(y, y_prob, labels=range(n_classes))
        assert metric(y, y_prob, prior=frequencies) == pytest.approx(oracle, rel=1e-11, abs=1e-13)

    def test_kl_divergence(self, sample):
        _, y_prob = sample
        p_true = np.roll(y_prob, 1, axis=0)
        nats = special.rel_entr(p_true, y_prob).sum(axis=1)
        np.testing.assert_allclose(
            kl_divergence.per_sample(p_true, y_prob), nats / np.log(2), rtol=1e-12, atol=1e-14
        )
