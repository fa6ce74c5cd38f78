"""Log loss: the bits that the class which happened costs under the forecast."""

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.forecast_metric import ScoringRule, log_losses

__all__ = ["log_loss"]


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


log_loss = LogLoss()
