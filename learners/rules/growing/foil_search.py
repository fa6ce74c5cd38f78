"""Growing one clause as FOIL does: greedily, with backtracking and the best complete clause saved."""

from bisect import bisect_right
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from learners.rules._kernels.firing import needless_conditions
from learners.rules._kernels.foil import (
    GAIN,
    OPERATOR,
    RIGHT,
    ROW,
    TOTAL,
    VALUE,
    WEAK,
    examine_literals,
    exception_bits,
    information,
)
from learners.rules.growing.foil_clause import Checkpoint, Clause, FoilOptions, Literal, Trail
from learners.rules.growing.growth_rows import GrowthTable, SideCounts
from learners.rules.sets.condition import NOT_EQUAL, Condition

__all__ = ["ClauseSearch"]

MOST_WEAK = 3  # literals in a row that make the class no more frequent


@dataclass
class ClauseSearch:
    """The search for one clause of one class.

    Attributes
    ----------
    table : GrowthTable
    of_class : ndarray of bool, shape (n_samples,)
        The rows of the class that no clause covers yet.
    options : FoilOptions
    shown : ndarray of bool, shape (n_slots,)
        Which values of the nominal attributes occur in training.
    empty : Clause
        The clause without literals, which covers the remaining rows of the class and all others.
    counts : SideCounts
        The rows that the empty clause covers, value by value.
    n_clauses : int
        Clauses examined so far, including those met again in another order of their literals.
    n_examined : int
        Those whose rows were counted.
    was_cut : bool
        Whether backtracking points were left when `max_clauses` was reached.
    """

    table: GrowthTable
    of_class: NDArray[np.bool_]
    options: FoilOptions
    shown: NDArray[np.bool_]
    empty: Clause
    counts: SideCounts
    n_clauses: int = 0
    n_examined: int = 0
    was_cut: bool = False
    _checkpoints: list[Checkpoint] = field(default_factory=list)
    _saved: tuple[Literal, ...] | None = None
    _bit_of: dict[Condition, int] = field(default_factory=dict)
    _known: dict[tuple[int, float, int], list[tuple[float, Literal]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._n_nominal, self._n_numeric = int(self.shown.sum()), len(self.table.values)

    @property
    def start(self) -> Trail:
        """The trail without literals."""
        return Trail((), 0, 0.0, self.empty)

    def grow(self) -> Clause:
        """Grow a clause until it covers no row of another class, or nothing more can be added."""
        trail = self.start
        while True:
            self.n_clauses += 1
            if trail.clause is not None:
                if not trail.clause.weighed.n_wrong or trail.clause.weighed.right <= 0:
                    return self._better_of_saved(trail.clause)
                self._known[trail.key] = self._choices(trail, trail.clause)
            choices = self._known[trail.key]
            if choices:
                self._remember(trail, choices[1:])
                trail = self._longer(trail, choices[0][1])
            elif self._checkpoints and self.n_clauses < self.options.max_clauses:
                _, before, literal = self._checkpoints.pop(0)
                trail = self._longer(before, literal)
            else:
                self.was_cut = bool(self._checkpoints)
                return self._better_of_saved(trail.clause or self._along(trail.literals))

    def _choices(self, trail: Trail, clause: Clause) -> list[tuple[float, Literal]]:
        """Return the literals to go on with, best first, each with the gain of the clause so extended."""
        self.n_examined += 1
        literals, end = self.examine(trail, clause)
        if end is not None and not (literals and literals[0].condition == end.condition):
            self._saved = (*trail.literals, end)
        start, raw = self.empty.weighed, self.options.raw
        base = information(start.right, start.total, raw)
        return [
            (literal.right * (base - information(literal.right, literal.total, raw)), literal)
            for literal in literals
            if literal is literals[0] or literal.gain >= self.options.min_gain_fraction * literals[0].gain
        ]

    def examine(self, trail: Trail, clause: Clause) -> tuple[list[Literal], Literal | None]:
        """Return the literals that can be added, best first, and one that would end a good clause."""
        weighed, options = clause.weighed, self.options
        bits = self._bits(trail, clause)
        best = self._saved[-1] if self._saved else None
        counts = self.table.count(clause.rows, self.of_class) if clause.literals else self.counts
        lines = examine_literals(
            counts.nominal,
            self.table.offsets,
            self.shown,
            counts.starts,
            counts.ranks,
            counts.numeric,
            self.table.levels,
            self.table.level_starts,
            (weighed.right, weighed.total, self.empty.weighed.total),
            bits,
            np.array([best.right / best.total, best.right] if best else [0.0, 0.0]),
            np.array(
                [
                    options.allowance,
                    options.min_accuracy,
                    options.min_gain_fraction,
                    trail.n_weak >= MOST_WEAK,
                    options.negation,
                    options.raw,
                ],
                dtype=np.float64,
            ),
            options.max_alternatives,
        )
        found = [self._literal(line, bits, trail.n_weak) for line in lines if line[TOTAL] > 0]
        end = found.pop() if lines[-1, TOTAL] > 0 else None
        return [literal for literal in found if literal.gain > 0], end

    def _bits(self, trail: Trail, clause: Clause) -> NDArray[np.float64]:
        """Return the bits of the clause, of a nominal and of a numeric literal, and those still available."""
        n_nominal, n_numeric = self._n_nominal, self._n_numeric
        relations = (n_nominal > 0) + (n_numeric > 0)
        place = len(trail.literals) + 1
        common = np.log2(relations) + 1 - np.log2(place) if relations else np.inf
        nominal = common + np.log2(n_nominal) if n_nominal else np.inf
        numeric = common + np.log2(n_numeric) + np.log2(clause.weighed.total) if n_numeric else np.inf
        worth = exception_bits(self.empty.weighed.total, clause.weighed.right, self.options.allowance)
        return np.array([trail.bits, nominal, numeric, worth - trail.bits])

    def _literal(self, line: NDArray[np.float64], bits: NDArray[np.float64], n_weak: int) -> Literal:
        condition = Condition(int(line[OPERATOR]), int(line[ROW]), float(line[VALUE]))
        cost = float(bits[2 if condition.is_numeric else 1])
        weak = n_weak + 1 if line[WEAK] else 0
        bit = self._bit_of.setdefault(condition, 1 << len(self._bit_of))
        return Literal(condition, cost, float(line[GAIN]), float(line[RIGHT]), float(line[TOTAL]), weak, bit)

    def _remember(self, trail: Trail, others: list[tuple[float, Literal]]) -> None:
        """Keep the alternatives that were nearly as good, the most promising first."""
        for value, literal in others:
            at = bisect_right(self._checkpoints, -value, key=lambda checkpoint: -checkpoint.value)
            if at < self.options.max_checkpoints:
                self._checkpoints.insert(at, Checkpoint(value, trail, literal))
                del self._checkpoints[self.options.max_checkpoints :]

    def _longer(self, before: Trail, literal: Literal) -> Trail:
        """Add a literal; its rows are determined unless the continuation is known."""
        trail = before.then(literal)
        if trail.key in self._known:
            return trail
        if before.clause is None:
            return trail._replace(clause=self._along(trail.literals))
        rows = self.table.that_meet(before.clause.rows, literal.condition)
        return trail._replace(clause=self._clause(trail.literals, rows))

    def _clause(self, literals: tuple[Literal, ...], rows: NDArray[np.int32]) -> Clause:
        return Clause(literals, rows, self.table.weigh(rows, self.of_class))

    def _along(self, literals: tuple[Literal, ...]) -> Clause:
        """Make the clause with these literals; excluded values, possibly thousands, are handled together."""
        rows, refused = self.empty.rows, dict[int, list[int]]()
        for condition in (literal.condition for literal in literals):
            if condition.operator == NOT_EQUAL:
                refused.setdefault(condition.row, [int(self.table.arities[condition.row])])
                refused[condition.row].append(int(condition.value))
            else:
                rows = self.table.that_meet(rows, condition)
        for row, values in refused.items():
            stays = np.ones(values[0] + 1, dtype=bool)
            stays[values] = False
            rows = rows[stays[self.table.codes[row, rows]]]
        return self._clause(literals, rows)

    def _better_of_saved(self, clause: Clause) -> Clause:
        """Return the saved clause if it is more accurate, or covers more, or is shorter."""
        if self._saved is None:
            return clause
        saved = self._along(self._saved)
        merits = [(c.accuracy, c.weighed.right, -len(c.literals)) for c in (clause, saved)]
        return saved if merits[1] > merits[0] else clause

    def without_needless(self, clause: Clause) -> Clause:
        """Drop literals, the last but one first, that exclude no further row of another class."""
        if len(clause.literals) < 2:
            return clause
        table = self.table
        conditions = [literal.condition for literal in clause.literals]
        needless = needless_conditions(
            table.codes,
            table.values,
            table.arities,
            np.array([c.operator for c in conditions], dtype=np.int64),
            np.array([c.row for c in conditions], dtype=np.int64),
            np.array([c.value for c in conditions], dtype=np.float64),
            self.empty.rows[~self.of_class[self.empty.rows]],
        )
        if not needless.any():
            return clause
        return self._along(tuple(x for x, drop in zip(clause.literals, needless, strict=True) if not drop))
