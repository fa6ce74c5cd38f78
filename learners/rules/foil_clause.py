"""Growing one clause as FOIL does: greedily, with places to go back to and a good clause put aside."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners._kernels.rule_foil import (
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
from learners.rules.condition import Condition
from learners.rules.growth_rows import GrowthTable, SideCounts, Weighed

__all__ = ["Clause", "ClauseSearch", "FoilOptions"]

MOST_WEAK = 3  # literals in a row that leave the class no more frequent


@dataclass(frozen=True)
class FoilOptions:
    """What steers the search; see `FOILClassifier`.

    Attributes
    ----------
    negation : bool
        Whether != is allowed.
    raw : bool
        Whether information is that of 1990, without the row added to both counts.
    min_accuracy, allowance, min_gain_fraction : float
    max_alternatives, max_checkpoints, max_returns : int
    """

    negation: bool
    raw: bool
    min_accuracy: float
    allowance: float
    min_gain_fraction: float
    max_alternatives: int
    max_checkpoints: int
    max_returns: int


@dataclass(frozen=True)
class Literal:
    """A condition that can be added, and what it costs and brings.

    Attributes
    ----------
    condition : Condition
    bits : float
        Cost of naming it.
    gain : float
        In bits.
    right, total : float
        Weight of the rows of the class, and of all rows, that the longer clause would cover.
    n_weak : int
        Weak literals in a row, this one included.
    """

    condition: Condition
    bits: float
    gain: float
    right: float
    total: float
    n_weak: int


@dataclass(frozen=True)
class Clause:
    """A clause and the rows that it covers.

    Attributes
    ----------
    literals : tuple of Literal
    rows : ndarray of int32
        Rows that meet it.
    weighed : Weighed
        What they hold.
    """

    literals: tuple[Literal, ...]
    rows: NDArray[np.int32]
    weighed: Weighed

    @property
    def accuracy(self) -> float:
        """Share of the class among the rows covered."""
        return self.weighed.right / self.weighed.total if self.weighed.total > 0 else 0.0


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
        Which values of the nominal attributes training shows.
    empty : Clause
        The clause without literals, which covers the rows that are left of the class and all others.
    counts : SideCounts
        What the empty clause covers, value by value.
    """

    table: GrowthTable
    of_class: NDArray[np.bool_]
    options: FoilOptions
    shown: NDArray[np.bool_]
    empty: Clause
    counts: SideCounts
    _checkpoints: list[tuple[float, Clause, Literal]] = field(default_factory=list)
    _saved: tuple[Literal, ...] | None = None
    _returns: int = 0

    def grow(self) -> Clause:
        """Grow a clause until it covers no row of another class, or nothing can be added any more."""
        clause = self.empty
        while clause.weighed.n_wrong and clause.weighed.right > 0:
            literals, end = self.examine(clause)
            if end is not None and not (literals and literals[0].condition == end.condition):
                self._saved = (*clause.literals, end)
            if literals:
                self._remember(clause, literals)
                clause = self._longer(clause, literals[0])
            elif self._checkpoints and self._returns < self.options.max_returns:
                self._returns += 1
                clause = self._longer(*self._checkpoints.pop(0)[1:])
            else:
                break
        return self._better_of_saved(clause)

    def examine(self, clause: Clause) -> tuple[list[Literal], Literal | None]:
        """Give the literals that can be added, best first, and one that would end a good clause."""
        weighed, options = clause.weighed, self.options
        bits = self._bits(clause)
        n_weak = clause.literals[-1].n_weak if clause.literals else 0
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
                    n_weak >= MOST_WEAK,
                    options.negation,
                    options.raw,
                ],
                dtype=np.float64,
            ),
            options.max_alternatives,
        )
        found = [_literal(line, bits, n_weak) for line in lines]
        end = found.pop()
        return [literal for literal in found if literal.gain > 0], end if end.total > 0 else None

    def _bits(self, clause: Clause) -> NDArray[np.float64]:
        """Give the bits of the clause, of a nominal and of a numeric literal, and the bits that are left."""
        n_nominal, n_numeric = int(self.shown.sum()), len(self.table.values)
        relations = (n_nominal > 0) + (n_numeric > 0)
        place = len(clause.literals) + 1
        common = np.log2(relations) + 1 - np.log2(place) if relations else np.inf
        spent = sum(literal.bits for literal in clause.literals)
        nominal = common + np.log2(n_nominal) if n_nominal else np.inf
        numeric = common + np.log2(n_numeric) + np.log2(clause.weighed.total) if n_numeric else np.inf
        worth = exception_bits(self.empty.weighed.total, clause.weighed.right, self.options.allowance)
        return np.array([spent, nominal, numeric, worth - spent])

    def _remember(self, clause: Clause, literals: list[Literal]) -> None:
        """Keep the clauses that would have been nearly as good, the most promising first."""
        start, raw = self.empty.weighed, self.options.raw
        base = information(start.right, start.total, raw)
        for literal in literals[1:]:
            if literal.gain >= self.options.min_gain_fraction * literals[0].gain:
                value = literal.right * (base - information(literal.right, literal.total, raw))
                at = sum(1 for before, _, _ in self._checkpoints if before >= value)
                self._checkpoints.insert(at, (value, clause, literal))
                del self._checkpoints[self.options.max_checkpoints :]

    def _longer(self, clause: Clause, literal: Literal) -> Clause:
        rows = self.table.that_meet(clause.rows, literal.condition)
        return Clause((*clause.literals, literal), rows, self.table.weigh(rows, self.of_class))

    def _along(self, literals: tuple[Literal, ...], n_met: int = 0, rows: Any = None) -> Clause:
        """Make the clause with these literals; the rows that meet the first `n_met` may be known."""
        rows = self.empty.rows if rows is None else rows
        rows = self.table.that_meet_all(rows, [literal.condition for literal in literals[n_met:]])
        return Clause(literals, rows, self.table.weigh(rows, self.of_class))

    def _better_of_saved(self, clause: Clause) -> Clause:
        """Take the clause that was put aside if it is more accurate, or covers more, or is shorter."""
        if self._saved is None:
            return clause
        saved = self._along(self._saved)
        merits = [(c.accuracy, c.weighed.right, -len(c.literals)) for c in (clause, saved)]
        return saved if merits[1] > merits[0] else clause

    def without_needless(self, clause: Clause) -> Clause:
        """Drop literals, the last but one first, without which no further row of another class is covered."""
        literals, rows = list(clause.literals), [self.empty.rows]
        for literal in literals[:-1]:
            rows.append(self.table.that_meet(rows[-1], literal.condition))
        for i in reversed(range(len(literals) - 1)):
            shorter = self._along((*literals[:i], *literals[i + 1 :]), i, rows[i])
            if shorter.weighed.n_wrong <= clause.weighed.n_wrong:
                del literals[i]
                clause = shorter
        return clause


def _literal(line: NDArray[np.float64], bits: NDArray[np.float64], n_weak: int) -> Literal:
    condition = Condition(int(line[OPERATOR]), int(line[ROW]), float(line[VALUE]))
    cost = float(bits[2 if condition.is_numeric else 1])
    weak = n_weak + 1 if line[WEAK] else 0
    return Literal(condition, cost, float(line[GAIN]), float(line[RIGHT]), float(line[TOTAL]), weak)
