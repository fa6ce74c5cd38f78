"""Metrics of forecasts: means over samples, or one number for all samples together."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._shared.base import Metric
from workbench.metrics._shared.checks import check_cells, check_forecast, check_outcomes

__all__ = ["Expectation", "expectation", "log_losses", "ScoringRule", "SampleMetric"]


@dataclass(frozen=True, slots=True)
class Expectation:
    """An expected score.

    Parameters
    ----------
    value : float
        May be infinite.
    n_infinite : int
        Number of cells of positive probability where the score is infinite.
    """

    value: float
    n_infinite: int


def expectation(weights: NDArray[np.float64], scores: NDArray[np.float64]) -> Expectation:
    """Sum weights times scores; weight 0 counts as 0, even if the score is infinite."""
    with np.errstate(invalid="ignore"):
        total = float((weights * scores).sum())
    if math.isfinite(total):
        return Expectation(total, 0)
    possible = weights > 0.0
    terms = np.multiply(weights, scores, out=np.zeros_like(scores), where=possible)
    infinite = np.isinf(scores) & possible
    return Expectation(float(terms.sum()), int(infinite.reshape(len(infinite), -1).any(axis=1).sum()))


def log_losses(forecast: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the bits that each class costs if it happens."""
    # max: the tolerance of the row sums lets a probability exceed 1 by a rounding
    with np.errstate(divide="ignore"):
        return np.maximum(-np.log2(forecast), 0.0)


class ScoringRule(Metric):
    """Score each forecast by the class that happened, and average.

    It is called as `metric(y_true, y_prob, prior=..., classes=...)`. A subclass declares the attributes of
    `Metric` and computes what each class would score, in `_by_class`.

    Examples
    --------
    >>> from workbench.metrics import log_loss
    >>> log_loss.per_sample([0, 1], [[0.5, 0.5], [0.75, 0.25]])
    array([1., 2.])
    >>> log_loss.expected([[0.25, 0.75]], [[0.5, 0.5]])
    1.0
    """

    has_per_sample = True
    has_expected = True

    def __call__(
        self,
        y_true: ArrayLike,
        y_prob: ArrayLike,
        *,
        prior: ArrayLike | None = None,
        classes: Sequence[object] | ArrayLike | None = None,
    ) -> float:
        """Return the mean of `per_sample`; one infinite sample makes it infinite."""
        return float(self.per_sample(y_true, y_prob, prior=prior, classes=classes).mean())

    def per_sample(
        self,
        y_true: ArrayLike,
        y_prob: ArrayLike,
        *,
        prior: ArrayLike | None = None,
        classes: Sequence[object] | ArrayLike | None = None,
    ) -> NDArray[np.float64]:
        """Score each sample.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Class codes 0 .. n_classes - 1, or labels when `classes` is given.
        y_prob : array-like of shape (n_samples, n_classes)
            Forecast probabilities; each row sums to one within 1e-8, or the rounding of a shorter float.
            Where columns have names that are the classes, these count and not their order.
        prior : array-like of shape (n_classes,), optional
            The distribution to compare with, for metrics that need it; others ignore it.
        classes : array-like of shape (n_classes,), optional
            The labels, in the order of the columns of `y_prob`.

        Returns
        -------
        ndarray of shape (n_samples,)
            One score for each sample, in the unit of the metric; may be infinite.

        Raises
        ------
        ValueError
            If a row of `y_prob` is not a distribution, a label is unknown, lengths disagree, or a prior is
            needed and missing or not positive.
        """
        forecast = check_forecast(y_prob, classes=classes)
        codes = check_outcomes(y_true, forecast.shape, classes)
        return self._of_outcome(codes, forecast, self._reference(prior, forecast.shape[1], classes))

    def by_class(self, y_prob: ArrayLike, *, prior: ArrayLike | None = None) -> NDArray[np.float64]:
        """Score each row for each class that might be true.

        Parameters
        ----------
        y_prob : array-like of shape (n_samples, n_classes)
            Forecast probabilities; each row sums to one within 1e-8, or the rounding of a shorter float.
        prior : array-like of shape (n_classes,), optional
            The distribution to compare with, for metrics that need it.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Entry [i, t] is what row i scores if class t happens.

        Raises
        ------
        ValueError
            As `per_sample`.
        """
        forecast = check_forecast(y_prob)
        return self._by_class(forecast, self._reference(prior, forecast.shape[1]))

    def expected(self, joint: ArrayLike, y_prob: ArrayLike, *, prior: ArrayLike | None = None) -> float:
        """Return the exact expected score under a joint distribution of cells and classes.

        Parameters
        ----------
        joint : array-like of shape (n_cells, n_classes)
            Probability of each attribute cell together with each class; sums to one.
        y_prob : array-like of shape (n_cells, n_classes)
            The forecast at each cell; rows at cells of probability 0 are ignored.
        prior : array-like of shape (n_classes,), optional
            The distribution to compare with, for metrics that need it.

        Returns
        -------
        float
            Sum of joint times score; probability 0 counts as 0, even if the score is infinite.

        Raises
        ------
        ValueError
            As `per_sample`, or if `joint` has another shape than `y_prob` or does not sum to one.
        """
        mass, forecast = check_cells(joint, y_prob)
        return expectation(mass, self.by_class(forecast, prior=prior)).value

    @abstractmethod
    def _by_class(
        self, forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        """Score checked rows for each class; `prior` is an array where the metric needs it, else None."""

    def _of_outcome(
        self, codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        """Score checked rows for the class that happened; overridden if that is cheaper."""
        return self._by_class(forecast, prior)[np.arange(codes.size), codes]


class SampleMetric(Metric):
    """Score all forecasts together.

    It is called as `metric(y_true, y_prob, prior=..., classes=...)`. A subclass declares the attributes of
    `Metric` and computes the score in `_of_sample`.

    See Also
    --------
    workbench.metrics.METRICS : all metrics by name.
    """

    def __call__(
        self,
        y_true: ArrayLike,
        y_prob: ArrayLike,
        *,
        prior: ArrayLike | None = None,
        classes: Sequence[object] | ArrayLike | None = None,
    ) -> float:
        """Score the forecasts."""
        forecast = check_forecast(y_prob, classes=classes)
        codes = check_outcomes(y_true, forecast.shape, classes)
        return self._of_sample(codes, forecast, self._reference(prior, forecast.shape[1], classes))

    @abstractmethod
    def _of_sample(
        self, codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> float:
        """Score checked forecasts; `prior` is an array where the metric needs it, else None."""
