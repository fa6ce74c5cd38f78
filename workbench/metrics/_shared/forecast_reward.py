"""What a forecast gains over a prior, under the rewards that can be taken apart."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["RULES", "Rule", "rewards", "rewards_by_class"]

Rule = Literal["ir_b", "log_loss"]
RULES = ("ir_b", "log_loss")


def rewards(
    codes: NDArray[np.intp], rows: NDArray[np.float64], prior: NDArray[np.float64], rule: Rule
) -> NDArray[np.float64]:
    """Reward each row for the class that happened, in bits.

    Notes
    -----
    The terms of `ir_b` and `log_loss`, which take no rows that are no checked forecasts.
    """
    place = np.arange(codes.size), codes
    with np.errstate(divide="ignore"):
        if rule == "log_loss":
            return np.log2(rows[place] / prior[codes])
        ratios = _others(rows) / _others(prior[None])
        ratios[place] = rows[place] / prior[codes]
        return np.log2(ratios).sum(axis=1) / prior.size


def rewards_by_class(
    rows: NDArray[np.float64], prior: NDArray[np.float64], rule: Rule
) -> NDArray[np.float64]:
    """Reward each row for each class that might happen, in bits."""
    return np.column_stack(
        [rewards(np.full(len(rows), code), rows, prior, rule) for code in range(prior.size)]
    )


def _others(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 1 - q_i as the sum of the other entries, those before and those after: nothing cancels."""
    before, after = np.zeros_like(rows), np.zeros_like(rows)
    np.cumsum(rows[:, :-1], axis=1, out=before[:, 1:])
    np.cumsum(rows[:, :0:-1], axis=1, out=after[:, -2::-1])
    return before + after
