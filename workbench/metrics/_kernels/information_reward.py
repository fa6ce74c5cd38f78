"""Corrected Bayesian information reward: all bets of a row as one product of ratios, for one logarithm."""

import math

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel
from workbench.metrics._kernels.without_each import product_without, products_without_each, sums_without_each

__all__ = ["add_up", "ratios", "ratios_by_class"]

# A product below this may have lost digits: then the logarithms of its factors are added up.
LEAST = 1e-280


@kernel
def ratios(
    codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64]
) -> tuple[NDArray[np.float64], int]:
    """Return the product of all ratios for the class that happened, and how many are left at 0 as too small.

    1 000 000 x 10: 16 ms; with a logarithm for each class, numpy takes 45 ms.
    """
    n_rows, n_classes = forecast.shape
    worth = _worth(prior)
    others = np.empty(n_classes)
    out = np.zeros(n_rows)
    n_small = 0
    for r in range(n_rows):
        t = codes[r]
        sums_without_each(forecast, r, others)
        product = forecast[r, t] * product_without(others, t)
        if product >= LEAST and worth[t] >= LEAST:
            out[r] = product / worth[t]
        else:
            n_small += 1
    return out, n_small


@kernel
def ratios_by_class(
    forecast: NDArray[np.float64], prior: NDArray[np.float64]
) -> tuple[NDArray[np.float64], int]:
    """Return `ratios` of each row for each class, to the bit.

    78 000 x 5, the cells of a simulation: 0.9 ms.
    """
    n_rows, n_classes = forecast.shape
    worth = _worth(prior)
    others, products = np.empty(n_classes), np.empty(n_classes)
    out = np.zeros((n_rows, n_classes))
    n_small = 0
    for r in range(n_rows):
        sums_without_each(forecast, r, others)
        products_without_each(others, products)
        for t in range(n_classes):
            product = forecast[r, t] * products[t]
            if product >= LEAST and worth[t] >= LEAST:
                out[r, t] = product / worth[t]
            else:
                n_small += 1
    return out, n_small


@kernel
def add_up(
    rows: NDArray[np.intp],
    codes: NDArray[np.intp],
    forecast: NDArray[np.float64],
    prior: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the bits of the given rows, each for the class beside it, as a sum of logarithms."""
    others, prior_others = np.empty(prior.size), np.empty(prior.size)
    sums_without_each(prior.reshape(1, -1), 0, prior_others)
    out = np.full(rows.size, -math.inf)
    for j in range(rows.size):
        r, t = rows[j], codes[j]
        if forecast[r, t] > 0.0:  # then no other term can be infinite
            sums_without_each(forecast, r, others)
            bits = math.log2(forecast[r, t]) - math.log2(prior[t])
            for i in range(prior.size):
                if i != t:
                    bits += math.log2(others[i]) - math.log2(prior_others[i])
            out[j] = bits
    return out


@kernel
def _worth(prior: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the product for each class of what the prior gives to the bets."""
    others, worth = np.empty(prior.size), np.empty(prior.size)
    sums_without_each(prior.reshape(1, -1), 0, others)
    products_without_each(others, worth)
    return prior * worth
