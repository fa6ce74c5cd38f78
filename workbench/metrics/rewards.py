"""Rewards: the information that a forecast adds to the prior, or to even odds."""

from typing import Any, Literal

import numpy as np

from workbench.metrics._shared.base import ScoringRule, log_unit
from workbench.metrics._shared.checks import Codes, Numbers, Sets, check_choice
from workbench.metrics._shared.rows import (
    PredictedRule,
    of_each,
    own_entries,
    predicted_class,
    taken,
    with_others,
    without_each,
)

__all__ = ["BayesianReward", "GoodReward", "InformationReward", "KononenkoBratko", "ModalBayesianReward"]

#: A product below this may have lost digits: then the logarithms of its factors are added up.
LEAST_PRODUCT = 1e-280


class InformationReward(ScoringRule):
    """Reward a forecast for its information about the class beyond the prior.

    Larger is better. Exactly 0 for a forecast that repeats the prior. Unbounded below. The upper bound
    depends on the prior.

    Parameters
    ----------
    base : {2.0, math.e}
        Base of the logarithms: 2.0 gives bits, math.e nats.
    divide : bool
        Whether to divide the sum over classes by their number.
    name : str
        Name in tables and study files.

    Notes
    -----
    Each class is a binary bet against the rest. With forecast q, prior pi, true class t and k classes, the
    reward is::

        (1/k) [ log2(q_t / pi_t) + sum over i != t of log2((1 - q_i) / (1 - pi_i)) ]

    ``ir_b`` is this reward, and ``ir_b_sum`` omits the 1/k. ``1 - q_i`` is computed as the sum of the other
    entries, in the same order for forecast and prior. Therefore a class with probability 1 - 1e-20 that is
    not true costs its 66 bits and not infinity, and the prior scores exactly 0. The reward is minus infinity
    only if the true class has probability 0. This includes rows where another class has probability 1. With
    two classes the reward is ``log2(q_t / pi_t)``.

    References
    ----------
    .. [1] Hope, L. R., and Korb, K. B., "A Bayesian metric for evaluating machine learning algorithms", 2004,
       equation (10); the base is not stated there.

    Examples
    --------
    >>> from workbench.metrics import InformationReward, ir_b, ir_b_sum
    >>> prior = [0.25, 0.25, 0.5]
    >>> ir_b([0], [[0.5, 0.25, 0.25]], prior=prior).__round__(6)  # (log2 2 + log2 1 + log2 1.5) / 3
    0.528321
    >>> ir_b_sum([0], [[0.5, 0.25, 0.25]], prior=prior).__round__(6)
    1.584963
    >>> ir_b([0, 1, 2], [prior, prior, prior], prior=prior)
    0.0
    >>> InformationReward(base=np.e, name="ir_b_nats")
    <metric ir_b_nats (base=2.718281828459045): nats, higher is better>
    """

    workbench_identity = "workbench.metrics.ir_b:InformationReward"
    direction = "higher"
    bounds = (-np.inf, np.inf)
    needs = frozenset({"prior"})
    proper = True

    def __init__(self, *, base: float = 2.0, divide: bool = True, name: str = "ir_b") -> None:
        self.unit, self._per_bit = log_unit(base)
        self.base, self.divide, self.name = base, divide, name

    @property
    def meaning(self) -> str:  # type: ignore[override]
        """The meaning of the scores, in one line."""
        how = "mean" if self.divide else "sum"
        gained = f"Bayesian information reward: the {self.unit} gained over the prior, {how} of a bet on each"
        return f"{gained} class; 0 for a forecast that repeats the prior"

    def _by_class(self, forecast: Numbers, prior: Numbers) -> Numbers:
        products = _products(forecast, prior)
        return self._bits(of_each(products[:, :-1]), products[:, -1], forecast, prior)

    def _of_outcome(self, codes: Codes, forecast: Numbers, prior: Numbers) -> Numbers:
        products = _products(forecast, prior)
        return self._bits(taken(products, codes), products[:, -1].take(codes), forecast, prior, codes)

    def _bits(
        self, won: Numbers, usual: Numbers, forecast: Numbers, prior: Numbers, codes: Codes | None = None
    ) -> Numbers:
        """Take one logarithm for all bets together, or one each where digits were lost."""
        if won.min() >= LEAST_PRODUCT and usual.min() >= LEAST_PRODUCT:
            bits = np.log2(won / usual)
        else:
            kept = (won >= LEAST_PRODUCT) & (usual >= LEAST_PRODUCT)
            bits = np.log2(np.divide(won, usual, where=kept, out=np.ones_like(won)))
            rows, *classes = np.nonzero(~kept)
            bits[~kept] = _summed_bits(forecast[rows], prior, classes[0] if codes is None else codes[rows])
        bits *= self._per_bit / prior.size if self.divide else self._per_bit
        return bits


