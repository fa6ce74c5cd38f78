"""Expected value: what right and wrong predictions are worth, averaged."""

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.bets import hits, predicted_class
from workbench.metrics._shared.checks import check_number
from workbench.metrics._shared.forecast_metric import ScoringRule

__all__ = ["ExpectedValue", "expected_value"]


class ExpectedValue(ScoringRule):
    """Pay each right prediction one value and each wrong one another.

    Larger is better; from `penalty` to `reward`. Of classes with the same greatest probability the first is
    the prediction.

    Parameters
    ----------
    reward : float
        What a right prediction is worth.
    penalty : float
        What a wrong one is worth, less than `reward`; a loss is negative.
    name : str
        What tables call it.

    Raises
    ------
    ValueError
        If the two are not finite numbers, or `penalty` is not less than `reward`.

    Notes
    -----
    ``(reward * s + penalty * (n - s)) / n`` with s right predictions of n. The source names no values; with 1
    and 0, the default, it is accuracy. Not proper: every forecast with the right mode scores the same. Called
    as every metric, see `ScoringRule.per_sample`; O(n_samples * n_classes).

    References
    ----------
    .. [1] Korb, K. B., Hope, L. R., and Hughes, M. J., "The evaluation of predictive learners: some
       theoretical and empirical results", 2001, equation (2).

    Examples
    --------
    >>> from workbench.metrics.expected_value import ExpectedValue, expected_value
    >>> forecast = [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.5, 0.5]]
    >>> expected_value([0, 1, 1, 0], forecast)
    0.75
    >>> ExpectedValue(reward=1.0, penalty=-5.0, name="costly_misses")([0, 1, 1, 0], forecast)
    -0.5
    """

    workbench_identity = "workbench.metrics.expected_value:ExpectedValue"
    unit = "value per sample"
    direction = "higher"
    meaning = "the mean value per sample, where right predictions earn one value and wrong ones another"
    proper = False
    weakly_proper = True

    def __init__(self, *, reward: float = 1.0, penalty: float = 0.0, name: str = "expected_value") -> None:
        self.reward = check_number(reward, name="reward", meaning="what a right prediction is worth")
        self.penalty = check_number(penalty, name="penalty", meaning="what a wrong one is worth")
        if not self.penalty < self.reward:
            raise ValueError(f"reward is {reward} and penalty {penalty}: give a penalty less than the reward")
        self.name = name
        self.bounds = (self.penalty, self.reward)

    def _by_class(
        self, forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        return self._values(hits(predicted_class(forecast), forecast.shape[1]))

    def _of_outcome(
        self, codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        return self._values(predicted_class(forecast) == codes)

    def _values(self, right: NDArray[np.bool_]) -> NDArray[np.float64]:
        return np.where(right, self.reward, self.penalty)


expected_value = ExpectedValue()
