"""Shared code of comparisons: checks of input, the t distribution, rounding tolerances."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from numbers import Real
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.text import shown

__all__ = [
    "LEVEL",
    "ROUNDING",
    "as_number",
    "check_names",
    "check_scores",
    "check_share",
    "rounding_of",
    "t_critical",
    "two_sided_p",
    "without_rounding",
    "log_sizes",
]

Name = TypeVar("Name", bound=Hashable)

#: The significance level of all tests between learners.
LEVEL = 0.05
# Differences this small, relative to what was subtracted, are rounding errors of equal numbers.
ROUNDING = 8 * np.finfo(np.float64).eps


def check_scores(values: ArrayLike, *, axes: str, ndim: int | None = None) -> NDArray[np.float64]:
    """Return scores as a float64 array with subjects in front, or raise."""
    scores = np.asarray(values, dtype=np.float64)
    if scores.ndim == 0 or (ndim is not None and scores.ndim != ndim):
        raise ValueError(f"values has shape {scores.shape}: expected an array with axes {axes}")
    if len(scores) < 2:
        raise ValueError(
            f"values has {len(scores)} subject(s) on its first axis: add replicates, "
            f"since a comparison needs at least 2"
        )
    if scores.size == 0:
        raise ValueError(f"values has shape {scores.shape}: each axis of {axes} needs at least one entry")
    wrong = ~np.isfinite(scores)
    if wrong.any():
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(
            f"values has {int(wrong.sum())} NaN or infinite entries, the first at {place}: leave out that "
            f"subject in every cell, or use a score that is always finite"
        )
    return scores


def check_names(names: Sequence[Name], n_names: int, *, what: str) -> tuple[Name, ...]:
    """Return names as a tuple of `n_names` distinct names, or raise."""
    if isinstance(names, str):
        raise ValueError(
            f"{what} is the string {shown(names)}: give a list of names, such as [{shown(names)}]"
        )
    found = tuple(names)
    if len(found) != n_names:
        raise ValueError(
            f"{what} has {len(found)} names, but the axis of values has {n_names} entries: give one name each"
        )
    if len(set(found)) < len(found):
        raise ValueError(f"{what} is {shown(found)}: names must differ")
    return found


def check_share(value: float, *, what: str) -> float:
    """Return a number strictly between 0 and 1 as a float, or raise."""
    if not 0 < as_number(value) < 1:
        raise ValueError(f"{what} is {shown(value)}: give a number between 0 and 1, such as 0.95 for 95%")
    return float(value)


def as_number(value: object) -> float:
    """Return a real number as a float, and NaN for anything else, so that one check rejects both."""
    return float(value) if isinstance(value, Real) and not isinstance(value, bool) else float("nan")


def rounding_of(differences: NDArray[np.float64], largest: float) -> float:
    """Return the largest difference that rounding can cause."""
    if not 0 <= as_number(largest) < np.inf:
        raise ValueError(
            f"largest is {shown(largest)}: give the largest score behind the differences, in absolute value, "
            "or 0"
        )
    return float(ROUNDING) * max(1.0, float(np.abs(differences).max()), largest)


def without_rounding(x: NDArray[np.float64], tolerance: ArrayLike) -> NDArray[np.float64]:
    """Return `x`, or zeros if rounding explains every entry, so that no real effect is trimmed."""
    return np.zeros_like(x) if (np.abs(x) <= tolerance).all() else x


def two_sided_p(t: ArrayLike, df: int) -> NDArray[np.float64]:
    """Return the probability that Student's t is as far from zero as `t`."""
    from scipy.special import stdtr

    return 2 * np.asarray(stdtr(df, -np.abs(t)))


def t_critical(alpha: float, df: float) -> float:
    """Return the value beyond which Student's t lies, on either side, with probability `alpha`."""
    from scipy.special import stdtrit

    return -float(stdtrit(df, alpha / 2))


def log_sizes(sizes: Sequence[int], n_columns: int) -> NDArray[np.float64]:
    """Return the natural logarithms of sizes, or raise."""
    numbers = np.asarray(sizes, dtype=np.float64)
    if numbers.shape != (n_columns,):
        raise ValueError(
            f"sizes has {numbers.size} numbers for {n_columns} columns of scores: give one size per column"
        )
    if not (numbers > 0).all() or not (np.diff(numbers) > 0).all():
        raise ValueError(f"sizes is {list(sizes)}: give positive numbers in ascending order")
    return np.log(numbers)
