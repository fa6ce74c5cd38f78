"""Quadratic loss: the squared distance of a forecast from what happened, also called Brier score."""

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.forecast_metric import ScoringRule

__all__ = ["quadratic_loss"]


class QuadraticLoss(ScoringRule):
    """Charge a forecast for the squared error of each of its probabilities.

    Smaller is better; from 0 for a certain hit to 2 for a certain miss.

    Notes
    -----
    ``sum over classes of (q_i - a_i)**2 = 1 - 2 q_t + sum of q_i**2``, where a_i is 1 for the true class t
    and 0 for the others; then the mean over samples. It is summed over classes, so with two it is twice the
    binary score ``(q_1 - a_1)**2``. Called as every metric, see `ScoringRule.per_sample`;
    O(n_samples * n_classes).

    References
    ----------
    .. [1] Brier, G. W., "Verification of forecasts expressed in terms of probability", 1950.
    .. [2] Witten, I. H., and Frank, E., "Data mining", 2nd edition, 2005, p. 158.

    Examples
    --------
    >>> from workbench.metrics.quadratic_loss import quadratic_loss
    >>> quadratic_loss([0, 1], [[1.0, 0.0], [0.5, 0.5]])
    0.25
    >>> quadratic_loss.by_class([[0.5, 0.25, 0.25]])
    array([[0.375, 0.875, 0.875]])
    """

    workbench_identity = "workbench.metrics.quadratic_loss:QuadraticLoss"
    name = "quadratic_loss"
    unit = "squared probability"
    direction = "lower"
    meaning = (
        "the Brier score: the squared error of the probabilities, summed over classes; 0 is certain and right"
    )
    bounds = (0.0, 2.0)
    proper = True

    def _by_class(
        self, forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        from workbench.metrics._kernels.rewards import quadratic_losses_by_class

        return quadratic_losses_by_class(forecast)

    def _of_outcome(
        self, codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        from workbench.metrics._kernels.rewards import quadratic_losses

        return quadratic_losses(codes, forecast)


quadratic_loss = QuadraticLoss()
