"""Code lengths of 1996, in bits: of classes given the sets that were predicted for them, and of theories."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["INCREMENTS", "Increment", "constant_code", "frequency_code", "theory_bits"]

#: The increments of the weights alpha and beta: the class's share of its set, or what makes r alpha count
#: hits.
Increment = Literal["share", "count"]
INCREMENTS = ("share", "count")


def constant_code(codes: NDArray[np.intp], sets: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Code each class, all classes alike, hits and misses weighted by their past."""
    return _lengths(codes, sets, growth=0, by_count=False)


def frequency_code(
    codes: NDArray[np.intp], sets: NDArray[np.bool_], *, increment: Increment
) -> NDArray[np.float64]:
    """Code each class by its frequency so far, hits and misses weighted by their past.

    Where every set holds all classes, it is the code of the frequencies alone.
    """
    return _lengths(codes, sets, growth=1, by_count=increment == "count")


def _lengths(
    codes: NDArray[np.intp], sets: NDArray[np.bool_], *, growth: int, by_count: bool
) -> NDArray[np.float64]:
    from workbench.metrics._kernels.adaptive_code import adaptive_code  # numba, only when it is needed

    out = np.empty(len(codes))
    adaptive_code(codes, np.ascontiguousarray(sets), growth, by_count, out)
    return out


def theory_bits(learner: Any) -> float:
    """Return the bits of a fitted learner's theory."""
    if not hasattr(learner, "theory_complexity"):
        raise ValueError(
            f"{type(learner).__name__} has no theory_complexity(): use a fitted tree, graph or rule learner"
        )
    return float(learner.theory_complexity().total)
