"""The information of forecasts beyond the class marginal, estimated from the scored data."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.checks import Codes, Numbers, Sets

Rule = Literal["ir_b", "log_loss"]
RULES = ("ir_b", "log_loss")
# Sums in another order differ in their last digits.
TOLERANCE = 1e-12
# The cost of learning is simulated until so many rows have been drawn, but at least and at most so often.
SIMULATED_ROWS, FEWEST, MOST = 200_000, 2, 20


def rewards(codes: Codes, rows: Numbers, prior: Numbers, rule: Rule) -> Numbers:
    """Reward each row for the class that happened, in bits: the terms of `ir_b` and `log_loss`, unchecked."""
    place = np.arange(codes.size), codes
    with np.errstate(divide="ignore"):
        if rule == "log_loss":
            return np.log2(rows[place] / prior[codes])
        ratios = _others(rows) / _others(prior[None])
        ratios[place] = rows[place] / prior[codes]
        return np.log2(ratios).sum(axis=1) / prior.size


def rewards_by_class(rows: Numbers, prior: Numbers, rule: Rule) -> Numbers:
    """Reward each row for each possible class, in bits."""
    each = (rewards(np.full(len(rows), code), rows, prior, rule) for code in range(prior.size))
    return np.column_stack(list(each))


def _others(rows: Numbers) -> Numbers:
    """Return 1 - q_i as the sum of the entries before and after, so that nothing cancels."""
    before, after = np.zeros_like(rows), np.zeros_like(rows)
    np.cumsum(rows[:, :-1], axis=1, out=before[:, 1:])
    np.cumsum(rows[:, :0:-1], axis=1, out=after[:, -2::-1])
    return before + after


@dataclass(frozen=True)
class RankedForecast:
    """Bets in ascending order of their forecast, and where each new value begins, with their number last."""

    order: NDArray[np.int64]
    steps: NDArray[np.int64]

    def groups(self) -> NDArray[np.int64]:
        """Return the number of the value of each bet, 0 for the lowest."""
        numbers = np.empty(self.order.size, np.int64)
        numbers[self.order] = np.repeat(np.arange(self.steps.size - 1), np.diff(self.steps))
        return numbers


def ranked_forecast(probability: Numbers) -> RankedForecast:
    """Sort bets by their forecast. Rounding to 12 digits would separate neighbors at a half."""
    order = np.argsort(probability, kind="stable")
    new = np.flatnonzero(np.diff(probability[order]) > TOLERANCE) + 1
    return RankedForecast(order, np.concatenate(([0], new, [order.size])))


def calibrated_chances(
    ranked: RankedForecast, happened: Sets, *, toward: float, fold: NDArray[np.int64] | None = None
) -> Numbers:
    """Estimate the chance of each bet from the rank of its forecast, by centered isotonic regression.

    Blocks are those of the pool-adjacent-violators algorithm. Between their centers the chance is linear in
    the rank (Oron and Flournoy, "Centered isotonic regression", 2017).
    """
    from workbench.metrics._kernels.isotonic import fill_chances

    chances = np.empty(happened.size)
    folds = np.zeros(happened.size, np.int64) if fold is None else fold
    for held_out in (-1,) if fold is None else range(int(folds.max()) + 1):
        fill_chances(ranked.order, ranked.steps, happened, folds, held_out, toward, chances)
    return chances


def forecast_worth(
    codes: Codes, forecast: Numbers, *, rule: Rule, n_folds: int, rng: np.random.Generator
) -> Numbers:
    """Compute the reward of recalibrated forecasts, in bits over the class marginal.

    The chance c_i of each class given its forecast is learned from the other folds, see `calibrated_chances`.
    Learned chances are inexact, so their mean reward is too low by the divergence of the true chances from
    them. That cost is simulated: outcomes are drawn with the chances fitted to all samples as the truth,
    chances are learned from them in the same folds, and their mean divergence from that truth is measured. It
    is the same number for each sample, and is added. At least 200,000 rows are drawn, in 2 to 20 simulations.
    """
    n_samples, n_classes = forecast.shape
    ranked = [ranked_forecast(column) for column in np.ascontiguousarray(forecast.T)]
    happened = codes == np.arange(n_classes)[:, None]
    marginal = happened.mean(axis=1)
    # Not stratified by class: folds would then know each other's frequencies, unlike drawn outcomes
    fold = rng.permutation(n_samples) % n_folds
    chances = _chances(ranked, happened, marginal, fold, rule)
    truth = _chances(ranked, happened, marginal, None, rule)
    costs = []
    for _ in range(min(max(SIMULATED_ROWS // n_samples, FEWEST), MOST)):
        learned = _chances(ranked, _drawn(truth, rule, rng), marginal, fold, rule)
        costs.append(_divergence(truth, learned, rule))
    return _rewards(happened, chances, marginal, rule) + float(np.mean(costs))


def _chances(
    ranked: Sequence[RankedForecast],
    happened: Sets,
    marginal: Numbers,
    fold: NDArray[np.int64] | None,
    rule: Rule,
) -> Numbers:
    """Return the chance of each class (rows) at each sample. For "log_loss" they sum to one over classes."""
    of_class = zip(ranked, happened, marginal, strict=True)
    chances = np.array(
        [calibrated_chances(order, hits, toward=share, fold=fold) for order, hits, share in of_class]
    )
    return chances / chances.sum(axis=0) if rule == "log_loss" else chances


def _drawn(truth: Numbers, rule: Rule, rng: np.random.Generator) -> Sets:
    """Draw outcomes: independently for each bet, or one class per sample."""
    if rule == "ir_b":
        return rng.random(truth.shape) < truth
    classes = (rng.random(truth.shape[1]) >= truth.cumsum(axis=0)[:-1]).sum(axis=0)
    return classes == np.arange(len(truth))[:, None]


def _rewards(happened: Sets, chances: Numbers, marginal: Numbers, rule: Rule) -> Numbers:
    """Reward chances at the outcomes, in bits over the marginal."""
    if rule == "log_loss":
        codes = happened.argmax(axis=0)
        return np.log2(chances[codes, np.arange(codes.size)] / marginal[codes])
    bits = np.zeros(happened.shape[1])
    for hits, chance, share in zip(happened, chances, marginal, strict=True):
        if 0.0 < share < 1.0:  # otherwise there is nothing to learn
            bits += np.log2(np.where(hits, chance / share, (1.0 - chance) / (1.0 - share)))
    return bits / len(happened)


def _divergence(truth: Numbers, learned: Numbers, rule: Rule) -> float:
    """Return the mean reward lost by learned chances under the true ones."""
    lost = 0.0
    for true, chance in zip(truth, learned, strict=True):
        lost += _bits(true, chance)
        if rule == "ir_b":
            lost += _bits(1.0 - true, 1.0 - chance)
    return lost / len(truth) if rule == "ir_b" else lost


def _bits(true: Numbers, chance: Numbers) -> float:
    """Return the mean of true * log2(true / chance), where 0 log 0 = 0."""
    some = true > 0.0
    return float((true[some] * np.log2(true[some] / chance[some])).sum()) / true.size
