"""FOIL's search for one clause: greedy, with backtracking and the best complete clause saved."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.rules._kernels.foil import (
    GAIN,
    LITERAL,
    RIGHT,
    TOTAL,
    WEAK,
    Extended,
    FoilOptions,
    examine_literals,
    exception_bits,
    information,
)
from learners.rules._kernels.foil_memory import (
    CLAUSES,
    CONTINUATION,
    COUNTS_AT,
    LENGTH,
    N_COUNTS,
    N_RIGHT,
    N_WRONG,
    RIGHT_AT,
    SEARCH,
    SEARCHES,
    WRONG_AT,
    ClauseMemory,
    LevelTable,
    find_clause,
    level_range,
    recall,
    weight_of,
)

MOST_WEAK = 3  # literals in a row that make the class no more frequent

# Columns of a trail, literals in the order in which a search has taken them: the trail before the last one,
# that literal, the clause, the weak literals in a row at the end.
BEFORE, TAKEN, CLAUSE, N_WEAK = range(4)
# Columns of a continuation: the first of the choices to go on with and their number, the weak literals in a
# row before them, the next continuation of the same clause. Two orders of its literals can differ in the weak
# ones in a row and in bits, and then they continue differently.
FIRST, NUMBER, WEAK_BEFORE, OTHER = range(4)
# Columns of a choice: a literal, the weak literals in a row with it; its bits, the gain of the clause so
# extended over the empty one.
CHOSEN, WEAK_AFTER = range(2)
BITS, VALUE = range(2)
# Entries of `at`: number of trails, continuations, choices and backtracking points; the trail where the
# search is; clauses examined, including those met again in another order of their literals, and those whose
# literals were sought; trail and last literal of the saved clause (-1: none); whether backtracking points
# were left when `max_clauses` was reached.
TRAILS, CONTINUATIONS, CHOICES, CHECKPOINTS, HERE, N_CLAUSES, N_EXAMINED, SAVED, LAST, WAS_CUT = range(10)
N_AT = 10


class Search(NamedTuple):
    """The state of a search. The first trail has no literals."""

    at: NDArray[np.int64]  # (N_AT,)
    trails: NDArray[np.int64]  # (n, 4)
    trail_bits: NDArray[np.float64]
    continuations: NDArray[np.int64]  # (n, 4)
    bits_before: NDArray[np.float64]  # bits of the trails that each continuation is for
    choices: NDArray[np.int64]  # (n, 2), as `choice_figures`
    choice_figures: NDArray[np.float64]
    checkpoints: NDArray[np.int64]  # most promising first: a trail, and the choice to go on with
    saved: NDArray[np.float64]  # accuracy and cover of the saved clause
    lines: NDArray[np.float64]  # the output of `examine_literals`


@kernel
def grow_clause(table: LevelTable, memory: ClauseMemory, search: Search, options: FoilOptions) -> bool:
    """Grow a clause until it is pure or complete, or return False if arrays must be longer."""
    at, trails, most = search.at, search.trails, options.max_alternatives
    while True:
        if (
            at[TRAILS] == trails.shape[0]
            or at[CHOICES] + most > search.choices.shape[0]
            or at[CHECKPOINTS] + most > search.checkpoints.shape[0]
            or memory.used[CLAUSES] + 2 > memory.clauses.shape[0]
        ):
            return False
        at[N_CLAUSES] += 1
        here, clause = at[HERE], trails[at[HERE], CLAUSE]
        known = _continuation(memory, search, here)
        if known < 0:
            recall(table, memory, clause)
            if not memory.clauses[clause, N_WRONG] or memory.weights[clause, 0] <= 0.0:
                return True
            known = _examine(table, memory, search, options)
        first, n = search.continuations[known, FIRST], search.continuations[known, NUMBER]
        if n:
            for choice in range(first + 1, first + n):
                _remember(search, choice, options.max_checkpoints)
            _take(memory, search, here, first)
        elif at[CHECKPOINTS] and at[N_CLAUSES] < options.max_clauses:
            before, choice = search.checkpoints[0, 0], search.checkpoints[0, 1]
            at[CHECKPOINTS] -= 1
            for k in range(at[CHECKPOINTS]):
                search.checkpoints[k, 0] = search.checkpoints[k + 1, 0]
                search.checkpoints[k, 1] = search.checkpoints[k + 1, 1]
            _take(memory, search, before, choice)
        else:
            at[WAS_CUT] = at[CHECKPOINTS] > 0
            return True


@kernel
def _continuation(memory: ClauseMemory, search: Search, trail: int) -> int:
    """Return the continuation of a trail, -1 if none of its orders was examined that continues like it."""
    clause = search.trails[trail, CLAUSE]
    if memory.clauses[clause, SEARCH] != memory.used[SEARCHES]:
        memory.clauses[clause, SEARCH] = memory.used[SEARCHES]
        memory.clauses[clause, CONTINUATION] = -1
    known = memory.clauses[clause, CONTINUATION]
    while known >= 0 and (
        search.bits_before[known] != search.trail_bits[trail]
        or search.continuations[known, WEAK_BEFORE] != search.trails[trail, N_WEAK]
    ):
        known = search.continuations[known, OTHER]
    return known


@kernel
def _examine(table: LevelTable, memory: ClauseMemory, search: Search, options: FoilOptions) -> int:
    """Find the literals to go on with, return their continuation, and note one that ends a good clause."""
    at, lines, here = search.at, search.lines, search.at[HERE]
    clause, n_weak = search.trails[here, CLAUSE], search.trails[here, N_WEAK]
    extended = extended_clause(table, memory, search, here, options)
    first = memory.clauses[clause, COUNTS_AT]
    examine_literals(table, memory, first, first + memory.clauses[clause, N_COUNTS], extended, options, lines)
    end = lines.shape[0] - 1
    if lines[end, TOTAL] > 0.0 and not (lines[0, GAIN] > 0.0 and lines[0, LITERAL] == lines[end, LITERAL]):
        at[SAVED], at[LAST] = here, int(lines[end, LITERAL])
        search.saved[0], search.saved[1] = lines[end, RIGHT] / lines[end, TOTAL], lines[end, RIGHT]
    known, first = at[CONTINUATIONS], at[CHOICES]
    start = information(memory.weights[0, 0], extended.start_total, options.raw)
    for k in range(end):
        if lines[k, GAIN] <= 0.0 or (k > 0 and lines[k, GAIN] < options.min_gain_fraction * lines[0, GAIN]):
            continue
        choice, literal = at[CHOICES], int(lines[k, LITERAL])
        at[CHOICES] += 1
        nominal = table.attribute[literal >> 2] < table.n_nominal
        search.choices[choice, CHOSEN] = literal
        search.choices[choice, WEAK_AFTER] = n_weak + 1 if lines[k, WEAK] > 0.0 else 0
        mine = information(lines[k, RIGHT], lines[k, TOTAL], options.raw)
        search.choice_figures[choice, BITS] = extended.nominal_bits if nominal else extended.numeric_bits
        search.choice_figures[choice, VALUE] = lines[k, RIGHT] * (start - mine)
    at[N_EXAMINED] += 1
    at[CONTINUATIONS] += 1
    search.bits_before[known] = search.trail_bits[here]
    search.continuations[known, FIRST] = first
    search.continuations[known, NUMBER] = at[CHOICES] - first
    search.continuations[known, WEAK_BEFORE] = n_weak
    search.continuations[known, OTHER] = memory.clauses[clause, CONTINUATION]
    memory.clauses[clause, CONTINUATION] = known
    return known


@kernel
def extended_clause(
    table: LevelTable, memory: ClauseMemory, search: Search, trail: int, options: FoilOptions
) -> Extended:
    """Return the weights and bits with which the clause of a trail is extended."""
    clause, bits = search.trails[trail, CLAUSE], search.trail_bits[trail]
    right, start_total = memory.weights[clause, 0], memory.weights[0, 0] + memory.weights[0, 1]
    total = right + memory.weights[clause, 1]
    n_numeric = table.starts.size - 1 - table.n_nominal
    n_values = table.starts[table.n_nominal] - table.n_nominal
    kinds = 2.0 if n_values > 0 and n_numeric > 0 else 1.0
    common = math.log2(kinds) + 1.0 - math.log2(memory.clauses[clause, LENGTH] + 1.0)
    return Extended(
        right,
        total,
        start_total,
        bits,
        common + math.log2(float(n_values)) if n_values > 0 else math.inf,
        common + math.log2(float(n_numeric)) + math.log2(total) if n_numeric > 0 else math.inf,
        exception_bits(start_total, right, options.allowance) - bits,
        search.trails[trail, N_WEAK] >= MOST_WEAK,
        search.saved[0],
        search.saved[1],
    )


@kernel
def _remember(search: Search, choice: int, most: int) -> None:
    """Keep a choice from here that is nearly as good as the best one, behind more promising ones."""
    at, checkpoints, figures = search.at, search.checkpoints, search.choice_figures
    k = at[CHECKPOINTS]
    while k > 0 and figures[checkpoints[k - 1, 1], VALUE] < figures[choice, VALUE]:
        k -= 1
    if k >= most:
        return
    at[CHECKPOINTS] = min(at[CHECKPOINTS] + 1, most)
    for later in range(at[CHECKPOINTS] - 1, k, -1):
        checkpoints[later, 0] = checkpoints[later - 1, 0]
        checkpoints[later, 1] = checkpoints[later - 1, 1]
    checkpoints[k, 0], checkpoints[k, 1] = at[HERE], choice


@kernel
def _take(memory: ClauseMemory, search: Search, before: int, choice: int) -> None:
    """Go on from a trail with a choice."""
    trails, literal = search.trails, search.choices[choice, CHOSEN]
    new = search.at[TRAILS]
    search.at[TRAILS] += 1
    trails[new, BEFORE], trails[new, TAKEN] = before, literal
    trails[new, CLAUSE] = find_clause(memory, trails[before, CLAUSE], literal)
    trails[new, N_WEAK] = search.choices[choice, WEAK_AFTER]
    search.trail_bits[new] = search.trail_bits[before] + search.choice_figures[choice, BITS]
    search.at[HERE] = new


@kernel
def found_clause(
    table: LevelTable, memory: ClauseMemory, search: Search
) -> tuple[NDArray[np.int64], NDArray[np.int32], float, float]:
    """Return the clause grown, or the saved one if better: literals, rows of the class, both weights."""
    # literals are dropped, the last but one first, that exclude no further row of another class
    trails, clause = search.trails, search.trails[search.at[HERE], CLAUSE]
    recall(table, memory, clause)
    if search.at[LAST] >= 0:
        saved = find_clause(memory, trails[search.at[SAVED], CLAUSE], search.at[LAST])
        recall(table, memory, saved)
        if _is_better(memory, saved, clause):
            clause = saved
            new = search.at[TRAILS]
            trails[new, BEFORE], trails[new, TAKEN] = search.at[SAVED], search.at[LAST]
            search.at[HERE] = new
    n = memory.clauses[clause, LENGTH]
    literals, ranges, first = np.empty(n, np.int64), np.empty((n, 4), np.int64), n
    trail = search.at[HERE]
    for _ in range(n):
        literal, trail = trails[trail, TAKEN], trails[trail, BEFORE]
        column, low, high, other = level_range(table, literal)
        ranges[first - 1, 0], ranges[first - 1, 1] = column, low
        ranges[first - 1, 2], ranges[first - 1, 3] = high, other
        recall(table, memory, trails[trail, CLAUSE])
        if first == n or _excludes(table, memory, trails[trail, CLAUSE], ranges, first - 1):
            first -= 1
            literals[first] = literal
    recall(table, memory, clause)
    wrong = memory.weights[clause, 1]
    rows = _covered(table, memory, clause if first == 0 else np.int64(0), ranges, first)
    right = 0.0
    for i in rows:
        right += weight_of(table, i)
    return literals[first:], rows, right, right + wrong


@kernel
def _is_better(memory: ClauseMemory, clause: int, other: int) -> bool:
    """Return whether a clause is more accurate than another, or covers more, or is shorter."""
    right, wrong = memory.weights[clause, 0], memory.weights[clause, 1]
    other_right, other_wrong = memory.weights[other, 0], memory.weights[other, 1]
    accuracy = right / (right + wrong) if right + wrong > 0.0 else 0.0
    other_accuracy = other_right / (other_right + other_wrong) if other_right + other_wrong > 0.0 else 0.0
    if accuracy != other_accuracy:
        return accuracy > other_accuracy
    if right != other_right:
        return right > other_right
    return memory.clauses[clause, LENGTH] < memory.clauses[other, LENGTH]


@kernel
def _excludes(
    table: LevelTable, memory: ClauseMemory, before: int, ranges: NDArray[np.int64], first: int
) -> bool:
    """Return whether a literal excludes a row of another class that neither those after nor before it do."""
    # `ranges`, (n, 4): `level_range` of the literal at `first` and of those after it; `before`: a clause
    at = memory.clauses[before, WRONG_AT]
    for i in memory.rows[at : at + memory.clauses[before, N_WRONG]]:
        if not _meets(table.levels, ranges, first, i) and _meets_all(table.levels, ranges, first + 1, i):
            return True
    return False


@kernel
def _covered(
    table: LevelTable, memory: ClauseMemory, clause: int, ranges: NDArray[np.int64], first: int
) -> NDArray[np.int32]:
    """Return the rows of the class that a clause covers and that meet all literals from the first on."""
    at = memory.clauses[clause, RIGHT_AT]
    rows, n = memory.rows[at : at + memory.clauses[clause, N_RIGHT]].copy(), 0
    for i in rows:
        if _meets_all(table.levels, ranges, first, i):
            rows[n] = i
            n += 1
    return rows[:n]


@kernel
def _meets_all(levels: NDArray[np.int32], ranges: NDArray[np.int64], first: int, row: int) -> bool:
    """Return whether a row meets all literals from the first on. The last, the narrowest, is tried first."""
    k = ranges.shape[0] - 1
    while k >= first and _meets(levels, ranges, k, row):
        k -= 1
    return k < first


@kernel
def _meets(levels: NDArray[np.int32], ranges: NDArray[np.int64], k: int, row: int) -> bool:
    level = levels[row, ranges[k, 0]]
    return (ranges[k, 1] <= level) & (level <= ranges[k, 2]) & (level != ranges[k, 3])
