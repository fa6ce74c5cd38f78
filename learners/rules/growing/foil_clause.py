"""The parts of FOIL's search: its options, literals, clauses and the steps between them."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners.rules.growing.growth_rows import Weighed
from learners.rules.sets.condition import Condition

__all__ = ["Checkpoint", "Clause", "FoilOptions", "Literal", "Trail"]


@dataclass(frozen=True)
class FoilOptions:
    """Options of the search; see `FOILClassifier`.

    Attributes
    ----------
    negation : bool
        Whether != is allowed.
    raw : bool
        Whether information is that of 1990, without the row added to both counts.
    min_accuracy, allowance, min_gain_fraction : float
    max_alternatives, max_checkpoints, max_clauses : int
    """

    negation: bool
    raw: bool
    min_accuracy: float
    allowance: float
    min_gain_fraction: float
    max_alternatives: int
    max_checkpoints: int
    max_clauses: int


@dataclass(frozen=True)
class Literal:
    """A condition that can be added, with its cost and gain.

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
    bit : int
        A power of two that identifies the condition in one search; a set of conditions is the sum of its
        bits.
    """

    condition: Condition
    bits: float
    gain: float
    right: float
    total: float
    n_weak: int
    bit: int


@dataclass(frozen=True)
class Clause:
    """A clause and the rows that it covers.

    Attributes
    ----------
    literals : tuple of Literal
    rows : ndarray of int32
        Rows that meet it.
    weighed : Weighed
        Their weights.
    """

    literals: tuple[Literal, ...]
    rows: NDArray[np.int32]
    weighed: Weighed

    @property
    def accuracy(self) -> float:
        """Share of the class among the rows covered."""
        return self.weighed.right / self.weighed.total if self.weighed.total > 0 else 0.0


class Trail(NamedTuple):
    """The literals that a search has taken, with what is shared by other orders of them.

    Attributes
    ----------
    literals : tuple of Literal
    conditions : int
        The set of their conditions, the sum of their bits.
    bits : float
        Their cost.
    clause : Clause or None
        The clause, unless these literals in another order were examined before.
    """

    literals: tuple[Literal, ...]
    conditions: int
    bits: float
    clause: Clause | None

    @property
    def n_weak(self) -> int:
        """Weak literals in a row at the end."""
        return self.literals[-1].n_weak if self.literals else 0

    @property
    def key(self) -> tuple[int, float, int]:
        """The key of how it can continue: two orders of the same literals may differ in bits and n_weak."""
        return self.conditions, self.bits, self.n_weak

    def then(self, literal: Literal) -> "Trail":
        """Add one literal."""
        conditions = self.conditions | literal.bit
        return Trail((*self.literals, literal), conditions, self.bits + literal.bits, None)


class Checkpoint(NamedTuple):
    """A backtracking point.

    Attributes
    ----------
    value : float
        Gain over the empty clause, in bits.
    before : Trail
    literal : Literal
        The literal to add to it.
    """

    value: float
    before: Trail
    literal: Literal
