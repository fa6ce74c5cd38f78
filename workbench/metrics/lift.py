"""Lift: how much more of a class is found among the samples that seem surest of it."""

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.bets import Bets, counted_forecasts, macro_average
from workbench.metrics._shared.checks import check_number
from workbench.metrics._shared.forecast_metric import SampleMetric

__all__ = ["Lift", "lift"]


class Lift(SampleMetric):
    """Divide the rate of a class among the samples given most of it by its rate among all samples.

    Larger is better; from 0 to 1 / share, where 1 is chance. NaN where all samples are of one class.

    Parameters
    ----------
    share : float, default=0.1
        Which share of the samples to take from the top, above 0 and at most 1; at 1 the lift is 1.
    name : str, default="lift"
        What tables and study files call it.

    Raises
    ------
    ValueError
        If `share` is out of its range.

    Notes
    -----
    For each class, the ``share * n_samples`` samples with the greatest probability of it are taken. Where
    that number cuts through samples of equal probability, the same part of each of these is taken, so the
    order of samples cannot matter. Then the plain mean over the classes that some samples have and others
    not. A class that more than that share of the samples have cannot reach 1 / share. Called as every
    metric, see `SampleMetric.__call__`; sorts each column. 1,000,000 x 10: 0.25 s.

    References
    ----------
    .. [1] Piatetsky-Shapiro, G., and Masand, B., "Estimating campaign benefits and modeling lift", KDD 1999.
    .. [2] Witten, I. H., and Frank, E., "Data Mining", section 5.7.

    Examples
    --------
    >>> from workbench.metrics.lift import Lift, lift
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
    meaning = (
        "how many times more frequent a class is among the samples given the highest probabilities of it "
        "than among all; chance is 1"
    )

    def __init__(self, *, share: float = 0.1, name: str = "lift") -> None:
        self.share = check_number(share, name="share", meaning="the part of the samples to take")
        if not 0.0 < self.share <= 1.0:
            raise ValueError(f"share is {share}: give the part of the samples to take, above 0 and at most 1")
        self.name = name
        self.bounds = (0.0, 1.0 / self.share)

    def _of_sample(
        self, codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> float:
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


lift = Lift()
