"""Parameters shared by trees and graphs of shortest message, and their preparation of training rows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.options import check_choice, check_number, is_whole
from learners.tables.attributes import CodedTable, Schema
from learners.trees.growing.training_rows import TreeRows, rank_rows
from learners.trees.mml.costed_tree import MessageCode

__all__ = ["MessageTraining", "check_options", "MissingAsValue", "seen_values"]


@dataclass(frozen=True, eq=False)
class MissingAsValue:
    """The columns whose missing values count as values: those that have some in the training rows."""

    # The code of a nominal attribute that denotes missing becomes one more value; a missing number lies below
    # all others. In other columns a missing value stays missing.
    nominal: NDArray[np.bool_]  # by row of `codes`
    numeric: NDArray[np.bool_]  # by row of `values`

    @classmethod
    def of(cls, table: TrainingTable) -> "MissingAsValue":
        """Find the columns with missing values."""
        nominal = np.any(table.codes == table.arities[:, None], axis=1)
        return cls(np.asarray(nominal), np.asarray(np.any(np.isnan(table.values), axis=1)))

    @classmethod
    def nowhere(cls, table: TrainingTable) -> "MissingAsValue":
        """Leave all missing values missing."""
        return cls(np.zeros(len(table.codes), bool), np.zeros(len(table.values), bool))

    def training(self, table: TrainingTable) -> TrainingTable:
        """Return the training rows with these values."""
        return table._replace(values=self._numbers(table.values), arities=table.arities + self.nominal)

    def coded(self, table: CodedTable) -> CodedTable:
        """Return rows to be forecast with these values. Their codes do not change."""
        return table._replace(values=self._numbers(table.values))

    def of_columns(self, schema: Schema) -> NDArray[np.bool_]:
        """Return for each column of the table whether it has such a value, of shape (n_features,)."""
        out = np.zeros(len(schema.attributes), bool)
        out[list(schema.nominal)], out[list(schema.numeric)] = self.nominal, self.numeric
        return out

    def _numbers(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(self.numeric[:, None] & np.isnan(values), -np.inf, values)


def seen_values(table: TrainingTable, schema: Schema) -> NDArray[np.int64]:
    """Count the different values that the training rows show."""
    out = np.zeros(len(schema.attributes), np.int64)
    for j, codes, arity in zip(schema.nominal, table.codes, table.arities.tolist(), strict=True):
        out[j] = np.count_nonzero(np.bincount(codes, minlength=arity)[:arity])
    for j, numbers in zip(schema.numeric, table.values, strict=True):
        out[j] = np.unique(numbers[~np.isnan(numbers)]).size
    return out


#: Pseudo-counts that ``alpha="search"`` tries.
SEARCHED = (1.0, 0.5, 0.25)
CUT_CODES = {"quantile": False, "uniform": True}
MISSING = {"fractional": MissingAsValue.nowhere, "value": MissingAsValue.of}
LOOKAHEADS = (1, 2)

Model = TypeVar("Model")


def check_options(alpha: Any, cut_code: Any, lookahead: Any, missing: Any) -> None:
    """Raise an error for invalid parameters."""
    if not (isinstance(alpha, str) and alpha == "search"):
        if isinstance(alpha, str):
            raise ValueError(f'alpha must be a number above 0 or "search", but was {alpha!r}.')
        check_number("alpha", alpha, above=0)
    check_choice("cut_code", cut_code, CUT_CODES)
    check_choice("missing", missing, MISSING)
    if not is_whole(lookahead) or lookahead not in LOOKAHEADS:
        raise ValueError(f"lookahead must be 1 or 2, but was {lookahead!r}.")


@dataclass(frozen=True, eq=False)
class MessageTraining:
    """The training rows as the search for a shortest message needs them, and the codes that it tries."""

    rows: TreeRows  # with missing values as values in the columns of `missing_values`
    missing_values: MissingAsValue
    codes: tuple[MessageCode, ...]  # one for each pseudo-count

    @classmethod
    def of(
        cls,
        table: TrainingTable,
        schema: Schema,
        class_order: NDArray[np.intp],
        *,
        alpha: Any,
        cut_code: str,
        lookahead: int,
        missing: str,
    ) -> Self:
        """Prepare the rows of a training table."""
        missing_values = MISSING[missing](table)
        table = missing_values.training(table)
        rows = rank_rows(table, schema, class_order=class_order)
        constant = seen_values(table, schema) < 2
        alphas = SEARCHED if isinstance(alpha, str) else (float(alpha),)
        codes = (MessageCode(a, rows.n_classes, CUT_CODES[cut_code], lookahead, constant) for a in alphas)
        return cls(rows, missing_values, tuple(codes))

    def shortest(
        self, learn: Callable[[TreeRows, MessageCode], Model], length: Callable[[Model], float]
    ) -> tuple[MessageCode, Model, float]:
        """Learn with each code, and return code and model with the shortest message, the first in ties."""
        models = [learn(self.rows, code) for code in self.codes]
        best = int(np.argmin([length(model) for model in models]))
        return self.codes[best], models[best], float(np.log2(len(self.codes)))
