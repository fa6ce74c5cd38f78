"""The condition that makes a rule least likely by chance."""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.rules._kernels.chance import log_chance
from learners.tables._kernels.mdlp import cut_between

# Entries of a found condition: operator (0 =, 2 <=, 3 >; -1 if none helps), row of the table, code or
# threshold, logarithm of the chance, weight of the rows of the class and of all rows that meet it.
OPERATOR, ROW, VALUE, LOG_CHANCE, RIGHT, TOTAL = range(6)

TIE = 1e-12  # logarithms that differ by less are ties, of which the first is taken


@kernel
def best_condition(
    columns: NDArray[np.int64],
    nominal: NDArray[np.float64],
    offsets: NDArray[np.int64],
    starts: NDArray[np.int64],
    ranks: NDArray[np.int32],
    numeric: NDArray[np.float64],
    levels: NDArray[np.float64],
    level_starts: NDArray[np.int64],
    node: tuple[float, float],
    most: float,
    statistic: int,
    table: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the condition with which the rule has the least chance, below `most`."""
    # `columns`: the row of a nominal attribute, -1 - row of a numeric one. The counts are those of
    # `SideCounts`. `node`: weight of the class and of all rows where the rule is sought. A condition must
    # increase the share of the class. 28,931 levels and 102 values (adult): 1.1 ms.
    out = np.full(6, -1.0)
    out[LOG_CHANCE] = most
    for column in columns:
        if column >= 0:
            for s in range(offsets[column], offsets[column + 1] - 1):
                r, t = nominal[s, 0], nominal[s, 0] + nominal[s, 1]
                _try(out, 0, column, s - offsets[column], r, t, node, statistic, table)
            continue
        j = -1 - column
        _try_cuts(
            out,
            j,
            numeric[starts[j] : starts[j + 1]],
            levels[level_starts[j] : level_starts[j + 1]],
            ranks[starts[j] : starts[j + 1]],
            node,
            statistic,
            table,
        )
    return out


@kernel
def _try_cuts(
    out: NDArray[np.float64],
    row: int,
    counts: NDArray[np.float64],
    levels: NDArray[np.float64],
    ranks: NDArray[np.int32],
    node: tuple[float, float],
    statistic: int,
    table: NDArray[np.float64],
) -> None:
    """Try both sides of each cut midway between two neighboring values where the class changes."""
    known_r, known_w = 0.0, 0.0
    for k in range(counts.shape[0]):
        known_r += counts[k, 0]
        known_w += counts[k, 1]
    r, w = 0.0, 0.0
    for k in range(counts.shape[0] - 1):
        r += counts[k, 0]
        w += counts[k, 1]
        only_class = counts[k, 1] == 0.0 and counts[k + 1, 1] == 0.0
        only_others = counts[k, 0] == 0.0 and counts[k + 1, 0] == 0.0
        if not (only_class or only_others):
            cut = cut_between(levels[ranks[k]], levels[ranks[k + 1]])
            _try(out, 2, row, cut, r, r + w, node, statistic, table)
            above = known_r - r
            _try(out, 3, row, cut, above, above + known_w - w, node, statistic, table)


@kernel
def _try(
    out: NDArray[np.float64],
    operator: int,
    row: int,
    value: float,
    r: float,
    t: float,
    node: tuple[float, float],
    statistic: int,
    table: NDArray[np.float64],
) -> None:
    if r * node[1] <= node[0] * t * (1.0 + TIE):
        return
    enough = out[LOG_CHANCE] - TIE
    found = log_chance(r, t, node[0], node[1], statistic, table, enough)
    if found < enough:
        out[OPERATOR] = operator
        out[ROW] = row
        out[VALUE] = value
        out[LOG_CHANCE] = found
        out[RIGHT] = r
        out[TOTAL] = t
