"""The parameters that trees and graphs of shortest message share, and the codes that they ask for."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.options import check_number
from learners.trees.message_growth import MessageCode
from learners.trees.missing_value import MissingAsValue

__all__ = ["SEARCHED", "check_options", "message_codes", "missing_values", "shortest"]

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
    for name, value, allowed in (("cut_code", cut_code, CUT_CODES), ("missing", missing, MISSING)):
        if value not in allowed:
            raise ValueError(f"{name} must be one of {', '.join(allowed)}, but was {value!r}.")
    if isinstance(lookahead, bool) or lookahead not in LOOKAHEADS:
        raise ValueError(f"lookahead must be 1 or 2, but was {lookahead!r}.")


def missing_values(missing: str, table: TrainingTable) -> MissingAsValue:
    """Find the columns whose missing values count as values."""
    return MISSING[missing](table)


def message_codes(
    alpha: Any, cut_code: str, lookahead: int, n_classes: int, constant: NDArray[np.bool_]
) -> list[MessageCode]:
    """Give the codes to be tried: one for each pseudo-count."""
    alphas = SEARCHED if isinstance(alpha, str) else (float(alpha),)
    return [MessageCode(a, n_classes, CUT_CODES[cut_code], lookahead, constant) for a in alphas]


def shortest(
    codes: list[MessageCode], learn: Callable[[MessageCode], Model], length: Callable[[Model], float]
) -> tuple[MessageCode, Model, float]:
    """Learn under each code; give the code and the model of the shortest message, the first of equals.

    Returns
    -------
    tuple of MessageCode, Model, float
        The last is what it takes to tell which code it is, in bits.
    """
    models = [learn(code) for code in codes]
    best = int(np.argmin([length(model) for model in models]))
    return codes[best], models[best], float(np.log2(len(codes)))
