"""Truths of a requested difficulty, by rejection sampling."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from generators import facts
from generators.base.draw import RandomState, as_generator
from generators.base.validation import shown
from generators.laws.intractable import IntractableLaw

__all__ = ["Drawn", "NoSuchTruth", "TARGETS", "draw_with"]

N_ROWS = 20_000

#: The quantities that can be bounded, and how they are measured.
TARGETS: Mapping[str, Callable[[Any], float]] = MappingProxyType(
    {
        "bayes_error": lambda truth: facts.bayes_error(truth, n_rows=N_ROWS).value,
        "ceiling": lambda truth: facts.ceiling(truth, n_rows=N_ROWS).value,
        "class_entropy": facts.class_entropy,
    }
)


class NoSuchTruth(ValueError):
    """None of the drawn truths met the bounds; the message names the nearest."""


@dataclass(frozen=True)
class Drawn:
    """A truth within the bounds, and what it took to find it.

    Attributes
    ----------
    truth : Truth or NumericTruth
    tries : int
        Truths drawn, this one included.
    found : dict of str to float
        The bounded quantities, as measured.
    """

    truth: Any
    tries: int
    found: dict[str, float]


def draw_with(
    generator: Callable[..., Any],
    *,
    bayes_error: tuple[float, float] | None = None,
    ceiling: tuple[float, float] | None = None,
    class_entropy: tuple[float, float] | None = None,
    tries: int = 1000,
    random_state: RandomState = None,
    **parameters: Any,
) -> Drawn:
    """Draw truths until one has the requested difficulty.

    The truth has the generator's distribution conditional on the bounds: nothing is adjusted to fit. So its
    law is another one, for which no best forecast can be computed: see `IntractableLaw`.

    Parameters
    ----------
    generator : callable
        Draws a truth; takes `random_state`.
    bayes_error : (low, high), optional
        Bounds of the Bayes error, both included.
    ceiling : (low, high), optional
        Bounds of the expected IR_B of the truth's own forecasts, in bits; see `generators.facts`.
    class_entropy : (low, high), optional
        Bounds of the entropy of the class, in bits.
    tries : int, default=1000
        Most truths drawn, at least 1.
    random_state : int, Generator, SeedSequence or None
        One generator draws the truths in turn.
    **parameters : object
        The generator's.

    Returns
    -------
    Drawn
        The first that fits, and the number of tries.

    Raises
    ------
    NoSuchTruth
        A ValueError, if none of them fits; its message has the nearest one's values, and what to change.
    ValueError
        If bounds or tries are not as above.

    Notes
    -----
    A truth too large to enumerate is measured by 20,000 rows of its own: see `generators.facts`.

    Examples
    --------
    >>> from generators import random_tan
    >>> drawn = draw_with(random_tan, bayes_error=(0.1, 0.2), n_attributes=4, n_classes=2, random_state=1)
    >>> 0.1 <= drawn.found["bayes_error"] <= 0.2, drawn.tries
    (True, 1)
    """
    given = {"bayes_error": bayes_error, "ceiling": ceiling, "class_entropy": class_entropy}
    bounds = {name: _checked_bounds(name, pair) for name, pair in given.items() if pair is not None}
    if isinstance(tries, bool) or not isinstance(tries, int | np.integer) or tries < 1:
        raise ValueError(f"tries is {shown(tries)}; give the most truths to draw, 1 or more")
    rng = as_generator(random_state)
    make = functools.partial(generator, **parameters, random_state=rng)
    nearest: tuple[float, dict[str, float]] = (math.inf, {})
    for number in range(1, int(tries) + 1):
        truth = make()
        found = {name: TARGETS[name](truth) for name in bounds}
        distance = sum(
            max(low - found[name], found[name] - high, 0.0) for name, (low, high) in bounds.items()
        )
        if distance == 0:
            return Drawn(_of_condition(truth, bounds) if bounds else truth, number, found)
        nearest = min(nearest, (distance, found), key=lambda pair: pair[0])
    raise NoSuchTruth(_failure(bounds, nearest[1], int(tries)))


def _of_condition(truth: Any, bounds: dict[str, tuple[float, float]]) -> Any:
    """Return the truth with a law that says that it was selected."""
    law = getattr(truth, "law", None)
    if law is None or law.obstacle is not None:
        return truth
    selected = IntractableLaw(f"truths were drawn until one had {_words(bounds)}")
    parts = {part.name for part in fields(truth)}
    if "law" in parts:
        return replace(truth, law=selected)
    if "truth" in parts:  # an alteration, whose law is that of what it alters
        return replace(truth, truth=_of_condition(truth.truth, bounds))
    raise ValueError(
        f"{type(truth).__name__} states a law that selection changes; give it a field law: Law | None = None"
    )


def _words(bounds: dict[str, tuple[float, float]]) -> str:
    return " and ".join(f"{name} from {low:g} to {high:g}" for name, (low, high) in bounds.items())


def _failure(bounds: dict[str, tuple[float, float]], nearest: dict[str, float], tries: int) -> str:
    closest = " and ".join(f"{name} {value:.4g}" for name, value in nearest.items())
    return (
        f"none of {tries:,} truths has {_words(bounds)} (the nearest has {closest}); widen the bounds, "
        "raise tries, or let the generator draw other truths, say by concentration, n_attributes, n_classes "
        "or label_noise"
    )


def _checked_bounds(name: str, pair: Any) -> tuple[float, float]:
    wanted = "give a pair (low, high) of numbers, low not above high"
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise ValueError(f"{name} is {shown(pair)}; {wanted}")
    low, high = pair
    if (
        any(isinstance(end, bool) or not isinstance(end, int | float | np.number) for end in pair)
        or not low <= high
    ):
        raise ValueError(f"{name} is {shown(pair)}; {wanted}")
    return float(low), float(high)
