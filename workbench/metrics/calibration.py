"""Metrics of calibration and sharpness."""

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.base import SampleMetric, ScoringRule
from workbench.metrics._shared.bets import (
    Bets,
    CountedForecasts,
    ProbabilityCells,
    bets_on_each_class,
    bets_on_predicted,
    closing_ranks,
    counted_forecasts,
    quantile_cells,
    uniform_cells,
)
from workbench.metrics._shared.checks import Codes, Numbers, check_choice, check_integer
from workbench.metrics._shared.rows import of_each

__all__ = ["CalibrationError", "ConfidenceGap", "ForecastEntropy", "Miscalibration"]

ERRORS = {"each class": "expected_calibration_error", "predicted": "confidence_calibration_error"}
BINNINGS: dict[str, Callable[[Bets, int], ProbabilityCells]] = {
    "uniform": uniform_cells,
    "quantile": quantile_cells,
}
TIES = ("averaged", "random", "together", "outcome", "given")
SIDES = {"both": "miscalibration", "over": "overconfidence", "under": "underconfidence"}


class CalibrationError(SampleMetric):
    """Compute the expected calibration error: binned distances of probabilities from frequencies.

    Smaller is better. From 0 to 1. The score depends on the bins and is biased: see Notes.

    Parameters
    ----------
    of : {"each class", "predicted"}
        Which probabilities to use. "each class" uses the probabilities of each class against the rest, with
        an average over all classes (`expected_calibration_error`). "predicted" uses only the probability of
        the predicted class (`confidence_calibration_error`).
    n_bins : int, default=15
        Number of bins. With ``strategy="quantile"`` there are fewer bins if equal probabilities fill several
        bins.
    strategy : {"uniform", "quantile"}
        "uniform" makes bins of equal width between 0 and 1, "quantile" makes bins with about equal numbers of
        samples. Bins include their upper edge.
    name : str, optional
        Name in tables and study files. By default the name of the variant given above.

    Notes
    -----
    Let n_b of N samples be in bin b, p_b the mean of their probabilities, and f_b the share of them whose
    true class is the one in question. The error is ``sum over b of (n_b / N) |f_b - p_b|``. With k classes,
    the average over classes is at most 2 / k. Not proper: a constant forecast of the class frequencies scores
    0.

    The error has two biases, which do not cancel. First, a calibrated forecast scores above 0 by chance, by
    about ``sqrt(2 / pi) * sum over b of sqrt(n_b f_b (1 - f_b)) / N``. More bins or fewer samples increase
    the score. Second, errors of opposite sign in one bin cancel. Fewer bins decrease the score. So compare
    scores only for equal numbers of samples and bins. `workbench.metrics.decomposition` measures
    miscalibration without bins.

    References
    ----------
    .. [1] Guo, C., et al., "On calibration of modern neural networks", ICML 2017, equation (3) (predicted).
    .. [2] Kull, M., et al., "Beyond temperature scaling: obtaining well-calibrated multi-class probabilities
       with Dirichlet calibration", NeurIPS 2019 (each class).
    .. [3] Nixon, J., et al., "Measuring calibration in deep learning", 2019 (biases; bins of equal number).

    Examples
    --------
    >>> from workbench.metrics import confidence_calibration_error, expected_calibration_error
    >>> y, rows = [0, 1, 1, 0], [[0.75, 0.25], [0.75, 0.25], [0.25, 0.75], [1.0, 0.0]]
    >>> confidence_calibration_error(y, rows).__round__(6)  # (3/4) |2/3 - 0.75| + (1/4) 0
    0.0625
    >>> expected_calibration_error(y, rows)  # either class: (1/4) |0 - 0.25| + (2/4) |1/2 - 0.75| + (1/4) 0
    0.1875
    """

    workbench_identity = "workbench.metrics.calibration_error:CalibrationError"
    unit = "difference of probability"
    direction = "lower"
    meaning = "the distance of probabilities from observed frequencies, in bins; 0 is calibrated"
    bounds = (0.0, 1.0)

    def __init__(
        self,
        *,
        of: Literal["each class", "predicted"] = "each class",
        n_bins: int = 15,
        strategy: Literal["uniform", "quantile"] = "uniform",
        name: str | None = None,
    ) -> None:
        check_choice(of, ERRORS, name="of")
        check_integer(n_bins, least=1, name="n_bins", meaning="the number of bins")
        check_choice(strategy, BINNINGS, name="strategy")
        self.of, self.n_bins, self.strategy = of, n_bins, strategy
        self.name = name or ERRORS[of]

    def _of_sample(self, codes: Codes, forecast: Numbers, prior: Any) -> float:
        if self.of == "predicted":
            return self._of_bets(bets_on_predicted(codes, forecast))
        return float(np.mean([self._of_bets(bets) for bets in bets_on_each_class(codes, forecast)]))

    def _of_bets(self, bets: Bets) -> float:
        cells = BINNINGS[self.strategy](bets, self.n_bins)
        return float(np.abs(cells.hits - cells.mass).sum()) / bets.happened.size


