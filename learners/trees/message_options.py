"""The parameters that trees and graphs of shortest message share, and what they make of the training rows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from learners.attributes import Schema
from learners.base import TrainingTable
from learners.options import check_choice, check_number
from learners.parent_lists import is_whole
from learners.trees.message_tree import MessageCode
from learners.trees.missing_value import MissingAsValue, seen_values
from learners.trees.training_rows import TreeRows, rank_rows

__all__ = ["SEARCHED", "MessageTraining", "check_options"]

#: Pseudo-counts that ``alpha="search"`` tries.
SEARCHED = (1.0, 0.5, 0.25)
CUT_CODES = {"quantile": False, "uniform": True}
MISSING = {"fractional": MissingAsValue.nowhere, "value": MissingAsValue.of}
LOOKAHEADS = (1, 2)

Model = TypeVar("Model")


def check_options(alpha: Any, cut_code: Any, lookahead: Any, missing: Any) -> None:
    """Refuse parameters that mean nothing.

    Raises
    ------
    ValueError
        If one of them is none of its values.
    """
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
    """The training rows as the search for a shortest message reads them, and the codes that it tries.

    Parameters
    ----------
    rows : TreeRows
        The rows; missing values that count as values are made such.
    missing_values : MissingAsValue
        In which columns they do.
    codes : tuple of MessageCode
        One for each pseudo-count.
    """

    rows: TreeRows
    missing_values: MissingAsValue
    codes: tuple[MessageCode, ...]

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
        """Prepare the rows of a training table.

        Parameters
        ----------
        table : TrainingTable
            The rows.
        schema : Schema
            Which column is which.
        class_order : ndarray of intp, shape (n_classes,)
            As for `rank_rows`.
        alpha, cut_code, lookahead, missing : object
            The learner's parameters, checked.

        Returns
        -------
        MessageTraining
        """
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
        """Learn under each code; give the code and the model of the shortest message, the first of equals.

        Returns
        -------
        tuple of MessageCode, Model, float
            The last is what it takes to tell which code it is, in bits.
        """
        models = [learn(self.rows, code) for code in self.codes]
        best = int(np.argmin([length(model) for model in models]))
        return self.codes[best], models[best], float(np.log2(len(self.codes)))
