"""Rows of forecasts: their predicted class, and their sums and products without one entry."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from workbench.metrics._shared.base import ScoringRule
from workbench.metrics._shared.checks import Codes, Numbers


def predicted_class(forecast: Numbers) -> Codes:
    """Return the code of the most probable class of each row, the first of ties."""
    return forecast.argmax(axis=1)


class PredictedRule(ScoringRule):
    """Score the bet on the predicted class, by whether it is won."""

    def _by_class(self, forecast: Numbers, prior: Any) -> Numbers:
        predicted = predicted_class(forecast)
        won, lost = self._bets(predicted, forecast, prior)
        scores = np.empty(forecast.shape)
        scores.T[:] = lost
        scores[np.arange(len(forecast)), predicted] = won
        return scores

    def _of_outcome(self, codes: Codes, forecast: Numbers, prior: Any) -> Numbers:
        predicted = predicted_class(forecast)
        return np.where(predicted == codes, *self._bets(predicted, forecast, prior))

    @abstractmethod
    def _bets(
        self, predicted: Codes, forecast: Numbers, prior: Any
    ) -> tuple[Numbers | float, Numbers | float]:
        """Return the reward of the bet on each row's predicted class if it is won, and if it is lost."""


def taken(columns: Sequence[Numbers] | Numbers, codes: Codes) -> Numbers:
    """Return the entry of each row in the column of its code."""
    table = np.asarray(columns)
    return table.ravel().take(codes * table.shape[1] + np.arange(codes.size))


def own_entries(forecast: Numbers, codes: Codes) -> Numbers:
    """Return the entry of each row at its code."""
    return forecast.ravel().take(codes + np.arange(0, forecast.size, forecast.shape[1]))


def of_each(columns: Sequence[Numbers] | Numbers) -> Numbers:
    """Return columns as contiguous rows, so that their sums have one order."""
    return np.ascontiguousarray(np.asarray(columns).T)


def with_others(forecast: Numbers, prior: Numbers) -> tuple[Numbers, Numbers]:
    """Return the columns, with the prior as their last entry, and the sums of all columns but each.

    The prior is treated like a row, so that a forecast that repeats it gives the same bits.
    """
    table = np.empty((prior.size, len(forecast) + 1))
    table[:, :-1] = forecast.T
    table[:, -1] = prior
    return table, np.array(without_each(np.add, table))


def without_each(operation: np.ufunc, columns: Sequence[Numbers] | Numbers) -> list[Numbers]:
    """Return the sums, or products, of all columns but each.

    They combine those before it with those after it. Nothing is subtracted or divided, so nothing cancels.
    """
    last = len(columns) - 1
    if last == 0:
        return [np.full_like(columns[0], operation.identity)]
    after = [columns[last]]
    for column in columns[last - 1 : 0 : -1]:
        after.append(operation(after[-1], column))
    before, found = columns[0], [after.pop()]
    for column in columns[1:last]:
        found.append(operation(before, after.pop()))
        before = operation(before, column)
    return [*found, before]
