"""Growing ripple-down rules: exceptions to rules and to exceptions, and the rules tried where one fails."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.rules._kernels.induct import TIE
from learners.rules.growing.growth_rows import GrowthTable
from learners.rules.growing.induct_growth import GrownRule, InductGrowth
from learners.rules.sets.ripple_down import RippleDownRules
from learners.rules.sets.ruleset import LearnedRule

__all__ = ["grow_ripple_down"]


@dataclass
class _Place:
    """A rule at its place among the others."""

    grown: GrownRule | None
    conclusion: int
    by_class: NDArray[np.float64]  # weight of the rows that it covers
    rest: float  # weight of rows that do not meet it and have the class predicted before
    exceptions: int = -1
    otherwise: int = -1

    @property
    def right(self) -> float:
        return float(self.by_class[self.conclusion])


def grow_ripple_down(
    growth: InductGrowth, n_classes: int, order: NDArray[np.intp]
) -> tuple[RippleDownRules, NDArray[np.float64]]:
    """Grow rules and exceptions to them until none is found, then cut the branches that do not help."""
    places = _grow_places(growth, n_classes, order)
    _cut_places(places)
    return _laid_out(places, growth.table.arities)


def _grow_places(growth: InductGrowth, n_classes: int, order: NDArray[np.intp]) -> list[_Place]:
    every = growth.table.all_rows()
    by_class = _by_class(growth.table, every, n_classes)
    default = int(order[by_class[order].argmax()])
    places = [_Place(None, default, by_class, 0.0)]
    waiting = [(every, default, 0, True)]  # rows, class so far, rule before, whether it held
    while waiting:
        rows, answer, before, held = waiting.pop()
        target, grown = _best_rule(growth, rows, answer, order)
        if grown is None:
            continue
        covered = _by_class(growth.table, grown.rows, n_classes)
        stays = np.ones(growth.table.y.size, dtype=bool)
        stays[grown.rows] = False
        rest = rows[stays[rows]]
        missed = float(_by_class(growth.table, rest, n_classes)[answer])
        setattr(places[before], "exceptions" if held else "otherwise", len(places))
        waiting.append((rest, answer, len(places), False))
        waiting.append((grown.rows, target, len(places), True))
        places.append(_Place(grown, target, covered, missed))
    return places


def _best_rule(
    growth: InductGrowth, rows: NDArray[np.int32], answer: int, order: NDArray[np.intp]
) -> tuple[int, GrownRule | None]:
    """Return the rule for another class than the one so far that is least likely by chance."""
    best: tuple[int, GrownRule | None] = (answer, None)
    present = np.bincount(growth.table.y[rows], minlength=order.size) > 0
    for target in order.tolist():
        if target == answer or not present[target]:
            continue
        grown = growth.grow(rows, growth.table.y == target)
        if grown and (best[1] is None or grown.log_chance < best[1].log_chance - TIE):
            best = target, grown
    return best


def _cut_places(places: list[_Place]) -> None:
    """Cut the branches that do not classify more training rows correctly. Later places are deeper."""
    total = np.zeros(len(places))  # rows classified correctly with all later rules
    for i in reversed(range(len(places))):
        place = places[i]
        if place.exceptions >= 0 and not _is_more(total[place.exceptions], place.right):
            place.exceptions = -1
        if place.otherwise >= 0 and not _is_more(total[place.otherwise], place.rest):
            place.otherwise = -1
        total[i] = total[place.exceptions] if place.exceptions >= 0 else place.right
        total[i] += total[place.otherwise] if place.otherwise >= 0 else place.rest


def _is_more(a: float, b: float) -> bool:
    """Compare two weights of rows up to rounding."""
    return a > b + TIE * max(a, b)


def _laid_out(
    places: list[_Place], arities: NDArray[np.int64]
) -> tuple[RippleDownRules, NDArray[np.float64]]:
    """Lay out the places that can still be reached, the default first."""
    reached, waiting = [], [0]
    while waiting:
        i = waiting.pop()
        reached.append(i)
        waiting += [j for j in (places[i].otherwise, places[i].exceptions) if j >= 0]
    number = {place: k for k, place in enumerate(reached)} | {-1: -1}
    kept = [places[i] for i in reached]
    rules = RippleDownRules.of(
        [_rule(place) for place in kept],
        [number[place.exceptions] for place in kept],
        [number[place.otherwise] for place in kept],
        arities,
    )
    return rules, np.array([place.by_class for place in kept])


def _rule(place: _Place) -> LearnedRule:
    counts = float(place.by_class.sum()), place.right
    if place.grown is None:
        return LearnedRule((), place.conclusion, *counts)
    return LearnedRule(place.grown.conditions, place.conclusion, *counts, math.exp(place.grown.log_chance))


def _by_class(table: GrowthTable, rows: NDArray[np.int32], n_classes: int) -> NDArray[np.float64]:
    weight = table.weight[rows] if table.weight.size else None
    return np.bincount(table.y[rows], weights=weight, minlength=n_classes).astype(np.float64)
