"""Sets of one class, or of none where a value that is asked for is missing."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.base import ProbabilisticClassifier
from learners.options import check_choice

__all__ = ["SingleSetClassifier"]

SETS = ("empty", "program")


class SingleSetClassifier(ProbabilisticClassifier):
    """Base of the learners that name one class for each row, and have the parameter `missing_sets`.

    With "empty" a row whose value is missing where it is asked for gets no class, with "program" that of
    `predict`.
    """

    missing_sets: str

    def _check_sets(self) -> None:
        check_choice("missing_sets", self.missing_sets, SETS)

    def _sets(self, best: NDArray[np.integer[Any]], missed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Make sets of class codes, empty on the rows that missed a value where this is asked for."""
        sets = best[:, None] == np.arange(len(self.classes_))
        if self.missing_sets == "empty":
            sets[missed] = False
        return sets
