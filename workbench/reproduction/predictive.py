"""Draws of what a paper could have printed, were it of the same process as ours."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from workbench.reproduction.statistics import correlations, half_widths, means

__all__ = ["N_DRAWS", "Draws", "draws_of_correlations", "draws_of_half_widths", "draws_of_means"]

Array = NDArray[np.float64]

N_DRAWS = 2000
#: A standard deviation below this share of ours is one of equal numbers, but for rounding.
TINY = 1e-6


@dataclass(frozen=True, eq=False)
class Draws:
    """A statistic of ours, and draws of the same statistic of fewer units, about the truth.

    With D(m) the statistic of m units drawn with replacement from ours, a draw is made of ours, of D(printed)
    and of D(all of ours), the two drawn apart: the first scatters as a print does about the truth, the second
    as ours does. All cells of as many units share the draws, so that a cell's verdict does not hang on which
    others there are.

    Parameters
    ----------
    ours : ndarray of shape (n_cells,)
        The statistic of all units; NaN where it is undefined.
    values : ndarray of shape (n_draws, n_cells)
        NaN where the statistic of a draw is undefined.
    """

    ours: Array
    values: Array


def draws_of_means(x: Array, n_printed: int, *, seed: int) -> Draws:
    """Draw means of as many units as are printed.

    Notes
    -----
    ``ours + (D(printed) - D(ours)) sqrt(n_units / chi^2)``. Without the root the variance is that of two
    bootstraps, s^2 (1/n_printed + 1/n_units) with s^2 taken as known; a draw of chi^2 with n_units - 1
    degrees of freedom makes normal draws follow Student's t, as a further mean does. Measured with 3000 cells
    (10 units of ours, 5 printed): 5.0% of prints of the same normal process are told to differ, 9.7% without
    the root.
    """
    drawn = _resampled(len(x), n_printed, seed)
    ours = means(drawn.whole, x)[0]
    return Draws(ours, ours + (means(drawn.printed, x) - means(drawn.own, x)) * drawn.stretch)


def draws_of_half_widths(x: Array, n_printed: int, *, seed: int) -> Draws:
    """Draw half widths of as many units as are printed.

    Notes
    -----
    ``ours D(printed) / D(ours)``, since a standard deviation is off by a factor; the sum in place of the
    product where D(ours) is 0. Measured as for means, 25 units printed: of the same normal process 6.7% are
    told to differ with 50 units of ours and 4.8% with 500; of a skewed one (gamma of shape 2) 11% and 6%.
    """
    drawn = _resampled(len(x), n_printed, seed)
    ours, printed, own = (half_widths(weights, x) for weights in (drawn.whole, drawn.printed, drawn.own))
    with np.errstate(divide="ignore", invalid="ignore"):
        return Draws(ours[0], np.where(own > TINY * ours, ours * printed / own, ours + printed))


def draws_of_correlations(x: Array, y: Array, n_printed: int, *, seed: int) -> Draws:
    """Draw correlations of as many units as are printed.

    Notes
    -----
    ``ours + D(printed) - D(ours)``. Measured as for means, 25 units printed: of the same normal process 5.2%
    to 6.5% are told to differ with 50 units of ours and 4.8% to 5.4% with 500, for correlations of 0 to 0.97.
    """
    drawn = _resampled(len(x), n_printed, seed)
    ours = correlations(drawn.whole, x, y)[0]
    return Draws(ours, ours + correlations(drawn.printed, x, y) - correlations(drawn.own, x, y))


@dataclass(frozen=True, eq=False)
class _Resampled:
    """How often each unit is in a printed statistic and in one of ours, and by how much means are stretched.

    Parameters
    ----------
    whole : ndarray of shape (1, n_units)
        Ones.
    printed, own : ndarray of shape (n_draws, n_units)
        Whole numbers that add up to the number printed, and to that of ours.
    stretch : ndarray of shape (n_draws, 1)
    """

    whole: Array
    printed: Array
    own: Array
    stretch: Array


@lru_cache(maxsize=8)
def _resampled(n_units: int, n_printed: int, seed: int) -> _Resampled:
    rng = np.random.default_rng([seed, n_units, n_printed])
    even = np.full(n_units, 1 / n_units)
    printed = rng.multinomial(n_printed, even, size=N_DRAWS).astype(np.float64)
    own = rng.multinomial(n_units, even, size=N_DRAWS).astype(np.float64)
    stretch = np.sqrt(n_units / rng.chisquare(n_units - 1, size=(N_DRAWS, 1)))
    return _Resampled(np.ones((1, n_units)), printed, own, stretch)
