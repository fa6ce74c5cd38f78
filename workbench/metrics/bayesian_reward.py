"""Bayesian information reward as of 2002: all classes, each against the bits that the prior had to lose."""

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.forecast_metric import ScoringRule

__all__ = ["bayesian_reward"]


class BayesianReward(ScoringRule):
    """Reward a forecast by the share that it saves of what the prior would have paid, class by class.

    Larger is better; 1 at most, for a certain forecast that comes true. Exactly zero for a forecast that
    repeats the prior; unbounded below. It invites over- or underconfidence wherever the prior is not even:
    `ir_b` is the corrected form.

    Notes
    -----
    With forecast q, prior pi, true class t and k classes::

        (1/k) [ 1 - log q_t / log pi_t + sum over i != t of (1 - log(1 - q_i) / log(1 - pi_i)) ]

    The base of the logarithms cancels. ``1 - q_i`` is the sum of the other entries. Proper under an even
    prior (with two classes it then is Good's reward), and under no other: ``f (1-q) / (q (1-f)) = log pi /
    log(1-pi)`` is where the expected reward of a binary chance f is greatest. Minus infinity only where the
    true class had probability 0. Called as every metric, see `ScoringRule.per_sample`, with ``prior=`` given
    (it raises otherwise); O(n_samples * n_classes).

    References
    ----------
    .. [1] Hope, L. R., and Korb, K. B., "Bayesian information reward", 2002, Definition 3.
    .. [2] Hope, L. R., and Korb, K. B., "A Bayesian metric for evaluating machine learning algorithms", 2004,
       Definition 2 and Theorem 1.

    Examples
    --------
    >>> from workbench.metrics.bayesian_reward import bayesian_reward
    >>> bayesian_reward([0], [[0.5, 0.5]], prior=[0.25, 0.75])  # log2 .5 / log2 .25 = 1/2, twice
    0.5
    >>> bayesian_reward([0, 1], [[0.9, 0.1], [0.9, 0.1]], prior=[0.9, 0.1])
    0.0
    """

    workbench_identity = "workbench.metrics.bayesian_reward:BayesianReward"
    name = "bayesian_reward"
    unit = "share of the prior's bits"
    direction = "higher"
    meaning = (
        "the share of the prior's bits that a forecast saves; 0 for a forecast that repeats the prior, 1 for "
        "one that is certain and right"
    )
    bounds = (-np.inf, 1.0)
    needs = frozenset({"prior"})
    proper = False

    def _by_class(
        self, forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        from workbench.metrics._kernels.rewards import bayesian_rewards_by_class

        return bayesian_rewards_by_class(forecast, prior)

    def _of_outcome(
        self, codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        from workbench.metrics._kernels.rewards import bayesian_rewards

        return bayesian_rewards(codes, forecast, prior)


bayesian_reward = BayesianReward()
