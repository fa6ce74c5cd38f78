"""Predictions of one program: probabilities, outcomes, and the printed precision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from learners.counts.class_prior import class_prior as prior_of_counts
from workbench.base.errors import WorkbenchError
from workbench.base.text import count_of, shown
from workbench.forecasts.files.printed_rows import PrintedRow, PrintedRows, probabilities_of
from workbench.metrics import class_prior

__all__ = ["Predictions"]


@dataclass(frozen=True, eq=False)
class Predictions:
    r"""Probability forecasts of one program, read from a file.

    Parameters
    ----------
    y_true : ndarray of str of shape (n_samples,)
        Label of the true class of each row.
    y_prob : ndarray of shape (n_samples, n_classes)
        Probabilities of the classes. Each row sums to one.
    classes : tuple of str
        Labels of the classes, in the order of the columns of `y_prob`.
    folds : ndarray of int of shape (n_samples,)
        Number of the cross-validation fold in which a row was tested. In Weka's files, row numbers restart
        with every fold. ARFF files have the columns `repeat` and `fold`. For other files all numbers are 0.
    lines : ndarray of int of shape (n_samples,)
        Line of each row in the file, or number of the row if the file has no lines.
    half_unit : float
        Half a unit of the last printed decimal. Smaller probabilities were printed as 0.
    n_missing : int
        Number of rows that were left out because the true class is missing.
    n_rescaled : int
        Number of rows whose printed probabilities did not sum to one.
    names : tuple of str or None
        Names of the rows, if a column with names was given. Otherwise None.
    n_contradicted : int
        Number of rows whose predicted class, if the file names one, is not the most probable class.
    unit : str
        The unit of `lines`: "line", or "row" for Parquet and Feather files.

    Examples
    --------
    >>> from io import StringIO
    >>> from workbench.forecasts.files import read_predictions
    >>> predictions = read_predictions(StringIO('"","obs","no","yes"\n"1","no",0.9,0.1\n"2","yes",1,0'))
    >>> predictions.n_samples, predictions.classes, predictions.n_zero
    (2, ('no', 'yes'), 1)
    >>> predictions.prior({"no": 6, "yes": 3})
    array([0.65, 0.35])
    """

    y_true: NDArray[np.str_] = field(repr=False)
    y_prob: NDArray[np.float64] = field(repr=False)
    classes: tuple[str, ...]
    folds: NDArray[np.int64] = field(repr=False)
    lines: NDArray[np.int64] = field(repr=False)
    half_unit: float
    n_missing: int
    n_rescaled: int
    names: tuple[str, ...] | None = field(default=None, repr=False)
    n_contradicted: int = 0
    unit: str = "line"

    @classmethod
    def of(cls, printed: PrintedRows) -> Predictions:
        """Convert the text of a file to predictions.

        Parameters
        ----------
        printed : PrintedRows
            The rows of the file as text.

        Returns
        -------
        Predictions

        Raises
        ------
        WorkbenchError
            If no row has a true class, if a row is not a distribution, or if two rows have the same name.
        """
        rows = [row for row in printed.rows if row.actual is not None]
        if not rows:
            raise WorkbenchError(
                f"no row of {printed.file} has a true class, so nothing can be scored: add the true classes"
            )
        found = probabilities_of(printed, rows)
        names = tuple(row.name for row in rows if row.name is not None)
        if len(set(names)) < len(names):
            repeated = Counter(names).most_common(1)[0][0]
            raise WorkbenchError(
                f"two rows of {printed.file} have the same name, {repeated!r}: name a column that differs in "
                'every row, or several columns that together do, such as row=["repeat", "row_id"]'
            )
        return cls(
            np.array([row.actual for row in rows], dtype=np.str_),
            found.y_prob,
            printed.classes,
            np.array([row.fold for row in rows], dtype=np.int64),
            np.array([row.line for row in rows], dtype=np.int64),
            found.half_unit,
            len(printed.rows) - len(rows),
            found.n_rescaled,
            names or None,
            _contradicted(rows, found.y_prob, printed.classes),
            printed.unit,
        )

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return len(self.y_true)

    @property
    def zero(self) -> NDArray[np.bool_]:
        """Whether the true class of each row has probability 0, of shape (n_samples,)."""
        codes = np.array([self.classes.index(label) for label in self.y_true.tolist()])
        return self.y_prob[np.arange(self.n_samples), codes] == 0.0

    @property
    def n_zero(self) -> int:
        """Number of rows whose true class has probability 0, so that rewards are minus infinity."""
        return int(self.zero.sum())

    def prior(self, training: Mapping[str, int] | Sequence[object] | ArrayLike | str) -> NDArray[np.float64]:
        """Return the class distribution to which rewards are relative, from training rows.

        Parameters
        ----------
        training : dict of str to int, array-like of labels, or "test"
            Number of training rows of each class (0 for a class that is not named), or the labels of the
            training rows. "test" uses the frequencies of the scored rows, for the case that the training rows
            are unknown.

        Returns
        -------
        ndarray of shape (n_classes,)
            The probabilities (count + 0.5) / (n + 0.5 n_classes), as in `workbench.metrics.class_prior`.

        Raises
        ------
        WorkbenchError
            If a class has no column, or a count is not an integer of at least 0.

        Notes
        -----
        The prior "test" uses the true classes of the scored rows, which a learner cannot know. So forecasts
        must be better than these frequencies to have positive rewards. The prior differs little from the
        training prior if test rows were drawn in the same way. It differs much if there are few test rows, or
        if they were selected in another way.
        """
        if isinstance(training, str):
            if training != "test":
                raise WorkbenchError(
                    f"the training rows are {shown(training)}: give counts of classes, labels, or 'test'"
                )
            return class_prior(self.y_true, classes=self.classes)
        if isinstance(training, Mapping):
            counts = {str(label): _counted(label, count) for label, count in training.items()}
        else:
            counts = dict(Counter(str(label) for label in np.asarray(training).tolist()))
        for label in counts:
            if label not in self.classes:
                raise WorkbenchError(
                    f"the training rows have class {label!r}, but the predictions only "
                    f"{', '.join(self.classes)}: write labels in the same way, or name all classes with "
                    "classes="
                )
        return prior_of_counts(np.array([counts.get(label, 0) for label in self.classes]))

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on properties of the file that affect the scores."""
        notes = []
        if self.n_missing:
            notes.append(f"{count_of(self.n_missing, 'row')} left out: the true class is missing.")
        if self.n_rescaled:
            notes.append(f"{count_of(self.n_rescaled, 'row')} divided by the printed sum, which was not one.")
        if self.n_zero:
            notes.append(
                f"{count_of(self.n_zero, 'row')} with 0 for the class that happened, where 0 is printed for "
                f"less than {self.half_unit:g}."
            )
        if self.n_contradicted:
            notes.append(
                f"In {self.n_contradicted} of {count_of(self.n_samples, 'row')} the predicted class is not "
                "the most probable class: check that the columns of the classes are in the right order. (H2O "
                "predicts by its own threshold.)"
            )
        return tuple(notes)


def _contradicted(rows: Sequence[PrintedRow], y_prob: NDArray[np.float64], classes: Sequence[str]) -> int:
    """Count the rows whose predicted class is less probable than another one."""
    place = {label: i for i, label in enumerate(classes)}
    named = [(i, place[row.predicted]) for i, row in enumerate(rows) if row.predicted is not None]
    return sum(y_prob[i, code] < y_prob[i].max() for i, code in named)


def _counted(label: object, count: object) -> int:
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 0:
        raise WorkbenchError(
            f"class {shown(label)} has count {shown(count)}: give the number of its training rows"
        )
    return int(count)
