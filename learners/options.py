"""Checks of the parameters that people give: numbers, shares, truth values and choices."""

import math
from collections.abc import Iterable
from numbers import Real
from typing import Any

import numpy as np

__all__ = ["check_choice", "check_flag", "check_number", "check_share"]


def check_number(
    name: str, value: Any, *, above: float | None = None, at_least: float | None = None
) -> float:
    """Give a parameter as a float, or say what is wrong with it.

    Parameters
    ----------
    name : str
        The parameter's name.
    value : object
        What was given.
    above, at_least : float, optional
        The smallest value that is not allowed, or the smallest that is.

    Returns
    -------
    float
        Finite.

    Raises
    ------
    ValueError
        If it is no finite number in this range.

    Examples
    --------
    >>> check_number("alpha", 1, above=0)
    1.0
    >>> check_number("alpha", "one", above=0)
    Traceback (most recent call last):
    ...
    ValueError: alpha must be a number above 0, but was 'one'.
    >>> check_number("alpha", float("inf"), above=0)
    Traceback (most recent call last):
    ...
    ValueError: alpha must be a finite number above 0, but was inf.
    """
    is_number = _is_number(value)
    if is_number and math.isfinite(value):
        if (above is None or value > above) and (at_least is None or value >= at_least):
            return float(value)
        kind = "a number"
    else:
        kind = "a finite number" if is_number else "a number"
    bound = (
        f" above {above:g}"
        if above is not None
        else f" of at least {at_least:g}"
        if at_least is not None
        else ""
    )
    raise ValueError(f"{name} must be {kind}{bound}, but was {value!r}.")


def check_share(name: str, value: Any) -> float:
    """Give a parameter that is a share of something as a float, or say what is wrong with it.

    Parameters
    ----------
    name : str
        The parameter's name.
    value : object
        What was given.

    Returns
    -------
    float
        From 0 to 1, both included.

    Raises
    ------
    ValueError
        If it is no number in this range.

    Examples
    --------
    >>> check_share("min_accuracy", 1)
    1.0
    >>> check_share("min_accuracy", 80)
    Traceback (most recent call last):
    ...
    ValueError: min_accuracy must be a share from 0 to 1, but was 80; for 80 percent give 0.8.
    """
    if _is_number(value) and 0 <= value <= 1:
        return float(value)
    raise ValueError(f"{name} must be a share from 0 to 1, but was {value!r}; for 80 percent give 0.8.")


def check_flag(name: str, value: Any) -> bool:
    """Give a parameter that is true or false, or say what is wrong with it.

    Parameters
    ----------
    name : str
        The parameter's name.
    value : object
        What was given.

    Returns
    -------
    bool
        A Python truth value, also for one of numpy.

    Raises
    ------
    ValueError
        If it is no truth value: text such as ``"false"``, numbers and None would count as one by accident.

    Examples
    --------
    >>> check_flag("prune", np.False_)
    False
    >>> check_flag("prune", "false")
    Traceback (most recent call last):
    ...
    ValueError: prune must be True or False, but was 'false'; give a truth value, not text or a number.
    """
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise ValueError(
        f"{name} must be True or False, but was {value!r}; give a truth value, not text or a number."
    )


def check_choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """Give a parameter that is one of some words, or say what is wrong with it.

    Parameters
    ----------
    name : str
        The parameter's name.
    value : object
        What was given.
    choices : iterable of str
        The words.

    Returns
    -------
    str
        One of them.

    Raises
    ------
    ValueError
        If it is none of them.

    Examples
    --------
    >>> check_choice("split", "gini", ["values", "binary"])
    Traceback (most recent call last):
    ...
    ValueError: split must be one of values, binary, but was 'gini'.
    """
    words = tuple(choices)
    if isinstance(value, str) and value in words:
        return value
    raise ValueError(f"{name} must be one of {', '.join(words)}, but was {value!r}.")


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
