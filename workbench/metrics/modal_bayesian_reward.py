"""Bayesian information reward of the predicted class alone, the first form of 2002."""

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.bets import hits, predicted_class
from workbench.metrics._shared.forecast_metric import ScoringRule

__all__ = ["modal_bayesian_reward"]


class ModalBayesianReward(ScoringRule):
    """Reward the probability of the predicted class by the share that it saves of what the prior would pay.

    Larger is better; 1 at most, for a certain prediction that comes true. Exactly zero for a forecast that
    repeats the prior; unbounded below.

    Notes
    -----
    With forecast q, prior pi and predicted class m, the first of the greatest entries of q:
    ``1 - log q_m / log pi_m`` if m happens, else ``1 - log(1 - q_m) / log(1 - pi_m)``, where ``1 - q_m`` is
    the sum of the other entries. The base cancels. Not proper: the other probabilities go unread, so a class
    with probability 0 may happen unpunished. Called as every metric, see `ScoringRule.per_sample`, with
    ``prior=`` given (it raises otherwise); O(n_samples * n_classes).

    References
    ----------
    .. [1] Hope, L. R., and Korb, K. B., "Bayesian information reward", 2002, Definition 2, equations
       (2a, 2b).

    Examples
    --------
    >>> from workbench.metrics.modal_bayesian_reward import modal_bayesian_reward
    >>> modal_bayesian_reward([0], [[0.5, 0.25, 0.25]], prior=[0.25, 0.25, 0.5])  # log2 .5 / log2 .25 = 1/2
    0.5
    >>> modal_bayesian_reward([1], [[0.5, 0.0, 0.5]], prior=[0.75, 0.125, 0.125])
    0.5
    """

    workbench_identity = "workbench.metrics.modal_bayesian_reward:ModalBayesianReward"
    name = "modal_bayesian_reward"
    unit = "share of the prior's bits"
    direction = "higher"
    meaning = (
        "the share of the prior's bits saved by the predicted class's probability; 0 for a forecast that "
        "repeats the prior"
    )
    bounds = (-np.inf, 1.0)
    needs = frozenset({"prior"})
    proper = False

    def _by_class(
        self, forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        predicted, bets = _bets(forecast, prior)
        return np.where(hits(predicted, forecast.shape[1]), bets[:, 1:], bets[:, :1])

    def _of_outcome(
        self, codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        predicted, bets = _bets(forecast, prior)
        return np.where(predicted == codes, bets[:, 1], bets[:, 0])


modal_bayesian_reward = ModalBayesianReward()


def _bets(
    forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the predicted class of each row, and what the bet on it pays if lost and if won."""
    from workbench.metrics._kernels.rewards import modal_bayesian_rewards

    predicted = predicted_class(forecast)
    return predicted, modal_bayesian_rewards(predicted, forecast, prior)
