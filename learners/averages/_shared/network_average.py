"""The average over all networks under an order law, with some columns left out."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.tables.codes import code_dtype
from learners.base import TrainingTable
from learners.bayes._shared.naive_bayes_average import NaiveBayesAverage
from learners.counts.counts import ValueCounts
from learners.networks.search.averaging import MEMORY, work_space
from learners.networks.search.order_average import MAX_LAW_NODES, OrderAverage
from learners.networks.search.order_law import OrderLaw

__all__ = ["NetworkAverage", "why_too_large"]


def why_too_large(n_attributes: int, n_classes: int) -> str | None:
    """Return why a table is too large to average over its networks, or None if it is not."""
    if n_attributes >= MAX_LAW_NODES:
        return f"it takes at most {MAX_LAW_NODES - 1} attributes, and there are {n_attributes:,}"
    if work_space(n_attributes + 1, n_classes) > MEMORY:
        return f"with {n_classes:,} classes it would need more than {MEMORY / 1e9:.0f} GB"
    return None


@dataclass(frozen=True, eq=False)
class NetworkAverage:
    """All networks of the attributes and the class, weighted by their probability."""

    # An attribute without a single training value is independent of all others: the networks have it with one
    # value, and a forecast gives all its values the same probability, as naive Bayes and trees do.

    orders: OrderAverage
    arities: NDArray[np.int64]
    is_seen: NDArray[np.bool_]  # whether training rows have values of the attribute
    log_evidence: float  # of classes and columns of the training rows, nats

    @classmethod
    def of(cls, table: TrainingTable, law: OrderLaw, alpha: float) -> "NetworkAverage":
        """Compute the posterior of the networks."""
        is_seen = np.asarray((table.codes < table.arities[:, np.newaxis]).any(axis=1))
        arities = np.append(np.where(is_seen, table.arities, 1), table.n_classes)
        codes = np.vstack([table.codes, table.y]).astype(code_dtype(arities, missing=True))
        codes[:-1][~is_seen] = 0
        orders = OrderAverage.of(codes, arities, law=law, alpha=alpha, row_weights=table.weight)
        return cls(orders, table.arities, is_seen, orders.log_evidence)

    @property
    def arc_posteriors(self) -> NDArray[np.float64]:
        """Probability of each arc [from, to], the class last."""
        return self.orders.arc_posteriors

    def over(self, columns: NDArray[np.intp]) -> "NetworkAverage | NaiveBayesAverage":
        """Return the average over some of the attributes, with the evidence of all attributes."""
        orders = self.orders
        if not columns.size:
            values = ValueCounts(columns, np.empty((0, orders.class_counts.size)), orders.class_counts)
            return NaiveBayesAverage.of(values, orders.alpha)
        kept = np.append(columns, orders.arities.size - 1)
        fewer = OrderAverage.of(
            orders.rows[kept],
            orders.arities[kept],
            law=orders.law,
            alpha=orders.alpha,
            row_weights=orders.row_weights.max(axis=0),  # 0 only at nodes where the value is missing
        )
        return NetworkAverage(fewer, self.arities[columns], self.is_seen[columns], self.log_evidence)

    def log_joint(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        """Return the log of P(row, class), of shape (n_rows, n_classes), summed over missing values."""
        is_seen, arities = self.is_seen[:, np.newaxis], self.arities[:, np.newaxis]
        shown = np.where(is_seen, codes, 0).astype(self.orders.rows.dtype)
        of_unseen = np.log(np.maximum(arities, 1)) * (~is_seen & (codes < arities))
        return self.orders.log_joint(shown) - of_unseen.sum(axis=0)[:, np.newaxis]
