"""The code of the classes at a leaf, term by term."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

__all__ = ["CategoryCode", "class_bits", "sum_bits"]

LN2 = math.log(2.0)


class CategoryCode(NamedTuple):
    """The code of the classes at a leaf, with its terms for whole weights n = 0, 1, ... below a bound."""

    alpha: float  # pseudo-count of each class
    spread: float  # of all classes together
    of_class: NDArray[np.float64]  # log2 Gamma(alpha) - log2 Gamma(n + alpha)
    of_sum: NDArray[np.float64]  # log2 Gamma(n + spread) - log2 Gamma(spread)


@kernel
def class_bits(x: float, alpha: float, of_class: NDArray[np.float64]) -> float:
    """Return log2 Gamma(alpha) - log2 Gamma(x + alpha), looked up where x is whole."""
    whole = np.int64(x)
    if whole < of_class.size and whole == x:
        return of_class[whole]
    return (math.lgamma(alpha) - math.lgamma(x + alpha)) / LN2


@kernel
def sum_bits(x: float, spread: float, of_sum: NDArray[np.float64]) -> float:
    """Return log2 Gamma(x + spread) - log2 Gamma(spread), looked up where x is whole."""
    whole = np.int64(x)
    if whole < of_sum.size and whole == x:
        return of_sum[whole]
    return (math.lgamma(x + spread) - math.lgamma(spread)) / LN2
