"""What it costs to tell a theory by decisions whose frequencies nobody knows beforehand; in bits."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from learners.code_lengths.multinomial import adaptive_code_length

__all__ = ["TheoryComplexity", "choice_bits", "decision_bits", "order_bits", "subset_bits"]


@dataclass(frozen=True)
class TheoryComplexity:
    """Complexity I(T) of a theory: the bits that tell it, part by part.

    A theory is a sequence of decisions. Each is told with the probability (n + 1) / (N + A) that Laplace's
    law of succession gives it after N earlier decisions of its kind, n of them the same, among A
    alternatives [1]_. Both sides know beforehand: the attributes, their values and the classes; the
    distinct numbers of the training rows; and the family of the theory (tree, graph, one attribute, list
    or set of rules, ripple-down rules).

    Parameters
    ----------
    shape : float
        Where the theory goes on and where it ends: tests and leaves, rules, conditions, intervals,
        exceptions, joins. In bits, as all parts.
    attributes : float
        Which attribute each test or condition asks for.
    values : float
        Where numbers are cut, and which values conditions ask for.
    classes : float
        The class of each leaf, interval or rule, and of the default.
    order : float, default 0
        Minus what is given back because the order of the conditions of a rule, or of the rules of a set,
        does not count; never above 0.

    See Also
    --------
    MessageParts : The message of Wallace and Patrick, that tells the classes of the training rows, too.

    Notes
    -----
    Cleary, Legg and Witten measure theories by I(D) = I(T) + I(Q) + I(D|T,Q), but leave I(T) to future work,
    for which they name adaptive codes of "special subtypes of theories" [1]_. What is told of each subtype
    stands in `learners.trees.nodes.theory` and `learners.rules.sets.theory`.

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
    """Tell decisions one after the other, learning on the way how frequent each alternative is.

    Parameters
    ----------
    *counts : array-like of int, shape (n_alternatives,)
        For each kind of decision, how often each alternative was taken.

    Returns
    -------
    float
        Bits, at least 0: the sum over the kinds of log2 of (N + A - 1)! / ((A - 1)! prod n_i!), whatever
        the order of the decisions.

    Examples
    --------
    A test and two leaves: 1/2 for the test, 1/3 for the first leaf, 2/4 for the second.

    >>> round(2 ** decision_bits([1, 2]), 9)
    12.0
    """
    return float(sum(adaptive_code_length(np.asarray(each)) for each in counts) / np.log(2.0))


def choice_bits(n_alternatives: ArrayLike) -> float:
    """Tell choices among alternatives that are all as likely.

    Parameters
    ----------
    n_alternatives : array-like of int
        How many there are for each choice, at least 1.

    Returns
    -------
    float
        Bits, at least 0.

    Examples
    --------
    >>> choice_bits([4, 8]), choice_bits([])
    (5.0, 0.0)
    """
    return float(np.log2(np.asarray(n_alternatives, np.float64)).sum())


def subset_bits(n_all: int, n_chosen: int) -> float:
    """Tell which ones of a number of things are chosen, if it is known how many are.

    Parameters
    ----------
    n_all : int
        How many there are.
    n_chosen : int
        How many of them are chosen.

    Returns
    -------
    float
        Bits: log2 of the binomial coefficient.

    Examples
    --------
    >>> round(2 ** subset_bits(5, 2), 9)
    10.0
    """
    return _log2_factorial(n_all) - _log2_factorial(n_chosen) - _log2_factorial(n_all - n_chosen)


def order_bits(repetitions: Iterable[int]) -> float:
    """Give the bits that the order of some things takes in a code that tells them one after the other.

    Parameters
    ----------
    repetitions : iterable of int
        How often each different thing is there; all 1 if no two are the same.

    Returns
    -------
    float
        Bits, at least 0: log2 of the number of different orders, N! / prod n_i!. If the code gives every
        order the same probability, that of all orders together is at most 1, so what is left after these
        bits are given back is never negative.

    Examples
    --------
    >>> round(2 ** order_bits([1, 1, 1]), 9), order_bits([3]), order_bits([])
    (6.0, 0.0, 0.0)
    """
    times = list(repetitions)
    return _log2_factorial(sum(times)) - sum(_log2_factorial(n) for n in times)


def _log2_factorial(n: int) -> float:
    return float(gammaln(n + 1.0) / np.log(2.0))
