"""Entropy of forecasts: how cautious they are, whatever happens."""

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.forecast_metric import ScoringRule

__all__ = ["forecast_entropy"]


class ForecastEntropy(ScoringRule):
    """Average the entropy of the forecast distributions: high for cautious forecasts, low for sharp ones.

    Smaller is better only as far as tables must choose: sharper, among forecasts that are calibrated. By
    itself it describes forecasts and does not judge them, as it never looks at what happened. From 0, for
    certainty, to the logarithm of the number of classes, for the uniform distribution; in bits.

    See Also
    --------
    confidence_gap : Whether forecasts are too sharp or too cautious.
    log_loss : Its expected value is this entropy if the forecast is the true distribution.

    Notes
    -----
    ``-sum_i q_i log2 q_i`` of each forecast q, with 0 where q_i is 0, averaged. Not proper: any certain
    forecast has the least. Called as every metric, see `ScoringRule.per_sample`; O(n_samples * n_classes).

    References
    ----------
    .. [1] Gneiting, T., Balabdaoui, F., and Raftery, A. E., "Probabilistic forecasts, calibration and
       sharpness", Journal of the Royal Statistical Society B 69, 2007.

    Examples
    --------
    >>> from workbench.metrics.forecast_entropy import forecast_entropy
    >>> forecast_entropy([0, 1], [[0.5, 0.5], [1.0, 0.0]])  # the mean of 1 bit and 0 bits
    0.5
    """

    workbench_identity = "workbench.metrics.forecast_entropy:ForecastEntropy"
    name = "forecast_entropy"
    unit = "bits"
    direction = "lower"
    meaning = "the entropy of the forecasts, high if cautious and low if sharp; neither is better by itself"
    bounds = (0.0, np.inf)
    proper = False

    def _by_class(
        self, forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        return np.repeat(_entropies(forecast)[:, np.newaxis], forecast.shape[1], axis=1)

    def _of_outcome(
        self, codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        return _entropies(forecast)


forecast_entropy = ForecastEntropy()


def _entropies(forecast: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the entropy of each row, in bits."""
    from scipy.special import entr

    # max: the tolerance of the row sums lets a probability exceed 1 by a rounding
    return np.maximum(entr(forecast).sum(axis=1) / np.log(2.0), 0.0)
