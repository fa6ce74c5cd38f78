"""Recalibration by the frequencies of each class after forecasts of similar size."""

import numpy as np
from numpy.typing import NDArray

from workbench.base.checks import as_integer
from workbench.prequential._shared.base import RecalibrationMap

__all__ = ["HistogramMap"]

#: How many rows the forecast itself counts as: the least number in a cell of the 2001 miscalibration measure.
STRENGTH = 10.0


class HistogramMap(RecalibrationMap):
    """Recalibration map that replaces a forecast by the class frequency in its bin, online.

    It assumes that all forecasts of a class in the same bin have the same error.

    Parameters
    ----------
    n_classes : int
        Number of classes, at least 2.
    n_bins : int, default 20
        Number of bins of each class, of equal width in log-odds. The two outer bins are unbounded.
    width : float, default 1.0
        Width of a bin, in bits: with 1, the odds double from one end of a bin to the other.
    strength : float, default 10.0
        Weight of the forecast itself in its bin, as a number of rows.

    Attributes
    ----------
    n_forecasts, n_hits : ndarray of shape (n_classes, n_bins)
        Number of forecasts of each class in each bin, and number of those whose true class was this class.

    See Also
    --------
    PlattMap : has two numbers per class instead of bins. It learns faster and corrects less.

    Notes
    -----
    Each class is treated against the rest. The forecast q of a class, in a bin of n earlier forecasts and h
    hits, becomes ``(strength * q + h) / (strength + n)``. The row is then divided by its sum. Without earlier
    rows this is the original forecast. Bins have equal width in log-odds, as log rewards depend on ratios:
    0.001 and 0.0001 are as far apart as 0.5 and 0.1. As a bin fills, its forecasts converge to one value, and
    differences within the bin are lost. A forecast of 0 becomes more than 0 once its class was true in the
    same bin.

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
