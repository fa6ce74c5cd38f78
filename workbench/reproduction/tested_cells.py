"""Judge printed outcomes of tests by how often sets of five of our replications have them."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from workbench.comparisons import LEVEL
from workbench.reproduction.finding import Cell, Finding
from workbench.reproduction.outcomes import FIVE, chances_of_rarity, outcome_shares
from workbench.reproduction.printed_table import ScoreWords
from workbench.reproduction.tails import verdict_of
from workbench.reproduction.units import Measured, half_differences

__all__ = ["tested"]

Array = NDArray[np.float64]


def tested(
    cells: Sequence[Cell], score: ScoreWords, measured: Measured, *, sign: float, seed: int
) -> list[Finding]:
    """Judge outcomes of Dietterich's 5x2cv t test, all of as many replications of ours at once."""
    found = [Finding(why=cell["unknown"]) for cell in cells]
    groups: dict[int, list[tuple[int, Array]]] = defaultdict(list)
    for i, cell in enumerate(cells):
        if cell["unknown"]:
            continue
        own = half_differences(measured, cell["dataset"], (cell["learner"], cell["other"]), score)
        n = len(own.values)
        why = own.why or (f"ours has {n} replications, and a test needs {FIVE}" if n < FIVE else "")
        found[i] = Finding(why=why, n=n)
        if not why:
            groups[n].append((i, sign * own.values))
    for group in groups.values():
        differences = np.stack([values for _, values in group], axis=2)
        shares = outcome_shares(differences, seed=seed)
        rarity = chances_of_rarity(differences, seed=seed)
        for j, (i, values) in enumerate(group):
            found[i] = _finding(cells[i], values, shares.table[:, j], rarity[:, j])
    return found


def _finding(cell: Cell, differences: Array, shares: Array, rarity: Array) -> Finding:
    n, mean = len(differences), float(differences.mean())
    first, second, neither = (float(share) for share in shares)
    if np.isnan(neither):
        return Finding(why="ours has no spread between halves, so no test", n=n, mean_difference=mean)
    ours = first - second
    sd = float(np.sqrt(max(0.0, first + second - ours**2)))
    if cell["open"] and second >= LEVEL:
        why = f"a win of {cell['other']} would not be printed, and ours has it in {second:.0%} of tests"
        return Finding(ours, sd, why=why, n=n, mean_difference=mean)
    if cell["open"]:
        share, by_chance = second + neither, first * rarity[0] + (second + neither) * rarity[3]
    else:
        share, by_chance = first if cell["printed"] else neither, float(shares @ rarity[:3])
    return Finding(ours, sd, share, verdict_of(share), n=n, by_chance=float(by_chance), mean_difference=mean)
