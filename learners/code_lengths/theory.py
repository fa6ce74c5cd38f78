"""The cost of coding a theory by decisions with unknown frequencies; in bits."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from learners.code_lengths.multinomial import adaptive_code_length

__all__ = ["TheoryComplexity", "choice_bits", "decision_bits", "order_bits", "subset_bits"]


@dataclass(frozen=True)
class TheoryComplexity:
    """Complexity I(T) of a theory: the bits that encode it, part by part.

    A theory is a sequence of decisions. Each is encoded with the probability (n + 1) / (N + A) that Laplace's
    law of succession gives it after N earlier decisions of its kind, n of them the same, among A alternatives
    [1]_. Sender and receiver share the attributes, their values and the classes; the distinct numbers of the
    training rows; and the family of the theory (tree, graph, one attribute, list or set of rules, ripple-down
    rules).

    Parameters
    ----------
    shape : float
        Where the theory goes on and where it ends: tests and leaves, rules, conditions, intervals,
        exceptions, joins. In bits, as all parts.
    attributes : float
        The attribute of each test or condition.
    values : float
        Where numbers are cut, and the values that conditions require.
    classes : float
        The class of each leaf, interval or rule, and of the default.
    order : float, default 0
        Minus the bits saved because the order of the conditions of a rule, or of the rules of a set, is
        irrelevant; never above 0.

    See Also
    --------
    MessageParts : The message of Wallace and Patrick, which also encodes the classes of the training rows.

    Notes
    -----
    Cleary, Legg and Witten measure theories by I(D) = I(T) + I(Q) + I(D|T,Q), but leave I(T) to future work,
    for which they name adaptive codes of "special subtypes of theories" [1]_. The codes of the subtypes are
    described in `learners.trees.nodes.theory` and `learners.rules.sets.theory`.

    References
    ----------
    .. [1] J. G. Cleary, S. Legg, I. H. Witten, "An MDL estimate of the significance of rules", 1996.

    Examples
    --------
    >>> TheoryComplexity(shape=4.0, attributes=3.0, values=2.5, classes=6.0, order=-1.0).total
    14.5
    """

    shape: float
    attributes: float
    values: float
    classes: float
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
