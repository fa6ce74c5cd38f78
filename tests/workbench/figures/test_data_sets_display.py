"""The picture of means: which of them are drawn to scale."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris

from workbench import compare
from workbench.figures.data_sets import DataSetsDisplay, robust_range

# Quartiles 1 and 3, so that values to 3 x 2 below and above them are no outliers.
AROUND = [0.0, 1.0, 2.0, 3.0, 4.0]


class Always(ClassifierMixin, BaseEstimator):
    """Forecasts the first class, with this probability of each other one."""

    def __init__(self, other=0.0):
        self.other = other

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        found = np.full((len(X), len(self.classes_)), self.other)
        found[:, 0] = 1 - found[:, 1:].sum(axis=1)
        return found


@pytest.mark.parametrize(("other", "expected"), [(-5.0, (-5.0, 4.0)), (9.0, (0.0, 9.0))])
def test_a_value_at_the_fence_is_drawn_to_scale(other, expected, monkeypatch):
    monkeypatch.setattr(np, "quantile", lambda values, shares: np.array([1.0, 3.0]))
    assert robust_range(np.array([*AROUND, other])) == expected


@pytest.mark.parametrize("other", [-40.0, np.inf, np.nan])
def test_a_value_beyond_it_and_what_is_no_number_are_not(other):
    assert robust_range(np.array([*AROUND, other])) == (0.0, 4.0)


def test_equal_values_have_no_outliers():
    assert robust_range(np.array([1.0, 1.0, 1.0, 1.0, 5.0])) == (1.0, 5.0)
    assert robust_range(np.array([np.nan])) == (0.0, 1.0)


def test_what_is_just_beyond_widens_the_range():
    assert robust_range(np.array([*AROUND * 5, 17.0])) == (0.0, 4.0)
    assert robust_range(np.array([*AROUND * 5, 10.1, 11.9])) == (0.0, 11.9)


def test_each_mean_beyond_the_axis_has_its_marker_and_its_own_value():
    X, y = load_iris(return_X_y=True, as_frame=True)
    keys = ["nb", "tan", "aode", "kdb", "ande", "mml_tree", "c45", "stump_binary"]
    wild = {"far": Always(1e-9), "farther": Always(1e-12)}
    results = compare({**{key: key for key in keys}, **wild}, on=(X, y), cv=3, metrics="log_loss")
    display = DataSetsDisplay.from_results(results).plot()
    texts = [text for text in display.ax_.texts if text.get_text()]
    means = results.table("log_loss")["mean"].droplevel("source")
    assert {f"{means[key]:.3g}" for key in wild} <= {text.get_text() for text in texts}
    display.ax_.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in texts]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    assert "far beyond it, with its value" in display.caption
