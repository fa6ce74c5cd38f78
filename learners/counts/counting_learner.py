"""The base of learners that need only counts: rows in batches, and parts that can be merged."""

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from learners.base import ProbabilisticClassifier, TrainingTable
from learners.counts.counts import Counts
from learners.counts.slots import LARGEST_TABLE
from learners.counts.threads import check_threads, in_threads, shares
from learners.tables.attributes import CodedTable

__all__ = ["CountingLearner"]

#: Attributes set by reading rows: all except parameters, counts, and what is made of the counts.
READ = (
    "classes_", "_declared_order", "_class_name", "_schema", "arities_", "cut_points_", "n_features_in_",
    "feature_names_in_", "_columns", "_takes_numbers",
)  # fmt: skip


class CountingLearner(ProbabilisticClassifier):
    """Base class of learners that need only counts of their rows."""

    # A subclass counts the rows of a table in `_count`, and turns counts into tables for its forecasts in
    # `_make_tables`, which sets `class_prior_`, or what `_made` names. An own `fit` may keep the coded rows,
    # a byte or two per cell, where the raw counts are far larger and needed only if further rows follow; from
    # then on the counts are kept instead.

    _made = "class_prior_"  # an attribute that is there once the tables are made
    _n_together = 1  # attributes whose values are counted together
    n_jobs: int = 1  # of those without the option

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Count the rows and estimate the probability tables.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.
        """
        self._counts = self._count_rows(self._read_all(X, y, sample_weight))
        self._make_tables(self._counts)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from further rows, in addition to the rows of earlier calls and of `fit`.

        If all columns are nominal, counts and forecasts are bitwise equal to those after one `fit` to all
        rows, for any split into batches. Values that first occur in a later batch are added, unless a dtype
        or `arities` declared them before. The first batch determines which columns are nominal and fixes the
        cuts of numeric columns, so it should be large.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_samples, n_features)
            Further rows, with the columns of the first batch.
        y : array-like of shape (n_samples,)
            Class labels.
        classes : array-like of shape (n_classes,), optional
            All classes that occur in any batch. Required in the first call, unless the categorical dtype of
            `y` declares the classes.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each row. A whole weight is equivalent to repeating the row.

        Returns
        -------
        learner
            The fitted learner.

        Raises
        ------
        ValueError
            If the first call does not name the classes, a row has a class that was not named, a parameter is
            out of range, or the counts exceed the memory limit. The learner is then unchanged.
        """
        self._check_parameters()
        with self._as_before_if_refused():
            counts = self._count_further(X, y, classes, sample_weight)
            self._make_tables(counts)
            self.__dict__.pop("_rows", None)
            self._counts = counts
        return self

    def merged(self, *others: Any) -> Self:
        """Return a learner trained on the rows of this learner and of other learners.

        The other learners may have been trained on other machines. The merged learners are not changed. If
        all columns are nominal, counts and forecasts are bitwise equal to those after one `fit` to all rows,
        for any split of the rows and any order and grouping of merges. With fractional weights, or with means
        and variances of numeric columns, they are equal up to rounding. Values that only some learners know
        are added, and labels are sorted. All learners must have the same classes, and the same cuts or
        precision of numeric columns. `emptied` copies these to a new learner.

        Parameters
        ----------
        *others : learners of the same class and parameters
            Learners fitted by `fit`, `partial_fit`, `count` or `merged`.

        Returns
        -------
        learner
            A new learner. It has no probability tables if no merged learner has any (see `count`).

        Raises
        ------
        TypeError
            If one of `others` is not a learner of this class.
        ValueError
            If parameters, classes, columns, cuts or precisions differ, or the counts exceed the memory limit.

        Examples
        --------
        >>> from learners import NaiveBayesClassifier
        >>> here = NaiveBayesClassifier().partial_fit([[0], [1]], ["no", "yes"], classes=["no", "yes"])
        >>> there = here.emptied().partial_fit([[1], [2]], ["yes", "no"])
        >>> here.merged(there).arities_.tolist()
        [3]
        """
        self._check_parameters()
        parts = (self, *others)
        for part in parts:
            self._check_part(part)
        schema = self._schema
        for part in others:
            schema = schema.joined(part._schema)
        out = self._without_counts()
        out._set_schema(schema)
        counts = self._counts_in(out)
        for part in others:
            counts = counts.merged(part._counts_in(out))
        out._counts = counts
        return out.learn() if any(hasattr(part, self._made) for part in parts) else out

    def emptied(self) -> Self:
        """Return a learner with the same columns, values, classes and cuts that has seen no rows.

        Learners that are trained from copies of it can be `merged`. It cannot forecast until it has learned
        from rows.

        Returns
        -------
        learner
            A new learner.

        Examples
        --------
        >>> from learners import AODEClassifier
        >>> learner = AODEClassifier().fit([[0, 1], [1, 2]], ["a", "b"])
        >>> learner.emptied().partial_fit([[0, 0]], ["b"]).arities_.tolist()
        [2, 3]
        """
        self._check_part(self)
        out = self._without_counts()
        out._counts = self._counts_so_far().emptied()
        return out

    def count(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Count further rows as `partial_fit` does, without updating the probability tables.

        Call `learn` after the last batch. With many batches this saves time, since the tables are estimated
        only once.

        Parameters
        ----------
        X, y, classes, sample_weight
            See `partial_fit`.

        Returns
        -------
        learner
            The learner itself. It cannot forecast until `learn` is called.

        Raises
        ------
        ValueError
            If an argument is invalid for `partial_fit`. The learner is then unchanged.

        Examples
        --------
        >>> from learners import TANClassifier
        >>> learner = TANClassifier()
        >>> for label in ("no", "yes"):
        ...     learner = learner.count([[0, 1], [1, 1]], [label, label], classes=["no", "yes"])
        >>> learner.learn().predict_proba([[0, 1]])
        array([[0.5, 0.5]])
        """
        self._check_parameters()
        with self._as_before_if_refused():
            counts = self._count_further(X, y, classes, sample_weight)
            self._forget_tables()
            self._counts = counts
        return self

    def learn(self) -> Self:
        """Estimate the probability tables from all rows counted so far.

        Returns
        -------
        learner
            The fitted learner.

        Raises
        ------
        NotFittedError
            If there are no rows.
        """
        counts = self._counts_so_far()
        if counts is None or not counts.by_class.any():
            raise NotFittedError(
                f"This {type(self).__name__} has counted no rows. Call count or partial_fit first."
            )
        self._check_parameters()
        with self._as_before_if_refused():
            self._make_tables(counts)
        return self

    # -- for subclasses ----------------------------------------------------------------------

    def _check_parameters(self) -> Any:
        """Raise an error for invalid parameters before reading rows."""

    def _count(self, table: TrainingTable) -> Counts:
        raise TypeError(f"{type(self).__name__} counts nothing. Override _count.")

    def _make_tables(self, counts: Any) -> None:
        """Make the tables for forecasts, without changing the counts."""
        raise TypeError(f"{type(self).__name__} makes no tables. Override _make_tables.")

    def _begin(self) -> None:
        """Discard all rows and columns before the first rows are read."""
        for name in ("_rows", "_counts", "_schema"):
            self.__dict__.pop(name, None)

    # -- counting ------------------------------------------------------------------------------

    def _count_rows(self, table: TrainingTable) -> Any:
        """Count the rows, in `n_jobs` threads where sums do not depend on their order."""
        n_threads = check_threads(self.n_jobs)
        if table.weight is not None or len(table.values):
            n_threads = 1
        if n_threads > 1:  # each has a table
            size = table.n_classes * float(np.sum(table.arities + 1.0)) ** self._n_together
            n_threads = max(1, min(n_threads, int(LARGEST_TABLE / max(size, 1.0))))
        parts = [table.rows(part) for part in shares(len(table.y), n_threads)]
        first, *others = in_threads(self._count, parts, n_threads)
        return functools.reduce(lambda counts, more: counts.merged(more), others, first)

    def _forecast_rows(self, X: Any) -> NDArray[np.float64]:
        """Forecast in `n_jobs` threads."""
        n_threads = check_threads(self.n_jobs)
        if n_threads == 1:
            return self._forecast(X)
        coded = self._code(X)  # once: checks are of whole columns
        ranges = shares(coded.n_samples, n_threads)
        if len(ranges) == 1:
            return self._forecast(coded)
        parts = [coded.rows(part) for part in ranges]
        return np.concatenate(in_threads(self._forecast, parts, n_threads))

    def _code(self, X: Any) -> CodedTable:
        return X if isinstance(X, CodedTable) else super()._code(X)

    def _read_all(self, X: Any, y: Any, sample_weight: Any) -> TrainingTable:
        """Read and count the rows of `fit`."""
        self._check_parameters()
        self._begin()
        return self._read_training(X, y, sample_weight)

    def _count_further(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> Any:
        """Read a batch, and return the counts of all rows so far."""
        counts = self._counts_so_far()
        if counts is None:
            self._begin()
        table, moves = self._read_batch(X, y, classes, sample_weight)
        if counts is None:
            return self._count(table)
        return (counts if moves is None else counts.widened(moves, table.arities)).plus(table)

    def _counts_so_far(self) -> Any:
        if hasattr(self, "_rows"):
            return self._count(self._rows)
        return getattr(self, "_counts", None)

    def _keep_rows(self, table: TrainingTable) -> None:
        """Keep the rows of `fit` until their counts are needed."""
        weight = None if table.weight is None else table.weight.copy()  # may be the caller's array
        self._rows = table._replace(weight=weight)

    def _forget_tables(self) -> None:
        """Drop all but the parameters and what reading the rows has set."""
        kept = {*READ, *self.get_params(deep=False)}
        for name in [name for name in self.__dict__ if name not in kept]:
            del self.__dict__[name]

    def _without_counts(self) -> Self:
        """Return a learner with the same columns and classes that has counted nothing."""
        out = clone(self)
        out.__dict__.update({name: self.__dict__[name] for name in READ if name in self.__dict__})
        return out

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, self._made)

    def _require_fit(self) -> None:
        super()._require_fit()
        if not hasattr(self, self._made):
            raise NotFittedError(
                f"This {type(self).__name__} has no probability tables yet. Call partial_fit with rows, or "
                "learn() if it has counted rows."
            )

    @contextmanager
    def _as_before_if_refused(self) -> Iterator[None]:
        """Undo all changes if a batch is refused, so that it can be corrected and given again."""
        before = self.__dict__.copy()
        try:
            yield
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise

    # -- merging -------------------------------------------------------------------------------

    def _check_part(self, part: Any) -> None:
        """Raise an error for a learner whose counts cannot be added to this one's."""
        if type(part) is not type(self):
            raise TypeError(
                f"{type(self).__name__} can only be merged with learners of the same class, but got {part!r}."
            )
        if not (hasattr(part, "_rows") or hasattr(part, "_counts")):
            raise NotFittedError(
                f"One {type(self).__name__} has read no rows. Call fit or partial_fit before merged or "
                "emptied."
            )
        for name, value in self.get_params(deep=False).items():
            if name != "n_jobs" and not _is_same(value, getattr(part, name)):
                raise ValueError(
                    f"The learners to merge have different {name}, {value!r} and {getattr(part, name)!r}. "
                    "Use the same parameters for all."
                )
        if not _is_same(self.classes_, part.classes_):
            raise ValueError(
                f"The learners to merge have the classes {self.classes_.tolist()!r} and "
                f"{part.classes_.tolist()!r}. Give every learner all classes by "
                "partial_fit(..., classes=...), or start every learner from emptied()."
            )
        self._check_cuts(part)

    def _check_cuts(self, part: Any) -> None:
        cuts, others = (getattr(learner, "cut_points_", {}) for learner in (self, part))
        for name in cuts.keys() & others.keys():
            if not np.array_equal(cuts[name], others[name]):
                raise ValueError(
                    f"The learners to merge cut column {name!r} into different intervals. Start all learners "
                    "from emptied() of one learner, so that they have the same cuts."
                )

    def _counts_in(self, wider: Any) -> Any:
        """Return the counts of this learner over the values of a wider one."""
        counts, moves = self._counts_so_far(), self._schema.moves_to(wider._schema)
        old = self._schema.attributes
        if all(
            move.size == a.arity == b.arity and (move == np.arange(move.size)).all()
            for move, a, b in zip(moves, old, wider._schema.attributes, strict=True)
        ):
            return counts
        return counts.widened(self._moves_of_codes(moves), wider.arities_)


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two values of a parameter are the same, arrays and lists by their entries."""
    if one is other:
        return True
    arrays = np.asarray(one, dtype=object), np.asarray(other, dtype=object)
    return np.array_equal(*arrays)
