"""A linear pool of forecasts: weights by the likelihood of held-out rows, then one temperature."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

__all__ = ["pool_weights", "sharpened", "temperature"]

STEPS, CLOSE = 500, 1e-9
#: Rows that each member is credited with beforehand.
PRIOR = 0.1
#: Standard deviation of the log temperature beforehand.
SPREAD = 0.5
SMALLEST = np.finfo(np.float64).tiny


def pool_weights(likelihoods: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Find the weights of a linear pool that maximize the likelihood of held-out rows, by EM."""
    # likelihoods (n_members, n_rows) of the observed classes
    n_members = len(likelihoods)
    likelihoods = np.maximum(likelihoods, SMALLEST)
    shares = np.full(n_members, 1.0 / n_members)
    total = weight.sum() + n_members * PRIOR
    for _ in range(STEPS):
        credit = shares[:, None] * likelihoods
        credit *= weight / credit.sum(axis=0)
        found = (credit.sum(axis=1) + PRIOR) / total
        done = np.abs(found - shares).max() < CLOSE
        shares = found
        if done:
            break
    return shares


def temperature(y_prob: NDArray[np.float64], y: NDArray[np.intp], weight: NDArray[np.float64]) -> float:
    """Find the most probable power of forecasts given held-out rows, with log power N(0, 0.5^2)."""
    logs = np.log(np.maximum(y_prob, SMALLEST))
    own = logs[np.arange(y.size), y]

    def loss(log_power: float) -> float:
        power = np.exp(log_power)
        scaled = power * logs
        largest = scaled.max(axis=1)
        totals = largest + np.log(np.exp(scaled - largest[:, None]).sum(axis=1))
        return float((weight * (totals - power * own)).sum() + 0.5 * (log_power / SPREAD) ** 2)

    return float(np.exp(minimize_scalar(loss, bounds=(-2.0, 2.0), method="bounded").x))


def sharpened(y_prob: NDArray[np.float64], power: float) -> NDArray[np.float64]:
    """Raise forecasts to a power and normalize them."""
    logs = power * np.log(np.maximum(y_prob, SMALLEST))
    out = np.exp(logs - logs.max(axis=1, keepdims=True))
    out /= out.sum(axis=1, keepdims=True)
    return np.maximum(out, SMALLEST)
