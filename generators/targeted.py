"""Generating models of a requested difficulty, found by solving for a parameter of the probability tables."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from generators import facts
from generators.base.draw import RandomState, as_generator
from generators.base.validation import shown
from generators.laws.intractable import IntractableLaw

__all__ = ["Drawn", "NoSuchTruth", "TARGETS", "checked_bounds", "draw_with"]

N_ROWS = 20_000

#: The quantities that can be bounded, and how they are measured.
TARGETS: Mapping[str, Callable[[Any], float]] = MappingProxyType(
    {
        "bayes_error": lambda truth: facts.bayes_error(truth, n_rows=N_ROWS).value,
        "ceiling": lambda truth: facts.ceiling(truth, n_rows=N_ROWS).value,
        "class_entropy": facts.class_entropy,
    }
)
#: Those that rise (1) and fall (-1) as truths get harder; no parameter is solved for other ones.
HARDER: Mapping[str, int] = MappingProxyType({"bayes_error": 1, "ceiling": -1})
#: Parameters that are solved for, the first that a generator has, from their easy end to their hard end.
SOLVED: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"separation": (1e2, 1e-3), "strength": (1.0, 1e-3), "concentration": (1e-2, 1e6)}
)
#: Sizes that generators draw, and what has so many entries in a truth.
SIZES = MappingProxyType({"n_attributes": "attribute_names", "n_classes": "classes"})
#: Truths drawn at one size before it is refused, and the steps of one search.
MOST_OF_A_SIZE, MOST_STEPS = 100, 40


class NoSuchTruth(ValueError):
    """Error raised if no drawn truth meets the bounds. The message reports the nearest."""


@dataclass(frozen=True)
class Drawn:
    """A truth within the requested bounds, and a report of the search that found it.

    Attributes
    ----------
    truth : Truth or NumericTruth
    tries : int
        Number of truths drawn, including this one.
    found : dict of str to float
        Values of the bounded quantities for `truth`, such as ``{"bayes_error": 0.15}``.
    solved : dict of str to float
        Parameter that was found by bisection, such as ``{"concentration": 7.3}``. Empty if the truth met the
        bounds without bisection.
    refused : tuple of dict of str to int
        Numbers of attributes and classes that were drawn earlier, and for which no truth met the bounds. If
        there are any, sizes do not have the frequencies that the generator gives them.
    bounds : dict of str to (float, float)
        The requested bounds, such as ``{"bayes_error": (0.1, 0.2)}``.
    """

    truth: Any
    tries: int
    found: dict[str, float]
    solved: dict[str, float] = field(default_factory=dict)
    refused: tuple[dict[str, int], ...] = ()
    bounds: dict[str, tuple[float, float]] = field(default_factory=dict)


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
    """Draw a truth whose difficulty lies within given bounds.

    The numbers of attributes and classes are drawn first and kept. If a truth is too hard or too easy, it is
    drawn again from the same random numbers, with another `separation`, `strength` or `concentration`, which
    is found by bisection. If only the class entropy is out of bounds, other probability tables are drawn.
    This selection changes the law, so no optimum can be computed for the truths (see `IntractableLaw`).

    Parameters
    ----------
    generator : callable
        Function that draws a truth and takes `random_state`.
    bayes_error : (low, high), optional
        Bounds of the Bayes error, both included.
    ceiling : (low, high), optional
        Bounds of the expected IR_B of the truth's own forecasts, in bits: `Facts.ceiling`.
    class_entropy : (low, high), optional
        Bounds of the entropy of the class, in bits.
    tries : int, default=1000
        Maximum number of truths drawn, at least 1.
    random_state : int, Generator, SeedSequence or None
        Seed or generator. One generator draws all truths in turn.
    **parameters : object
        Parameters of the generator. If the parameter that bisection would change is given here, other
        probability tables are drawn instead until the truth is within the bounds.

    Returns
    -------
    Drawn
        The first truth within the bounds, the parameter found by bisection, and the refused sizes.

    Raises
    ------
    NoSuchTruth
        A ValueError, if no truth is within the bounds. The message reports the values of the nearest truth
        and what to change.
    ValueError
        If bounds or tries are invalid.

    Notes
    -----
    After 100 truths with the same numbers of attributes and classes, these numbers are refused and others are
    drawn. If a truth is too large to enumerate, its difficulty is estimated from 20,000 sampled rows.

    Examples
    --------
    >>> from generators import random_tan
    >>> drawn = draw_with(random_tan, bayes_error=(0.1, 0.2), n_attributes=(10, 40), random_state=1)
    >>> 0.1 <= drawn.found["bayes_error"] <= 0.2, len(drawn.truth.attributes), drawn.refused
    (True, 25, ())
    """
    given = {"bayes_error": bayes_error, "ceiling": ceiling, "class_entropy": class_entropy}
    bounds = {name: checked_bounds(name, pair) for name, pair in given.items() if pair is not None}
    if isinstance(tries, bool) or not isinstance(tries, int | np.integer) or tries < 1:
        raise ValueError(f"tries is {shown(tries)}: expected a maximum number of truths, 1 or more")
    rng = as_generator(random_state)
    search = _SizedSearch(generator, parameters, bounds, int(tries), rng)
    refused: list[dict[str, int]] = []
    while (found := search.at_one_size()) is None:
        refused += [search.sizes] if search.sizes else []
    truth = _of_condition(found.truth, bounds) if bounds else found.truth
    return Drawn(truth, search.drawn, found.values, found.solved, tuple(refused), bounds)


@dataclass(frozen=True)
class _Tried:
    """A truth, its bounded quantities, and the change that it needs to meet the bounds."""

    truth: Any
    values: dict[str, float]
    need: int | None  # 0 if it fits, 1 to get harder, -1 easier, None other tables
    solved: dict[str, float]


@dataclass
class _SizedSearch:
    """A search that draws, counts and measures truths one after another."""

    make: Callable[..., Any]
    parameters: dict[str, Any]
    bounds: dict[str, tuple[float, float]]
    tries: int
    rng: np.random.Generator
    drawn: int = 0
    sizes: dict[str, int] = field(default_factory=dict)  # that are kept
    nearest: tuple[float, dict[str, float]] = (math.inf, {})

    def at_one_size(self) -> _Tried | None:
        """Draw sizes, then probability tables until the truth fits. Return None if no truth fits."""
        self.sizes, last = {}, self.drawn + MOST_OF_A_SIZE
        while self.drawn < last:
            state = self.rng.bit_generator.state
            tried = self._try({})
            if tried.need and self._knob is not None:
                tried = self._solved(tried.need, self._knob, state) or tried
            if tried.need == 0:
                return tried
            self.sizes = self.sizes or self._sizes_of(tried.truth)
        return None

    def _solved(self, need: int, knob: str, state: Mapping[str, Any]) -> _Tried | None:
        """Draw the last truth again from the same random numbers, with a parameter found by bisection."""

        def at(value: float) -> _Tried:
            self.rng.bit_generator.state = state
            return self._try({knob: value})

        easy, hard = SOLVED[knob]
        near, far = float(self._options[knob]), hard if need > 0 else easy
        if (tried := at(far)).need == need:
            return None
        for _ in range(MOST_STEPS):
            if not tried.need:  # it fits, or no value fits all bounds
                return tried
            middle = math.sqrt(near * far)
            tried = at(middle)
            near, far = (middle, far) if tried.need == need else (near, middle)
        return None

    def _try(self, solved: dict[str, float]) -> _Tried:
        if self.drawn == self.tries:
            raise NoSuchTruth(_failure(self.bounds, self.nearest[1], self.tries))
        self.drawn += 1
        kept = {name: (size, size) for name, size in self.sizes.items()}
        truth = self.make(**{**self.parameters, **kept, **solved}, random_state=self.rng)
        values = {name: TARGETS[name](truth) for name in self.bounds}
        beyond = {name: values[name] - np.clip(values[name], *pair) for name, pair in self.bounds.items()}
        self.nearest = min(self.nearest, (sum(map(abs, beyond.values())), values), key=lambda pair: pair[0])
        missed = [name for name, distance in beyond.items() if distance]
        needs = {HARDER.get(name, 0) * (1 if beyond[name] < 0 else -1) for name in missed}
        need = needs.pop() or None if len(needs) == 1 else None
        return _Tried(truth, values, need if missed else 0, solved)

    @cached_property
    def _options(self) -> dict[str, Any]:
        """Return the parameters and the defaults of the others."""
        signature = inspect.signature(inspect.unwrap(self.make))
        return {name: one.default for name, one in signature.parameters.items()} | self.parameters

    @cached_property
    def _knob(self) -> str | None:
        """Return the parameter to solve for, unless it was given or its default is out of range."""
        given = {**getattr(inspect.unwrap(self.make), "keywords", {}), **self.parameters}
        knob = next((name for name in SOLVED if name in self._options), None)
        if knob is None or knob in given:
            return None
        default = self._options[knob]
        is_between = isinstance(default, int | float) and min(SOLVED[knob]) <= default <= max(SOLVED[knob])
        return knob if is_between else None

    def _sizes_of(self, truth: Any) -> dict[str, int]:
        """Return the drawn sizes of a truth, by parameter."""
        while hasattr(truth, "truth"):  # before its alterations
            truth = truth.truth
        drawn = [name for name in SIZES if isinstance(self._options.get(name), tuple | list)]
        return {name: len(getattr(truth, SIZES[name])) for name in drawn}


def _of_condition(truth: Any, bounds: dict[str, tuple[float, float]]) -> Any:
    """Return the truth with a law that records the selection."""
    law = getattr(truth, "law", None)
    if law is None or law.obstacle is not None:
        return truth
    selected = IntractableLaw(f"truths were drawn to have {_words(bounds)}")
    parts = {part.name for part in fields(truth)}
    if "law" in parts:
        return replace(truth, law=selected)
    if "truth" in parts:  # an alteration, whose law is that of what it alters
        return replace(truth, truth=_of_condition(truth.truth, bounds))
    raise ValueError(
        f"{type(truth).__name__} has a law that selection changes: give it a field `law: Law | None = None`"
    )


def _words(bounds: dict[str, tuple[float, float]]) -> str:
    return " and ".join(f"{name} from {low:g} to {high:g}" for name, (low, high) in bounds.items())


def _failure(bounds: dict[str, tuple[float, float]], nearest: dict[str, float], tries: int) -> str:
    closest = " and ".join(f"{name} {value:.6g}" for name, value in nearest.items())
    return (
        f"none of {tries:,} truths has {_words(bounds)} (the nearest has {closest}). Widen the bounds, "
        "raise tries, or let the generator draw other truths, say by concentration, n_attributes, n_classes "
        "or label_noise"
    )


def checked_bounds(name: str, pair: Any) -> tuple[float, float]:
    """Return bounds as floats, or raise ValueError if they are not a valid pair."""
    wanted = "expected a pair (low, high) of numbers, low not above high"
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise ValueError(f"{name} is {shown(pair)}: {wanted}")
    low, high = pair
    if (
        any(isinstance(end, bool) or not isinstance(end, int | float | np.number) for end in pair)
        or not low <= high
    ):
        raise ValueError(f"{name} is {shown(pair)}: {wanted}")
    return float(low), float(high)
