"""What all comparisons share: checks of their input, the t distribution, and what counts as rounding."""

from collections.abc import Hashable, Sequence
from numbers import Real
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
]

Name = TypeVar("Name", bound=Hashable)

#: The level of every test that says who is better.
LEVEL = 0.05
# Differences this small, relative to what was subtracted, are what doubles leave of equal numbers.
ROUNDING = 8 * np.finfo(np.float64).eps


def check_scores(values: ArrayLike, *, axes: str, ndim: int | None = None) -> NDArray[np.float64]:
    """Return scores as a float64 array with subjects in front, or say what is wrong with them.

    Parameters
    ----------
    values : array-like of shape (n_subjects, ...)
        One finite score for each subject and condition.
    axes : str
        What the axes should be, for the error message.
    ndim : int, optional
        How many axes there should be; any number from one on when left out.

    Returns
    -------
    ndarray
        The same numbers.

    Raises
    ------
    ValueError
        If axes are missing or empty, there is one subject or none, or a value is not finite.

    Examples
    --------
    >>> check_scores([[1, 2], [3, 4]], axes="(n_subjects, n_learners)").dtype
    dtype('float64')
    """
    scores = np.asarray(values, dtype=np.float64)
    if scores.ndim == 0 or (ndim is not None and scores.ndim != ndim):
        raise ValueError(f"values has shape {scores.shape}: give an array of axes {axes}")
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
    """Return names as a tuple of `n_names` different ones, or say what is wrong with them.

    Parameters
    ----------
    names : sequence of hashable
    n_names : int
        The length of the axis that they name.
    what : str
        The argument's name, for the error message.

    Returns
    -------
    tuple

    Raises
    ------
    ValueError
        If a bare string was given, the number is wrong, or two are the same.

    Examples
    --------
    >>> check_names(["NB", "TAN"], 2, what="learners")
    ('NB', 'TAN')
    """
    if isinstance(names, str):
        raise ValueError(f"{what} is the string {names!r}: give a list of names, such as [{names!r}]")
    found = tuple(names)
    if len(found) != n_names:
        raise ValueError(
            f"{what} has {len(found)} names but values has {n_names} to be named: give one for each"
        )
    if len(set(found)) < len(found):
        raise ValueError(f"{what} is {found!r}: give names that are all different")
    return found


def check_share(value: float, *, what: str) -> float:
    """Return a number strictly between 0 and 1 as a float, or raise.

    Parameters
    ----------
    value : float
    what : str
        The argument's name, for the error message.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If it is 0, 1, beyond them, or no number.

    Examples
    --------
    >>> check_share(0.95, what="level")
    0.95
    """
    if not 0 < as_number(value) < 1:
        raise ValueError(f"{what} is {value!r}: give a number between 0 and 1, such as 0.95 for 95%")
    return float(value)


def as_number(value: object) -> float:
    """Return a real number as a float, and NaN for anything else, so that one comparison refuses both.

    Parameters
    ----------
    value : object

    Returns
    -------
    float

    Examples
    --------
    >>> as_number(np.float32(0.5)), as_number("0.5"), as_number(None)
    (0.5, nan, nan)
    """
    return float(value) if isinstance(value, Real) and not isinstance(value, bool) else float("nan")


def rounding_of(differences: NDArray[np.float64], largest: float) -> float:
    """Return how far rounding alone can set differences of scores apart.

    Parameters
    ----------
    differences : ndarray
        Of scores, at least one.
    largest : float
        The largest score behind them, in absolute value; 0 where nobody knows.

    Returns
    -------
    float
        In the unit of the scores: `ROUNDING` of the largest number at hand, and of 1 if that is less.

    Raises
    ------
    ValueError
        If `largest` is negative or not finite.

    Examples
    --------
    >>> float(rounding_of(np.array([-3.0]), 400.0) / ROUNDING)
    400.0
    """
    if not 0 <= as_number(largest) < np.inf:
        raise ValueError(
            f"largest is {largest!r}: give the largest score behind the differences, in absolute value, or 0"
        )
    return float(ROUNDING) * max(1.0, float(np.abs(differences).max()), largest)


def without_rounding(x: NDArray[np.float64], tolerance: ArrayLike) -> NDArray[np.float64]:
    """Return `x`, or zeros if rounding alone explains every entry.

    All or nothing: one entry beyond its tolerance and `x` comes back untouched, so that no real effect is
    trimmed.

    Parameters
    ----------
    x : ndarray
        Numbers left over by subtraction.
    tolerance : array-like, broadcast to the shape of `x`
        The most that rounding can have made of each.

    Returns
    -------
    ndarray of the shape of `x`

    Examples
    --------
    >>> without_rounding(np.array([0.1 + 0.2 - 0.3, 0.0]), 0.3 * ROUNDING)
    array([0., 0.])
    >>> without_rounding(np.array([1e-12, 0.0]), 0.3 * ROUNDING)
    array([1.e-12, 0.e+00])
    """
    return np.zeros_like(x) if (np.abs(x) <= tolerance).all() else x


def two_sided_p(t: ArrayLike, df: int) -> NDArray[np.float64]:
    """Return the probability that Student's t is as far from zero as `t`.

    Parameters
    ----------
    t : array-like
        May be infinite, which has probability 0.
    df : int
        Degrees of freedom, at least 1.

    Returns
    -------
    ndarray of the shape of `t`

    Examples
    --------
    >>> two_sided_p([0.0, 1.0, np.inf], 1).round(6)
    array([1. , 0.5, 0. ])
    """
    from scipy.special import stdtr

    return 2 * np.asarray(stdtr(df, -np.abs(t)))


def t_critical(alpha: float, df: float) -> float:
    """Return the value beyond which Student's t lies, on either side, with probability `alpha`.

    Parameters
    ----------
    alpha : float
        Both tails together, between 0 and 1.
    df : int
        Degrees of freedom, at least 1.

    Returns
    -------
    float

    Examples
    --------
    >>> round(t_critical(0.05, 39), 4)
    2.0227
    """
    from scipy.special import stdtrit

    return -float(stdtrit(df, alpha / 2))
