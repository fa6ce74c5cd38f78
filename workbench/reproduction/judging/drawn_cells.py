"""Judge published means, half widths, correlations, differences and contrasts by draws of our statistic."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from workbench.base.errors import WorkbenchError
from workbench.comparisons import LEVEL
from workbench.reproduction.data_set_facts import DataSetFacts
from workbench.reproduction.judging.draws import (
    N_DRAWS,
    Draws,
    draws_of_correlations,
    draws_of_half_widths,
    draws_of_means,
)
from workbench.reproduction.judging.finding import ROUNDING, Cell, Judgement, certain, tail_shares, verdict_of
from workbench.reproduction.printed.table import COMPARING, PrintedTable
from workbench.reproduction.units import HasUnits, side_by_side

__all__ = ["drawn"]

Array = NDArray[np.float64]

#: With fewer defined draws a tail share near 5% is too uncertain.
LEAST_DRAWS = N_DRAWS // 10


def drawn(
    cells: Sequence[Cell], table: PrintedTable, measured: HasUnits, facts: DataSetFacts, *, seed: int
) -> list[Judgement]:
    """Judge the cells of a table, together where we have equally many units."""
    found = [Judgement(why=cell["unknown"]) for cell in cells]
    groups: dict[int, list[tuple[int, Array]]] = defaultdict(list)
    for i, cell in enumerate(cells):
        if cell["unknown"]:
            continue
        values, why = _values(cell, table, measured, facts)
        why = why or _too_few(len(values), table.statistic)
        found[i] = Judgement(why=why, n=len(values))
        if not why:
            groups[len(values)].append((i, values))
    for group in groups.values():
        own = _of_group(
            [cells[i] for i, _ in group], np.stack([values for _, values in group], axis=2), table, seed
        )
        for (i, _), one in zip(group, own, strict=True):
            found[i] = one
    return found


def _values(cell: Cell, table: PrintedTable, measured: HasUnits, facts: DataSetFacts) -> tuple[Array, str]:
    """Return the units of a cell, scaled: one column, or two to be correlated; and why there are none."""
    scores = [score for score in (table.score, table.other_score) if score is not None]
    pair = [key for key in (cell["learner"], cell["other"]) if key]
    learners = list(cell["among"]) if table.statistic == "contrast" else pair
    wanted = [(learner, score) for learner in learners for score in scores]
    own = side_by_side(measured, cell["dataset"], wanted, table.unit)
    if own.why:
        return own.values, own.why
    values = own.values
    if table.statistic == "difference":
        values = values[:, :1] - values[:, 1:]
    elif table.statistic == "contrast":
        values = values[:, [learners.index(cell["learner"])]] - values.mean(axis=1, keepdims=True)
    try:
        return values * _factor(table, cell["dataset"], facts), ""
    except WorkbenchError as error:
        return values, str(error)


def _factor(table: PrintedTable, source: str, facts: DataSetFacts) -> float:
    if table.scale == "nats_times_classes":
        return float(np.log(2)) * facts.value(source, "n_classes")
    return {"none": 1.0, "nats": float(np.log(2)), "percent": 100.0}[table.scale]


def _too_few(n: int, statistic: str) -> str:
    least = 3 if statistic == "correlation" else 2
    return f"our study has {n} of the {least} units that a standard deviation needs" if n < least else ""


def _of_group(cells: Sequence[Cell], values: Array, table: PrintedTable, seed: int) -> Iterator[Judgement]:
    """Judge cells whose units have the shape (n_units, n_columns, n_cells)."""
    found = _draws(values, table, seed)
    low, high = (np.array([cell[end] for cell in cells]) for end in ("low", "high"))
    tails = tail_shares(found.values, low, high)
    x, n = values[:, 0], len(values)
    constant = np.ptp(x, axis=0) <= ROUNDING * np.maximum(1.0, np.abs(x).max(axis=0))
    for j, cell in enumerate(cells):
        own = found.values[np.isfinite(found.values[:, j]), j]
        if np.isnan(found.ours[j]) or len(own) < LEAST_DRAWS:
            yield Judgement(why="ours is undefined: one of the two scores is constant, or nearly so", n=n)
        elif constant[j]:
            yield certain(cell, float(found.ours[j]), n=n, near=table.threshold)
        else:
            # Skewed draws may lie to one side of ours; a value that ours rounds to is still no departure.
            ours = float(found.ours[j])
            rounded = table.statistic in COMPARING and _is_printed_so(ours, cell)
            tail = 1.0 if rounded else float(tails[j])
            verdict = verdict_of(tail, abs(ours - cell["printed"]), table.threshold)
            yield Judgement(ours, float(own.std()), tail, verdict, n=n, by_chance=LEVEL)


def _is_printed_so(ours: float, cell: Cell) -> bool:
    near = ROUNDING * max(1.0, abs(ours))
    return bool(cell["low"] - near <= ours <= cell["high"] + near)


def _draws(values: Array, table: PrintedTable, seed: int) -> Draws:
    if table.statistic == "correlation":
        return draws_of_correlations(values[:, 0], values[:, 1], table.units, seed=seed)
    if table.statistic == "half_width":
        return draws_of_half_widths(values[:, 0], table.units, seed=seed)
    return draws_of_means(values[:, 0], table.units, seed=seed)
