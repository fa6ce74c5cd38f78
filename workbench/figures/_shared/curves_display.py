"""Shared code of figures of curves: a curve of each learner on the same rows, of a class against the rest."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Self

from numpy.typing import ArrayLike, NDArray

from workbench.base.errors import WorkbenchError
from workbench.figures._shared.base import Display
from workbench.forecasts import Forecasts, OneAgainstRest

__all__ = ["CurvesDisplay", "Events", "only_one"]

#: Of each class: in which rows it happened, and its forecasts.
Events = Sequence[tuple[NDArray[Any], NDArray[Any]]]


class CurvesDisplay(Display):
    """Draw a curve of each learner."""

    def __init__(self, curves: Mapping[str, Any], against_rest: OneAgainstRest, n_samples: int) -> None:
        self.curves = dict(curves)
        self.against_rest = against_rest
        self.n_samples = n_samples

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        forecasts: ArrayLike | Mapping[str, ArrayLike],
        *,
        classes: Sequence[object] | ArrayLike | None = None,
        positive: object = None,
    ) -> Self:
        """Make the display of forecasts.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Class codes, or labels when `classes` is given.
        forecasts : array-like of shape (n_samples, n_classes), or dict of str to such
            Probabilities of one learner, or of several by name.
        classes : array-like of shape (n_classes,), optional
            The labels, in the order of the columns.
        positive : object, optional
            The class that is distinguished from the rest. By default the second of two. With more classes,
            ROC curves are by default the mean over all, and other curves need the class.

        Returns
        -------
        Display

        Raises
        ------
        ValueError
            If a row is not a distribution, a label is unknown, shapes disagree, or the class happened in
            every row or in none.
        """
        checked = Forecasts.of(y_true, forecasts, classes=classes)
        chosen = checked.against_rest(positive)
        curves = {
            key: cls._curve([(checked.happened(i), table[:, i]) for i in chosen.codes])
            for key, table in checked.by_learner.items()
        }
        return cls(curves, chosen, checked.n_samples)

    @classmethod
    @abstractmethod
    def _curve(cls, events: Events) -> Any:
        """Compute the curve of a class, or the mean over several."""


def only_one(events: Events) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the class of a curve that has no mean over classes."""
    if len(events) > 1:
        raise WorkbenchError(f"the curve is of one class and here are {len(events)}: name it, positive=")
    return events[0]