class Miscalibration(SampleMetric):
    """Compute the calibration error of predicted classes, in cells of about ten samples.

    Smaller is better. From 0, without upper bound. The score is a sum over cells (groups of samples with
    similar probability) and is above 0 by chance. Compare scores only for equal numbers of samples. NaN for a
    single sample.

    Parameters
    ----------
    cell : int, default=10
        Least number of samples in a cell.
    ties : {"averaged", "random", "together", "outcome", "given"}
        Treatment of samples with equal probability (ties). See Notes.
    side : {"both", "over", "under"}
        Which terms to add: all terms ("both"), terms of samples whose probability is above the frequency of
        their cell ("over"), or terms of samples whose probability is below it ("under").
    random_state : int, default=0
        Seed of ``ties="random"``. The other options draw no random numbers.
    name : str, optional
        Name in tables and study files. By default the name of the variant for this side.

    Notes
    -----
    Samples are sorted by the probability of their predicted class. Cells are formed from the lowest
    probability on. A cell is complete when it has `cell` samples, and remaining samples join the last cell.
    Let n_i be the number of samples in cell i, f_i the share of them whose predicted class is true, and p_ij
    their probabilities. The score is::

        sqrt( sum over i, sum over j in cell i of (f_i - p_ij)^2 / (n_i - 1) )

    For a calibrated forecast of N samples, the score is about sqrt(N * mean(p (1 - p)) / (cell * (cell -
    1))). ``miscalibration**2 == overconfidence**2 + underconfidence**2``, since each term belongs to one
    side.

    The paper does not define the treatment of equal probabilities. If a learner has few different forecasts,
    the treatment determines the score:

    - "averaged", the default: the root of the mean square over all orders of tied samples. It is computed
      exactly (the number of correct predictions of a tie in a cell is hypergeometric). Nothing is drawn at
      random, and the order of samples does not matter. All learners have the same number of cells, and so the
      same contribution of chance.
    - "random": one random order of tied samples. Samples are sorted first, so their given order does not
      matter. The scores of a decision stump on 1066 samples have a standard deviation of 0.1 about a mean of
      1.6.
    - "together": a cell includes all samples of a tie. The order of samples does not matter. But a learner
      with two different forecasts has at most two cells, and a score near 0 that cannot be compared with
      scores of other learners.
    - "outcome": the wrong predictions of each tie come before its right ones, so cells are nearly pure. This
      gives about the greatest score.
    - "given": tied samples keep their given order, which then matters. The published values of decision
      stumps, 4.925 for CH, require nearly pure cells, as from files sorted by class.

    References
    ----------
    .. [1] Korb, K. B., Hope, L. R., and Hughes, M. J., "The evaluation of predictive learners: some
       theoretical and empirical results", 2001, equation (3), footnotes 5 and 6.

    Examples
    --------
    >>> from workbench.metrics import Miscalibration, miscalibration, overconfidence, underconfidence
    >>> y, rows = [0, 1, 1, 1, 1], [[0.3, 0.7]] * 5
    >>> miscalibration(y, rows).__round__(6)  # one cell: sqrt(5 * (4/5 - 0.7)^2 / 4)
    0.111803
    >>> overconfidence(y, rows), underconfidence(y, rows).__round__(6)
    (0.0, 0.111803)
    >>> Miscalibration(cell=2, ties="outcome")(y, rows).__round__(6)  # sqrt(2 * 0.2^2 / 1 + 3 * 0.3^2 / 2)
    0.463681
    """

    workbench_identity = "workbench.metrics.miscalibration:Miscalibration"
    unit = "root of summed squares"
    direction = "lower"
    meaning = "the distance of the predicted class's probability from its frequency; 0 is calibrated"
    bounds = (0.0, np.inf)

    def __init__(
        self,
        *,
        cell: int = 10,
        ties: Literal["averaged", "random", "together", "outcome", "given"] = "averaged",
        side: Literal["both", "over", "under"] = "both",
        random_state: int = 0,
        name: str | None = None,
    ) -> None:
        check_integer(cell, least=2, name="cell", meaning="the number of samples in a cell")
        check_integer(random_state, least=0, name="random_state", meaning="a seed")
        check_choice(ties, TIES, name="ties")
        check_choice(side, SIDES, name="side")
        self.cell, self.ties, self.side, self.random_state = cell, ties, side, random_state
        self.name = name or SIDES[side]
        self.order_matters = ties == "given"

    def _of_sample(self, codes: Codes, forecast: Numbers, prior: Any) -> float:
        from workbench.metrics._kernels.cells import signed_squares  # numba, only when it is needed

        n = codes.size
        if n < 2:
            return math.nan
        ranked = self._ranked(bets_on_predicted(codes, forecast))
        if self.ties == "together":
            ends = closing_ranks(ranked.n, self.cell)
        else:
            ends = np.append(np.arange(self.cell, n - self.cell + 1, self.cell), n)
        over, under = signed_squares(ranked.values, ranked.n, ranked.hits, ends)
        return math.sqrt({"both": over + under, "over": over, "under": under}[self.side])

    def _ranked(self, bets: Bets) -> CountedForecasts:
        """Return probabilities in ascending order, ties in the order of the rule."""
        if self.ties == "given":
            order = np.argsort(bets.probability, kind="stable")
            return _singly(bets.probability[order], bets.happened[order].astype(np.int64))
        distinct = counted_forecasts(bets)
        if self.ties == "outcome":
            return _misses_first(distinct)
        if self.ties == "random":
            single = _misses_first(distinct)
            values = np.repeat(single.values, single.n)
            hits = np.repeat(np.minimum(single.hits, 1), single.n)
            shuffled = np.lexsort((np.random.default_rng(self.random_state).random(values.size), values))
            return _singly(values, hits[shuffled])
        return distinct


