"""Power laws: one that is known is found, and losses that do not fall promise nothing."""

import numpy as np
import pytest

from workbench.planning.extrapolation import power_law

SIZES = (100, 200, 283, 400)


@pytest.mark.parametrize(("floor", "scale", "power"), [(0.3, 5.0, 0.6), (0.0, 2.0, 0.3), (0.8, 40.0, 1.0)])
def test_a_known_law_is_recovered(floor, scale, power) -> None:
    law = power_law(SIZES, floor + scale * np.array(SIZES, float) ** -power)
    assert law.power == pytest.approx(power, rel=0.03)
    assert law.floor == pytest.approx(floor, abs=0.02)
    assert law.at(6400) == pytest.approx(floor + scale * 6400.0**-power, abs=0.01)
    assert law.gain(400, 6400) == pytest.approx(scale * (400.0**-power - 6400.0**-power), abs=0.01)


def test_losses_that_rise_give_a_level_law() -> None:
    law = power_law(SIZES, [0.5, 0.6, 0.7, 0.8])
    assert law.gain(400, [800, 6400]) == pytest.approx([0.0, 0.0])
    assert law.at(6400) == pytest.approx(0.65)


def test_a_floor_is_never_below_zero() -> None:
    assert power_law(SIZES, [1.0, 0.6, 0.4, 0.1]).at(1e9) >= 0


def test_a_learner_that_failed_has_no_law() -> None:
    assert np.isnan(power_law(SIZES, [np.nan] * 4).at(800))
