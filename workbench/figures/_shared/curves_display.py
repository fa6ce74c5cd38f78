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
        """Make the figure from outcomes and forecasts.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Class codes, or labels when `classes` is given.
        forecasts : array-like of shape (n_samples, n_classes), or dict of str to such
            Probabilities of one learner, or of several learners by name.
        classes : array-like of shape (n_classes,), optional
            The labels of the classes, in the order of the columns of the forecasts.
        positive : object, optional
            The class that is distinguished from the rest. With two classes, the default is the second class.
            With more classes, the default for ROC curves is the mean over all classes, and other curves need
            the class.

        Returns
        -------
        Display

        Raises
        ------
        ValueError
            If a row is not a distribution, a label is unknown, shapes do not match, or the class is the true
            class of every row or of no row.
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
    """Return the class of a curve that cannot be averaged over classes."""
    if len(events) > 1:
        raise WorkbenchError(
            f"the curve is for one class, but there are {len(events)} classes: name one with positive="
        )
    return events[0]
