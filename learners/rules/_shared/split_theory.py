"""The cost of coding the classes of groups by one attribute, in bits."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.code_lengths.theory import TheoryLength, choice_bits, decision_bits, subset_bits
from learners.rules._shared.attribute_split import AttributeSplit

__all__ = ["SplitCode", "SplitLanguage", "binary_theory", "equal_width_theory", "value_theory"]


@dataclass(frozen=True)
class SplitLanguage:
    """What sender and receiver know before a split is encoded."""

    # The code states whether an attribute is used at all, and which; then its groups, in a way that depends
    # on the learner; then the class of each group, and of the rows without a value.
    n_features: int
    n_cuts: int  # gaps between the distinct training numbers of the attribute, if numeric
    n_classes: int

    def complexity(self, answers: NDArray[np.intp], *, intervals: float, values: float) -> TheoryLength:
        """Return the complexity of a split."""
        return TheoryLength(
            shape=decision_bits([1, 0]) + intervals,
            attributes=choice_bits([self.n_features]),
            values=values,
            classes=decision_bits(np.bincount(answers, minlength=self.n_classes)),
        )

    def constant_complexity(self) -> TheoryLength:
        """Return the complexity of predicting one class for all rows."""
        return TheoryLength(decision_bits([0, 1]), 0.0, 0.0, choice_bits([self.n_classes]))


#: One of the functions below, which encodes a learner's groups.
SplitCode = Callable[[AttributeSplit, NDArray[np.intp], SplitLanguage], TheoryLength]


def value_theory(split: AttributeSplit, answers: NDArray[np.intp], language: SplitLanguage) -> TheoryLength:
    """Code a group for each value, or intervals whose cuts were learned."""
    if split.group_of.size:
        return language.complexity(answers, intervals=0.0, values=0.0)
    n = split.cuts.size
    return language.complexity(answers, intervals=_interval_bits(n), values=subset_bits(language.n_cuts, n))


def equal_width_theory(
    split: AttributeSplit, answers: NDArray[np.intp], language: SplitLanguage
) -> TheoryLength:
    """Code a group for each value, or intervals of equal width."""
    intervals = 0.0 if split.group_of.size else _interval_bits(split.cuts.size)
    return language.complexity(answers, intervals=intervals, values=0.0)


def binary_theory(split: AttributeSplit, answers: NDArray[np.intp], language: SplitLanguage) -> TheoryLength:
    """Code one value against the rest, or one cut."""
    n_alternatives = split.group_of.size - 1 if split.group_of.size else language.n_cuts
    return language.complexity(answers, intervals=0.0, values=choice_bits([n_alternatives]))


def _interval_bits(n_cuts: int) -> float:
    """Return the bits that state after each interval whether another follows."""
    return decision_bits([n_cuts, 1])
