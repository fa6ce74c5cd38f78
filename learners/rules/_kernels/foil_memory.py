"""The clauses of one class found so far by FOIL, with their rows and counts.

From rule to rule FOIL meets most clauses again, over rows of the class that only become fewer. So rows and
counts are kept, and what rules have covered since is subtracted when a clause is met again. They have a room
of fixed size. When it is full, all but those of the empty clause are dropped, and computed again as needed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

EQUAL, NOT_EQUAL, AT_MOST, ABOVE = range(4)  # as in `Condition`

# Columns of a clause: the clause that it extends and the literal that it adds, the number of its literals,
# two keys of their set, the next clause in the same bucket; the time since which its rows are held, where
# those of the class and of the others begin, how many they are, where its counts begin, how many they are,
# how many rules they allow for; the last search that met it, and the first of its continuations there.
(PARENT, ADDED, LENGTH, KEY, SECOND_KEY, NEXT, HELD_SINCE, RIGHT_AT, WRONG_AT, N_RIGHT, N_WRONG, COUNTS_AT,
 N_COUNTS, RULES_SEEN, SEARCH, CONTINUATION) = range(16)  # fmt: skip
N_COLUMNS = 16
# Entries of `used`: number of clauses, rows and counts; the time, which advances when all are forgotten;
# number of rules and of searches.
CLAUSES, ROWS, COUNTS, TIME, RULES, SEARCHES = range(6)
N_USED = 6

BLOCK = 16  # counts that are also kept as a sum; the counts of a clause begin with a block


class LevelTable(NamedTuple):
    """The training rows, all values numbered through as levels. A literal is 4 * level + operator."""

    levels: NDArray[np.int32]  # (n_samples, n_attributes), nominal first; the last of each means missing
    starts: NDArray[np.int64]  # first level of each attribute
    attribute: NDArray[np.int32]  # to which each level belongs
    n_nominal: int
    weight: NDArray[np.float64]  # of each row; of length 0 where all weigh 1
    is_whole: bool  # whether weights are whole, and so few that sums have no rounding errors


class ClauseMemory(NamedTuple):
    """Clauses of a class. The first is the empty one, whose rows and counts are never forgotten."""

    is_left: NDArray[np.bool_]  # the rows of the class that no rule covers yet
    clauses: NDArray[np.int64]  # (at least n_clauses, N_COLUMNS)
    weights: NDArray[np.float64]  # of the rows of the class that a clause covers, and of the others
    buckets: NDArray[np.int64]  # the last clause in each bucket of keys (a power of two), or -1
    rows: NDArray[np.int32]  # covered rows of the class, then the others, each ascending
    levels: NDArray[np.int32]  # those among the rows of a clause, ascending
    counts: NDArray[np.float64]  # (n_counts, 2): weight at this level, of the class first; may become zero
    block_counts: NDArray[np.float64]  # sums of `counts`; only for whole weights, and within a clause
    sums: NDArray[np.float64]  # (n_levels, 2), zero between calls
    used: NDArray[np.int64]  # (N_USED,)


@kernel
def find_clause(memory: ClauseMemory, parent: int, literal: int) -> int:
    """Return the clause with one more literal, a new one if no order of its literals was met."""
    # There must be room for it, which nothing checks. Sets of literals are told apart by 128 bits, which are
    # taken not to collide.
    clauses, buckets, used = memory.clauses, memory.buckets, memory.used
    mixed = _mixed(literal)
    key, second = clauses[parent, KEY] + mixed, clauses[parent, SECOND_KEY] + _mixed(mixed)
    bucket = (key ^ (key >> 32)) & (buckets.size - 1)
    found = buckets[bucket]
    while found >= 0:
        if clauses[found, KEY] == key and clauses[found, SECOND_KEY] == second:
            return found
        found = clauses[found, NEXT]
    new = used[CLAUSES]
    used[CLAUSES] += 1
    for column in range(N_COLUMNS):
        clauses[new, column] = 0
    clauses[new, PARENT], clauses[new, ADDED] = parent, literal
    clauses[new, LENGTH] = clauses[parent, LENGTH] + 1
    clauses[new, KEY], clauses[new, SECOND_KEY] = key, second
    clauses[new, NEXT] = buckets[bucket]
    buckets[bucket] = new
    return new


@kernel
def _mixed(number: int) -> int:
    """Scatter a number over 64 bits."""
    z = (number + 1) * 0x2545F4914F6CDD1D
    z = (z ^ (z >> 29)) * 0x1B03738712FAD5C9
    return z ^ (z >> 32)


@kernel
def recall(table: LevelTable, memory: ClauseMemory, clause: int) -> None:
    """Have the rows, weights and counts of a clause at hand, without the rows that rules cover."""
    # rows that are not held are filtered from those of the closest clause before it that are
    clauses, rows, is_left, used = memory.clauses, memory.rows, memory.is_left, memory.used
    if clauses[clause, HELD_SINCE] == used[TIME]:
        if clauses[clause, RULES_SEEN] < used[RULES]:
            _drop_covered(table, memory, clause)
        return
    holder = clauses[clause, PARENT]
    while clauses[holder, HELD_SINCE] != used[TIME]:
        holder = clauses[holder, PARENT]
    n_rows = clauses[holder, N_RIGHT] + clauses[holder, N_WRONG]
    n_counts = clauses[holder, N_COUNTS] + BLOCK
    if used[ROWS] + n_rows > rows.size or used[COUNTS] + n_counts > memory.levels.size:
        forget(memory)
        holder = np.int64(0)  # a plain 0 would compile the calls twice
    right_at, n_right = used[ROWS], np.int64(0)
    for k in range(clauses[holder, RIGHT_AT], clauses[holder, RIGHT_AT] + clauses[holder, N_RIGHT]):
        rows[right_at + n_right] = rows[k]
        n_right += is_left[rows[k]]
    wrong_at, n_wrong = clauses[holder, WRONG_AT], clauses[holder, N_WRONG]
    step = clause
    while step != holder:
        n_right = _filter(table, clauses[step, ADDED], rows, right_at, n_right, right_at)
        n_wrong = _filter(table, clauses[step, ADDED], rows, wrong_at, n_wrong, right_at + n_right)
        wrong_at = right_at + n_right
        step = clauses[step, PARENT]
    clauses[clause, RIGHT_AT], clauses[clause, N_RIGHT] = right_at, n_right
    clauses[clause, WRONG_AT], clauses[clause, N_WRONG] = wrong_at, n_wrong
    clauses[clause, HELD_SINCE], clauses[clause, RULES_SEEN] = used[TIME], used[RULES]
    used[ROWS] = wrong_at + n_wrong
    at = clauses[holder, COUNTS_AT]
    count_clause(table, memory, clause, memory.levels[at : at + clauses[holder, N_COUNTS]])


@kernel
def forget(memory: ClauseMemory) -> None:
    """Forget the rows and counts of all clauses but the empty one."""
    clauses, used = memory.clauses, memory.used
    used[TIME] += 1
    clauses[0, HELD_SINCE] = used[TIME]
    used[ROWS] = clauses[0, WRONG_AT] + clauses[0, N_WRONG]
    used[COUNTS] = clauses[0, N_COUNTS]


@kernel
def _filter(table: LevelTable, literal: int, rows: NDArray[np.int32], at: int, n: int, to: int) -> int:
    """Copy the rows that meet a literal, of `n` from `at` on, to `to`, and return their number."""
    # `to` is either not behind `at`, or behind all `n`
    levels = table.levels
    column, low, high, other = level_range(table, literal)
    n_met = 0
    for k in range(at, at + n):
        i = rows[k]
        level = levels[i, column]
        rows[to + n_met] = i
        n_met += (low <= level) & (level <= high) & (level != other)
    return n_met


@kernel
def level_range(table: LevelTable, literal: int) -> tuple[int, int, int, int]:
    """Return an attribute, and the lowest and highest level that a literal allows, except for another."""
    level, operator = literal >> 2, literal & 3
    column = int(table.attribute[level])
    missing = table.starts[column + 1] - 1
    if operator == EQUAL:
        return column, level, level, missing
    if operator == NOT_EQUAL:
        return column, table.starts[column], missing - 1, level
    if operator == AT_MOST:
        return column, table.starts[column], level, missing
    return column, level + 1, missing - 1, missing


@kernel
def count_clause(table: LevelTable, memory: ClauseMemory, clause: int, possible: NDArray[np.int32]) -> None:
    """Weigh the rows of a clause, also by level. `possible` are the levels that can occur, ascending."""
    levels, counts, sums = memory.levels, memory.counts, memory.sums
    for side in range(2):
        _add_up(table, memory, clause, side)
    first = (memory.used[COUNTS] + BLOCK - 1) // BLOCK * BLOCK
    n = first
    for level in possible:  # without branches, which processors would guess wrong
        right, wrong = sums[level, 0], sums[level, 1]
        levels[n], counts[n, 0], counts[n, 1] = level, right, wrong
        sums[level, 0], sums[level, 1] = 0.0, 0.0
        n += (right > 0.0) | (wrong > 0.0)
    _sum_blocks(memory, first, n)
    memory.clauses[clause, COUNTS_AT], memory.clauses[clause, N_COUNTS] = first, n - first
    memory.used[COUNTS] = n


@kernel
def _sum_blocks(memory: ClauseMemory, first: int, stop: int) -> None:
    """Write the sums of the full blocks in a range of counts."""
    counts, block_counts = memory.counts, memory.block_counts
    for block in range(first // BLOCK, stop // BLOCK):
        right, wrong = 0.0, 0.0
        for k in range(BLOCK * block, BLOCK * block + BLOCK):
            right += counts[k, 0]
            wrong += counts[k, 1]
        block_counts[block, 0], block_counts[block, 1] = right, wrong


@kernel
def _add_up(table: LevelTable, memory: ClauseMemory, clause: int, side: int) -> None:
    """Weigh the rows of the class (side 0) or the others, and add them to the sums of their levels."""
    rows, levels, sums = memory.rows, table.levels, memory.sums
    at, n = memory.clauses[clause, RIGHT_AT + side], memory.clauses[clause, N_RIGHT + side]
    total = 0.0
    for k in range(at, at + n):
        i = rows[k]
        weight = weight_of(table, i)
        total += weight
        for a in range(levels.shape[1]):
            sums[levels[i, a], side] += weight
    memory.weights[clause, side] = total


@kernel
def _drop_covered(table: LevelTable, memory: ClauseMemory, clause: int) -> None:
    """Drop the rows that rules have covered since the clause was last met."""
    clauses, rows, is_left = memory.clauses, memory.rows, memory.is_left
    clauses[clause, RULES_SEEN] = memory.used[RULES]
    at, n = clauses[clause, RIGHT_AT], clauses[clause, N_RIGHT]
    n_left = 0
    for k in range(at, at + n):
        i = rows[k]
        rows[at + n_left] = i
        n_left += is_left[i]
        if table.is_whole and not is_left[i]:
            _subtract(table, memory, clause, i)
    clauses[clause, N_RIGHT] = n_left
    if n_left < n and not table.is_whole:  # subtracting would leave rounding errors
        _add_up(table, memory, clause, np.int64(0))
        levels, counts, sums = memory.levels, memory.counts, memory.sums
        for k in range(clauses[clause, COUNTS_AT], clauses[clause, COUNTS_AT] + clauses[clause, N_COUNTS]):
            counts[k, 0] = sums[levels[k], 0]
            sums[levels[k], 0] = 0.0


@kernel
def _subtract(table: LevelTable, memory: ClauseMemory, clause: int, row: int) -> None:
    """Subtract a row of the class from the weight and the counts of a clause."""
    weight = weight_of(table, row)
    memory.weights[clause, 0] -= weight
    place = memory.clauses[clause, COUNTS_AT]
    stop = place + memory.clauses[clause, N_COUNTS]
    for a in range(table.levels.shape[1]):
        place = place_of(memory.levels, np.int64(table.levels[row, a]), place, stop)
        memory.counts[place, 0] -= weight
        memory.block_counts[place // BLOCK, 0] -= weight


@kernel
def weight_of(table: LevelTable, row: int) -> float:
    """Return the weight of a row."""
    return table.weight[row] if table.weight.size else 1.0


@kernel
def place_of(levels: NDArray[np.int32], level: int, first: int, stop: int) -> int:
    """Return the first place in a range of ascending levels that is not below a level, or the range's end."""
    while first < stop:
        middle = (first + stop) >> 1
        if levels[middle] < level:
            first = middle + 1
        else:
            stop = middle
    return first
