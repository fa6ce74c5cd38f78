"""Good's information reward, with all classes that were not predicted as one."""

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.bets import hits, predicted_class
from workbench.metrics._shared.forecast_metric import ScoringRule

__all__ = ["good_reward"]


class GoodReward(ScoringRule):
    """Reward the probability of the predicted class, in bits, against an even chance.

    Larger is better; 1 at most, for a certain prediction that comes true; unbounded below. Zero at
    probability one half, whatever the classes and their prior.

    Notes
    -----
    With m the predicted class, the first of the greatest entries of the forecast q: ``1 + log2 q_m`` if m
    happens, else ``1 + log2(1 - q_m)``, where ``1 - q_m`` is the sum of the other entries. With two classes
    this is ``1 + log2 q_t`` of the true class t. With more it is not: the other classes are one contrast
    class, and a right prediction at less than one half is punished. As it reads the predicted class alone, it
    is proper with two classes only. Called as every metric, see `ScoringRule.per_sample`;
    O(n_samples * n_classes).

    References
    ----------
    .. [1] Good, I. J., "Rational decisions", Journal of the Royal Statistical Society B 14, 1952.
    .. [2] Korb, K. B., Hope, L. R., and Hughes, M. J., "The evaluation of predictive learners: some
       theoretical and empirical results", 2001, section 3 and its footnote 3 (read with the predicted class
       for "the actual class", without which wrong predictions would have no contrast class).

    Examples
    --------
    >>> from workbench.metrics.good_reward import good_reward
    >>> good_reward([0, 1], [[0.75, 0.25], [0.75, 0.25]]).__round__(6)  # 1 + (log2 .75 + log2 .25) / 2
    -0.207519
    >>> good_reward([1, 1], [[0.5, 0.3, 0.2], [0.25, 0.5, 0.25]])
    0.0
    """

    workbench_identity = "workbench.metrics.good_reward:GoodReward"
    name = "good_reward"
    unit = "bits"
    direction = "higher"
    meaning = "Good's reward: bits for the probability of the predicted class; 0 is probability one half"
    bounds = (-np.inf, 1.0)
    proper = False

    def _by_class(
        self, forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        predicted, bets = _bets(forecast)
        return np.where(hits(predicted, forecast.shape[1]), bets[:, 1:], bets[:, :1])

    def _of_outcome(
        self, codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        predicted, bets = _bets(forecast)
        return np.where(predicted == codes, bets[:, 1], bets[:, 0])


good_reward = GoodReward()


def _bets(forecast: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the predicted class of each row, and what the bet on it pays if lost and if won."""
    from workbench.metrics._kernels.rewards import good_rewards

    predicted = predicted_class(forecast)
    return predicted, good_rewards(predicted, forecast)
