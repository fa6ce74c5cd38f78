"""Judge published outcomes of 5x2cv t tests by their share among sets of five of our replications."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.base.score_key import ScoreKey
from workbench.comparisons import LEVEL
from workbench.comparisons._shared.base import ROUNDING, t_critical
from workbench.reproduction.judging.draws import N_DRAWS
from workbench.reproduction.judging.finding import Cell, Judgement, verdict_of
from workbench.reproduction.units import HasUnits, half_differences

__all__ = ["FIVE", "OutcomeShares", "chances_of_rarity", "outcome_shares", "t_values", "tested"]

Array = NDArray[np.float64]

#: Replications of a test, and its degrees of freedom.
FIVE = 5
#: Numbers of simulated studies, and of sets in each, that estimate how often an outcome is rare.
N_STUDIES, N_SETS = 50, 500


def tested(
    cells: Sequence[Cell], score: ScoreKey, measured: HasUnits, *, sign: float, seed: int
) -> list[Judgement]:
    """Judge outcomes of Dietterich's 5x2cv t test, together where we have equally many replications."""
    found = [Judgement(why=cell["unknown"]) for cell in cells]
    groups: dict[int, list[tuple[int, Array]]] = defaultdict(list)
    for i, cell in enumerate(cells):
        if cell["unknown"]:
            continue
        own = half_differences(measured, cell["dataset"], (cell["learner"], cell["other"]), score)
        n = len(own.values)
        why = own.why or (f"ours has {n} replications, and a test needs {FIVE}" if n < FIVE else "")
        found[i] = Judgement(why=why, n=n)
        if not why:
            groups[n].append((i, sign * own.values))
    for group in groups.values():
        differences = np.stack([values for _, values in group], axis=2)
        shares = outcome_shares(differences, seed=seed)
        rarity = chances_of_rarity(differences, seed=seed)
        for j, (i, values) in enumerate(group):
            found[i] = _finding(cells[i], values, shares.table[:, j], rarity[:, j])
    return found


def _finding(cell: Cell, differences: Array, shares: Array, rarity: Array) -> Judgement:
    n, mean = len(differences), float(differences.mean())
    first, second, neither = (float(share) for share in shares)
    if np.isnan(neither):
        return Judgement(
            why="our values do not vary between halves, so there is no test", n=n, mean_difference=mean
        )
    ours = first - second
    sd = float(np.sqrt(max(0.0, first + second - ours**2)))
    if cell["open"] and second >= LEVEL:
        why = f"a win of {cell['other']} would not be printed, and ours has it in {second:.0%} of tests"
        return Judgement(ours, sd, why=why, n=n, mean_difference=mean)
    if cell["open"]:
        share, by_chance = second + neither, first * rarity[0] + (second + neither) * rarity[3]
    else:
        share, by_chance = first if cell["printed"] else neither, float(shares @ rarity[:3])
    return Judgement(
        ours, sd, share, verdict_of(share), n=n, by_chance=float(by_chance), mean_difference=mean
    )


@dataclass(frozen=True, eq=False)
class OutcomeShares:
    """Shares of sets of five replications in which the first of a pair wins, the second, or neither."""

    # (n_pairs,) each: they sum to 1, or are NaN if no set can be tested
    first: Array
    second: Array
    neither: Array

    @property
    def table(self) -> Array:
        """The three shares as rows."""
        return np.stack([self.first, self.second, self.neither])


def outcome_shares(differences: Array, *, seed: int) -> OutcomeShares:
    """Test sets of five replications, drawn with replacement."""
    rng = np.random.default_rng([seed, len(differences), FIVE])
    return _shares(differences, rng.integers(0, len(differences), size=(N_DRAWS, FIVE)))


def chances_of_rarity(differences: Array, *, seed: int) -> Array:
    """Estimate the probability that a study like ours finds each outcome in less than 5% of its sets."""
    # Studies with as many replications are drawn with replacement from ours: with few, an outcome of 20% may
    # be rare in another. Simulated with 10 replications, means near to each other and far apart: 1.8% of
    # outcomes of the same process were judged to differ, and 1.6% were expected by these chances.
    n = len(differences)
    rng = np.random.default_rng([seed, n, FIVE, N_STUDIES])
    found = np.zeros((4, differences.shape[2]))
    for _ in range(N_STUDIES):
        study = differences[rng.integers(0, n, size=n)]
        own = _shares(study, rng.integers(0, n, size=(N_SETS, FIVE)))
        found += np.vstack([own.table, own.second + own.neither]) < LEVEL
    return found / N_STUDIES


def t_values(differences: Array, sets: NDArray[np.int64]) -> Array:
    """Return Dietterich's t of sets of five replications."""
    # Rounding errors of equal scores are not differences, and of equal differences not a spread.
    tolerance = ROUNDING * np.maximum(1.0, np.abs(differences).max(axis=(0, 1)))
    d = np.where(np.abs(differences) <= tolerance, 0.0, differences)
    spread = ((d - d.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    spread = np.where(spread <= tolerance**2, 0.0, spread)
    total = sum(spread[own] for own in sets.T)
    changed = (d != 0).any(axis=1)
    differing = sum(changed[own].astype(np.int64) for own in sets.T) > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        t = d[sets[:, 0], 0] / np.sqrt(total / FIVE)
    return np.where(total > 0, t, np.where(differing, np.nan, 0.0))


def _shares(differences: Array, sets: NDArray[np.int64]) -> OutcomeShares:
    t = t_values(differences, sets)
    critical = t_critical(LEVEL, FIVE)
    n = np.isfinite(t).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        first, second = (t > critical).sum(axis=0) / n, (t < -critical).sum(axis=0) / n
    return OutcomeShares(first, second, np.maximum(0.0, 1 - first - second))
