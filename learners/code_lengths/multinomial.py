"""What it costs to tell draws from a multinomial whose probabilities nobody knows beforehand."""

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
    """Give what stating one free parameter adds to the adaptive code.

    Parameters
    ----------
    constant : {"exact", "rounded", "none"}
        (1/2) ln(pi e / 6) = 0.176485...; 0.17649, to which the CaMML program rounds it; or 0, which leaves
        the marginal likelihood.

    Returns
    -------
    float
        Nats.

    Raises
    ------
    ValueError
        If `constant` is another word.

    Examples
    --------
    >>> round(parameter_constant("exact"), 7)
    0.1764852
    """
    if constant not in _PARAMETER_CONSTANTS:
        raise ValueError(f'constant must be "exact", "rounded" or "none", but was {constant!r}.')
    return _PARAMETER_CONSTANTS[constant]


def adaptive_code_length(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Tell a sequence of draws, learning the probabilities on the way.

    Assumes that every distribution over the r values was equally likely beforehand. Never negative; 0 for
    no draws.

    Parameters
    ----------
    counts : ndarray of shape (..., r)
        How often each value was drawn.

    Returns
    -------
    ndarray of shape (...)
        Nats for each row of counts.

    Notes
    -----
    ln (N + r - 1)! - ln (r - 1)! - sum_k ln n_k!, with N the sum of the counts: minus the log of the
    marginal likelihood under a Dirichlet(1, ..., 1) prior, known as the K2 score.

    References
    ----------
    .. [1] Boulton, D. M. & Wallace, C. S. 1969, "The information content of a multistate distribution",
       Journal of Theoretical Biology 23, 269-278.

    Examples
    --------
    Two draws of three values, the same one twice: 1/3 for the first, then (1 + 1) / (1 + 3).

    >>> import numpy as np
    >>> round(float(adaptive_code_length(np.array([2, 0, 0]))), 6)
    1.791759
    >>> round(float(np.log(6)), 6)
    1.791759
    """
    counts = np.asarray(counts)
    r = counts.shape[-1]
    return gammaln(counts.sum(axis=-1) + r) - gammaln(r) - gammaln(counts + 1.0).sum(axis=-1)


def mml_estimate(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Estimate the probabilities that the shortest two-part message would state.

    Parameters
    ----------
    counts : ndarray of shape (..., r)
        How often each value was drawn.

    Returns
    -------
    ndarray of shape (..., r)
        (n_k + 1/2) / (N + r/2); uniform for a row without draws, never 0.

    Examples
    --------
    >>> import numpy as np
    >>> mml_estimate(np.array([[3, 0], [0, 0]]))
    array([[0.875, 0.125],
           [0.5  , 0.5  ]])
    """
    counts = np.asarray(counts)
    return (counts + 0.5) / (counts.sum(axis=-1, keepdims=True) + 0.5 * counts.shape[-1])


def negative_log_likelihood(
    counts: NDArray[np.int64], probabilities: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Tell the draws when their probabilities are known.

    Parameters
    ----------
    counts : ndarray of shape (..., r)
        How often each value was drawn.
    probabilities : ndarray of shape (..., r)
        Their probabilities; 0 is allowed, and costs infinity where the value was drawn.

    Returns
    -------
    ndarray of shape (...)
        Nats, never negative.

    Examples
    --------
    >>> import numpy as np
    >>> round(float(negative_log_likelihood(np.array([2, 2]), np.array([0.5, 0.5])) / np.log(2)), 12)
    4.0
    """
    return -xlogy(counts, probabilities).sum(axis=-1) + 0.0


def ln_factorials(size: int) -> NDArray[np.float64]:
    """Give a table of ln k! for k = 0 .. size - 1 or more; read-only, kept between calls.

    Parameters
    ----------
    size : int
        Least number of entries.

    Returns
    -------
    ndarray of shape (at least size,)

    Examples
    --------
    >>> [round(float(x), 3) for x in ln_factorials(5)[:5]]
    [0.0, 0.0, 0.693, 1.792, 3.178]
    """
    return _ln_factorials(max(10, int(size - 1).bit_length()))


@lru_cache(maxsize=4)
def _ln_factorials(log2_size: int) -> NDArray[np.float64]:
    table = np.asarray(gammaln(np.arange(1.0, 2.0**log2_size + 1.0)))
    table.flags.writeable = False
    return table
