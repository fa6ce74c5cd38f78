"""The table that a plan is of: rows that can be planned with, and how far ahead."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from learners.tables.columns import holds_few_integers
from workbench.base.checks import as_integer
from workbench.base.errors import WorkbenchError
from workbench.base.text import count_of, truncate
from workbench.datasets._shared.findings import RepeatedRowsWarning
from workbench.datasets.dataset import Dataset
from workbench.study.given_sources import one_table

__all__ = ["FARTHEST", "FOLDS", "USUAL", "PlanTable", "rows_ahead", "sizes_of"]

#: Folds of the cross-validation; a class with fewer rows is missing in some of them.
FOLDS = 10
#: Fewest rows of a table, and most columns of which twins are learned in minutes.
LEAST_ROWS, MOST_COLUMNS = 50, 100
#: Distinct values, as a share of the cells, above which a column has many values yet unseen.
VARIED = 0.2
#: How many times the present number of rows a plan may reach: farther was never tried.
FARTHEST = 16
#: The usual number of rows, in times the present one.
USUAL = 4


@dataclass(frozen=True, eq=False)
class PlanTable:
    """Rows that can be planned with."""

    dataset: Dataset  # without columns that hold nothing, or name rows
    notes: tuple[str, ...]  # what was left out and what is doubtful, in sentences

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.dataset.codes)

    @classmethod
    def of(cls, X: Any, y: Any) -> "PlanTable":
        """Check rows and classes; raise WorkbenchError if they cannot be used, are too few or too wide."""
        is_file = isinstance(X, str | Path) and isinstance(y, str)
        given = (
            one_table((X, y) if is_file else X).content
            if y is None or is_file
            else Dataset.of(X, y, what="the table")
        )
        if given.groups is not None:
            raise WorkbenchError(
                "a plan counts rows as independent, and those of the table belong to groups, of which no "
                "plan is known: compare learners on it"
            )
        found = _with_text_names(given)
        _check_size(found)
        empty = [name for name in found.X if found.X[name].isna().all()]
        dates = found.look.dates
        # numbers are kept, and only said to name rows
        naming = [name for name in found.look.naming if name in found.look.variety and name not in dates]
        kept = found.X.drop(columns=[*empty, *naming, *dates])
        if not kept.shape[1]:
            what = "name rows" if naming or dates else "hold no value"
            raise WorkbenchError(f"all columns of the table besides the class {what}: expected attributes")
        dataset = replace(found, X=kept)
        return cls(dataset, tuple(_doubts(dataset, empty, naming, dates)))


def _with_text_names(dataset: Dataset) -> Dataset:
    """Name columns by text where names are of several types, which scikit-learn refuses."""
    names = [str(name) for name in dataset.X]
    if len(set(map(type, dataset.X))) == 1 or len(set(names)) < len(names):
        return dataset
    return replace(dataset, X=dataset.X.set_axis(names, axis=1))


def _check_size(dataset: Dataset) -> None:
    n_rows, n_columns = dataset.X.shape
    if n_columns > MOST_COLUMNS:
        raise WorkbenchError(
            f"the table has {n_columns:,} columns besides the class, and plans are made of at most "
            f"{MOST_COLUMNS}: choose those that matter first"
        )
    if n_rows < LEAST_ROWS:
        raise WorkbenchError(
            f"the table has {count_of(n_rows, 'row')}: a plan needs at least {LEAST_ROWS}, as fewer say "
            "nothing of what more would bring"
        )
    counts = np.bincount(dataset.codes, minlength=len(dataset.classes))
    if (counts >= FOLDS).sum() < 2:
        raise WorkbenchError(
            f"the table has {count_of(int((counts >= FOLDS).sum()), 'class', 'classes')} with {FOLDS} rows "
            f"or more: a plan needs two, as it is made by cross-validation of {FOLDS} folds"
        )


def _doubts(
    dataset: Dataset, empty: Sequence[object], naming: Sequence[object], dates: Sequence[object]
) -> Iterator[str]:
    """Say what was left out, and what a user should check."""
    if empty:
        yield f"Left out, as they hold no value: {_names(empty)}."
    if naming:
        yield f"Left out, as nearly every row has a value of its own, like a name: {_names(naming)}."
    if dates:
        yield f"Left out, as dates are taken as names: {_names(dates)}; days since one of them are numbers."
    counts = np.bincount(dataset.codes, minlength=len(dataset.classes))
    rare = [f"{dataset.classes[k]} ({count_of(counts[k], 'row')})" for k in np.flatnonzero(counts < FOLDS)]
    if rare:
        yield f"Classes with fewer than {FOLDS} rows, of which little can be said: {truncate(rare)}."
    whole = [name for name in dataset.X if holds_few_integers(dataset.X[name].array)]
    if whole:
        yield (
            f"Taken as numbers, though they are few whole ones: {_names(whole)}; if they are codes, name "
            "them as nominal, or give them as text."
        )
    varied = [name for name, share in dataset.look.variety.items() if share > VARIED]
    if varied:
        yield (
            f"Few values of {_names(varied)} are met again, which raises losses now and makes gains "
            "doubtful: leave such columns out, or make them numbers, as dates can be days."
        )
    for finding in dataset.findings:
        if finding.kind is not RepeatedRowsWarning or "copies" in finding.sentence:  # a plan takes no groups
            yield f"{finding.sentence}."


def _names(columns: Sequence[object]) -> str:
    return truncate([str(name) for name in columns])


def rows_ahead(rows: int | Sequence[int] | None, n_rows: int) -> tuple[int, ...]:
    """Return the numbers of rows asked about, ascending: above the present number, not too far from it."""
    if rows is None:
        return (USUAL * n_rows,)
    given = list(np.atleast_1d(rows)) if isinstance(rows, np.ndarray) else rows
    given = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    asked = set()
    for one in given:
        n = as_integer(one)
        if n is None:
            raise WorkbenchError(f"rows is {one!r}: expected a whole number, such as {USUAL * n_rows}")
        if n <= n_rows:
            raise WorkbenchError(
                f"rows is {n}: expected a number above the {n_rows:,} rows that there are, such as "
                f"{USUAL * n_rows}"
            )
        if n > FARTHEST * n_rows:
            raise WorkbenchError(
                f"rows is {n:,}, and {n_rows:,} rows are there: plans reach at most {FARTHEST} times as "
                f"many, {FARTHEST * n_rows:,}"
            )
        asked.add(n)
    if not asked:
        raise WorkbenchError(f"rows is empty: expected a number of rows, such as {USUAL * n_rows:,}")
    return tuple(sorted(asked))


def sizes_of(n_rows: int, rows: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes of a curve: the present one, its doublings up to the farthest, and the asked ones."""
    doublings = []
    n = n_rows
    while n <= rows[-1]:
        doublings.append(n)
        n *= 2
    return tuple(sorted({*doublings, *rows}))
