"""The order that forecasts put bets into, and which forecasts are the same number."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["RankedForecast", "ranked_forecast"]

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

    Parameters
    ----------
    probability : ndarray of shape (n_bets,)

    Returns
    -------
    RankedForecast
        A new value begins where a forecast is more than 1e-12 above the one before.

    Notes
    -----
    Rounding to 12 digits would be simpler, but it parts neighbours that lie on either side of a half.

    Examples
    --------
    >>> ranked_forecast(np.array([0.1 + 0.2, 0.1, 0.3])).groups()
    array([1, 0, 1])
    """
    order = np.argsort(probability, kind="stable")
    new = np.flatnonzero(np.diff(probability[order]) > TOLERANCE) + 1
    return RankedForecast(order, np.concatenate(([0], new, [order.size])))
