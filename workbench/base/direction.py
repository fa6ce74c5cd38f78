"""Which way scores are better, for comparisons that take sides."""

from typing import Literal

__all__ = ["Direction", "sign_of"]

Direction = Literal["higher", "lower"]

SIGNS = {"higher": 1.0, "lower": -1.0}


def sign_of(direction: str) -> float:
    """Return 1 where larger scores are better and -1 where smaller ones are."""
    if not isinstance(direction, str) or direction not in SIGNS:
        raise ValueError(f'direction is {direction!r}: give "higher" or "lower", whichever scores are better')
    return SIGNS[direction]
