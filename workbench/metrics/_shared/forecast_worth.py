"""What forecasts are worth beyond the class marginal, learned from the data that they are scored on."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.calibrated_chances import RankedForecast, calibrated_chances, ranked_forecast
from workbench.metrics._shared.forecast_reward import Rule

__all__ = ["forecast_worth"]

# The cost of learning is simulated until so many rows have been drawn, but at least and at most so often.
SIMULATED_ROWS, FEWEST, MOST = 200_000, 2, 20


def forecast_worth(
    codes: NDArray[np.intp],
    forecast: NDArray[np.float64],
    *,
    rule: Rule,
    n_folds: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Reward, in bits over the class marginal, what forecasts are worth once they are read right.

    Notes
    -----
    The chance c_i of each class given its forecast is learned from the other folds, see `calibrated_chances`.
    Learned chances are never quite right, so their mean reward is too low, by the divergence of the true
    chances from them. That cost is simulated: with the chances fitted to all samples as the truth, outcomes
    are drawn, chances are learned from them in the same folds, and their mean divergence from that truth is
    measured. It is the same number for each sample, and is added. Drawn are 200,000 rows or more, in 2 to 20
    simulations.
    """
    n_samples, n_classes = forecast.shape
    ranked = [ranked_forecast(column) for column in np.ascontiguousarray(forecast.T)]
    happened = codes == np.arange(n_classes)[:, None]
    marginal = happened.mean(axis=1)
    # Not dealt evenly by class: folds would then know each other's frequencies, which drawn outcomes do not
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
    happened: NDArray[np.bool_],
    marginal: NDArray[np.float64],
    fold: NDArray[np.int64] | None,
    rule: Rule,
) -> NDArray[np.float64]:
    """Return the chance of each class (rows) at each sample; for "log_loss" they sum to one over classes."""
    chances = np.array(
        [
            calibrated_chances(order, hits, toward=share, fold=fold)
            for order, hits, share in zip(ranked, happened, marginal, strict=True)
        ]
    )
    return chances / chances.sum(axis=0) if rule == "log_loss" else chances


def _drawn(truth: NDArray[np.float64], rule: Rule, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Draw outcomes: of each bet for itself, or one class a sample."""
    if rule == "ir_b":
        return rng.random(truth.shape) < truth
    classes = (rng.random(truth.shape[1]) >= truth.cumsum(axis=0)[:-1]).sum(axis=0)
    return classes == np.arange(len(truth))[:, None]


def _rewards(
    happened: NDArray[np.bool_], chances: NDArray[np.float64], marginal: NDArray[np.float64], rule: Rule
) -> NDArray[np.float64]:
    """Reward chances, in bits over the marginal, at what happened."""
    if rule == "log_loss":
        codes = happened.argmax(axis=0)
        return np.log2(chances[codes, np.arange(codes.size)] / marginal[codes])
    bits = np.zeros(happened.shape[1])
    for hits, chance, share in zip(happened, chances, marginal, strict=True):
        if 0.0 < share < 1.0:  # else nothing was to be known
            bits += np.log2(np.where(hits, chance / share, (1.0 - chance) / (1.0 - share)))
    return bits / len(happened)


def _divergence(truth: NDArray[np.float64], learned: NDArray[np.float64], rule: Rule) -> float:
    """Return the mean reward that is lost by learned chances where others are true."""
    lost = 0.0
    for true, chance in zip(truth, learned, strict=True):
        lost += _bits(true, chance)
        if rule == "ir_b":
            lost += _bits(1.0 - true, 1.0 - chance)
    return lost / len(truth) if rule == "ir_b" else lost


def _bits(true: NDArray[np.float64], chance: NDArray[np.float64]) -> float:
    """Return the mean of true * log2(true / chance), where 0 log 0 = 0."""
    some = true > 0.0
    return float((true[some] * np.log2(true[some] / chance[some])).sum()) / true.size
