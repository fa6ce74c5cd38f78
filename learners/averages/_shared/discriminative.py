"""Penalized logistic models of values: the parameters of a network, chosen for forecasts of the class."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.averages._kernels.logistic import cholesky, fit_scores, slot_products
from learners.base import TrainingTable

__all__ = ["LogisticRows", "slots_of"]

#: Penalty of a coefficient's distance to 1, at which the network forecasts as it is.
COEFFICIENT_PENALTY = 5.0
MOST_STEPS = 150
#: With more slots the search is guided by a diagonal: a matrix would cost more than it saves.
MOST_GUIDED = 500


@dataclass(frozen=True, eq=False)
class LogisticRows:
    """Training rows, prepared for fits of several models.

    Attributes
    ----------
    table : TrainingTable
        The rows, without numbers.
    ordered : ndarray of bool, shape (n_features,)
        Whether an attribute's codes are intervals.
    first_slots : ndarray of int64, shape (n_features + 1,)
        First slot of each attribute, which has one for each value and one for missing.
    slots : ndarray of int32, shape (n_samples, n_features)
        Slot of each cell.
    log_prior : ndarray of float64, shape (n_scores,)
        Scores without any value.
    curvature : ndarray of float64, shape (n_slots, n_slots)
        About the second derivatives of the loss; length 0 with many slots.
    """

    table: TrainingTable
    ordered: NDArray[np.bool_]
    first_slots: NDArray[np.int64]
    slots: NDArray[np.int32]
    log_prior: NDArray[np.float64]
    curvature: NDArray[np.float64]

    @classmethod
    def of(
        cls, table: TrainingTable, ordered: NDArray[np.bool_], prior: NDArray[np.float64]
    ) -> "LogisticRows":
        """Prepare rows, with the class probabilities that scores of 0 stand for."""
        first = np.concatenate([[0], np.cumsum(table.arities + 1)])
        slots = slots_of(table.codes, first)
        curvature = np.empty((0, 0))
        if first[-1] <= MOST_GUIDED:
            spread = float((prior * (1.0 - prior)).sum() / prior.size)
            curvature = spread * slot_products(slots, _weight(table), first, ordered)
        log_prior = np.log(prior[1:] / prior[:-1]) if prior.size == 2 else np.log(prior)
        return cls(table, ordered, first, slots, log_prior, curvature)

    def fit(
        self, penalties: tuple[float, ...], features: NDArray[np.float64] | None = None
    ) -> list[NDArray[np.float64]]:
        """Fit a model with each penalty, the strongest first: a fit begins where the one before ended."""
        n_scores, n_slots = self.log_prior.size, int(self.first_slots[-1])
        if features is None:
            features = np.empty((self.table.y.size, 0, n_scores))
        n_coefficients = features.shape[1]
        x = np.zeros((n_slots + 1) * n_scores + n_coefficients)
        x[x.size - n_coefficients :] = 1.0
        out = []
        for penalty in penalties:
            own = penalty / 2 if n_scores == 1 else penalty  # one score in place of two opposite ones
            factor = cholesky(self.curvature, own)
            fit_scores(
                self.slots, self.table.y, _weight(self.table), self.first_slots, self.ordered, features,
                self.log_prior, own, COEFFICIENT_PENALTY, factor, MOST_STEPS, x,
            )  # fmt: skip
            out.append(x.copy())
        return out


def slots_of(codes: NDArray[Any], first_slots: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the slot of each cell, a row for each row."""
    return np.ascontiguousarray((codes + first_slots[:-1, None]).T, dtype=np.int32)


def _weight(table: TrainingTable) -> NDArray[np.float64]:
    return np.empty(0) if table.weight is None else table.weight
