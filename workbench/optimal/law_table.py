"""Rows in the form of a law, and shared code of all optima as learners."""

import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators import Law, law_of
from generators.base.draw import as_generator
from generators.laws._shared.classes import LawWithClasses
from generators.tables.caller import user_level
from learners.base import TrainingTable
from learners.tables.attributes import CodedTable, Schema
from workbench.base.errors import WorkbenchError

__all__ = ["LawTable", "check_columns", "read_law", "seed_of", "warn_of_undeclared"]


@dataclass(frozen=True)
class LawTable:
    """Rows in the form of a law: without the attributes that it declares irrelevant."""

    law: Law
    kept: list[int] | None  # of the nominal attributes; None for all

    @classmethod
    def of(cls, law: Law, schema: Schema, class_order: NDArray[np.intp]) -> "LawTable":
        """Separate a law of attributes from the irrelevant attributes that it adds."""
        # class_order: the place of each declared class among the sorted ones, the order of tables
        check_columns("the law names the attribute", law.ignored, schema)
        return cls.without(law.ignored, law, schema, class_order)

    @classmethod
    def without(
        cls, added: Collection[str], law: Law, schema: Schema, class_order: NDArray[np.intp]
    ) -> "LawTable":
        """Ignore these attributes, if the table has them, regardless of the law."""
        names = [str(schema.attributes[j].name) for j in schema.nominal]
        kept = [j for j, name in enumerate(names) if name not in added]
        return cls(_in_class_order(law.kept, class_order), None if len(kept) == len(names) else kept)

    def training(self, table: TrainingTable) -> TrainingTable:
        """Return the training rows without the ignored attributes."""
        if self.kept is None:
            return table
        return table._replace(codes=table.codes[self.kept], arities=table.arities[self.kept])

    def rows(self, coded: CodedTable) -> CodedTable:
        """Return rows to be forecast without the ignored attributes."""
        return coded if self.kept is None else coded._replace(codes=coded.codes[self.kept])


def _in_class_order(law: Law, class_order: NDArray[np.intp]) -> Law:
    """Return a law whose known distribution is that of the sorted classes."""
    if not isinstance(law, LawWithClasses):
        return law
    known = law.known_classes(class_order.size)
    if known is None or len(known) != class_order.size:
        return law
    marginal = np.empty(len(known))
    marginal[class_order] = known
    changes: dict[str, Any] = {"class_marginal": tuple(marginal.tolist()), "class_imbalance": None}
    return replace(law, **changes)


def read_law(law: Any) -> Law:
    """Return a law, or the law of a document, or raise WorkbenchError."""
    try:
        return law_of(law)
    except ValueError as error:
        raise WorkbenchError(f"the law cannot be read: {error}") from error


def check_columns(who: str, named: Collection[str], schema: Schema) -> None:
    """Raise WorkbenchError if a table lacks a named column. `who` begins the sentence."""
    lacking = sorted(set(named) - {str(name) for name in schema.names}, key=str)
    if lacking:
        raise WorkbenchError(
            f"{who} {lacking[0]!r}, which the table does not have: give rows of its truth as a DataFrame"
        )


def warn_of_undeclared(schema: Schema, arities: Sequence[int | None] | None, y: Any) -> None:
    """Warn if the values of a nominal column, or the classes, are known only from the training rows."""
    told = arities or [None] * len(schema.attributes)
    found = [
        f"column {schema.attributes[j].name!r}"
        for j in schema.nominal
        if schema.attributes[j].dtype is None and told[j] is None
    ]
    if not isinstance(getattr(y, "dtype", None), pd.CategoricalDtype):
        found.append("the class")
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        warnings.warn(
            f"the values of {found[0]}{more} are taken from the training rows, but their number is "
            "part of the law: declare them by a categorical dtype, or columns by `arities`",
            stacklevel=user_level(),
        )


def seed_of(random_state: Any) -> int:
    """Return the seed of a sampler."""
    return int(as_generator(random_state).random() * 2**53)
