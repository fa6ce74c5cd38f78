"""Metrics of predicted classes and of rankings of samples."""

from typing import Any

import numpy as np

from workbench.metrics._shared.base import SampleMetric
from workbench.metrics._shared.bets import Bets, counted_forecasts, macro_average
from workbench.metrics._shared.checks import Codes, Numbers, check_number
from workbench.metrics._shared.rows import PredictedRule

__all__ = ["Accuracy", "AreaUnderCurve", "ExpectedValue", "Lift"]


class Accuracy(PredictedRule):
    """Compute the share of samples whose most probable class is the true one.

    Larger is better. From 0 to 1. If several classes have the same greatest probability, the first class is
    predicted.

    Notes
    -----
    The score of a sample is 1 if ``argmax_i y_prob[i] == y_true``, otherwise 0. Scores are averaged. Not
    proper: all forecasts with the right most probable class have the same score.

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
    """Compute the mean value of predictions, with different values for right and for wrong predictions.

    Larger is better. From `penalty` to `reward`. If several classes have the same greatest probability, the
    first class is predicted.

    Parameters
    ----------
    reward : float
        Value of a right prediction.
    penalty : float
        Value of a wrong prediction, less than `reward`. A loss is a negative value.
    name : str
        Name in tables and study files.

    Notes
    -----
    The score is ``(reward * s + penalty * (n - s)) / n`` with s right predictions of n. The source does not
    state the two values. With 1 and 0, the default, the score is the accuracy. Not proper: all forecasts with
    the right most probable class have the same score.

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
    meaning = "the mean value per sample, with one value of right and another of wrong predictions"
    weakly_proper = True

    def __init__(self, *, reward: float = 1.0, penalty: float = 0.0, name: str = "expected_value") -> None:
        self.reward = check_number(reward, name="reward", meaning="the value of a right prediction")
        self.penalty = check_number(penalty, name="penalty", meaning="the value of a wrong prediction")
        if not self.penalty < self.reward:
            raise ValueError(f"reward is {reward} and penalty {penalty}: give a penalty less than the reward")
        self.name = name
        self.bounds = (self.penalty, self.reward)

    def _bets(self, predicted: Codes, forecast: Numbers, prior: Any) -> tuple[float, float]:
        return self.reward, self.penalty


class AreaUnderCurve(SampleMetric):
    """Compute the area under the ROC curve (AUC) of each class against the rest, averaged over classes.

    Larger is better. From 0 to 1, where 0.5 is chance. NaN if all samples have the same class.

    Notes
    -----
    The area of a class is the share of pairs (a sample of the class, a sample of another class) in which the
    first has the greater probability of the class. Ties count one half. The mean over classes is unweighted.
    It leaves out classes that all samples or no samples have. Pairs are counted in integers, so the order of
    samples does not matter. Two classes give two areas, one for each column of probabilities. These agree up
    to the rounding of ``1 - p``. Not proper: any increasing function of a column has the same score.

    References
    ----------
    .. [1] Hanley, J. A., and McNeil, B. J., "The meaning and use of the area under a receiver operating
       characteristic (ROC) curve", Radiology 143, 1982.
    .. [2] Provost, F., and Domingos, P., "Well-trained PETs: improving probability estimation trees", 2000
       (one class against the rest, weighted by class size, unlike here).

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
    meaning = "the share of pairs in which a sample of a class ranks above another sample; chance is 0.5"
    bounds = (0.0, 1.0)

    def _of_sample(self, codes: Codes, forecast: Numbers, prior: Any) -> float:
        return macro_average(_share_of_pairs, codes, forecast)


def _share_of_pairs(bets: Bets) -> float:
    """Return the share of pairs of a hit and a miss in which the hit has the greater probability."""
    distinct = counted_forecasts(bets)
    misses = distinct.n - distinct.hits
    not_above = np.cumsum(misses)
    won_twice = int((distinct.hits * (2 * not_above - misses)).sum())  # a tie is half a pair
    return won_twice / (2 * int(distinct.hits.sum()) * int(not_above[-1]))


class Lift(SampleMetric):
    """Compute the lift: the rate of a class in the highest-ranked samples over its rate in all samples.

    Larger is better. From 0 to 1 / share, where 1 is chance. NaN if all samples have the same class.

    Parameters
    ----------
    share : float, default=0.1
        Share of the samples to select, in descending order of the forecast, above 0 and at most 1. With 1 the
        lift is 1.
    name : str, default="lift"
        Name in tables and study files.

    Notes
    -----
    For each class, the ``share * n_samples`` samples with its greatest probabilities are selected. If only
    some of the samples with equal probability fit, the same fraction of each of these samples is selected. So
    the order of samples does not matter. The mean over classes is unweighted. It leaves out classes that all
    samples or no samples have. The lift of a class with more than that share of the samples cannot reach 1 /
    share.

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
    meaning = "the rate of a class in the highest-ranked samples over its rate in all; chance is 1"

    def __init__(self, *, share: float = 0.1, name: str = "lift") -> None:
        self.share = check_number(share, name="share", meaning="the share of the samples to select")
        if not 0.0 < self.share <= 1.0:
            raise ValueError(
                f"share is {share}: give the share of the samples to select, above 0 and at most 1"
            )
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
