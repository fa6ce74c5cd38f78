"""Forecasts of several learners for the same rows, with outcomes. The input of figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.errors import WorkbenchError, nearest
from workbench.base.text import count_of, shown
from workbench.metrics._shared.checks import check_forecast, check_outcomes

__all__ = ["Forecasts", "OneAgainstRest"]

RANKINGS = ("confidence", "forecast", "rows")
NAMELESS = "forecast"  # name of a learner whose array has none


@dataclass(frozen=True)
class OneAgainstRest:
    """The classes treated as binary events, each against all others.

    Parameters
    ----------
    codes : tuple of int
        One class, or all classes of a mean.
    words : str
        Their description for a title.
    left_out : tuple of str
        Classes left out of a mean, as they happened in no row or in every row.
    """

    codes: tuple[int, ...]
    words: str
    left_out: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, in sentences."""
        if not self.left_out:
            return ()
        return (f"Left out, as they happened in no row or in every row: {', '.join(self.left_out)}.",)


@dataclass(frozen=True, eq=False)
class Forecasts:
    """Forecasts of learners for the same rows.

    Parameters
    ----------
    outcomes : ndarray of shape (n_samples,)
        Code of the class that happened.
    by_learner : dict of str to ndarray of shape (n_samples, n_classes)
        Probabilities. Each row sums to one.
    classes : tuple
        Labels in the order of the columns.

    Examples
    --------
    >>> forecasts = Forecasts.of(["no", "yes"], [[0.9, 0.1], [0.4, 0.6]], classes=["no", "yes"])
    >>> forecasts.outcomes, list(forecasts.by_learner)
    (array([0, 1]), ['forecast'])
    >>> forecasts.against_rest("yes").words
    'yes against the rest'
    """

    outcomes: NDArray[np.intp]
    by_learner: dict[str, NDArray[np.float64]]
    classes: tuple[Any, ...]

    @classmethod
    def of(
        cls,
        y_true: ArrayLike,
        forecasts: ArrayLike | Mapping[str, ArrayLike],
        *,
        classes: Sequence[object] | ArrayLike | None = None,
    ) -> Forecasts:
        """Check forecasts and outcomes.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Class codes, or labels when `classes` is given.
        forecasts : array-like of shape (n_samples, n_classes), or dict of str to such
            Probabilities of one learner, or of several by name.
        classes : array-like of shape (n_classes,), optional
            The labels, in the order of the columns.

        Returns
        -------
        Forecasts

        Raises
        ------
        ValueError
            If there is no forecast, a row is not a distribution, a label is unknown, or shapes disagree.
        """
        named = forecasts if isinstance(forecasts, Mapping) else {NAMELESS: forecasts}
        if not named:
            raise WorkbenchError("forecasts is empty: expected an array, or a dict of learner to array")
        tables = {
            str(key): check_forecast(table, name=_name(key), classes=classes) for key, table in named.items()
        }
        shapes = {key: table.shape for key, table in tables.items()}
        if len(set(shapes.values())) > 1:
            found = ", ".join(f"{key} {shape}" for key, shape in shapes.items())
            raise WorkbenchError(
                f"forecasts have different shapes ({found}): expected the same rows and classes"
            )
        shape = next(iter(shapes.values()))
        outcomes = check_outcomes(y_true, shape, classes)
        labels = range(shape[1]) if classes is None else np.asarray(classes).tolist()
        return cls(outcomes, tables, tuple(labels))

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return len(self.outcomes)

    def code_of(self, label: object) -> int:
        """Return the column of a class.

        Parameters
        ----------
        label : object
            One of `classes`.

        Returns
        -------
        int

        Raises
        ------
        WorkbenchError
            If there is no such class.
        """
        if label not in self.classes:
            known = ", ".join(map(shown, self.classes))
            raise WorkbenchError(f"unknown class {shown(label)}; expected one of {known}")
        return self.classes.index(label)

    def happened(self, code: int) -> NDArray[np.bool_]:
        """Return whether a class happened, for each row."""
        return self.outcomes == code

    def against_rest(self, positive: object = None) -> OneAgainstRest:
        """Select the classes to treat as events.

        Parameters
        ----------
        positive : object, optional
            The class. By default the second of two, or a mean over all if there are more.

        Returns
        -------
        OneAgainstRest

        Raises
        ------
        WorkbenchError
            If there is no such class, or it happened in no row or in every row.
        """
        counts = np.bincount(self.outcomes, minlength=len(self.classes))
        open_ones = [i for i, count in enumerate(counts) if 0 < count < self.n_samples]
        if positive is None and len(self.classes) > 2:
            left_out = tuple(str(label) for i, label in enumerate(self.classes) if i not in open_ones)
            if not open_ones:
                raise WorkbenchError("all rows are of one class: a ranking needs rows of at least two")
            words = f"mean over {count_of(len(open_ones), 'class', 'classes')}, each against the rest"
            return OneAgainstRest(tuple(open_ones), words, left_out)
        code = len(self.classes) - 1 if positive is None else self.code_of(positive)
        if code not in open_ones:
            often = "every row" if counts[code] else "no row"
            raise WorkbenchError(
                f"class {shown(self.classes[code])} happened in {often}: a ranking needs rows "
                "with and rows without it"
            )
        return OneAgainstRest((code,), f"{self.classes[code]} against the rest")

    def ranked_by(self, learner: str, ranking: str, *, positive: object = None) -> NDArray[np.float64] | None:
        """Return the values by which a learner ranks the rows.

        Parameters
        ----------
        learner : str
        ranking : {"confidence", "forecast", "rows"}
            The greatest probability of any class, that of `positive`, or none.
        positive : object, optional
            By default the second of two classes.

        Returns
        -------
        ndarray of shape (n_samples,) or None
            None if the rows keep their order.

        Raises
        ------
        WorkbenchError
            If there is no such ranking or class, or no class is named and there are more than two.
        """
        if ranking not in RANKINGS:
            raise WorkbenchError(f"unknown ranking of rows {shown(ranking)}; {nearest(ranking, RANKINGS)}")
        if ranking == "rows":
            return None
        table = self.by_learner[learner]
        if ranking == "confidence":
            return table.max(axis=1)
        if positive is None and len(self.classes) > 2:
            raise WorkbenchError(
                f'ranking="forecast" ranks by one class of {len(self.classes)}: name it with positive='
            )
        return table[:, -1 if positive is None else self.code_of(positive)]


def _name(key: object) -> str:
    return "the forecast" if key == NAMELESS else f"the forecast of {key}"
