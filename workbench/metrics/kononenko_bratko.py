"""The information reward of Kononenko and Bratko, for the true class alone."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.base import log_unit
from workbench.metrics._shared.bets import hits, predicted_class
from workbench.metrics._shared.checks import check_choice
from workbench.metrics._shared.forecast_metric import ScoringRule

__all__ = ["KononenkoBratko", "kononenko_bratko", "kononenko_bratko_2002"]


class KononenkoBratko(ScoringRule):
    """Reward or punish the move that a forecast makes from the prior of the true class.

    Larger is better. Exactly zero for a forecast that repeats the prior; always finite, but how good or bad
    it can be depends on the prior.

    Parameters
    ----------
    rule : {"2004", "2002"}
        When the first of the two formulas holds; see Notes.
    base : {2.0, math.e}
        Of the logarithms: 2.0 gives bits, math.e nats.
    name : str
        What tables call it.

    Raises
    ------
    ValueError
        If `rule` or `base` is another.

    Notes
    -----
    With forecast q, prior pi and true class t, the reward is ``log2 q_t - log2 pi_t`` or
    ``log2(1 - pi_t) - log2(1 - q_t)``, where ``1 - q_t`` is the sum of the other entries. The first holds

    * under rule "2004", `kononenko_bratko`, where ``q_t >= pi_t``;
    * under rule "2002", `kononenko_bratko_2002`, where t is the predicted class (the first of the greatest
      entries). A wrong prediction with ``q_t > pi_t`` is then rewarded, which cannot be meant.

    Not proper: it has a kink at the prior, and a sure miss costs no more than ``log2(1 - pi_t)``. Called as
    every metric, see `ScoringRule.per_sample`, with ``prior=`` given (it raises otherwise);
    O(n_samples * n_classes).

    References
    ----------
    .. [1] Kononenko, I., and Bratko, I., "Information-based evaluation criterion for classifier's
       performance", Machine Learning 6, 1991.
    .. [2] Hope, L. R., and Korb, K. B., "A Bayesian metric for evaluating machine learning algorithms", 2004,
       equations (3a, 3b); the base is not stated there.
    .. [3] Hope, L. R., and Korb, K. B., "Bayesian information reward", 2002, equations (4a, 4b), whose table
       is in nats.

    Examples
    --------
    >>> from workbench.metrics.kononenko_bratko import kononenko_bratko, kononenko_bratko_2002
    >>> prior = [0.25, 0.5, 0.25]
    >>> kononenko_bratko([0, 1], [[0.5, 0.25, 0.25], [1.0, 0.0, 0.0]], prior=prior)  # log2 2, log2 .5
    0.0
    >>> kononenko_bratko([2], [[0.5, 0.0, 0.5]], prior=prior)
    1.0
    >>> kononenko_bratko_2002([2], [[0.5, 0.0, 0.5]], prior=prior).__round__(6)  # log2 (.75 / .5)
    0.584963
    """

    workbench_identity = "workbench.metrics.kononenko_bratko:KononenkoBratko"
    direction = "higher"
    meaning = (
        "Kononenko and Bratko's reward for moving from the prior toward the true class; 0 for a forecast "
        "that repeats the prior"
    )
    bounds = (-np.inf, np.inf)
    needs = frozenset({"prior"})
    proper = False

    def __init__(
        self, *, rule: Literal["2004", "2002"] = "2004", base: float = 2.0, name: str = "kononenko_bratko"
    ) -> None:
        check_choice(rule, ("2004", "2002"), name="rule")
        unit = log_unit(base)
        self.name = name
        self.unit = unit.name
        self.rule = rule
        self.base = base
        self._per_bit = unit.per_bit

    def _by_class(
        self, forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        from workbench.metrics._kernels.rewards import kononenko_bratko_rewards_by_class

        assert prior is not None  # `needs` says so, and the base class has checked it
        if self.rule == "2004":
            gains = forecast >= prior
        else:
            gains = hits(predicted_class(forecast), forecast.shape[1])
        return kononenko_bratko_rewards_by_class(forecast, prior, gains) * self._per_bit

    def _of_outcome(
        self, codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        from workbench.metrics._kernels.rewards import kononenko_bratko_rewards

        assert prior is not None
        if self.rule == "2004":
            gains = forecast[np.arange(codes.size), codes] >= prior[codes]
        else:
            gains = predicted_class(forecast) == codes
        return kononenko_bratko_rewards(codes, forecast, prior, gains) * self._per_bit


kononenko_bratko = KononenkoBratko()
kononenko_bratko_2002 = KononenkoBratko(rule="2002", name="kononenko_bratko_2002")
