"""Rows as a law sees them, and what every optimum needs to be a learner."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators import AddedAttributesLaw, Law, law_of
from generators.base.draw import as_generator
from learners.base import TrainingTable
from learners.tables.attributes import CodedTable, Schema
from workbench.base.errors import WorkbenchError

__all__ = ["LawTable", "normalized", "read_law", "seed_of"]


@dataclass(frozen=True)
class LawTable:
    """Rows as a law sees them: without the attributes that it says are of no use.

    Attributes
    ----------
    law : Law
        The law of the attributes that are kept.
    kept : list of int or None
        Which of the nominal attributes are kept; None for all.
    """

    law: Law
    kept: list[int] | None

    @classmethod
    def of(cls, law: Law, schema: Schema) -> "LawTable":
        """Separate what a law says of its attributes from which of them are of no use."""
        ignored: set[str] = set()
        while isinstance(law, AddedAttributesLaw):
            ignored |= {*law.added}
            law = law.law
        names = [str(schema.attributes[j].name) for j in schema.nominal]
        lacking = sorted(ignored - {*names})
        if lacking:
            raise WorkbenchError(
                f"the law names the attribute {lacking[0]!r}, which the table does not have: give rows of "
                "its truth as a DataFrame"
            )
        return cls(law, [j for j, name in enumerate(names) if name not in ignored] if ignored else None)

    def training(self, table: TrainingTable) -> TrainingTable:
        """Return the training rows without the ignored attributes."""
        if self.kept is None:
            return table
        return table._replace(codes=table.codes[self.kept], arities=table.arities[self.kept])

    def rows(self, coded: CodedTable) -> CodedTable:
        """Return rows to be forecast without the ignored attributes."""
        return coded if self.kept is None else coded._replace(codes=coded.codes[self.kept])


def read_law(law: Any) -> Law:
    """Return a law, or what its document describes, or raise WorkbenchError."""
    try:
        return law_of(law)
    except ValueError as error:
        raise WorkbenchError(f"the law cannot be read: {error}") from error


def seed_of(random_state: Any) -> int:
    """Return the seed of a sampler."""
    return int(as_generator(random_state).random() * 2**53)


def normalized(log_joint: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return P(class | row) from logs of P(row, class)."""
    shares = np.exp(log_joint - log_joint.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
