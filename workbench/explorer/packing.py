"""Numbers in few characters: summaries or single values, whichever is shorter, packed for a page."""

import zlib
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Packed", "pack", "packed_scores", "short", "summaries"]

#: Differences and spreads this small, relative to the scores, are rounding errors of equal numbers.
ROUNDING = 1e-13


@dataclass(frozen=True)
class Packed:
    """The scores of one key."""

    forms: tuple[str, ...]  # "values", "summaries" or "" of each source
    text: str  # all numbers, in base64


def packed_scores(sources: Sequence[NDArray[np.float64]], octets: int = 4) -> Packed:
    """Pack scores of shape (units, sizes, learners), source by source."""
    # few units as they are, many as summaries of every learner and pair: a page computes the same from either
    forms, numbers = [], []
    for values in sources:
        form = "" if np.isnan(values).all() else "values" if len(values) <= values.shape[2] else "summaries"
        forms.append(form)
        if form == "values":
            numbers += _centered(values, octets)
        elif form == "summaries":
            numbers += [*summaries(values), *summaries(*_pairs(values))]
    return Packed(tuple(forms), pack(numbers, octets))


def summaries(
    values: NDArray[np.float64], others: NDArray[np.float64] | None = None
) -> tuple[NDArray[np.float64], ...]:
    """Return n, mean, standard deviation and number of infinite values over the first axis, NaN left out."""
    # An infinite value makes the mean infinite, or NaN if there are some of either sign, and leaves no
    # deviation. With `others` they are those of the differences, where both have a value.
    largest = np.abs(values)
    if others is not None:
        there = ~(np.isnan(values) | np.isnan(others))
        largest = np.maximum(largest, np.abs(others))
        with np.errstate(invalid="ignore"):
            values = values - others
    else:
        there = ~np.isnan(values)
    n, finite = there.sum(axis=0), np.isfinite(values)
    infinite = (there & ~finite).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(there, values, 0.0).sum(axis=0) / n
        gaps = np.where(there & finite, values - mean, 0.0)
        sd = np.sqrt((gaps**2).sum(axis=0) / (n - 1))
        tolerance = ROUNDING * np.where(there & finite, largest, 0.0).max(axis=0)
    sd = np.where(sd <= tolerance, 0.0, sd)
    mean = np.where(np.abs(mean) <= tolerance, 0.0, mean)
    sd = np.where((n > 1) & (infinite == 0), sd, np.nan)
    return n.astype(np.float64), mean, sd, infinite.astype(np.float64)


def _pairs(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return both sides of every pair of learners: 0 and 1, 0 and 2, ..., 1 and 2, ..."""
    first, second = np.triu_indices(values.shape[2], k=1)
    return values[:, :, first], values[:, :, second]


def _centered(values: NDArray[np.float64], octets: int) -> list[NDArray[np.float64]]:
    """Return the mean of each unit and size, and what learners are off it."""
    # learners differ by less than truths do: rounded like this, their differences keep their digits
    finite = np.isfinite(values)
    n = finite.sum(axis=2)
    means = np.where(finite, values, 0.0).sum(axis=2) / np.maximum(n, 1)
    center = short(means, octets).astype(np.float64)
    return [center, values - center[:, :, None]]


def short(values: NDArray[np.float64], octets: int) -> NDArray[np.float32]:
    """Round numbers to seven decimal digits, which take four bytes, or to nearly five, which take three."""
    plain = np.where(np.isnan(values), np.nan, values)  # one form of NaN, whose bits rounding leaves alone
    single = plain.astype(np.float32)
    if octets == 4:
        return single
    bits = single.view(np.uint32)
    return ((bits + np.uint32(0x80)) & np.uint32(0xFFFFFF00)).view(np.float32)


def pack(numbers: Sequence[NDArray[np.float64]], octets: int = 4) -> str:
    """Write numbers as base64: all first bytes, which are much alike, then all second ones, ..., deflated."""
    flat = np.concatenate([one.ravel() for one in numbers]) if numbers else np.empty(0)
    content = short(flat, octets).astype("<f4").view(np.uint8).reshape(-1, 4)
    planes = np.ascontiguousarray(content[:, 3 : 3 - octets if octets < 4 else None : -1].T)
    return b64encode(zlib.compress(planes.tobytes(), 9)).decode("ascii")
