"""The parts of a reward: knowledge, gain of the marginal over the prior, and miscalibration."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from generators.base.draw import RandomState, as_generator
from workbench.metrics._shared.base import expectation
from workbench.metrics._shared.checks import (
    Classes,
    Numbers,
    check_cells,
    check_choice,
    check_forecast,
    check_integer,
    check_number,
    check_outcomes,
    check_prior,
)
from workbench.metrics.functions.forecast_worth import (
    RULES,
    Rule,
    forecast_worth,
    ranked_forecast,
    rewards,
    rewards_by_class,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Decomposition", "Intervals", "decomposition", "exact_decomposition"]


@dataclass(frozen=True)
class Intervals:
    """Bootstrap intervals (low, high) of components, in bits. Infinite where a component may be infinite."""

    knowledge: tuple[float, float]
    prior_gain: tuple[float, float]
    miscalibration: tuple[float, float]
    total: tuple[float, float]
    level: float


@dataclass(frozen=True)
class Decomposition:
    """Components of a mean reward, in bits: total = knowledge + prior_gain - miscalibration.

    `knowledge` is the information about the class that the recalibrated forecast has beyond the marginal
    class distribution. `prior_gain` is the gain of the marginal over the prior. `miscalibration` is the loss
    by miscalibrated forecasts. `n_infinite` is the number of rows, or of cells with positive probability,
    whose reward is minus infinity.
    """

    knowledge: float
    prior_gain: float
    miscalibration: float
    total: float
    n_infinite: int
    rule: Rule
    intervals: Intervals | None = None

    def table(self) -> pd.DataFrame:
        """Return one row per component: bits, low, high (NaN without intervals)."""
        import pandas as pd

        parts = [field.name for field in fields(self)[:4]]
        none = (np.nan, np.nan)
        ends = [getattr(self.intervals, part) if self.intervals else none for part in parts]
        low, high = zip(*ends, strict=True)
        bits = [getattr(self, part) for part in parts]
        return pd.DataFrame({"bits": bits, "low": low, "high": high}, index=pd.Index(parts, name="part"))


def exact_decomposition(
    joint: ArrayLike, y_prob: ArrayLike, *, prior: ArrayLike, rule: Rule = "ir_b"
) -> Decomposition:
    """Decompose the exact expected reward under a joint distribution of cells and classes.

    A cell is a combination of attribute values.

    Parameters
    ----------
    joint : array-like of shape (n_cells, n_classes)
        Probability of each cell together with each class. All entries sum to one.
    y_prob : array-like of shape (n_cells, n_classes)
        The forecast for each cell. Rows of cells with probability 0 are ignored.
    prior : array-like of shape (n_classes,)
        The reference distribution, with positive entries.
    rule : {"ir_b", "log_loss"}
        The reward: "ir_b" is the metric `ir_b`. "log_loss" is ``log2(q_t / pi_t)``, the log loss of the prior
        minus the log loss of the forecast.

    Returns
    -------
    Decomposition
        The components, without intervals. If a cell has an infinite score, miscalibration and the total are
        infinite.

    Notes
    -----
    For "ir_b" each class i is a binary bet. Cells with the same forecast q_i are pooled. Let c_i be the
    probability of the class in the pooled cells, P_i the marginal probability, pi_i the prior, and KL2 the
    divergence of two binary distributions. Then knowledge, prior_gain and miscalibration are the means over
    classes of::

        E KL2(c_i, P_i)      KL2(P_i, pi_i)      E KL2(c_i, q_i)

    For "log_loss", cells are pooled if their whole forecasts are equal, and the components are divergences of
    distributions over the classes. Forecasts within 1e-12 of the next count as equal: see `ranked_forecast`.

    References
    ----------
    .. [1] Broecker, J., "Reliability, sufficiency, and the decomposition of proper scores", Quarterly Journal
       of the Royal Meteorological Society 135, 2009 (for any proper score).

    Examples
    --------
    >>> parts = exact_decomposition([[0.4, 0.1], [0.1, 0.4]], [[0.9, 0.1], [0.1, 0.9]], prior=[0.5, 0.5])
    >>> parts.table()["bits"].round(4).to_dict()
    {'knowledge': 0.2781, 'prior_gain': 0.0, 'miscalibration': 0.0641, 'total': 0.214}
    """
    mass, forecast = check_cells(joint, y_prob)
    reference = _reference(prior, forecast.shape[1], rule)
    marginal = mass.sum(axis=0, keepdims=True) / mass.sum()
    total = expectation(mass, rewards_by_class(forecast, reference, rule))
    gain = expectation(marginal, rewards_by_class(marginal, reference, rule)).value
    knowledge = _knowledge_by_bet if rule == "ir_b" else _knowledge_of_distributions
    known = knowledge(mass, forecast, marginal[0])
    return Decomposition(known, gain, known + gain - total.value, total.value, total.n_infinite, rule)


def decomposition(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    prior: ArrayLike,
    rule: Rule = "ir_b",
    n_folds: int = 5,
    n_bootstrap: int = 200,
    level: float = 0.95,
    classes: Classes = None,
    random_state: RandomState = None,
) -> Decomposition:
    """Decompose the mean reward of forecasts on data, with recalibration estimated from the same data.

    Parameters
    ----------
    y_true, y_prob, classes
        As in `ScoringRule.per_sample`.
    prior : array-like of shape (n_classes,)
        The reference distribution, with positive entries.
    rule : {"ir_b", "log_loss"}
        The reward, as in `exact_decomposition`.
    n_folds : int, default=5
        Number of folds. The recalibration of a fold is learned from the samples of the other folds.
    n_bootstrap : int, default=200
        Number of bootstrap samples. 0 gives no intervals.
    level : float, default=0.95
        Confidence level of the intervals.
    random_state : int, Generator, SeedSequence or None
        Seed of the folds, simulations and bootstrap samples.

    Returns
    -------
    Decomposition
        The components. If a sample has an infinite score, miscalibration and the total are infinite.

    Notes
    -----
    Each component is a mean over samples of a difference of rewards for the true class: recalibrated forecast
    minus marginal, marginal minus prior, and recalibrated forecast minus forecast. Therefore the components
    add up to the total exactly. The marginal is the class frequencies in `y_true`.

    Forecasts are recalibrated for each class against the rest (see `forecast_worth`), by centered isotonic
    regression with cross-fitting. The loss of learning from few samples is corrected. It is assumed that a
    higher forecast never means a lower true probability. So a systematically reversed forecast has no
    knowledge here, only miscalibration. For "log_loss" with more than two classes, the recalibrated
    probabilities of the classes are divided by their sum. They do not have all the information of the whole
    forecast.

    The bias was measured on calibrated forecasts of 2 and 4 classes, whose miscalibration is 0. With 100,
    500, 2000 and 10,000 samples, the bias of the estimate is -0.007 to 0.004, 0.0004 to 0.002, 0.0004 to
    0.0013 and 0.0001 to 0.0005 bits. Without the correction it would be about -0.03, -0.012, -0.005 and
    -0.003. 95% intervals contain 0 in 82 to 95% of the cases and are above it in 1 to 17%. So an interval
    that just excludes 0 is weak evidence of miscalibration. The bootstrap draws rows and keeps the
    recalibration. 1,000,000 rows of 10 classes take 8 s, including the bootstrap.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> p = rng.random(2000)
    >>> y = (rng.random(2000) < p).astype(int)
    >>> squeezed = 0.25 + 0.5 * p
    >>> rows = np.column_stack((1 - squeezed, squeezed))
    >>> parts = decomposition(y, rows, prior=[0.5, 0.5], random_state=0)
    >>> bool(parts.knowledge > 0.2), bool(parts.intervals.miscalibration[0] > 0.0)
    (True, True)
    """
    forecast = check_forecast(y_prob, classes=classes)
    codes = check_outcomes(y_true, forecast.shape, classes)
    reference = _reference(prior, forecast.shape[1], rule, classes)
    _check_options(codes.size, n_folds, n_bootstrap, level)
    rng = as_generator(random_state)
    marginal = np.bincount(codes, minlength=forecast.shape[1]) / codes.size
    knowledge = forecast_worth(codes, forecast, rule=rule, n_folds=n_folds, rng=rng)
    gain = rewards_by_class(marginal[None], reference, rule)[0][codes]
    total = rewards(codes, forecast, reference, rule)
    parts = np.column_stack((knowledge, gain, knowledge + gain - total, total))
    n_infinite = int(np.isinf(total).sum())
    intervals = _intervals(parts, n_bootstrap, level, rng) if n_bootstrap else None
    known, gained, lost, mean = parts.mean(axis=0).tolist()
    return Decomposition(known, gained, lost, mean, n_infinite, rule, intervals)


def _reference(prior: ArrayLike, n_classes: int, rule: Rule, classes: Classes = None) -> Numbers:
    check_choice(rule, RULES, name="rule")
    return check_prior(prior, n_classes, metric=f"the decomposition of {rule}", classes=classes)


def _check_options(n_samples: int, n_folds: int, n_bootstrap: int, level: float) -> None:
    if not 2 <= check_integer(n_folds, least=2, name="n_folds", meaning="the number of folds") <= n_samples:
        raise ValueError(
            f"n_folds is {n_folds} for {n_samples} samples: give at least 2 folds, and at most one per sample"
        )
    check_integer(n_bootstrap, least=0, name="n_bootstrap", meaning="the number of bootstrap samples")
    if not 0.0 < check_number(level, name="level", meaning="a share") < 1.0:
        raise ValueError(f"level is {level}: give a number between 0 and 1, such as 0.95")


def _knowledge_by_bet(mass: Numbers, forecast: Numbers, marginal: Numbers) -> float:
    """Return the mean over classes of E KL2(c_i, P_i), cells of equal q_i pooled."""
    of_bets = []
    for code, column in enumerate(forecast.T):
        groups = ranked_forecast(column).groups()
        hits = np.bincount(groups, mass[:, code])
        misses = np.bincount(groups, np.delete(mass, code, axis=1).sum(axis=1))
        others = np.delete(marginal, code).sum()
        of_bets.append(_divergence(np.column_stack((hits, misses)), np.array([marginal[code], others])))
    return float(np.mean(of_bets))


def _knowledge_of_distributions(mass: Numbers, forecast: Numbers, marginal: Numbers) -> float:
    """Return E KL(c, P), cells of equal forecasts pooled."""
    columns = np.column_stack([ranked_forecast(column).groups() for column in forecast.T])
    groups = np.unique(columns, axis=0, return_inverse=True)[1].ravel()
    joint = np.column_stack([np.bincount(groups, column) for column in mass.T]).astype(np.float64)
    return _divergence(joint, marginal)


def _divergence(joint: Numbers, marginal: Numbers) -> float:
    """Return the mean over rows, of weight their sum, of KL(row / sum, marginal), with 0 log 0 = 0."""
    ratios = joint / (joint.sum(axis=1, keepdims=True) * np.where(marginal > 0.0, marginal, 1.0))
    return float((joint * np.log2(ratios, where=joint > 0.0, out=np.zeros_like(joint))).sum())


def _intervals(parts: Numbers, n_bootstrap: int, level: float, rng: np.random.Generator) -> Intervals:
    n = len(parts)
    means = np.array([parts.take(rng.integers(0, n, n), axis=0).sum(axis=0) for _ in range(n_bootstrap)]) / n
    # No interpolation: means may be infinite
    ends = np.quantile(means, [(1.0 - level) / 2.0, (1.0 + level) / 2.0], axis=0, method="inverted_cdf")
    knowledge, gain, miscalibration, total = map(tuple, ends.T.tolist())
    return Intervals(knowledge, gain, miscalibration, total, level)
