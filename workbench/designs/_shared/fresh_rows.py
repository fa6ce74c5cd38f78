"""The base of designs that draw rows from a truth."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from workbench.base.cell import Cell
from workbench.base.checks import as_integer
from workbench.base.errors import WorkbenchError, nearest
from workbench.designs._shared.base import Design, StudyOutline

__all__ = ["FreshRows", "check_positive"]


class FreshRows(Design):
    """Base class of designs that draw training rows for every size, and test rows, from each truth."""

    replicates: int  # truths of a generator
    n_test: int  # test rows of each truth
    training_sets: int  # training samples of each truth and size
    once: tuple[str, ...]  # keys of learners that get the first training sample only

    def check_options(self) -> None:
        """Check the shared options and convert them to plain values."""
        for name in ("replicates", "n_test", "training_sets"):
            object.__setattr__(self, name, check_positive(name, getattr(self, name)))
        listed = isinstance(self.once, Iterable) and not isinstance(self.once, str)
        if not listed or not all(isinstance(key, str) for key in self.once):
            raise WorkbenchError(f'once is {self.once!r}: expected keys of learners, such as ["boosting"]')
        object.__setattr__(self, "once", tuple(self.once))

    def n_replicates(self, n_truths: int) -> int:
        """Return the number of replicates of a source, given the number of its truths."""
        return self.replicates * n_truths

    def n_sets(self, learner: str) -> int:
        """Return the number of training samples that a learner has for each truth and size."""
        return 1 if learner in self.once else self.training_sets

    def check_learners(self, learners: Sequence[str]) -> None:
        """Raise WorkbenchError if `once` names a learner that the study lacks."""
        for key in self.once:
            if key not in learners:
                raise WorkbenchError(f"unknown learner {key!r} in once; {nearest(key, learners)}")

    def cells(self, plan: StudyOutline, sizes: Mapping[str, Sequence[int]]) -> Iterator[Cell]:
        """Yield the cells of a round: one replicate after the other, with all its sizes.

        Parameters
        ----------
        plan : StudyOutline
            The properties of the study.
        sizes : mapping of str to sequence of int
            The training sizes of each source.

        Yields
        ------
        Cell
        """
        for source, own in sizes.items():
            replicates = range(self.n_replicates(plan.sources[source]))
            for replicate, n_train, training_set, learner in product(
                replicates, own, range(self.training_sets), plan.learners
            ):
                if training_set < self.n_sets(learner):
                    yield Cell(
                        source, replicate, n_train, learner, training_set=training_set, n_test=self.n_test
                    )


def check_positive(name: str, value: object) -> int:
    """Return an option as a positive integer, or raise WorkbenchError."""
    number = as_integer(value)
    if number is None or number < 1:
        raise WorkbenchError(f"{name} contains {value!r}: expected a positive integer")
    return number
