"""What forecasts are worth: the chance of a bet given its forecast, learned from other bets."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["calibrated_chances", "RankedForecast", "ranked_forecast"]

# Sums of the same terms in another order differ in their last digits.
TOLERANCE = 1e-12


@dataclass(frozen=True)
class RankedForecast:
    """Bets in the order of their forecasts.

    Parameters
    ----------
    order : ndarray of int, shape (n_bets,)
        The bets in ascending order of their forecast.
    steps : ndarray of int, shape (n_values + 1,)
        Where in that order each new value begins, and the number of bets.
    """

    order: NDArray[np.int64]
    steps: NDArray[np.int64]

    def groups(self) -> NDArray[np.int64]:
        """Return the number of the value of each bet, 0 for the lowest."""
        numbers = np.empty(self.order.size, np.int64)
        numbers[self.order] = np.repeat(np.arange(self.steps.size - 1), np.diff(self.steps))
        return numbers


def ranked_forecast(probability: NDArray[np.float64]) -> RankedForecast:
    """Sort bets by their forecast.

    Notes
    -----
    Rounding to 12 digits would be simpler, but it parts neighbours that lie on either side of a half.
    """
    order = np.argsort(probability, kind="stable")
    new = np.flatnonzero(np.diff(probability[order]) > TOLERANCE) + 1
    return RankedForecast(order, np.concatenate(([0], new, [order.size])))


def calibrated_chances(
    ranked: RankedForecast,
    happened: NDArray[np.bool_],
    *,
    toward: float,
    fold: NDArray[np.int64] | None = None,
) -> NDArray[np.float64]:
    """Estimate how often bets happen that are forecast so high, by centered isotonic regression.

    Notes
    -----
    Assumes that a higher forecast never means a lower chance. Blocks are those of the pool-adjacent-violators
    algorithm; between their centers the chance is linear in the rank [1]_, so any increasing map of the
    forecasts gives the same chances. 1,000,000 bets, 5 folds: 80 ms.

    References
    ----------
    .. [1] Oron, A. P., and Flournoy, N., "Centered isotonic regression", Statistics in Biopharmaceutical
       Research 9, 2017.
    """
    from workbench.metrics._kernels.isotonic import fill_chances

    chances = np.empty(happened.size)
    folds = np.zeros(happened.size, np.int64) if fold is None else fold
    for held_out in (-1,) if fold is None else range(int(folds.max()) + 1):
        fill_chances(ranked.order, ranked.steps, happened, folds, held_out, toward, chances)
    return chances
