"""What more rows would bring: `plan` and its result, in tables, a picture and words."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from learners.compiled import when_compiling
from workbench.base.checks import as_integer
from workbench.base.errors import WorkbenchError, brief_errors
from workbench.base.seeds import generator_for
from workbench.base.text import count_of
from workbench.engine.progress import Compiling, chosen, for_the_reader
from workbench.planning.columns import GroupedColumns
from workbench.planning.findings import PlanFindings
from workbench.planning.fits import Array, Fits, Indices
from workbench.planning.interrupts import remembered_interrupts
from workbench.planning.needs import RowsNeeded, rows_needed
from workbench.planning.present import REPEATS, SHARES, present_of
from workbench.planning.table import FOLDS, PlanTable, rows_ahead, sizes_of
from workbench.planning.twins import DRAWS, KINDS, SEARCH_SECONDS, Structure, Twin, structures_of, twins_of
from workbench.planning.words import answer_of, sentences_of
from workbench.study.learner_spec import read_learners

if TYPE_CHECKING:
    from workbench.engine.progress import Progress
    from workbench.figures._shared.base import Display

__all__ = ["LEARNERS", "Plan", "plan"]

#: The usual learners, which count and so are quick.
LEARNERS = ("nb", "tan", "aode", "kdb", "ande")
#: Rows of a twin on which learners are scored, the same ones at all sizes.
N_TEST = 2000
#: Losses on a twin are means over as many training sets as there are in so many times the rows of the table.
AGAIN = 4
TABLES = ("plan", "curve")


@dataclass(frozen=True, eq=False, repr=False)
class Plan(PlanFindings):
    """What more rows would bring each learner.

    Attributes
    ----------
    learners : tuple of str
        Their keys.
    n_rows : int
        Rows of the table.
    rows : tuple of int
        Numbers of rows that were asked about.
    sizes : tuple of int
        Sizes of the curves: the present one, its doublings, and `rows`.
    present : Present
        Repeated cross-validation: `mean`, `error`, `ranks`.
    gain, extrapolated : ndarray of shape (n_learners, n_sizes)
        Bits saved, by twins and by extrapolation.
    expected, low, high : ndarray of shape (n_learners, n_sizes)
        Expected log loss by twins, and its interval, nominally 80%.
    disagree : ndarray of bool, shape (n_learners, n_sizes)
        Where the two ways differ too much to trust either.
    seed : int
    notes : tuple of str
        What was left out, and what is doubtful, in sentences.

    See Also
    --------
    plan : Makes one.
    """

    @classmethod
    def of(cls, found: PlanFindings) -> "Plan":
        """Wrap findings."""
        return cls(*(getattr(found, field.name) for field in fields(found)))

    def __repr__(self) -> str:
        n = count_of(len(self.learners), "learner")
        return f"Plan({n}, {self.n_rows:,} rows now, up to {self.rows[-1]:,})"

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The findings in plain words, the answer first."""
        return sentences_of(self)

    def answer(self) -> str:
        """Return what the largest number of rows would bring, as one sentence."""
        return answer_of(self)

    @brief_errors
    def table(self, name: str = "plan") -> pd.DataFrame:
        """Return a table.

        Parameters
        ----------
        name : {"plan", "curve"}
            "plan" has a row for each number of rows asked about and each learner: ranks and loss now, gains
            by both ways, expected loss with its interval, and whether the two ways disagree. "curve" has a
            row for each learner and size of the curves.

        Returns
        -------
        DataFrame

        Raises
        ------
        WorkbenchError
            If there is no such table.
        """
        if name not in TABLES:
            raise WorkbenchError(f"a plan has no table {name!r}: expected 'plan' or 'curve'")
        return (self.frame if name == "plan" else self.curve).copy()

    @brief_errors
    def rows_needed(self, learner: str, loss: float) -> RowsNeeded:
        """Return how many rows a learner may need for a loss, as a range of doublings, or "cannot say".

        Parameters
        ----------
        learner : str
        loss : float
            The wished log loss, in bits a row.

        Returns
        -------
        RowsNeeded
            From the last size, mostly a doubling, at which the loss is below the interval to the first at
            which it is above; None at both ends if it is never above, or the two ways disagree in between.

        Raises
        ------
        WorkbenchError
            If there is no such learner, or the loss is no number above 0.
        """
        return rows_needed(self, learner, loss)

    def plot(self) -> "Display":
        """Draw the learning curves: measured, expected by twins with intervals, and extrapolated.

        Returns
        -------
        Display
            With `figure_` and `save(path)`.
        """
        from workbench.planning.display import PlanDisplay

        return PlanDisplay(self).plot()

    @brief_errors
    def report(self, path: str | Path, *more: str | Path, loss: float | None = None) -> Path:
        """Write the plan as a page.

        Parameters
        ----------
        path, *more : str or Path
            Files ending in .html, .md, .tex or .csv.
        loss : float, optional
            A wished log loss in bits: the page says how many rows it may take each learner.

        Returns
        -------
        Path
            The first.

        Raises
        ------
        WorkbenchError
            If an ending is unknown, a file cannot be written, or the loss is no number above 0.
        """
        from workbench.planning.document import document_of
        from workbench.report.renderers.forms import write_forms

        return write_forms(lambda: document_of(self, loss), path, *more)

    def _repr_html_(self) -> str:
        from workbench.planning.notebook import notebook_html

        return notebook_html(self)


