"""Bayesian information reward: what a forecast adds, in bits, to the prior of the classes."""

import numpy as np
from numpy.typing import NDArray

from workbench.metrics.scoring_rule import ScoringRule

__all__ = ["ir_b"]

# Rows worked on at once: what a block needs stays in the cache, which halves the time of 1e6 x 10.
BLOCK = 4096


class InformationReward(ScoringRule):
    """Reward a forecast, in bits, for what it adds to the prior.

    Larger is better. Exactly zero for a forecast that repeats the prior; unbounded below, and bounded above
    only by what the prior leaves to win.

    Notes
    -----
    With forecast q, prior pi, true class t and k classes, each class is a bet of its own against the rest::

        (1/k) [ log2(q_t / pi_t) + sum over i != t of log2((1 - q_i) / (1 - pi_i)) ]

    ``1 - q_i`` is the sum of the other entries, added in the same order for forecast and prior. So a class
    at 1 - 1e-20 that does not happen costs its 66 bits and not infinity, and the prior scores 0 to the last
    bit. Minus infinity only where the true class had probability 0, which is also so where a class had
    probability 1 and did not happen. Two classes: ``log2(q_t / pi_t)``. Called as every metric, see
    `ScoringRule.per_sample`, with ``prior=`` given (it raises otherwise); O(n_samples * n_classes).

    References
    ----------
    .. [1] Hope, L. R., and Korb, K. B., "A Bayesian metric for evaluating machine learning algorithms", 2004,
       equation (10).

    Examples
    --------
    >>> from workbench.metrics.ir_b import ir_b
    >>> prior = [0.25, 0.25, 0.5]
    >>> ir_b([0], [[0.5, 0.25, 0.25]], prior=prior).__round__(6)  # (log2 2 + log2 1 + log2 1.5) / 3
    0.528321
    >>> ir_b([0, 1, 2], [prior, prior, prior], prior=prior)
    0.0
    """

    name = "ir_b"
    unit = "bits"
    direction = "higher"
    bounds = (-np.inf, np.inf)
    needs = frozenset({"prior"})
    proper = True

    def _by_class(
        self, forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        assert prior is not None  # `needs` says so, and the base class has checked it
        log_prior = np.log2(prior)
        log_prior_rest = _log_rest(prior[:, None])
        scores = np.empty_like(forecast)
        for start in range(0, len(forecast), BLOCK):
            rows = forecast[start : start + BLOCK]
            with np.errstate(divide="ignore"):
                own = np.log2(rows) - log_prior
            scores[start : start + BLOCK] = own + _sums_without_each(_log_rest(rows.T) - log_prior_rest).T
        scores /= len(prior)
        return scores

    def _of_outcome(
        self, codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        assert prior is not None
        log_prior_rest = _log_rest(prior[:, None])
        every = np.arange(codes.size)
        with np.errstate(divide="ignore"):
            scores = np.log2(forecast[every, codes]) - np.log2(prior)[codes]
        for start in range(0, len(forecast), BLOCK):
            block = slice(start, start + BLOCK)
            others = _sums_without_each(_log_rest(forecast[block].T) - log_prior_rest)
            scores[block] += others[codes[block], every[: others.shape[1]]]
        scores /= len(prior)
        return scores


ir_b = InformationReward()


def _log_rest(columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log2(1 - q_i) for distributions that stand in columns (n_classes, n_rows)."""
    with np.errstate(divide="ignore"):
        return np.log2(_sums_without_each(np.ascontiguousarray(columns)))


def _sums_without_each(columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, for each i, the sum of all rows of `columns` but row i: those before, plus those after.

    Nothing is subtracted, so nothing cancels and minus infinity stays in its place.
    """
    n_classes = len(columns)
    sums = np.zeros_like(columns)
    after = np.zeros_like(columns)
    for i in range(1, n_classes):
        np.add(sums[i - 1], columns[i - 1], out=sums[i])
        np.add(after[-i], columns[-i], out=after[-i - 1])
    sums += after
    return sums
