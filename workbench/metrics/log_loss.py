"""Log loss: the bits that the class which happened costs under the forecast."""

import math

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.forecast_metric import ScoringRule, log_losses

__all__ = ["log_loss", "log_loss_nats"]


class LogLoss(ScoringRule):
    """Charge a forecast, in bits, for the surprise at the class that happened.

    Smaller is better; from 0, without upper bound: infinite where the true class had probability 0.

    Notes
    -----
    ``-log2(y_prob[y_true])``, averaged. Nothing is cut off: see `clip_probabilities`. Called as every metric,
    see `ScoringRule.per_sample`; O(n_samples) besides the checks.

    References
    ----------
    .. [1] Good, I. J., "Rational decisions", Journal of the Royal Statistical Society B 14, 1952.

    Examples
    --------
    >>> from workbench.metrics.log_loss import log_loss
    >>> log_loss([0, 1], [[0.5, 0.5], [0.75, 0.25]])
    1.5
    >>> log_loss(["no"], [[0.0, 1.0]], classes=["no", "yes"])
    inf
    """

    workbench_identity = "workbench.metrics.log_loss:LogLoss"
    name = "log_loss"
    unit = "bits"
    direction = "lower"
    meaning = "the bits of surprise at the class that happened; 0 is certain and right"
    bounds = (0.0, np.inf)
    proper = True

    def _by_class(
        self, forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        return log_losses(forecast)

    def _of_outcome(
        self, codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        return log_losses(forecast[np.arange(codes.size), codes])


class NaturalLogLoss(LogLoss):
    """Charge a forecast, in nats, for the surprise at the class that happened.

    Smaller is better; from 0, without upper bound: infinite where the true class had probability 0.

    Notes
    -----
    ``-ln(y_prob[y_true])``, averaged: scikit-learn's log loss, and `log_loss` times ln 2.

    References
    ----------
    .. [1] Good, I. J., "Rational decisions", Journal of the Royal Statistical Society B 14, 1952.

    Examples
    --------
    >>> from workbench.metrics.log_loss import log_loss_nats
    >>> log_loss_nats([0, 1], [[0.5, 0.5], [0.75, 0.25]]).__round__(6)
    1.039721
    """

    workbench_identity = "workbench.metrics.log_loss:NaturalLogLoss"
    name = "log_loss_nats"
    unit = "nats"
    meaning = "the nats of surprise at the class that happened; 0 is certain and right"

    def _by_class(
        self, forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        return super()._by_class(forecast, prior) * math.log(2.0)

    def _of_outcome(
        self, codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        return super()._of_outcome(codes, forecast, prior) * math.log(2.0)


log_loss = LogLoss()
log_loss_nats = NaturalLogLoss()
