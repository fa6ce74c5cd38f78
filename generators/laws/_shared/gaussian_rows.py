"""Checks of the parameters of linear-Gaussian laws."""

from __future__ import annotations

from numbers import Real
from typing import Any

from generators.base.validation import shown
from generators.laws._shared.law import check_finite

__all__ = ["check_gaussian_rows"]

LARGEST = 1e6  # of separations and effects, so that variances along arcs stay finite
DEGREES = (1.0, 1e6)


def check_gaussian_rows(separation: Any, effect: Any, degrees: Any) -> tuple[float, float, float]:
    """Return the numbers as floats, or raise ValueError if one is out of range."""
    checked = check_finite("separation", separation), check_finite("effect", effect)
    for name, value in zip(("separation", "effect"), checked, strict=True):
        if value > LARGEST:
            raise ValueError(f"{name} is {value:g}: expected at most {LARGEST:g}")
    is_number = isinstance(degrees, Real) and not isinstance(degrees, bool)
    if not (is_number and DEGREES[0] <= degrees <= DEGREES[1]):
        raise ValueError(f"degrees is {shown(degrees)}: expected {DEGREES[0]:g} to {DEGREES[1]:g}")
    return (*checked, float(degrees))
