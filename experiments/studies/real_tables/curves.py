"""Learning curves on a table: training sets that grow, and test rows that stay.

Study files name the design "experiments.studies.real_tables.curves:TrainingSizes", from the root of the
repository.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from workbench.base.cell import Cell
from workbench.designs import HalfSplits, Resampling, StudyOutline

if TYPE_CHECKING:
    from sklearn.model_selection import BaseCrossValidator

__all__ = ["TrainingSizes"]


@dataclass(frozen=True)
class TrainingSizes(Resampling):
    """Halve a table by class, learn from the first rows of one half, more and more, and test on the other."""

    sizes: tuple[int, ...] = (50, 150, 500, 1500, 5000, 15000)
    repeats: int = 3
    most_test: int = 5000
    key: ClassVar[str] = "training_sizes"

    def __post_init__(self) -> None:
        object.__setattr__(self, "sizes", tuple(self.sizes))  # study files have lists

    @property
    def n_repeats(self) -> int:
        """How often a table is halved."""
        return self.repeats

    @property
    def n_folds(self) -> int:
        """Number of sizes."""
        return len(self.sizes)

    def n_train(self, n_rows: int) -> int:
        """Return the least number of training rows."""
        return min(self.sizes)

    def n_test(self, n_rows: int) -> int:
        """Return the number of test rows."""
        return min(self.most_test, n_rows - n_rows // 2)

    def splitter(self, seed: int) -> "BaseCrossValidator":
        """Make the splitter into halves."""
        return HalfSplits(stratified=True).splitter(seed)

    def rounds(self, plan: StudyOutline) -> Iterator[tuple[Cell, ...]]:
        """Yield the one round: table by table, split by split, size by size."""
        yield tuple(
            Cell(source, replicate, size, learner, fold=fold, n_test=self.n_test(n_rows))
            for source, n_rows in plan.n_rows.items()
            for replicate in range(self.repeats)
            for fold, size in enumerate(self.sizes)
            if size <= n_rows // 2
            for learner in plan.learners
        )

    def split(
        self, codes: NDArray[np.intp], fold: int, seed: int
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the training rows of a size, and the test rows."""
        train, test = super().split(codes, 0, seed)
        return train[: self.sizes[fold]], test[: self.n_test(len(codes))]
