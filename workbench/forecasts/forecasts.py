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
    """Classes that are treated as binary events, each against all other classes.

    Parameters
    ----------
    codes : tuple of int
        One class, or all classes if results are averaged over classes.
    words : str
        A description of the classes, for a title.
    left_out : tuple of str
        Classes that are left out of an average, because all rows or no rows are of the class.
    """

    codes: tuple[int, ...]
    words: str
    left_out: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on the classes that are left out."""
        if not self.left_out:
            return ()
        return (f"Left out, as all rows or no rows are of the class: {', '.join(self.left_out)}.",)


@dataclass(frozen=True, eq=False)
class Forecasts:
    """Forecasts of several learners for the same rows, with the true classes.

    Parameters
    ----------
    outcomes : ndarray of shape (n_samples,)
        Code of the true class of each row.
    by_learner : dict of str to ndarray of shape (n_samples, n_classes)
        Forecast probabilities of each learner. Each row sums to one.
    classes : tuple
        Labels of the classes, in the order of the columns.

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
        """Make forecasts from arrays, with checks of their shapes and values.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Class codes, or labels if `classes` is given.
        forecasts : array-like of shape (n_samples, n_classes), or dict of str to such
            Probabilities of one learner, or of several learners by name.
        classes : array-like of shape (n_classes,), optional
            The labels of the classes, in the order of the columns.

        Returns
        -------
        Forecasts

        Raises
        ------
        ValueError
            If there are no forecasts, a row is not a distribution, a label is unknown, or shapes do not
            match.
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
        """Return the code of a class, which is the number of its column.

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
        """Return whether each row is of a class, given by its code."""
        return self.outcomes == code

    def against_rest(self, positive: object = None) -> OneAgainstRest:
        """Select the classes that are treated as events, each against the rest.

        Parameters
        ----------
        positive : object, optional
            The label of the class. With two classes, the default is the second class. With more classes, the
            default is an average over all classes.

        Returns
        -------
        OneAgainstRest

        Raises
        ------
        WorkbenchError
            If there is no such class, or if all rows or no rows are of the class.
        """
        counts = np.bincount(self.outcomes, minlength=len(self.classes))
        open_ones = [i for i, count in enumerate(counts) if 0 < count < self.n_samples]
        if positive is None and len(self.classes) > 2:
            left_out = tuple(str(label) for i, label in enumerate(self.classes) if i not in open_ones)
            if not open_ones:
                raise WorkbenchError(
                    "all rows are of one class: a ranking needs rows of at least two classes"
                )
            words = f"mean over {count_of(len(open_ones), 'class', 'classes')}, each against the rest"
            return OneAgainstRest(tuple(open_ones), words, left_out)
        code = len(self.classes) - 1 if positive is None else self.code_of(positive)
        if code not in open_ones:
            often = "every row is" if counts[code] else "no row is"
            raise WorkbenchError(
                f"{often} of class {shown(self.classes[code])}: a ranking needs rows of the class and other "
                "rows"
            )
        return OneAgainstRest((code,), f"{self.classes[code]} against the rest")

    def ranked_by(self, learner: str, ranking: str, *, positive: object = None) -> NDArray[np.float64] | None:
        """Return the values by which a learner ranks the rows.

        Parameters
        ----------
        learner : str
            Name of the learner.
        ranking : {"confidence", "forecast", "rows"}
            "confidence" ranks by the greatest probability of any class, "forecast" ranks by the probability
            of `positive`, and "rows" keeps the given order.
        positive : object, optional
            The label of the class for "forecast". With two classes, the default is the second class.

        Returns
        -------
        ndarray of shape (n_samples,) or None
            The values, or None if rows keep their order.

        Raises
        ------
        WorkbenchError
            If there is no such ranking or class. Also if there are more than two classes and none is named
            for "forecast".
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
