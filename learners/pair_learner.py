"""What TAN and AODE share: counts of pairs of values that go on with further rows."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from learners.base import ProbabilisticClassifier, TrainingTable
from learners.counts import PairCounts

__all__ = ["PairLearner"]


class PairLearner(ProbabilisticClassifier):
    """Base of the learners that are made from counts of pairs alone.

    `fit` keeps the coded rows, a byte or two a cell, since the raw counts may be far larger and are
    needed only if `partial_fit` follows; from then on the counts are kept instead.
    """

    _block = 1  # the class axis of the counts is rounded up to a multiple of it

    def _forget_rows(self) -> None:
        """Drop what an earlier `fit` or `partial_fit` counted."""
        self.__dict__.pop("_rows", None)
        self.__dict__.pop("_pair_counts", None)

    def _keep_rows(self, table: TrainingTable) -> None:
        """Keep the rows of `fit` until `partial_fit` needs their counts."""
        weight = None if table.weight is None else table.weight.copy()  # may be the caller's array
        self._rows = table._replace(weight=weight)

    def _count_further(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> PairCounts:
        """Read a batch, and give the counts of all rows so far."""
        counts = self._counts_so_far()
        if counts is None:
            self.__dict__.pop("_schema", None)  # of a fit that was refused
        table, moves = self._read_batch(X, y, classes, sample_weight)
        if counts is None:
            return PairCounts.of(table, block=self._block)
        if moves is not None:
            counts = counts.widened(moves, table.arities)
        return counts.plus(table)

    def _counts_so_far(self) -> PairCounts | None:
        if hasattr(self, "_rows"):
            return PairCounts.of(self._rows, block=self._block)
        return getattr(self, "_pair_counts", None)

    def _keep_counts(self, counts: PairCounts) -> None:
        self._forget_rows()
        self._pair_counts = counts

    @contextmanager
    def _as_before_if_refused(self) -> Iterator[None]:
        """Undo all changes if a batch is refused, so that it can be mended and given again."""
        before = self.__dict__.copy()
        try:
            yield
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
