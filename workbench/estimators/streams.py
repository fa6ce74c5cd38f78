"""Fit learners to data larger than memory: in batches, on one machine or on Dask workers.

Learners based on counts (naive Bayes, TAN, AODE, AnDE and the prior) count each batch and build their tables
once at the end. The result equals one `fit` of all rows.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pandas as pd
from sklearn.base import clone

from learners.counts.counting_learner import CountingLearner
from workbench.base.errors import WorkbenchError
from workbench.datasets.parquet import ParquetRows

if TYPE_CHECKING:
    from generators import Mixture, Network

__all__ = ["fit_batches", "fit_parquet", "parquet_batches", "sample_parquet"]

Learner = TypeVar("Learner")
Progress = Callable[[int, int], object]

TASKS_A_THREAD = 4  # so that a slow worker does not delay the others
MERGED_AT_ONCE = 4


def fit_batches(learner: Learner, batches: Iterable[Sequence[Any]], *, classes: Any = None) -> Learner:
    """Fit a learner to batches of rows, with one batch in memory at a time.

    Parameters
    ----------
    learner : estimator with partial_fit
        The learner. Its earlier training is discarded. The learners of this package count the rows of all
        batches and compute their probabilities once, at the end.
    batches : iterable of (X, y) or (X, y, sample_weight)
        Rows as for `partial_fit`. The first batch determines which columns are nominal and the cut points of
        numeric columns.
    classes : array-like of shape (n_classes,), optional
        All classes that occur in any batch. Not needed if the categorical dtype of the first y declares them.

    Returns
    -------
    estimator
        The given learner, fitted. If a batch is rejected, the learner is unchanged.

    Raises
    ------
    WorkbenchError
        If the learner has no `partial_fit`, or there is no batch.
    ValueError
        As raised by `partial_fit` for a batch.

    Examples
    --------
    >>> from generators import random_tan
    >>> from learners import AODEClassifier
    >>> truth = random_tan(n_attributes=4, random_state=1)
    >>> batches = truth.sample_batches(10_000, batch_rows=1000, random_state=2)
    >>> fit_batches(AODEClassifier(), batches).arities_.tolist() == truth.arities[:-1].tolist()
    True
    """
    _check_learner(learner)
    fitted = clone(learner)
    counts = isinstance(fitted, CountingLearner)
    add = fitted.count if counts else fitted.partial_fit
    empty = True
    for X, y, *weight in batches:
        add(X, y, classes, *weight)
        empty = False
        del X, y, weight  # before the next is made
    if empty:
        raise WorkbenchError("there is no batch to learn from: give at least one (X, y)")
    return _taken_over(learner, fitted.learn() if counts else fitted)


def fit_parquet(
    learner: Learner,
    paths: str | Path | Sequence[str | Path],
    target: str,
    *,
    columns: Sequence[str] | None = None,
    classes: Any = None,
    codes: bool | None = None,
    batch_rows: int = 1_000_000,
    client: Any = None,
    progress: Progress | None = None,
) -> Learner:
    """Fit a learner to Parquet files of any size, with one batch of rows in memory at a time.

    Text, dictionary and bool columns are nominal, with sorted labels. Other columns are numeric, unless
    `categorical_features` of the learner names them. Integer columns are numeric, too, and the learner warns
    once of those with few values. If all columns are integer codes 0, 1, ..., declare this by the parameter
    `arities` of the learner, or by `codes=True`. The columns are then read as an array of codes, which is
    fastest, and -1 and null are missing values. Nulls are missing values, except in the target.

    Parameters
    ----------
    learner : estimator with partial_fit
        The learner. Its earlier training is discarded.
    paths : str or Path, or several
        A file, files, or folders of ``.parquet`` files. All files need the same columns, in any order.
    target : str
        The class column.
    columns : sequence of str, optional
        The attributes, in this order. By default all columns except the target.
    classes : array-like of shape (n_classes,), optional
        All classes. By default the target is first read once to find the classes.
    codes : bool, optional
        Whether all attributes are integer codes. By default True if the learner has `arities`.
    batch_rows : int, default 1_000_000
        Largest number of rows in memory. With `client`, the largest number for each thread of a worker.
    client : dask.distributed.Client, optional
        A Dask cluster. The row groups are distributed over the workers, which must have the files under the
        same paths, and the workers' counts are merged.
    progress : callable, optional
        A function that is called as ``progress(rows_done, rows_in_total)`` from time to time.

    Returns
    -------
    estimator
        The given learner, fitted. If the rows are rejected, the learner is unchanged.

    Raises
    ------
    WorkbenchError
        If the learner has no `partial_fit`, a file is missing, damaged, empty or has other columns than the
        first, a column named in the arguments does not exist, or a row has no class. With `client` also if
        the learner's counts cannot be merged.
    ValueError
        As raised by `partial_fit` for a batch.

    Notes
    -----
    If all attributes are nominal, results are bitwise equal to those of one `fit`, with and without `client`,
    for any row groups. Cut points and precisions of numeric columns come from the first batch, as in
    `partial_fit`, with and without `client`. Means and variances of numeric columns agree with those of one
    `fit` up to rounding.

    Examples
    --------
    >>> import tempfile
    >>> from generators import random_tan
    >>> from learners import AODEClassifier
    >>> truth = random_tan(n_attributes=4, arity=3, n_classes=2, random_state=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = sample_parquet(truth, 10_000, f"{folder}/rows.parquet", random_state=2)
    ...     learner = fit_parquet(AODEClassifier(arities=[3] * 4), file, "y", batch_rows=1000)
    >>> learner.classes_, learner.predict_proba([[0, 1, 2, 0]]).shape
    (array([0, 1], dtype=uint8), (1, 2))
    """
    _check_learner(learner)
    if client is not None:
        _check_client(learner, client)
    as_codes = getattr(learner, "arities", None) is not None if codes is None else bool(codes)
    rows = ParquetRows.open(paths, target, columns=columns, codes=as_codes, batch_rows=batch_rows)
    if not as_codes:
        rows = replace(rows, nominal=_named_nominal(learner, rows.columns))
    known = rows.classes() if classes is None else classes
    reported = _Reported(progress, rows.n_rows)
    if client is None:
        return fit_batches(learner, reported.each(rows.batches()), classes=known)
    return _taken_over(learner, _fit_on_workers(clone(learner), rows, known, client, reported))


def parquet_batches(
    paths: str | Path | Sequence[str | Path],
    target: str,
    *,
    columns: Sequence[str] | None = None,
    nominal: Iterable[str] = (),
    codes: bool = False,
    batch_rows: int = 1_000_000,
) -> Iterator[tuple[Any, pd.Series]]:
    """Read Parquet files in batches of rows for learners.

    Parameters
    ----------
    paths, target, columns, batch_rows
        As in `fit_parquet`.
    nominal : iterable of str, default ()
        Numeric columns whose numbers are labels.
    codes : bool, default False
        Whether all attributes are integer codes.

    Returns
    -------
    iterator of (X, y)
        X is a DataFrame with text columns as categoricals. With `codes` it is an array of integers, -1 for
        null. y is a Series named after the target.

    Raises
    ------
    WorkbenchError
        As in `fit_parquet`. Files are checked before the first batch is read.

    Examples
    --------
    >>> import tempfile
    >>> from generators import random_tan
    >>> truth = random_tan(n_attributes=4, random_state=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = sample_parquet(truth, 2500, f"{folder}/rows.parquet", random_state=2)
    ...     [X.shape for X, y in parquet_batches(file, "y", codes=True, batch_rows=1000)]
    [(1000, 4), (1000, 4), (500, 4)]
    """
    rows = ParquetRows.open(
        paths, target, columns=columns, nominal=nominal, codes=codes, batch_rows=batch_rows
    )
    return rows.batches()


def sample_parquet(
    truth: "Network | Mixture",
    n: int,
    path: str | Path,
    *,
    batch_rows: int = 1_000_000,
    random_state: Any = None,
) -> Path:
    """Draw rows from a truth into a Parquet file of state codes, in batches.

    Parameters
    ----------
    truth : Network or Mixture
        The truth. Its variables, including the class, become the columns.
    n : int
        Number of rows.
    path : str or Path
        The file. An existing file is overwritten.
    batch_rows : int, default 1_000_000
        Number of rows of a batch, and of a row group of the file.
    random_state : int, Generator, SeedSequence or None
        Source of randomness. The rows are those that ``truth.sample_code_batches(n, batch_rows=batch_rows)``
        draws with the same `random_state`.

    Returns
    -------
    Path
        The file.

    Examples
    --------
    >>> import tempfile
    >>> from generators import random_tan
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sample_parquet(random_tan(random_state=1), 100, f"{folder}/rows.parquet", random_state=2).name
    'rows.parquet'
    """
    import pyarrow as pa
    from pyarrow import parquet

    batches = truth.sample_code_batches(n, batch_rows=batch_rows, random_state=random_state)
    dtype = pa.from_numpy_dtype(truth.sample_code_batches(1, random_state=0).__next__().dtype)
    schema = pa.schema([(name, dtype) for name in truth.names])
    with parquet.ParquetWriter(path, schema) as file:
        for codes in batches:
            file.write_batch(pa.record_batch([pa.array(column) for column in codes.T], schema=schema))
    return Path(path)


# -- on workers ----------------------------------------------------------------------------------


def _fit_on_workers(learner: Any, rows: ParquetRows, classes: Any, client: Any, reported: "_Reported") -> Any:
    """Count the pieces on the workers, merge the counts, and build the tables here."""
    from distributed import as_completed

    with closing(rows.batches()) as batches:  # the same columns and cuts for all
        start = learner.count(*next(batches), classes).emptied()
    n_tasks = min(len(rows.pieces), TASKS_A_THREAD * max(sum(client.nthreads().values()), 1))
    ends = np.linspace(0, len(rows.pieces), n_tasks + 1).astype(int).tolist()
    parts = [replace(rows, pieces=rows.pieces[a:b]) for a, b in pairwise(ends)]
    shared = client.scatter(start, broadcast=True)
    counted = [client.submit(_counted, shared, part, pure=False) for part in parts]
    size_of = {future.key: part.n_rows for future, part in zip(counted, parts, strict=True)}
    merged = counted
    while len(merged) > 1:
        groups = [merged[i : i + MERGED_AT_ONCE] for i in range(0, len(merged), MERGED_AT_ONCE)]
        merged = [client.submit(_merged, *group, pure=False) for group in groups]
    try:
        for future in as_completed(counted):
            reported.count(size_of[future.key])
            if future.status == "error":
                break
        return merged[0].result().learn()
    except BaseException:
        client.cancel([*counted, *merged])
        raise


def _counted(start: Any, rows: ParquetRows) -> Any:
    learner = start.emptied()
    for X, y in rows.batches():
        learner.count(X, y)
    return learner


def _merged(first: Any, *others: Any) -> Any:
    return first.merged(*others)


class _Reported:
    """Rows done so far, with the progress callback."""

    def __init__(self, progress: Progress | None, n_rows: int) -> None:
        self.progress, self.n_rows, self.done = progress, n_rows, 0

    def count(self, n_rows: int) -> None:
        self.done += n_rows
        if self.progress is not None:
            self.progress(self.done, self.n_rows)

    def each(self, batches: Iterator[tuple[Any, pd.Series]]) -> Iterator[tuple[Any, pd.Series]]:
        """Yield batches. Each is counted when the next one is requested."""
        for X, y in batches:
            n_rows = len(y)
            yield X, y
            del X, y  # before the next is read
            self.count(n_rows)


# -- learners ------------------------------------------------------------------------------------


def _check_learner(learner: Any) -> None:
    if isinstance(learner, type):
        raise WorkbenchError(f"{learner.__name__} is a class: use an instance, {learner.__name__}()")
    try:
        learner.partial_fit  # noqa: B018 - one of ours says why it has none
    except AttributeError as error:
        from workbench.estimators.learner_facts import DECLARED

        can = ", ".join(key for key, facts in DECLARED.items() if "partial_fit" in facts.also)
        why = (
            f": {error}"
            if hasattr(type(learner), "partial_fit")
            else f". The learners of this package that can: {can}"
        )
        raise WorkbenchError(f"{type(learner).__name__} cannot learn batch by batch{why}") from None


def _check_client(learner: Any, client: Any) -> None:
    if not (hasattr(client, "submit") and hasattr(client, "scatter") and hasattr(client, "nthreads")):
        raise WorkbenchError(
            f"client is {client!r}: give a dask.distributed.Client, or None for only this machine"
        )
    if not isinstance(learner, CountingLearner):
        raise WorkbenchError(
            f"{type(learner).__name__} cannot be merged from parts, so it can only learn on one machine: "
            "leave out client"
        )


def _named_nominal(learner: Any, columns: tuple[str, ...]) -> frozenset[str]:
    """Return the columns that the learner's parameter declares nominal."""
    asked = getattr(learner, "categorical_features", "from_dtype")
    if isinstance(asked, str) or asked is None:
        return frozenset()
    values = np.asarray(asked)
    if values.dtype == bool and values.shape == (len(columns),):
        return frozenset(np.asarray(columns, dtype=object)[values])
    if values.dtype.kind in "iu":
        return frozenset(columns[j] for j in values.ravel() if -len(columns) <= j < len(columns))
    return frozenset(values.ravel().tolist()) & frozenset(columns)


def _taken_over(learner: Any, fitted: Any) -> Any:
    """Copy what a clone has learned to a learner, whose parameters remain the same objects."""
    parameters = learner.get_params(deep=False)
    vars(learner).clear()
    vars(learner).update({**vars(fitted), **parameters})
    return learner
