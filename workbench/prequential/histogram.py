"""Recalibration by the frequencies of each class after forecasts of similar size."""

import numpy as np
from numpy.typing import NDArray

from workbench.base.checks import as_integer
from workbench.prequential._shared.base import RecalibrationMap

__all__ = ["HistogramMap"]

#: How many rows the forecast itself counts as: the least number in a cell of the 2001 miscalibration measure.
STRENGTH = 10.0


class HistogramMap(RecalibrationMap):
    """Map that replaces each class's forecast by the frequency in its bin, online.

    It assumes that forecasts of a class in the same bin have the same error.

    Parameters
    ----------
    n_classes : int
    n_bins : int, default 20
        Bins of each class, of equal width in log-odds. The two outer bins are open.
    width : float, default 1.0
        Width of a bin, in bits: 1 doubles the odds.
    strength : float, default 10.0
        Weight of the forecast in its bin, in rows.

    Attributes
    ----------
    n_forecasts, n_hits : ndarray of shape (n_classes, n_bins)
        Number of forecasts of the class in the bin, and how many of these were followed by the class.

    See Also
    --------
    PlattMap : Two numbers per class instead of bins. It learns faster and corrects less.

    Notes
    -----
    One against the rest: the forecast q of a class, in a bin of n forecasts and h hits, becomes ``(strength *
    q + h) / (strength + n)``. The row is then divided by its sum. Without rows that is the forecast. Bins
    have equal width in log-odds, as rewards do: 0.001 and 0.0001 are as far apart as 0.5 and 0.1. As a bin
    fills, its forecasts converge to one value, and differences within the bin are lost. A class with forecast
    0 gets more than 0 once it has happened in its bin.

    References
    ----------
    .. [1] Zadrozny, B., and Elkan, C., "Obtaining calibrated probability estimates from decision trees and
       naive Bayesian classifiers", ICML 2001.

    Examples
    --------
    >>> found = HistogramMap(2).update([[0.9, 0.1]] * 4, [0, 1, 0, 1])
    >>> found.apply([0.9, 0.1])  # (10 * 0.9 + 2) / 14
    array([0.78571429, 0.21428571])
    """

    key = "histogram"

    def __init__(
        self, n_classes: int, *, n_bins: int = 20, width: float = 1.0, strength: float = STRENGTH
    ) -> None:
        super().__init__(n_classes)
        number = as_integer(n_bins)
        if number is None or number < 1:
            raise ValueError(f"n_bins is {n_bins!r}: expected an integer of at least 1")
        for name, value in (("width", width), ("strength", strength)):
            if not 0 < value < np.inf:
                raise ValueError(f"{name} is {value!r}: expected a number above 0")
        self.n_bins, self.width, self.strength = number, float(width), float(strength)
        self.n_forecasts = np.zeros((self.n_classes, number))
        self.n_hits = np.zeros((self.n_classes, number))

    def _run(self, q: NDArray[np.float64], outcomes: NDArray[np.intp]) -> NDArray[np.float64]:
        from workbench.prequential._kernels.histogram import follow_histogram

        mended = np.empty_like(q)
        follow_histogram(q, outcomes, self.n_forecasts, self.n_hits, self.width, self.strength, mended)
        return mended
