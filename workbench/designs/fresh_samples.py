"""Fresh training rows from a truth for every size, and one set of test rows for each truth."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

from workbench.cell import Cell
from workbench.designs.base import Design, Plan
from workbench.errors import WorkbenchError, nearest
from workbench.integers import as_integer

__all__ = ["FreshSamples"]


@dataclass(frozen=True)
class FreshSamples(Design):
    """Every learner at every size on fresh rows of every truth; one round.

    Parameters
    ----------
    replicates : int
        Number of truths drawn from a generator; a source of given truths has each of them so many times.
    sizes : tuple of int
        Numbers of training rows; a single number stands for a tuple of one.
    n_test : int
        Number of test rows, the same rows for all sizes and learners of a replicate.
    training_sets : int
        Number of independent training samples for each truth and size.
    once : tuple of str
        Keys of learners that cost too much for all of these, and have the first alone.

    Raises
    ------
    WorkbenchError
        If a number is not a positive integer, a size is named twice, or `once` is no list of keys.

    Examples
    --------
    >>> design = FreshSamples(replicates=2, sizes=(50, 500), n_test=10)
    >>> (cells,) = design.rounds(Plan({"tan": 1}, ("nb", "prior"), scores=list))
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
        for name in ("replicates", "n_test", "training_sets"):
            object.__setattr__(self, name, _positive(name, getattr(self, name)))
        one = isinstance(self.sizes, str) or not isinstance(self.sizes, Iterable)
        sizes = (self.sizes,) if one else self.sizes
        object.__setattr__(self, "sizes", tuple(_positive("sizes", size) for size in sizes))
        if not self.sizes or len(set(self.sizes)) < len(self.sizes):
            raise WorkbenchError(f"sizes is {list(self.sizes)}: expected at least one size, each named once")
        if isinstance(self.once, str) or not all(isinstance(key, str) for key in self.once):
            raise WorkbenchError(f'once is {self.once!r}: expected keys of learners, such as ["boosting"]')
        object.__setattr__(self, "once", tuple(self.once))

    def n_replicates(self, n_truths: int) -> int:
        """Give the number of replicates that a source of so many truths has."""
        return self.replicates * n_truths

    def n_sets(self, learner: str) -> int:
        """Give the number of training samples that a learner has for each truth and size."""
        return 1 if learner in self.once else self.training_sets

    def check_learners(self, learners: Sequence[str]) -> None:
        """Raise WorkbenchError if `once` names a learner that the study lacks."""
        for key in self.once:
            if key not in learners:
                raise WorkbenchError(f"once holds {key!r}, no learner of the study: {nearest(key, learners)}")

    def rounds(self, plan: Plan) -> Iterator[tuple[Cell, ...]]:
        """Yield the one round: replicate by replicate, small sizes with large ones."""
        yield tuple(
            Cell(source, replicate, n_train, learner, training_set=training_set, n_test=self.n_test)
            for source, n_truths in plan.sources.items()
            for replicate, n_train, training_set, learner in product(
                range(self.n_replicates(n_truths)), self.sizes, range(self.training_sets), plan.learners
            )
            if training_set < self.n_sets(learner)
        )


def _positive(name: str, value: object) -> int:
    number = as_integer(value)
    if number is None or number < 1:
        raise WorkbenchError(f"{name} holds {value!r}: expected a positive integer")
    return number