def _products(forecast: Numbers, prior: Numbers) -> Numbers:
    """Return the product of the bets for each class (rows) at each sample, with the prior's last."""
    table, others = with_others(forecast, prior)
    return np.multiply(table, without_each(np.multiply, others), out=table)


def _summed_bits(forecast: Numbers, prior: Numbers, codes: Codes) -> Numbers:
    """Return the bits of all bets as a sum of logarithms."""
    own = own_entries(forecast, codes)
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = np.log2(own) - np.log2(prior[codes])
        for t, others in enumerate(with_others(forecast, prior)[1]):
            bits += np.where(codes == t, 0.0, np.log2(others[:-1]) - np.log2(others[-1]))
    return np.where(own > 0.0, bits, -np.inf)  # then no other term is infinite


class BayesianReward(ScoringRule):
    """Reward a forecast by the share of the prior's log loss that it saves, averaged over classes.

    Larger is better. At most 1, for a certain forecast that is right. Exactly 0 for a forecast that repeats
    the prior. Unbounded below. The reward encourages over- or underconfidence unless the prior is uniform.
    `ir_b` corrects this.

    Notes
    -----
    With forecast q, prior pi, true class t and k classes, the reward is::

        (1/k) [ 1 - log q_t / log pi_t + sum over i != t of (1 - log(1 - q_i) / log(1 - pi_i)) ]

    The base of the logarithms cancels. ``1 - q_i`` is computed as the sum of the other entries. The reward is
    proper only for a uniform prior. With a uniform prior and two classes it is Good's reward. If a binary
    class has probability f, the expected reward is greatest at the forecast q with
    ``f (1-q) / (q (1-f)) = log pi / log(1-pi)``. The reward is minus infinity only if the true class has
    probability 0.

    References
    ----------
    .. [1] Hope, L. R., and Korb, K. B., "Bayesian information reward", 2002, Definition 3.
    .. [2] Hope, L. R., and Korb, K. B., "A Bayesian metric for evaluating machine learning algorithms", 2004,
       Definition 2 and Theorem 1.

    Examples
    --------
    >>> from workbench.metrics import bayesian_reward
    >>> bayesian_reward([0], [[0.5, 0.5]], prior=[0.25, 0.75])  # log2 .5 / log2 .25 = 1/2, twice
    0.5
    >>> bayesian_reward([0, 1], [[0.9, 0.1], [0.9, 0.1]], prior=[0.9, 0.1])
    0.0
    """

    workbench_identity = "workbench.metrics.bayesian_reward:BayesianReward"
    name = "bayesian_reward"
    unit = "share of the prior's bits"
    direction = "higher"
    meaning = "the share of the prior's bits a forecast saves; 0 for the prior itself, 1 if certain and right"
    bounds = (-np.inf, 1.0)
    needs = frozenset({"prior"})

    def _by_class(self, forecast: Numbers, prior: Numbers) -> Numbers:
        table, others = with_others(forecast, prior)
        own, against = _saved(_log(table, others)), _saved(_log(others, table))
        return of_each((own + without_each(np.add, against)) / prior.size)

    def _of_outcome(self, codes: Codes, forecast: Numbers, prior: Numbers) -> Numbers:
        table, others = with_others(forecast, prior)
        usual = _log(prior, others[:, -1])[codes]
        own = (usual - _log(taken(table, codes), taken(others, codes))) / usual
        against = _saved(_log(others, table))
        return (own + taken(without_each(np.add, against), codes)) / prior.size


