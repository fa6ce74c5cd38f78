"""Compare two fits that should agree: the verdict, and whether the learner's own noise explains a change."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from workbench.invariances.finding import CHANGED, NOISE, UNCHANGED, Finding
from workbench.invariances.fits import ROUNDING, Difference, difference
from workbench.invariances.rows import TrialRows
from workbench.invariances.trials import Trials

__all__ = ["Pair", "compare_pairs"]

#: Makes two data sets of one: before a change and after it.
Pair = Callable[[TrialRows, np.random.Generator], tuple[TrialRows, TrialRows]]


def compare_pairs(trials: Trials, kind: str, name: str, pair: Pair) -> Finding:
    """Compare forecasts before and after a change, on every truth."""
    found = [_compared(trials, kind, truth, name, pair) for truth in range(trials.n_truths)]
    bits, largest = float(np.mean([one.bits for one in found])), max(one.largest for one in found)
    if largest <= ROUNDING:
        return Finding(UNCHANGED, bits, largest, "to rounding" if largest else "")
    noise = [trials.refits(kind, truth) for truth in range(trials.n_truths)]
    refits = float(np.mean([one.bits for own in noise for one in own]))
    if _is_noise([one.bits for one in found], [[one.bits for one in own] for own in noise]):
        return Finding(NOISE, bits, largest, f"a refit: {refits:.3f} bits")
    moved = float(np.mean([one.moved for one in found]))
    note = f"{moved:.0%} of the rows" if moved >= 0.01 else "less than 1% of the rows"
    return Finding(CHANGED, bits, largest, f"{note}; a refit: {refits:.3f} bits" if refits else note)


def _compared(trials: Trials, kind: str, truth: int, name: str, pair: Pair) -> Difference:
    rows = trials.rows(kind, truth)
    before, after = pair(rows, trials.rng(name, truth))
    p = trials.plain(kind, truth) if before is rows else trials.fits.forecast(before)
    return difference(p, trials.fits.forecast(after))


def _is_noise(changes: list[float], refits: list[list[float]]) -> bool:
    """Whether changes are no larger than those of refits, each in units of its truth's mean refit."""
    # The mean over truths is held against the largest single refit, in units of the others of its truth,
    # which noise alone rarely exceeds. A truth that neither the change nor a refit affects says nothing.
    affected = [
        (change, np.array(own)) for change, own in zip(changes, refits, strict=True) if change or any(own)
    ]
    if not affected or not all(own.any() for _, own in affected):
        return False
    relative = np.mean([change / own.mean() for change, own in affected])
    return bool(relative <= max(_largest_of(own) for _, own in affected))


def _largest_of(refits: NDArray[np.float64]) -> float:
    """Return the largest ratio of a refit to the mean of the others; 1 if these are nothing."""
    others = (refits.sum() - refits) / (len(refits) - 1)
    return float((refits[others > 0] / others[others > 0]).max(initial=1.0))
