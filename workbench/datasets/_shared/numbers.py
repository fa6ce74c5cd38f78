"""Texts to finite numbers, or not at all."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["to_number", "to_numbers"]

QUESTION_MARK = frozenset({"?"})


def to_numbers(texts: Sequence[str], missing: Collection[str] = QUESTION_MARK) -> NDArray[np.float64]:
    """Read a column of numbers, NaN where the text is one of `missing`."""
    stripped = [text.strip() for text in texts]
    known = [text for text in stripped if text not in missing]
    joined = "".join(known)
    # Python reads 1_000 and the digits of other scripts as numbers; no data file means them
    if "_" in joined or not joined.isascii():
        raise ValueError("not a decimal number")
    numbers = np.array(list(map(float, known)), dtype=np.float64)
    if not np.isfinite(numbers).all():
        raise ValueError("not a finite number")
    if len(known) == len(stripped):
        return numbers
    values = np.full(len(stripped), np.nan)
    values[[text not in missing for text in stripped]] = numbers
    return values


def to_number(text: str) -> float:
    """Read one number; ValueError if it is no finite decimal number."""
    return float(to_numbers([text], missing=())[0])
