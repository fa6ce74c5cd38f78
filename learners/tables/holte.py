"""Cut numbers into the intervals of Holte's 1R, for rules and for learners that count intervals."""

import numpy as np
from numpy.typing import NDArray

from learners.tables._kernels.one_r import one_r_cuts

__all__ = ["holte_cuts"]


def holte_cuts(
    x: NDArray[np.float64],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    order: NDArray[np.intp],
    small: float,
    *,
    joined: bool = True,
) -> NDArray[np.float64]:
    """Cut a sorted numeric attribute into intervals that hold enough rows of one class."""
    # `weight` of length 0 means ones; `order` lists the class codes, and a tie goes to the first of them. A
    # number equal to a cut goes above it. Neighbors with the same class are one interval for a rule, and two
    # for who counts what is in them, if not `joined`.
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    return one_r_cuts(x, rank[y], weight, order.size, small, joined)
