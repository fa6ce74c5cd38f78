"""Checks of the numbers that people give as parameters."""

import math
from numbers import Real
from typing import Any

__all__ = ["check_number"]


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
    """
    good = isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
    if good and (above is None or value > above) and (at_least is None or value >= at_least):
        return float(value)
    bound = (
        f" above {above:g}"
        if above is not None
        else f" of at least {at_least:g}"
        if at_least is not None
        else ""
    )
    raise ValueError(f"{name} must be a number{bound}, but was {value!r}.")
