"""Metrics of all samples together, such as ranks and calibration, which no single sample has."""

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._shared.base import Metric
from workbench.metrics._shared.checks import check_forecast, check_outcomes

__all__ = ["SampleMetric"]


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
