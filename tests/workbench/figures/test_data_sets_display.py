"""The picture of means: which of them are drawn to scale."""

import numpy as np
import pytest

from workbench.figures.data_sets import robust_range

# Quartiles 1 and 3, so that values to 3 x 2 below and above them are no outliers.
AROUND = [0.0, 1.0, 2.0, 3.0, 4.0]


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
