"""Confidence gap: how much more probable forecasts call their prediction than it is."""

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.forecast_metric import ScoringRule

__all__ = ["confidence_gap"]


class ConfidenceGap(ScoringRule):
    """Average the probability of the predicted class, less 1 where it happened.

    Above 0 forecasts are overconfident, below 0 underconfident; 0 is best. Smaller is better only as far as
    tables must choose: compare the distance from 0. From -1 to 1. Gaps of opposite sign cancel, so a gap of
    0 does not make forecasts calibrated.

    See Also
    --------
    overconfidence, underconfidence : Both sides apart, in cells of samples, where they do not cancel.
    confidence_calibration_error : The size of the gap in bins of probability.

    Notes
    -----
    With the most probable class m of forecast q, ``q_m - 1`` if m happens, else ``q_m``. Of t classes with
    the same greatest probability each counts as predicted by a share 1 / t. The mean is the mean confidence
    less the accuracy. As it is a mean over samples, its expected value on a truth is exact, and chance does
    not raise it, while errors in bins and cells need many samples. Not proper: every forecast with the right
    mean confidence has a gap of 0. Called as every metric, see `ScoringRule.per_sample`;
    O(n_samples * n_classes).

    References
    ----------
    .. [1] Lichtenstein, S., Fischhoff, B., and Phillips, L. D., "Calibration of probabilities: the state of
       the art to 1980", in Judgment under Uncertainty: Heuristics and Biases, 1982.

    Examples
    --------
    >>> from workbench.metrics.confidence_gap import confidence_gap
    >>> confidence_gap([0, 0, 0, 1], [[0.75, 0.25]] * 4)  # confidence .75, and right in three of four
    0.0
    >>> confidence_gap([0, 1], [[0.75, 0.25]] * 2)  # right in one of two: overconfident
    0.25
    """

    workbench_identity = "workbench.metrics.confidence_gap:ConfidenceGap"
    name = "confidence_gap"
    unit = "difference of probability"
    direction = "lower"
    meaning = (
        "the probability of the predicted class less how often it happens; 0 is best, above 0 overconfident"
    )
    bounds = (-1.0, 1.0)
    proper = False

    def _by_class(
        self, forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        greatest = forecast.max(axis=1, keepdims=True)
        predicted = forecast == greatest
        return greatest - predicted / predicted.sum(axis=1, keepdims=True)


confidence_gap = ConfidenceGap()
