"""ROC curves, precision, recall and lift against scikit-learn's, and our own metrics of the same rows."""

import numpy as np
import pytest

from workbench.forecasts.curves import lift_curve, mean_lift, mean_roc, precision_recall_curve, roc_curve
from workbench.metrics import Lift, auc

sklearn_metrics = pytest.importorskip("sklearn.metrics")

N_ROWS, N_CLASSES = 400, 4


@pytest.fixture(scope="module", params=["different forecasts", "many ties"])
def rows(request):
    """Return outcomes and forecasts that have something to do with them."""
    rng = np.random.default_rng(7)
    codes = rng.integers(N_CLASSES, size=N_ROWS)
    weights = rng.gamma(1.0 + 2.0 * (codes[:, None] == np.arange(N_CLASSES)))
    if request.param == "many ties":
        weights = np.ceil(2 * weights)
    return codes, weights / weights.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("code", range(N_CLASSES))
def test_the_points_and_the_area_of_one_class_are_those_of_scikit_learn(rows, code):
    codes, table = rows
    curve = roc_curve(codes == code, table[:, code])
    false_positive, true_positive, thresholds = sklearn_metrics.roc_curve(
        codes == code, table[:, code], drop_intermediate=False
    )
    np.testing.assert_allclose(curve.false_positive, false_positive, atol=1e-15)
    np.testing.assert_allclose(curve.true_positive, true_positive, atol=1e-15)
    np.testing.assert_array_equal(curve.thresholds, thresholds)
    assert curve.area == pytest.approx(sklearn_metrics.roc_auc_score(codes == code, table[:, code]))


@pytest.mark.parametrize("code", range(N_CLASSES))
def test_precision_and_recall_of_one_class_are_those_of_scikit_learn(rows, code):
    codes, table = rows
    curve = precision_recall_curve(codes == code, table[:, code])
    precision, recall, thresholds = sklearn_metrics.precision_recall_curve(codes == code, table[:, code])
    np.testing.assert_array_equal(curve.thresholds, thresholds[::-1])
    np.testing.assert_allclose(curve.precision, precision[-2::-1], atol=1e-15)
    np.testing.assert_allclose(curve.recall, recall[-2::-1], atol=1e-15)
    expected = sklearn_metrics.average_precision_score(codes == code, table[:, code])
    assert curve.average == pytest.approx(expected, rel=1e-12)


def test_the_mean_area_is_that_of_scikit_learn_and_of_our_metric(rows):
    codes, table = rows
    mean = mean_roc([roc_curve(codes == code, table[:, code]) for code in range(N_CLASSES)])
    expected = sklearn_metrics.roc_auc_score(codes, table, multi_class="ovr", average="macro")
    assert mean.area == pytest.approx(expected)
    assert auc(codes, table) == pytest.approx(expected)


def test_the_hull_is_what_isotonic_calibration_makes_of_the_curve(rows):
    """Pooling adjacent violators ranks rows as the hull does (Fawcett and Niculescu-Mizil, 2007)."""
    from sklearn.isotonic import IsotonicRegression

    codes, table = rows
    happened, forecast = codes == 0, table[:, 0]
    calibrated = IsotonicRegression().fit_transform(forecast, happened.astype(float))
    expected = roc_curve(happened, calibrated.round(12))
    hull = roc_curve(happened, forecast).hull
    np.testing.assert_allclose(hull.false_positive, expected.false_positive, atol=1e-12)
    np.testing.assert_allclose(hull.true_positive, expected.true_positive, atol=1e-12)


@pytest.mark.parametrize("share", [0.1, 0.25])
def test_lift_at_a_share_is_that_of_our_metric(rows, share):
    codes, table = rows
    curve = mean_lift([lift_curve(codes == code, table[:, code]) for code in range(N_CLASSES)])
    assert np.interp(share, curve.share, curve.gain) / share == pytest.approx(Lift(share=share)(codes, table))