@brief_errors
def plan(
    X: Any,
    y: Any = None,
    *,
    learners: Any = LEARNERS,
    rows: int | Sequence[int] | None = None,
    input: str | None = None,
    seed: int = 0,
    progress: "Progress | bool | None" = None,
) -> Plan:
    """Estimate what more rows would bring each learner, with intervals.

    Assumes that future rows are like these. It never promises, and gives no limit of what can be reached.

    Parameters
    ----------
    X : DataFrame, array of shape (n_rows, n_attributes), or another table
        At least 50 rows and at most 100 columns. Without y, a table in any form that `workbench.compare`
        takes as ``on=``: ``"table.csv"``, ``("table.csv", "class")``, a `DatasetSource`.
    y : array-like of shape (n_rows,), or str, optional
        The classes, or the name of the column of X that holds them.
    learners : list of classifiers, or mapping of str to classifier
        Unfitted scikit-learn classifiers, or keys of the catalogue, as in `workbench.compare`.
    rows : int or sequence of int, optional
        Numbers of rows to ask about, above the present one and at most 16 times as many; 4 times as many by
        default.
    input : {"categories", "table", "one_hot", "codes"}, optional
        What learners that are not ours are given, as in `workbench.compare`.
    seed : int
        All random numbers derive from it: the same call gives the same plan.
    progress : bool or Progress, optional
        Reports progress; by default a bar on a terminal or in a notebook. False shows nothing.

    Returns
    -------
    Plan

    Raises
    ------
    WorkbenchError
        If the rows cannot be used, are too few, or have too many columns; if `rows` is not above the present
        number or too far from it; or if every learner fails.
    KeyboardInterrupt
        On Ctrl-C.

    See Also
    --------
    compare : Compares learners on the rows that there are.

    Notes
    -----
    The loss now is that of ten-fold cross-validation, twice. The gain by twins is the mean over six networks
    that are drawn from the table, three dense ones and three trees given the class, of the loss after as many
    rows as a training part has, less that after more; losses after few rows are means over several training
    sets. The table of each variable is drawn from the Dirichlet
    distribution of its counts with 1/2 added. Numbers are cut into five intervals of about equally many rows,
    and a twin draws a number from those observed in its interval; the holes of a drawn row are those of an
    observed row of its class. The gain by extrapolation is that of a power law of the losses on fewer rows.

    Half an interval is 1.5 times the error of cross-validation and the standard deviation of gains over
    twins, added in squares.

    Examples
    --------
    >>> from generators import random_tan
    >>> from workbench import plan
    >>> X, y = random_tan(n_attributes=3, random_state=0).sample(60, random_state=1)
    >>> found = plan(X, y, learners=["nb"], rows=120)
    >>> found
    Plan(1 learner, 60 rows now, up to 120)
    >>> found.table()["learner"].tolist()
    ['nb']
    """
    if as_integer(seed) is None:
        raise WorkbenchError(f"seed is {seed!r}: expected a whole number")
    table = PlanTable.of(X, y)
    asked = rows_ahead(rows, table.n_rows)
    specs = read_learners(learners, input)
    if not specs:
        raise WorkbenchError("learners is empty: expected at least one, such as 'nb'")
    shown = for_the_reader("fits") if progress is None or progress is True else chosen(progress)
    told = Compiling(shown)
    try:
        with (
            remembered_interrupts() as check,
            when_compiling(told),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")  # of hundreds of fits; what a user should know is a note
            fits = Fits(specs, table.dataset.classes, int(seed), shown, check)
            return Plan.of(_found(table, fits, asked))
    finally:
        told.end()
        shown.stop()


def _found(table: PlanTable, fits: Fits, asked: tuple[int, ...]) -> PlanFindings:
    """Cross-validate, learn twins, and fit all learners to samples of these."""
    sizes, seed = sizes_of(table.n_rows, asked), fits.seed
    n_twin_fits = sum(_times_fitted(n, table.n_rows) for n in (table.n_rows, *sizes))
    n_cells = FOLDS * REPEATS * len(SHARES) + len(KINDS) * DRAWS * n_twin_fits
    fits.progress.start(n_cells * len(fits.specs), 0)
    present = present_of(fits, table.dataset, seed=seed)
    fits.progress.note("learning the structures of twins")
    columns = GroupedColumns.of(table.dataset)
    structures = structures_of(columns, seed=seed)
    fits.check()
    losses = _twin_losses(columns, structures, fits, (present.n_train, *sizes))
    kept = np.array([spec.key not in fits.failed for spec in fits.specs])
    return PlanFindings(
        learners=tuple(spec.key for spec in fits.specs if spec.key not in fits.failed),
        n_rows=table.n_rows,
        rows=asked,
        sizes=sizes,
        present=present.only(kept),
        kinds=tuple(structure.kind for structure in structures for _ in range(DRAWS)),
        twin_losses=losses[:, kept],
        seed=seed,
        notes=(*table.notes, *_notes(fits, structures)),
    )


def _twin_losses(
    columns: GroupedColumns, structures: tuple[Structure, ...], fits: Fits, sizes: tuple[int, ...]
) -> Array:
    """Return the loss on each twin after so many rows, (n_twins, n_learners, n_sizes)."""
    # smaller training sets are parts of larger ones, and test rows are the same, so that gains are paired
    n_rows = len(columns.dataset.codes)
    losses = []
    for i, twin in enumerate(twins_of(columns, structures, seed=fits.seed)):
        X, codes = _rows_of(twin, i, fits.seed, n_rows, max(AGAIN, -(-sizes[-1] // n_rows)))
        test, rest = np.arange(N_TEST), np.arange(N_TEST, len(codes))
        losses.append(
            [
                np.mean([
                    fits.scores(X, codes, rest[k * n : (k + 1) * n], test)[0]
                    for k in range(_times_fitted(n, n_rows))
                ], axis=0)
                for n in sizes
            ]
        )  # fmt: skip
    return np.array(losses).transpose(0, 2, 1)


def _times_fitted(n: int, n_rows: int) -> int:
    """Return on how many training sets of a size learners are fitted to a twin."""
    return max(1, AGAIN * n_rows // n)


def _rows_of(twin: Twin, i: int, seed: int, n_rows: int, n_blocks: int) -> tuple[pd.DataFrame, Indices]:
    """Draw test rows and blocks of further ones, each by its own numbers: more blocks change none."""
    drawn = [twin.sample(N_TEST, generator_for("test rows of a twin", seed, i))]
    drawn += [twin.sample(n_rows, generator_for("rows of a twin", seed, i, k)) for k in range(n_blocks)]
    frames, codes = zip(*drawn, strict=True)
    return pd.concat(frames, ignore_index=True), np.concatenate(codes)


def _notes(fits: Fits, structures: tuple[Structure, ...]) -> list[str]:
    notes = [f"{key} is left out: it failed {why}." for key, why in fits.failed.items()]
    if not all(structure.is_whole for structure in structures):
        notes.append(
            f"The search for dense twins was ended after {SEARCH_SECONDS:g} seconds, so the same call may "
            "give other numbers."
        )
    return notes
