"""AUC, calibration bins and isotonic blocks against scikit-learn, score intervals against statsmodels."""

import numpy as np
import pytest

from workbench.metrics import auc, reliability_table
from workbench.metrics.functions.forecast_worth import calibrated_chances, ranked_forecast

metrics = pytest.importorskip("sklearn.metrics")
calibration = pytest.importorskip("sklearn.calibration")
isotonic = pytest.importorskip("sklearn.isotonic")


def sample(n_classes, digits, n=600, seed=0):
    """Outcomes and forecasts; few digits make ties."""
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.ones(n_classes), size=n)
    y = (rng.random((n, 1)) > rows.cumsum(axis=1)[:, :-1]).sum(axis=1)
    rows = np.round(rows, digits) + 10.0**-digits
    return y, rows / rows.sum(axis=1, keepdims=True)


def assert_same_bins(y, rows, strategy):
    frequency, mean = calibration.calibration_curve(y == 1, rows[:, 1], n_bins=10, strategy=strategy)
    table = reliability_table(y, rows, of=1, strategy=strategy)
    some = table.n > 0
    np.testing.assert_allclose(table.frequency[some], frequency, rtol=1e-12)
    np.testing.assert_allclose(table.mean_forecast[some], mean, rtol=1e-12)


@pytest.mark.parametrize("digits", [1, 2, 15])
class TestSameAsTheOracle:
    @pytest.mark.parametrize("n_classes", [3, 4, 10])
    def test_auc_of_several_classes(self, n_classes, digits):
        y, rows = sample(n_classes, digits)
        theirs = metrics.roc_auc_score(y, rows, multi_class="ovr", average="macro", labels=range(n_classes))
        assert auc(y, rows) == pytest.approx(theirs, abs=1e-12)

    def test_auc_of_two_classes(self, digits):
        rng = np.random.default_rng(1)
        p = np.round(rng.random(500) * 64, digits) / 64  # so that 1 - p is exact where digits are few
        y = (rng.random(500) < p).astype(int)
        theirs = metrics.roc_auc_score(y, p)
        assert auc(y, np.column_stack((1 - p, p))) == pytest.approx(theirs, abs=1e-12)

    def test_reliability_bins_of_equal_width(self, digits):
        assert_same_bins(*sample(3, digits), "uniform")

    def test_isotonic_blocks(self, digits):
        """At the center of each block our chance is theirs, but for the bet that is counted to it."""
        y, rows = sample(3, digits)
        q, hits = rows[:, 1], y == 1
        ranked = ranked_forecast(q)
        theirs = isotonic.IsotonicRegression().fit(ranked.groups(), hits).predict(ranked.groups())
        ours = calibrated_chances(ranked, hits, toward=0.3)
        middle = (ranked.steps[1:] + ranked.steps[:-1] - 1) / 2
        rank = middle[ranked.groups()]
        values, block, n = np.unique(theirs.round(12), return_inverse=True, return_counts=True)
        center = np.bincount(block, rank) / n
        chance = (values * n + 0.3) / (n + 1)
        np.testing.assert_allclose(ours, np.interp(rank, center, chance), rtol=1e-9)


def test_reliability_bins_of_equal_number():
    """With ties, their edges lie between values that differ in the last digit only."""
    assert_same_bins(*sample(3, 15), "quantile")


def test_intervals_are_those_of_wilson():
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    y, rows = sample(3, 2)
    table = reliability_table(y, rows, n_bins=15, level=0.9)
    hits = np.rint(np.nan_to_num(table.frequency) * table.n)
    some = table.n > 0
    low, high = proportion.proportion_confint(hits[some], table.n[some], alpha=0.1, method="wilson")
    np.testing.assert_allclose(table.low[some], low, atol=1e-12)
    np.testing.assert_allclose(table.high[some], high, atol=1e-12)
