"""The data of FOIL's search: training rows as levels, and the clauses of a class met so far."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from learners.rules._kernels.foil_memory import (
    BLOCK,
    CLAUSES,
    N_COLUMNS,
    N_RIGHT,
    N_USED,
    N_WRONG,
    PARENT,
    RULES,
    SEARCHES,
    WRONG_AT,
    ClauseMemory,
    LevelTable,
    count_clause,
    forget,
)
from learners.rules.growing.growth_rows import GrowthTable
from learners.rules.sets.condition import Condition

__all__ = ["ClassClauses", "Clause", "LeveledRows", "longer"]

N_CLAUSES = 2**10  # for which there is room at first
N_BUCKETS = 2**16  # also the number of clauses that are not forgotten before the next search
ROOM, MORE_ROOM = 8, 2**21  # rows, and counts: for each training row, and at most in addition


@dataclass(frozen=True)
class Clause:
    """A clause that was found."""

    conditions: tuple[Condition, ...]
    rows: NDArray[np.int32]  # of the class, covered by no rule before it
    right: float  # weight of these rows
    total: float  # weight of these and the covered rows of other classes


@dataclass(frozen=True)
class LeveledRows:
    """The training rows with their values numbered through."""

    table: LevelTable
    values: NDArray[np.float64]  # code or number that each level stands for; NaN for missing
    y: NDArray[np.intp]

    @classmethod
    def of(cls, rows: GrowthTable) -> Self:
        """Give each value that occurs a number."""
        columns = [
            _shown(codes, arity) for codes, arity in zip(rows.codes, rows.arities.tolist(), strict=True)
        ]
        columns += [
            (rows.levels[start:stop], ranks)
            for start, stop, ranks in zip(rows.level_starts, rows.level_starts[1:], rows.ranks, strict=False)
        ]
        starts = np.cumsum([0, *(values.size + 1 for values, _ in columns)], dtype=np.int64)
        levels = np.empty((rows.y.size, len(columns)), dtype=np.int32)
        for a, (_, places) in enumerate(columns):
            levels[:, a] = starts[a] + places
        table = LevelTable(
            levels=levels,
            starts=starts,
            attribute=np.repeat(np.arange(len(columns), dtype=np.int32), np.diff(starts)),
            n_nominal=len(rows.codes),
            weight=rows.weight,
            is_whole=bool((rows.weight == np.floor(rows.weight)).all() and rows.weight.sum() < 2**53),
        )
        return cls(table, np.concatenate([np.empty(0), *(np.append(v, np.nan) for v, _ in columns)]), rows.y)

    def condition(self, literal: int) -> Condition:
        """Return a literal as a condition."""
        level = literal >> 2
        attribute, n_nominal = int(self.table.attribute[level]), self.table.n_nominal
        row = attribute if attribute < n_nominal else attribute - n_nominal
        return Condition(literal & 3, row, float(self.values[level]))


def _shown(codes: NDArray[Any], arity: int) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return the values of a nominal attribute that occur, and the place of each code among them."""
    shown = np.bincount(codes, minlength=arity + 1) > 0
    shown[arity] = True  # so that the place of a missing value is their number
    return np.flatnonzero(shown[:-1]).astype(np.float64), (np.cumsum(shown) - 1)[codes]


class ClassClauses:
    """The clauses of one class found so far, from all searches."""

    # For n rows with l levels there are 4 (10 n + m) bytes for rows and 21 (8 n + m + 2 l) for counts, with m
    # = min(56 n, 2**21): together 65 MB for the 48,842 x 14 of adult, of which they use what they need.
    # Clauses take 144 bytes each, also without rows; above 65,536 all are forgotten before a search.
    def __init__(self, rows: LeveledRows, target: int) -> None:
        n_rows, n_levels = rows.y.size, rows.table.attribute.size
        room = ROOM * n_rows + min(MORE_ROOM, 7 * ROOM * n_rows)
        n_counts = 2 * (n_levels + BLOCK) + room
        self.rows = rows
        self.memory = ClauseMemory(
            is_left=rows.y == target,
            clauses=np.zeros((N_CLAUSES, N_COLUMNS), dtype=np.int64),
            weights=np.zeros((N_CLAUSES, 2)),
            buckets=np.empty(N_BUCKETS, dtype=np.int64),
            rows=np.empty(2 * n_rows + room, dtype=np.int32),
            levels=np.empty(n_counts, dtype=np.int32),
            counts=np.empty((n_counts, 2)),
            block_counts=np.empty((n_counts // BLOCK + 1, 2)),
            sums=np.zeros((n_levels, 2)),
            used=np.zeros(N_USED, dtype=np.int64),
        )
        self._begin()

    def _begin(self) -> None:
        """Write the empty clause, which covers all rows."""
        memory, is_left = self.memory, self.memory.is_left
        right, wrong = np.flatnonzero(is_left), np.flatnonzero(~is_left)
        memory.rows[: is_left.size] = np.concatenate([right, wrong])
        memory.clauses[0, [PARENT, WRONG_AT, N_RIGHT, N_WRONG]] = -1, right.size, right.size, wrong.size
        count_clause(self.rows.table, memory, 0, np.arange(len(memory.sums), dtype=np.int32))
        self._forget_clauses()

    def _forget_clauses(self) -> None:
        """Forget all clauses but the empty one."""
        self.memory.buckets.fill(-1)
        self.memory.used[CLAUSES] = 1
        forget(self.memory)

    def begin_search(self) -> None:
        """Distinguish the new search from earlier ones."""
        if self.memory.used[CLAUSES] > N_BUCKETS:
            self._forget_clauses()
        self.memory.used[SEARCHES] += 1

    def make_room(self) -> None:
        """Make room for more clauses if little is left."""
        memory = self.memory
        if 2 * memory.used[CLAUSES] > len(memory.clauses):
            self.memory = memory._replace(clauses=longer(memory.clauses), weights=longer(memory.weights))

    def cover(self, rows: NDArray[np.int32]) -> None:
        """Remove rows of the class that a rule covers. Clauses drop them when they are found again."""
        self.memory.is_left[rows] = False
        self.memory.used[RULES] += 1

    @property
    def weights(self) -> tuple[float, float]:
        """Weight of the rows of the class when the last search began, and of all rows that it began with."""
        right, wrong = self.memory.weights[0].tolist()
        return right, right + wrong


def longer(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array with twice as many lines."""
    return np.concatenate([array, np.empty_like(array)])
