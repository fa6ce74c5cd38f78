"""Metrics of predicted classes, and of ranks: the order in which samples are held to be of a class."""

from typing import Any

import numpy as np

from workbench.metrics._shared.base import SampleMetric
from workbench.metrics._shared.bets import Bets, counted_forecasts, macro_average
from workbench.metrics._shared.checks import Codes, Numbers, check_number
from workbench.metrics._shared.rows import PredictedRule

__all__ = ["Accuracy", "AreaUnderCurve", "ExpectedValue", "Lift"]


class Accuracy(PredictedRule):
    """Count the samples whose most probable class is the true one.

    Larger is better; from 0 to 1. Of classes with the same greatest probability the first is the prediction.

    Notes
    -----
    ``1 if argmax_i y_prob[i] == y_true else 0``, averaged. Not proper: every forecast with the right mode
    scores the same.

    References
    ----------
    .. [1] Hope, L. R., and Korb, K. B., "Bayesian information reward", 2002, section 6.

    Examples
    --------
    >>> from workbench.metrics import accuracy
    >>> accuracy([0, 1, 1, 0], [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.5, 0.5]])
    0.75
    """

    workbench_identity = "workbench.metrics.accuracy:Accuracy"
    name = "accuracy"
    unit = "share of samples"
    direction = "higher"
    meaning = "the share of samples whose most probable class is the true one"
    bounds = (0.0, 1.0)
    weakly_proper = True

    def _bets(self, predicted: Codes, forecast: Numbers, prior: Any) -> tuple[float, float]:
        return 1.0, 0.0


class ExpectedValue(PredictedRule):
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

    Notes
    -----
    ``(reward * s + penalty * (n - s)) / n`` with s right predictions of n. The source names no values; with 1
    and 0, the default, it is accuracy. Not proper: every forecast with the right mode scores the same.

    References
    ----------
    .. [1] Korb, K. B., Hope, L. R., and Hughes, M. J., "The evaluation of predictive learners: some
       theoretical and empirical results", 2001, equation (2).

    Examples
    --------
    >>> from workbench.metrics import ExpectedValue, expected_value
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
    weakly_proper = True

    def __init__(self, *, reward: float = 1.0, penalty: float = 0.0, name: str = "expected_value") -> None:
        self.reward = check_number(reward, name="reward", meaning="what a right prediction is worth")
        self.penalty = check_number(penalty, name="penalty", meaning="what a wrong one is worth")
        if not self.penalty < self.reward:
            raise ValueError(f"reward is {reward} and penalty {penalty}: give a penalty less than the reward")
        self.name = name
        self.bounds = (self.penalty, self.reward)

    def _bets(self, predicted: Codes, forecast: Numbers, prior: Any) -> tuple[float, float]:
        return self.reward, self.penalty


class AreaUnderCurve(SampleMetric):
    """Compare all pairs of a sample of a class with a sample of the rest, class by class.

    Larger is better; from 0 to 1, where 0.5 is chance. NaN where all samples are of one class.

    Notes
    -----
    The area under the ROC curve. For each class, the share of pairs (one sample of it, one of another class)
    in which the first was given the greater probability of it, equal ones counting one half; then the plain
    mean over the classes that some samples have and others not. Pairs are counted in integers, so the order
    of samples cannot matter. Two classes are two such comparisons, of each column, which agree but for the
    rounding of ``1 - p``. Not proper: any increasing function of a column keeps it.

    References
    ----------
    .. [1] Hanley, J. A., and McNeil, B. J., "The meaning and use of the area under a receiver operating
       characteristic (ROC) curve", Radiology 143, 1982.
    .. [2] Provost, F., and Domingos, P., "Well-trained PETs: improving probability estimation trees", 2000
       (one class against the rest; they weight by class size, which this does not).

    Examples
    --------
    >>> from workbench.metrics import auc
    >>> auc([0, 0, 1, 1], [[0.9, 0.1], [0.6, 0.4], [0.65, 0.35], [0.2, 0.8]])
    0.75
    >>> auc([1, 1], [[0.9, 0.1], [0.6, 0.4]])
    nan
    """

    workbench_identity = "workbench.metrics.auc:AreaUnderCurve"
    name = "auc"
    unit = "share of pairs"
    direction = "higher"
    meaning = "how often samples of a class are given more probability of it than others; chance is 0.5"
    bounds = (0.0, 1.0)

    def _of_sample(self, codes: Codes, forecast: Numbers, prior: Any) -> float:
        return macro_average(_share_of_pairs, codes, forecast)


def _share_of_pairs(bets: Bets) -> float:
    """Return the share of pairs of a hit and a miss in which the hit had the greater probability."""
    distinct = counted_forecasts(bets)
    misses = distinct.n - distinct.hits
    not_above = np.cumsum(misses)
    won_twice = int((distinct.hits * (2 * not_above - misses)).sum())  # a tie is half a pair
    return won_twice / (2 * int(distinct.hits.sum()) * int(not_above[-1]))


class Lift(SampleMetric):
    """Divide the rate of a class among the samples given most of it by its rate among all samples.

    Larger is better; from 0 to 1 / share, where 1 is chance. NaN where all samples are of one class.

    Parameters
    ----------
    share : float, default=0.1
        Which share of the samples to take from the top, above 0 and at most 1; at 1 the lift is 1.
    name : str, default="lift"
        What tables and study files call it.

    Notes
    -----
    For each class, the ``share * n_samples`` samples with the greatest probability of it are taken. Where
    that number cuts through samples of equal probability, the same part of each of these is taken, so the
    order of samples cannot matter. Then the plain mean over the classes that some samples have and others
    not. A class that more than that share of the samples have cannot reach 1 / share.

    References
    ----------
    .. [1] Piatetsky-Shapiro, G., and Masand, B., "Estimating campaign benefits and modeling lift", KDD 1999.
    .. [2] Witten, I. H., and Frank, E., "Data Mining", section 5.7.

    Examples
    --------
    >>> from workbench.metrics import Lift, lift
    >>> y, p = [1, 0, 0, 0, 1], [0.9, 0.4, 0.3, 0.2, 0.1]
    >>> rows = [[1 - top, top] for top in p]
    >>> Lift(share=0.2)(y, rows)  # the mean of 0 / 0.6, for class 0, and of 1 / 0.4
    1.25
    >>> lift(y, [[0.5, 0.5]] * 5)
    1.0
    """

    workbench_identity = "workbench.metrics.lift:Lift"
    unit = "times the rate of the class"
    direction = "higher"
    meaning = "how many times more frequent a class is among the samples surest of it than in all"

    def __init__(self, *, share: float = 0.1, name: str = "lift") -> None:
        self.share = check_number(share, name="share", meaning="the part of the samples to take")
        if not 0.0 < self.share <= 1.0:
            raise ValueError(f"share is {share}: give the part of the samples to take, above 0 and at most 1")
        self.name = name
        self.bounds = (0.0, 1.0 / self.share)

    def _of_sample(self, codes: Codes, forecast: Numbers, prior: Any) -> float:
        return macro_average(self._of_class, codes, forecast)

    def _of_class(self, bets: Bets) -> float:
        """Return the rate of hits among the bets of greatest probability, over that of all bets."""
        distinct = counted_forecasts(bets)
        n_bets = bets.happened.size
        wanted = self.share * n_bets
        surer = n_bets - np.cumsum(distinct.n)  # bets of greater probability
        reached = surer < wanted
        n, hits = distinct.n[reached], distinct.hits[reached]
        taken = np.minimum(wanted - surer[reached], n)
        return float((taken / n) @ hits) / wanted * n_bets / int(distinct.hits.sum())
