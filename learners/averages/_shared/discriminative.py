"""Penalized logistic models of values: the parameters of a network, chosen for forecasts of the class."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners.averages._kernels.logistic import (
    cholesky,
    fit_scores,
    probabilities_of,
    set_tables,
    slot_products,
    slot_shares,
)
from learners.base import TrainingTable
from learners.bayes._shared.backed_off_families import n_scores
from learners.counts.slots import slot_offsets

__all__ = ["LogisticModel", "LogisticRows", "slots_of"]

#: Penalty of a coefficient's distance to 1, at which the network forecasts as it is.
COEFFICIENT_PENALTY = 5.0
MOST_STEPS = 150
#: A matrix guides the search unless it has more entries than the rows have cells, by weight, times this.
MOST_GUIDED = 4


class LogisticModel(NamedTuple):
    """A fitted model."""

    tables: NDArray[np.float64]  # (n_slots, n_scores); of two classes the difference alone
    intercepts: NDArray[np.float64]  # scores without any value; -inf past the last class
    coefficients: NDArray[np.float64]  # factor of each given feature

    def forecast(
        self, slots: NDArray[np.uint32], features: NDArray[np.float32] | None = None
    ) -> NDArray[np.float64]:
        """Return the class probabilities of rows."""
        if features is None:
            features = np.empty((len(slots), 0, self.intercepts.size), dtype=np.float32)
        out = probabilities_of(slots, features, self.tables, self.intercepts, self.coefficients)
        return out if out.shape[1] == 2 else out[:, np.isfinite(self.intercepts)]


@dataclass(frozen=True, eq=False)
class LogisticRows:
    """Training rows without numbers, prepared for fits of several models."""

    table: TrainingTable
    ordered: NDArray[np.bool_]  # whether an attribute's codes are intervals
    first_slots: NDArray[np.int64]  # of each attribute, which has one for each value and one for missing
    slots: NDArray[np.uint32]  # (n_samples, n_features)
    log_prior: NDArray[np.float64]  # scores without any value
    shares: NDArray[np.float64]  # of the rows that each value is centered by
    # (n_slots, n_slots), about the second derivatives of the loss; length 0 if too large
    curvature: NDArray[np.float64]

    @classmethod
    def of(
        cls, table: TrainingTable, ordered: NDArray[np.bool_], prior: NDArray[np.float64]
    ) -> "LogisticRows":
        """Prepare rows, with the class probabilities that scores of 0 stand for."""
        first = slot_offsets(table.arities)
        slots = slots_of(table.codes, first)
        shares = slot_shares(slots, table.kernel_weight, first, ordered)
        curvature = np.empty((0, 0))
        if first[-1] ** 2 <= MOST_GUIDED * table.class_counts().sum() * table.arities.size:
            spread = float((prior * (1.0 - prior)).sum() / prior.size)
            curvature = spread * slot_products(slots, table.kernel_weight, first, ordered, shares)
        return cls(table, ordered, first, slots, _log_prior(prior), shares, curvature)

    def fit(
        self, penalties: tuple[float, ...], features: NDArray[np.float32] | None = None
    ) -> list[LogisticModel]:
        """Fit a model with each penalty, the strongest first: a fit begins where the one before ended."""
        n_scores, n_slots = self.log_prior.size, int(self.first_slots[-1])
        if features is None:
            features = np.empty((self.table.y.size, 0, n_scores), dtype=np.float32)
        n_coefficients = features.shape[1]
        x = np.zeros((n_slots + 1) * n_scores + n_coefficients)
        x[x.size - n_coefficients :] = 1.0
        out = []
        for penalty in penalties:
            own = penalty / 2 if n_scores == 1 else penalty  # one score in place of two opposite ones
            factor = cholesky(self.curvature, own)
            fit_scores(
                self.slots, self.table.y, self.table.kernel_weight, self.first_slots, self.ordered,
                self.shares, features, self.log_prior, own, COEFFICIENT_PENALTY, factor, MOST_STEPS, x,
            )  # fmt: skip
            tables = np.empty((n_slots, n_scores))
            set_tables(x, self.first_slots, self.ordered, self.shares, tables)
            classes = x[n_slots * n_scores :][:n_scores]
            out.append(LogisticModel(tables, self.log_prior + classes, x[x.size - n_coefficients :].copy()))
        return out


def _log_prior(prior: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the scores without any value: of two classes the difference, else as many as kernels take."""
    if prior.size == 2:
        return np.log(prior[1:] / prior[:-1])
    return np.append(np.log(prior), np.full(n_scores(prior.size) - prior.size, -np.inf))


def slots_of(codes: NDArray[Any], first_slots: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Return the slot of each cell, a row for each row."""
    return np.ascontiguousarray((codes + first_slots[:-1, None]).T, dtype=np.uint32)
