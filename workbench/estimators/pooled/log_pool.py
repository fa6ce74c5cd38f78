"""A logarithmic pool of forecasts: the product of probabilities, each raised to its member's weight."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import softmax

__all__ = ["pool_weights", "pooled"]

#: Precision of each weight beforehand, in held-out rows.
PRECISION = 3.0
#: Weights below it are 0.
LEAST_WEIGHT = 0.01


def pool_weights(
    logs: NDArray[np.float64],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    beforehand: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Find the weights that maximize the likelihood of held-out rows, near prior weights if rows are few."""
    # `logs` are the members' log forecasts, of shape (n_members, n_rows, n_classes). Weights are at least 0;
    # their sum is a temperature, too, so it need not be 1. Beforehand each is normal. The loss is convex,
    # that of logistic regression with one coefficient for each member.
    own = np.take_along_axis(logs, y[None, :, None], axis=2)[:, :, 0]

    def loss(shares: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = np.tensordot(shares, logs, 1)
        largest = scores.max(axis=1, keepdims=True)
        y_prob = np.exp(scores - largest)
        totals = y_prob.sum(axis=1, keepdims=True)
        y_prob *= weight[:, None] / totals
        off = shares - beforehand
        value = weight @ (np.log(totals) + largest)[:, 0] - shares @ (own @ weight)
        slopes = np.tensordot(logs, y_prob, 2) - own @ weight
        return value + 0.5 * PRECISION * off @ off, slopes + PRECISION * off

    bounds = [(0.0, None)] * len(logs)
    found = minimize(loss, beforehand, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 500}).x
    return np.where(found < LEAST_WEIGHT, 0.0, found)


def pooled(logs: NDArray[np.float64], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the product of the forecasts, each raised to its weight, normalized."""
    return softmax(np.tensordot(shares, logs, 1), axis=1)
