"""Which optimum belongs to which law, all behind one interface."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators import (
    AddedAttributesLaw,
    GaussianNaiveBayesLaw,
    Law,
    NaiveBayesLaw,
)
from learners.base import TrainingTable
from learners.tables.attributes import CodedTable
from workbench.base.errors import WorkbenchError
from workbench.optimal.naive_bayes import NaiveBayesOptimum

__all__ = ["OPTIMA", "Optimum", "obstacle", "optimum_of", "why_unfit"]

Joint = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Optimum:
    """The best forecasts under a law after some rows.

    Attributes
    ----------
    log_joint : callable
        Takes coded rows and returns the log of P(row, class | training rows), (n_rows, n_classes), nats.
    evidence : callable
        Returns the log of P(training rows, classes | law), nats, and its Monte Carlo standard error.
    chains : callable or None
        Where forecasts are estimated by Monte Carlo: takes coded rows and returns P(row, class | training
        rows) up to one factor for each row, by chain, (n_chains, n_rows, n_classes). None if they are exact.
    about : mapping of str to float
        How the chains went, such as "r_hat".
    """

    log_joint: Callable[[CodedTable], Joint]
    evidence: Callable[[], tuple[float, float]]
    chains: Callable[[CodedTable], Joint] | None = None
    about: Mapping[str, float] = field(default_factory=dict)


def _naive_bayes(law: NaiveBayesLaw, table: TrainingTable, seed: int) -> Optimum:
    found = NaiveBayesOptimum.of(
        table.codes,
        table.arities,
        table.y,
        table.n_classes,
        alpha=law.concentration,
        class_marginal=law.class_marginal,
        weight=table.weight,
    )
    return Optimum(lambda rows: found.log_joint(rows.codes), lambda: (found.log_evidence, 0.0))


Make = Callable[[Any, TrainingTable, int], Optimum]
#: How to make the optimum of each law.
OPTIMA: Mapping[type[Law], Make] = MappingProxyType({NaiveBayesLaw: _naive_bayes})
#: Laws of numeric attributes; all others are of nominal ones.
NUMERIC = (GaussianNaiveBayesLaw,)
#: Laws whose optimum takes training rows with missing values.
HOLES = (NaiveBayesLaw, GaussianNaiveBayesLaw)


def obstacle(law: Law, n_attributes: int) -> str | None:
    """Return why truths of a law and so many attributes have no optimum; None if they have one."""
    if law.obstacle is not None:
        return law.obstacle
    while isinstance(law, AddedAttributesLaw):
        n_attributes -= len(law.added)
        law = law.law
    if type(law) not in OPTIMA:
        return f"no optimum is known for the law {law.kind!r}"
    return None


def why_unfit(law: Law, table: TrainingTable) -> str | None:
    """Return why a table cannot come from a law with an optimum; None if it can.

    Parameters
    ----------
    law : Law
        Not that of added attributes.
    table : TrainingTable
    """
    why = obstacle(law, len(table.codes) + len(table.values))
    if why is not None:
        return why
    known = getattr(law, "class_marginal", None)
    if known is not None and len(known) != table.n_classes:
        return f"the law has {len(known)} classes, and the table {table.n_classes}"
    if isinstance(law, NUMERIC):
        return "the law is of numeric attributes, and some are nominal" if len(table.codes) else None
    if len(table.values):
        return "the law is of nominal attributes, and some are numeric"
    if not isinstance(law, HOLES) and (table.codes == table.arities[:, None]).any():
        return f"values are missing in the training rows, and the law is {law.words}"
    return None


def optimum_of(law: Law, table: TrainingTable, seed: int) -> Optimum:
    """Return the best forecasts under a law after the rows of a table.

    Raises
    ------
    WorkbenchError
        If there is no optimum, or the table cannot come from the law.
    """
    why = why_unfit(law, table)
    if why is not None:
        raise WorkbenchError(f"there is no optimum: {why}")
    return OPTIMA[type(law)](law, table, seed)