def _log(part: Numbers, rest: Numbers) -> Numbers:
    """Return log(part), where part + rest = 1, with all digits also where `part` is almost 1."""
    near = rest < part
    with np.errstate(divide="ignore"):
        logs = np.log(part, where=~near, out=np.empty_like(part))
        return np.log1p(-rest, where=near, out=logs)


def _saved(logs: Numbers) -> Numbers:
    """Return 1 - log / prior's log, as one fraction. The prior's are the last entries."""
    return (logs[:, -1:] - logs[:, :-1]) / logs[:, -1:]


class ModalBayesianReward(PredictedRule):
    """Reward the probability of the predicted class by the share of the prior's log loss that it saves.

    Larger is better. At most 1, for a certain prediction that is right. Exactly 0 for a forecast that repeats
    the prior. Unbounded below.

    Notes
    -----
    This is the first form of 2002. Let q be the forecast, pi the prior, and m the predicted class, which is
    the first of the greatest entries of q. The reward is ``1 - log q_m / log pi_m`` if m is the true class,
    otherwise ``1 - log(1 - q_m) / log(1 - pi_m)``, where ``1 - q_m`` is the sum of the other entries. The
    base of the logarithms cancels. Not proper: the reward ignores the other probabilities, so there is no
    penalty if another class is true that has probability 0.

    References
    ----------
    .. [1] Hope, L. R., and Korb, K. B., "Bayesian information reward", 2002, Definition 2, equations
       (2a, 2b).

    Examples
    --------
    >>> from workbench.metrics import modal_bayesian_reward
    >>> modal_bayesian_reward([0], [[0.5, 0.25, 0.25]], prior=[0.25, 0.25, 0.5])  # log2 .5 / log2 .25 = 1/2
    0.5
    >>> modal_bayesian_reward([1], [[0.5, 0.0, 0.5]], prior=[0.75, 0.125, 0.125])
    0.5
    """

    workbench_identity = "workbench.metrics.modal_bayesian_reward:ModalBayesianReward"
    name = "modal_bayesian_reward"
    unit = "share of the prior's bits"
    direction = "higher"
    meaning = "the share of the prior's bits that the predicted class saves; 0 for the prior itself"
    bounds = (-np.inf, 1.0)
    needs = frozenset({"prior"})

    def _bets(self, predicted: Codes, forecast: Numbers, prior: Numbers) -> tuple[Numbers, Numbers]:
        table, others = with_others(forecast, prior)
        own, rest = taken(table, predicted), taken(others, predicted)
        if_won, if_lost = _log(prior, others[:, -1])[predicted], _log(others[:, -1], prior)[predicted]
        return (if_won - _log(own, rest)) / if_won, (if_lost - _log(rest, own)) / if_lost