def _singly(values: Numbers, hits: NDArray[np.int64]) -> CountedForecasts:
    return CountedForecasts(values, np.ones(values.size, np.int64), hits)


def _misses_first(distinct: CountedForecasts) -> CountedForecasts:
    """Split each value into its misses and its hits."""
    n = np.column_stack((distinct.n - distinct.hits, distinct.hits)).ravel()
    hits = np.column_stack((np.zeros_like(distinct.hits), distinct.hits)).ravel()
    some = n > 0
    return CountedForecasts(np.repeat(distinct.values, 2)[some], n[some], hits[some])


class ConfidenceGap(ScoringRule):
    """Compute the mean confidence minus the accuracy.

    The confidence is the probability of the predicted class. Above 0 forecasts are overconfident, below 0
    they are underconfident, and 0 is best. From -1 to 1. Compare the distance from 0: "smaller is better" is
    declared only because tables need a direction. Gaps of opposite sign cancel, so a gap of 0 does not imply
    calibration. `overconfidence` and `underconfidence` measure both sides separately.

    Notes
    -----
    Let m be the most probable class of forecast q. The gap of a sample is ``q_m - 1`` if m is the true class,
    otherwise ``q_m``. If t classes have the same greatest probability, each counts as predicted with weight 1
    / t. The score is a mean over samples, so its expected value on a truth is computed exactly and is not
    raised by chance. Scores with bins and cells need many samples for this. Not proper: every forecast with
    the right mean confidence has a gap of 0.

    References
    ----------
    .. [1] Lichtenstein, S., Fischhoff, B., and Phillips, L. D., "Calibration of probabilities: the state of
       the art to 1980", in Judgment under Uncertainty: Heuristics and Biases, 1982.

    Examples
    --------
    >>> from workbench.metrics import confidence_gap
    >>> confidence_gap([0, 0, 0, 1], [[0.75, 0.25]] * 4)  # confidence .75, and right in three of four
    0.0
    >>> confidence_gap([0, 1], [[0.75, 0.25]] * 2)  # right in one of two: overconfident
    0.25
    """

    workbench_identity = "workbench.metrics.confidence_gap:ConfidenceGap"
    name = "confidence_gap"
    unit = "difference of probability"
    direction = "lower"
    meaning = "the probability of the predicted class minus its frequency; 0 is best, above 0 overconfident"
    bounds = (-1.0, 1.0)

    def _by_class(self, forecast: Numbers, prior: Any) -> Numbers:
        columns = np.ascontiguousarray(forecast.T)
        greatest = columns.max(axis=0)
        predicted = columns == greatest
        return of_each(greatest - predicted / predicted.sum(axis=0))


class ForecastEntropy(ScoringRule):
    """Compute the mean entropy of the forecasts: high for cautious and low for sharp forecasts.

    From 0, for certainty, to the logarithm of the number of classes, for the uniform distribution. In bits.
    The entropy describes forecasts and does not judge them, as it ignores the outcomes. "Smaller is better"
    is declared only because tables need a direction: among calibrated forecasts, sharper ones are better.

    Notes
    -----
    The entropy of each forecast q is ``-sum_i q_i log2 q_i``, with 0 where q_i is 0. It is averaged over
    samples. It equals the expected `log_loss` of a forecast that is the true distribution. Not proper:
    certain forecasts have the least entropy.

    References
    ----------
    .. [1] Gneiting, T., Balabdaoui, F., and Raftery, A. E., "Probabilistic forecasts, calibration and
       sharpness", Journal of the Royal Statistical Society B 69, 2007.

    Examples
    --------
    >>> from workbench.metrics import forecast_entropy
    >>> forecast_entropy([0, 1], [[0.5, 0.5], [1.0, 0.0]])  # the mean of 1 bit and 0 bits
    0.5
    """

    workbench_identity = "workbench.metrics.forecast_entropy:ForecastEntropy"
    name = "forecast_entropy"
    unit = "bits"
    direction = "lower"
    meaning = "the entropy of the forecasts, high if cautious and low if sharp (neither is better)"
    bounds = (0.0, np.inf)

    def _by_class(self, forecast: Numbers, prior: Any) -> Numbers:
        from scipy.special import entr

        # maximum: the tolerance of the row sums lets a probability exceed 1 by a rounding
        entropies = np.maximum(entr(forecast).sum(axis=1) / np.log(2.0), 0.0)
        return np.repeat(entropies[:, np.newaxis], forecast.shape[1], axis=1)
