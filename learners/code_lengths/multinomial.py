"""The cost of coding draws from a multinomial with unknown probabilities."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlogy

__all__ = [
    "parameter_constant",
    "adaptive_code_length",
    "mml_estimate",
    "negative_log_likelihood",
    "ln_factorials",
]

_PARAMETER_CONSTANTS = {"exact": 0.5 * math.log(math.pi * math.e / 6), "rounded": 0.17649, "none": 0.0}


def parameter_constant(constant: str) -> float:
    """Return the nats that stating one free parameter adds to the adaptive code."""
    if constant not in _PARAMETER_CONSTANTS:
        raise ValueError(f'constant must be "exact", "rounded" or "none", but was {constant!r}.')
    return _PARAMETER_CONSTANTS[constant]


def adaptive_code_length(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the nats of draws in an adaptive code, which learns the probabilities, or 0 for no draws."""
    # ln (N + r - 1)! - ln (r - 1)! - sum_k ln n_k! (Boulton & Wallace, 1969): minus the log of the marginal
    # likelihood under a Dirichlet(1, ..., 1) prior, known as the K2 score
    counts = np.asarray(counts)
    r = counts.shape[-1]
    return gammaln(counts.sum(axis=-1) + r) - gammaln(r) - gammaln(counts + 1.0).sum(axis=-1)


def mml_estimate(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Estimate the probabilities in the shortest two-part message."""
    counts = np.asarray(counts)
    return (counts + 0.5) / (counts.sum(axis=-1, keepdims=True) + 0.5 * counts.shape[-1])


def negative_log_likelihood(
    counts: NDArray[np.int64], probabilities: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the code length of draws whose probabilities are known."""
    return -xlogy(counts, probabilities).sum(axis=-1) + 0.0


def ln_factorials(size: int) -> NDArray[np.float64]:
    """Return a read-only, cached table of ln k! for k = 0 .. size - 1 or more."""
    return _ln_factorials(max(10, int(size - 1).bit_length()))


@lru_cache(maxsize=4)
def _ln_factorials(log2_size: int) -> NDArray[np.float64]:
    table = np.asarray(gammaln(np.arange(1.0, 2.0**log2_size + 1.0)))
    table.flags.writeable = False
    return table