class KononenkoBratko(ScoringRule):
    """Reward a forecast for the change from prior to forecast probability of the true class.

    Larger is better. Exactly 0 for a forecast that repeats the prior. Always finite, with bounds that depend
    on the prior.

    Parameters
    ----------
    rule : {"2004", "2002"}
        The rule that determines which of two formulas applies. See Notes.
    base : {2.0, math.e}
        Base of the logarithms: 2.0 gives bits, math.e nats.
    name : str
        Name in tables and study files.

    Notes
    -----
    With forecast q, prior pi and true class t, the reward is either ``log2 q_t - log2 pi_t`` or
    ``log2(1 - pi_t) - log2(1 - q_t)``, where ``1 - q_t`` is the sum of the other entries. The first formula
    applies

    * under rule "2004", `kononenko_bratko`, if ``q_t >= pi_t``,
    * under rule "2002", `kononenko_bratko_2002`, if t is the predicted class (the first of the greatest
      entries). For a wrong prediction with ``q_t > pi_t`` the second formula is then positive, which cannot
      be intended.

    Not proper: the reward has a kink at the prior, and a certain forecast that is wrong costs only
    ``log2(1 - pi_t)``.

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
    >>> from workbench.metrics import kononenko_bratko, kononenko_bratko_2002
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
    meaning = "Kononenko and Bratko's reward for moving from prior to true class; 0 for the prior"
    bounds = (-np.inf, np.inf)
    needs = frozenset({"prior"})

    def __init__(
        self, *, rule: Literal["2004", "2002"] = "2004", base: float = 2.0, name: str = "kononenko_bratko"
    ) -> None:
        check_choice(rule, ("2004", "2002"), name="rule")
        self.unit, self._per_bit = log_unit(base)
        self.rule, self.base, self.name = rule, base, name

    def _by_class(self, forecast: Numbers, prior: Numbers) -> Numbers:
        _, others = with_others(forecast, prior)
        predicted = predicted_class(forecast)[:, None] == np.arange(prior.size)
        gains = forecast >= prior if self.rule == "2004" else predicted
        return self._reward(gains, forecast, of_each(others[:, :-1]), prior, others[:, -1])

    def _of_outcome(self, codes: Codes, forecast: Numbers, prior: Numbers) -> Numbers:
        table, others = with_others(forecast, prior)
        own, usual = taken(table, codes), prior[codes]
        gains = own >= usual if self.rule == "2004" else predicted_class(forecast) == codes
        return self._reward(gains, own, taken(others, codes), usual, others[codes, -1])

    def _reward(
        self, gains: Sets, own: Numbers, others: Numbers, prior_own: Numbers, prior_others: Numbers
    ) -> Numbers:
        """Use the first of the two formulas where `gains` is true: a difference, as a ratio may overflow."""
        bits = np.log2(np.where(gains, own, prior_others)) - np.log2(np.where(gains, prior_own, others))
        return bits * self._per_bit


class GoodReward(PredictedRule):
    """Reward the probability of the predicted class, in bits, relative to even odds.

    Larger is better. At most 1, for a certain prediction that is right. Unbounded below. Zero for a
    probability of one half, regardless of the number of classes and their prior.

    Notes
    -----
    Let m be the predicted class, which is the first of the greatest entries of the forecast q. The reward is
    ``1 + log2 q_m`` if m is the true class, otherwise ``1 + log2(1 - q_m)``, where ``1 - q_m`` is the sum of
    the other entries. With two classes this equals ``1 + log2 q_t`` for the true class t. With more classes,
    all other classes are treated as one class, so a right prediction with a probability below one half has a
    negative reward. Only the probability of the predicted class is used, so the reward is proper only with
    two classes.

    References
    ----------
    .. [1] Good, I. J., "Rational decisions", Journal of the Royal Statistical Society B 14, 1952.
    .. [2] Korb, K. B., Hope, L. R., and Hughes, M. J., "The evaluation of predictive learners: some
       theoretical and empirical results", 2001, section 3 and its footnote 3 (read with the predicted class
       for "the actual class", without which wrong predictions would have no contrast class).

    Examples
    --------
    >>> from workbench.metrics import good_reward
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

    def _bets(self, predicted: Codes, forecast: Numbers, prior: Any) -> tuple[Numbers, Numbers]:
        columns = np.ascontiguousarray(forecast.T)
        # minimum: the tolerance of the row sums lets a probability exceed 1 by a rounding
        won = np.minimum(taken(columns, predicted), 1.0)
        with np.errstate(divide="ignore"):
            return 1.0 + np.log2(won), 1.0 + np.log2(taken(without_each(np.add, columns), predicted))
