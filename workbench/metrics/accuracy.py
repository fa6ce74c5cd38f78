"""Accuracy: the share of samples whose most probable class happened."""

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.bets import hits, predicted_class
from workbench.metrics._shared.forecast_metric import ScoringRule

__all__ = ["accuracy"]


class Accuracy(ScoringRule):
    """Count the samples whose most probable class is the true one.

    Larger is better; from 0 to 1. Of classes with the same greatest probability the first is the prediction.

    Notes
    -----
    ``1 if argmax_i y_prob[i] == y_true else 0``, averaged. Not proper: every forecast with the right mode
    scores the same. Called as every metric, see `ScoringRule.per_sample`; O(n_samples * n_classes).

    References
    ----------
    .. [1] Hope, L. R., and Korb, K. B., "Bayesian information reward", 2002, section 6.

    Examples
    --------
    >>> from workbench.metrics.accuracy import accuracy
    >>> accuracy([0, 1, 1, 0], [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.5, 0.5]])
    0.75
    """

    workbench_identity = "workbench.metrics.accuracy:Accuracy"
    name = "accuracy"
    unit = "share of samples"
    direction = "higher"
    meaning = "the share of samples whose most probable class is the true one"
    bounds = (0.0, 1.0)
    proper = False
    weakly_proper = True

    def _by_class(
        self, forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        return hits(predicted_class(forecast), forecast.shape[1]).astype(np.float64)

    def _of_outcome(
        self, codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        return (predicted_class(forecast) == codes).astype(np.float64)


accuracy = Accuracy()
