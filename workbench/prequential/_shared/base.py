"""The base of recalibration maps, which correct forecasts and learn from their outcomes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.checks import as_integer
from workbench.metrics._shared.checks import check_forecast, check_outcomes

__all__ = ["RecalibrationMap"]

UNKNOWN = -1  # in place of an outcome that a map must not learn


class RecalibrationMap(ABC):
    """Base class of recalibration maps: from forecasts to better calibrated forecasts, learned row by row.

    A map starts as the identity. A forecast above 0 never becomes 0. Forecasts are rows of n_classes
    probabilities, and outcomes are class codes. Other values raise ValueError. A subclass declares `key` and
    processes rows in `_run`.

    Parameters
    ----------
    n_classes : int
        Number of classes, at least 2.

    Examples
    --------
    >>> from workbench.prequential import PlattMap
    >>> learned = PlattMap(2)
    >>> learned.apply([0.9, 0.1])
    array([0.9, 0.1])
    >>> for outcome in [0, 1] * 50:  # forecast 0.9 each time, right half of the time
    ...     learned = learned.update([0.9, 0.1], outcome)
    >>> learned.apply([0.9, 0.1]).round(2)
    array([0.53, 0.47])
    """

    key: ClassVar[str]

    def __init__(self, n_classes: int) -> None:
        number = as_integer(n_classes)
        if number is None or number < 2:
            raise ValueError(f"n_classes is {n_classes!r}: expected an integer of at least 2")
        self.n_classes = number

    def apply(self, q: ArrayLike) -> NDArray[np.float64]:
        """Recalibrate one forecast, or rows of forecasts, by the map in its current state."""
        rows = self._rows(q)
        mended = self._run(rows, np.full(len(rows), UNKNOWN, dtype=np.intp))
        return mended.reshape(np.shape(q))

    def update(self, q: ArrayLike, outcome: ArrayLike) -> Self:
        """Learn from the true classes of original forecasts (not recalibrated), and return the map."""
        self.follow(self._rows(q), np.atleast_1d(outcome))
        return self

    def follow(self, q: ArrayLike, outcomes: ArrayLike) -> NDArray[np.float64]:
        """Recalibrate each forecast, then learn from its true class, row by row."""
        rows = self._rows(q)
        return self._run(rows, check_outcomes(outcomes, rows.shape, None))

    def _rows(self, q: ArrayLike) -> NDArray[np.float64]:
        rows = np.ascontiguousarray(check_forecast(np.atleast_2d(np.asarray(q)), name="q"))
        if rows.shape[1] != self.n_classes:
            raise ValueError(f"q has {rows.shape[1]} classes: expected {self.n_classes}, as the map has")
        return rows

    @abstractmethod
    def _run(self, q: NDArray[np.float64], outcomes: NDArray[np.intp]) -> NDArray[np.float64]:
        """Recalibrate checked rows, learning each known outcome before the next row."""
