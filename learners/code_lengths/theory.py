"""The cost of coding a theory by decisions with unknown frequencies, in bits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from learners.code_lengths.multinomial import adaptive_code_length

__all__ = ["TheoryLength", "choice_bits", "decision_bits", "order_bits", "subset_bits"]


@dataclass(frozen=True)
class TheoryLength:
    """Complexity of a theory: the bits that encode its decisions by adaptive codes, part by part."""

    # Each decision is encoded with the probability (n + 1) / (N + A) that Laplace's law of succession gives
    # it after N earlier decisions of its kind, n of them the same, among A alternatives. Sender and receiver
    # share the attributes, their values and the classes; the distinct numbers of the training rows; and the
    # family of the theory. Cleary, Legg and Witten ("An MDL estimate of the significance of rules", 1996)
    # measure theories by I(D) = I(T) + I(Q) + I(D|T,Q), but leave I(T) to future work, for which they name
    # adaptive codes of "special subtypes of theories": `learners.trees.nodes.theory` and
    # `learners.rules.sets.theory`.

    shape: float  # where the theory goes on and where it ends: tests and leaves, rules, conditions, joins
    attributes: float  # the attribute of each test or condition
    values: float  # where numbers are cut, and the values that conditions require
    classes: float  # the class of each leaf, interval or rule, and of the default
    # minus the bits saved because the order of conditions, or of a set's rules, is irrelevant
    order: float = 0.0

    @property
    def total(self) -> float:
        """Bits of the whole theory: at least 0, and smaller for a simpler one."""
        return float(sum(getattr(self, field.name) for field in fields(self)))


def decision_bits(*counts: ArrayLike) -> float:
    """Return the bits of decisions in an adaptive code, which learns the frequency of each alternative."""
    return float(sum(adaptive_code_length(np.asarray(each)) for each in counts) / np.log(2.0))


def choice_bits(n_alternatives: ArrayLike) -> float:
    """Return the bits of choices among equally likely alternatives."""
    return float(np.log2(np.asarray(n_alternatives, np.float64)).sum())


def subset_bits(n_all: int, n_chosen: int) -> float:
    """Return the bits that state which of a number of things are chosen, given how many."""
    return _log2_factorial(n_all) - _log2_factorial(n_chosen) - _log2_factorial(n_all - n_chosen)


def order_bits(repetitions: Iterable[int]) -> float:
    """Return the bits that the order of some things takes in a code that lists them."""
    times = list(repetitions)
    return _log2_factorial(sum(times)) - sum(_log2_factorial(n) for n in times)


def _log2_factorial(n: int) -> float:
    return float(gammaln(n + 1.0) / np.log(2.0))
