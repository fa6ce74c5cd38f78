"""The exact expected score over weighted cells, with a count of the cells that make it infinite."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Expectation", "expectation"]


@dataclass(frozen=True, slots=True)
class Expectation:
    """An expected score.

    Parameters
    ----------
    value : float
        May be infinite.
    n_infinite : int
        Number of cells of positive probability where the score is infinite.
    """

    value: float
    n_infinite: int


def expectation(weights: NDArray[np.float64], scores: NDArray[np.float64]) -> Expectation:
    """Sum weights times scores; what has weight 0 counts 0, also where its score is infinite."""
    with np.errstate(invalid="ignore"):
        total = float((weights * scores).sum())
    if math.isfinite(total):
        return Expectation(total, 0)
    possible = weights > 0.0
    terms = np.multiply(weights, scores, out=np.zeros_like(scores), where=possible)
    infinite = np.isinf(scores) & possible
    return Expectation(float(terms.sum()), int(infinite.reshape(len(infinite), -1).any(axis=1).sum()))
