"""Fresh training rows from a truth for every size, and one set of test rows for each truth."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from workbench.base.cell import Cell
from workbench.base.errors import WorkbenchError
from workbench.designs._shared.base import StudyOutline
from workbench.designs._shared.fresh_rows import FreshRows, check_positive

__all__ = ["FreshSamples"]


@dataclass(frozen=True)
class FreshSamples(FreshRows):
    """Design with fresh training rows from every truth for each size, for all learners, in one round.

    Parameters
    ----------
    replicates : int
        Number of truths that are drawn from a generator. If truths are given, each is used this many times.
    sizes : tuple of int
        Numbers of training rows. A single number is allowed.
    n_test : int
        Number of test rows for each truth. All sizes and learners of a replicate share them.
    training_sets : int
        Number of independent training sets for each truth and size. More than one allows a split into bias
        and variance.
    once : tuple of str
        Keys of slow learners, which are fitted only on the first training set.

    Raises
    ------
    WorkbenchError
        If a number is not a positive integer, a size is named twice, or `once` is not a list of keys.

    Examples
    --------
    >>> design = FreshSamples(replicates=2, sizes=(50, 500), n_test=10)
    >>> (cells,) = design.rounds(StudyOutline({"tan": 1}, ("nb", "prior"), scores=list))
    >>> len(cells), cells[0]
    (8, Cell(source='tan', replicate=0, n_train=50, learner='nb', training_set=0, fold=0, n_test=10))
    """

    replicates: int = 40
    sizes: tuple[int, ...] = (50, 500, 5000)
    n_test: int = 1000
    training_sets: int = 1
    once: tuple[str, ...] = ()
    key: ClassVar[str] = "fresh_samples"

    def __post_init__(self) -> None:
        self.check_options()
        one = isinstance(self.sizes, str) or not isinstance(self.sizes, Iterable)
        sizes = (self.sizes,) if one else self.sizes
        object.__setattr__(self, "sizes", tuple(check_positive("sizes", size) for size in sizes))
        if not self.sizes or len(set(self.sizes)) < len(self.sizes):
            raise WorkbenchError(f"sizes is {list(self.sizes)}: expected at least one size, each named once")

    def rounds(self, plan: StudyOutline) -> Iterator[tuple[Cell, ...]]:
        """Yield a single round with all cells: one replicate after the other, with all its sizes."""
        yield tuple(self.cells(plan, dict.fromkeys(plan.sources, self.sizes)))
