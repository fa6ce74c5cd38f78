"""Loss of a learner over training sets, split into bias and variance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["DecomposedLoss", "MeanDecomposition", "decompose_brier", "decompose_kl"]

SUMS_TO_ONE = 1e-8  # how far a row of probabilities may be from a sum of one


@dataclass(frozen=True)
class MeanDecomposition:
    """Loss, bias and variance, averaged over inputs (rows).

    Attributes
    ----------
    loss : float
        Mean loss over the training sets. It equals bias + variance, and bias_corrected + variance_corrected.
    bias, variance : float
        Bias and variance for the given training sets.
    bias_corrected, variance_corrected : float
        Estimates of bias and variance for infinitely many training sets. A small bias may be estimated as
        negative.
    n_infinite : int
        Number of inputs with positive weight and infinite loss.
    """

    loss: float
    bias: float
    variance: float
    bias_corrected: float
    variance_corrected: float
    n_infinite: int


@dataclass(frozen=True, eq=False)
class DecomposedLoss:
    """Loss, bias and variance at each input (row).

    Attributes
    ----------
    loss, bias, variance : ndarray of shape (n_inputs,)
        The loss, which is bias plus variance, and its two terms.
    variance_corrected : ndarray of shape (n_inputs,)
        Variance for infinitely many training sets, estimated by the jackknife. The corrected bias is the loss
        minus this.
    n_sets : int
        Number of training sets.

    See Also
    --------
    decompose_kl, decompose_brier : return this decomposition.
    """

    loss: NDArray[np.float64]
    bias: NDArray[np.float64]
    variance: NDArray[np.float64]
    variance_corrected: NDArray[np.float64]
    n_sets: int

    def mean(self, weight: ArrayLike | None = None) -> MeanDecomposition:
        """Average the decomposition over inputs.

        Parameters
        ----------
        weight : array-like of shape (n_inputs,), optional
            Weight of each input, such as P(x). Weights are divided by their sum. By default all inputs have
            equal weight.

        Returns
        -------
        MeanDecomposition
            The averages. Inputs of weight 0 are ignored. If the loss is infinite, the bias and the corrected
            bias are infinite, too.

        Raises
        ------
        ValueError
            If the number of weights differs from the number of inputs, a weight is negative, or all weights
            are 0.
        """
        weights = _checked_weights(weight, len(self.loss))
        possible = weights > 0
        loss, bias, variance, corrected = (
            float(weights[possible] @ values[possible])
            for values in (self.loss, self.bias, self.variance, self.variance_corrected)
        )
        rest = np.inf if np.isinf(loss) else loss - corrected
        n_infinite = int(np.isinf(self.loss[possible]).sum())
        return MeanDecomposition(loss, bias, variance, rest, corrected, n_infinite)


def decompose_kl(p_true: ArrayLike, y_prob: ArrayLike) -> DecomposedLoss:
    """Split the Kullback-Leibler divergence from the truth into bias and variance, in bits.

    Parameters
    ----------
    p_true : array-like of shape (n_inputs, n_classes)
        True class probabilities at each input.
    y_prob : array-like of shape (n_sets, n_inputs, n_classes)
        Probabilities that the learner predicts after each training set. At least two training sets.

    Returns
    -------
    DecomposedLoss

    Raises
    ------
    ValueError
        If the shapes do not match, there are fewer than two training sets, or a row of probabilities is not a
        distribution.

    Notes
    -----
    Let p be the true probabilities, q_s the forecast after training set s of S, and g the geometric mean of
    the q_s, divided by its sum Z. Then ``mean_s KL(p || q_s) = KL(p || g) + mean_s KL(g || q_s)``: the loss
    is bias plus variance, for any finite number of training sets [1]_. The variance is -log2 Z and does not
    depend on p.

    *Few training sets.* Z is a convex function of the mean logarithms. So the variance from S training sets
    is too low by a term in 1/S, relative to infinitely many training sets. The bias is too high by the same
    term, as the loss has no such error. The jackknife ``S V - (S - 1) mean_s V_(-s)``, where V_(-s) is the
    variance without training set s, removes that term [2]_. An error in 1/S^2 remains.

    *Zeros.* 0 log 0 = 0. If a possible class has probability 0 after one training set, the loss and the bias
    of that input are infinite, regardless of the other training sets. The variance is infinite if every class
    has probability 0 after some training set. Probabilities are not clipped here: see
    `workbench.metrics.clip_probabilities`.

    Time is O(n_sets * n_inputs * n_classes).

    References
    ----------
    .. [1] Heskes, T., "Bias/variance decompositions for likelihood-based estimators", Neural Computation 10,
       1998.
    .. [2] Quenouille, M. H., "Notes on bias in estimation", Biometrika 43, 1956.

    Examples
    --------
    Two forecasts that mirror each other: g is (1/2, 1/2), the truth, so all loss is variance:
    -log2(2 sqrt(0.2 * 0.8)) = 0.3219.

    >>> found = decompose_kl([[0.5, 0.5]], [[[0.2, 0.8]], [[0.8, 0.2]]])
    >>> [float(one[0].round(4)) + 0.0 for one in (found.loss, found.bias, found.variance)]
    [0.3219, 0.0, 0.3219]
    """
    p, q = _checked(p_true, y_prob)
    n_sets = len(q)
    zero = q == 0
    logs = np.log2(q, out=np.zeros_like(q), where=~zero)
    n_zero, total = zero.sum(axis=0), logs.sum(axis=0)
    mean = np.where(n_zero > 0, -np.inf, total / n_sets)
    log_z = _log2_sum(mean)
    variance = np.maximum(0.0, -log_z)
    loss = _divergence(p, mean)
    with np.errstate(invalid="ignore"):
        center = np.where(np.isneginf(log_z)[:, None], -np.inf, mean - log_z[:, None])
    bias = _divergence(p, center)
    without = np.zeros(len(p))
    for one, absent in zip(logs, zero, strict=True):
        rest = np.where(n_zero > absent, -np.inf, (total - one) / (n_sets - 1))
        without -= _log2_sum(rest)
    with np.errstate(invalid="ignore"):
        corrected = n_sets * variance - (n_sets - 1) * without / n_sets
    return DecomposedLoss(loss, bias, variance, np.where(np.isinf(variance), np.inf, corrected), n_sets)


def decompose_brier(p_true: ArrayLike, y_prob: ArrayLike) -> DecomposedLoss:
    """Split the quadratic loss of a learner beyond the truth's loss into bias and variance.

    Parameters
    ----------
    p_true, y_prob
        As in `decompose_kl`.

    Returns
    -------
    DecomposedLoss

    Raises
    ------
    ValueError
        As for `decompose_kl`.

    Notes
    -----
    Let m be the arithmetic mean of the forecasts q_s. Then
    ``mean_s |p - q_s|^2 = |p - m|^2 + mean_s |q_s - m|^2`` [1]_. The left side is the quadratic loss minus
    its least expectation, ``1 - |p|^2``. The jackknife gives the unbiased variance, which is S / (S - 1)
    times as large.

    References
    ----------
    .. [1] Geman, S., Bienenstock, E., and Doursat, R., "Neural networks and the bias/variance dilemma",
       Neural
       Computation 4, 1992.

    Examples
    --------
    The mean is (1/2, 1/2), the truth; each forecast is 0.3 off in both classes: 2 * 0.09, all of it variance.

    >>> found = decompose_brier([[0.5, 0.5]], [[[0.2, 0.8]], [[0.8, 0.2]]])
    >>> [float(one[0].round(4)) for one in (found.loss, found.bias, found.variance)]
    [0.18, 0.0, 0.18]
    """
    p, q = _checked(p_true, y_prob)
    n_sets, center = len(q), q.mean(axis=0)
    loss = ((q - p) ** 2).sum(axis=2).mean(axis=0)
    bias = ((p - center) ** 2).sum(axis=1)
    variance = ((q - center) ** 2).sum(axis=2).mean(axis=0)
    return DecomposedLoss(loss, bias, variance, variance * n_sets / (n_sets - 1), n_sets)


def _checked(p_true: ArrayLike, y_prob: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    p, q = np.asarray(p_true, dtype=np.float64), np.asarray(y_prob, dtype=np.float64)
    if p.ndim != 2 or q.ndim != 3 or q.shape[1:] != p.shape:
        raise ValueError(
            f"p_true has shape {p.shape} and y_prob {q.shape}: give arrays of shapes (n_inputs, n_classes) "
            "and (n_sets, n_inputs, n_classes)"
        )
    if len(q) < 2:
        raise ValueError(f"y_prob has {len(q)} training set(s): variance over training sets needs at least 2")
    for name, table in (("p_true", p), ("y_prob", q)):
        off = np.abs(table.sum(axis=-1) - 1.0).max(initial=0.0)
        if not (table >= 0).all() or not off <= SUMS_TO_ONE:
            raise ValueError(f"a row of {name} is not a distribution: give probabilities that sum to one")
    return p, q


def _checked_weights(weight: ArrayLike | None, n_inputs: int) -> NDArray[np.float64]:
    weights = np.ones(n_inputs) if weight is None else np.asarray(weight, dtype=np.float64)
    if weights.shape != (n_inputs,) or not (weights >= 0).all() or not weights.sum() > 0:
        raise ValueError(
            f"weight has shape {weights.shape}: give {n_inputs} numbers of at least 0, not all of them 0"
        )
    return weights / weights.sum()


def _divergence(p: NDArray[np.float64], log_q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return KL(p || q) of each row, in bits, of log2 q."""
    possible = p > 0
    log_p = np.log2(p, out=np.zeros_like(p), where=possible)
    return np.multiply(p, log_p - log_q, out=np.zeros_like(p), where=possible).sum(axis=1)


def _log2_sum(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log2 of the sum of 2 to the logs of each row, -inf where all are."""
    top = logs.max(axis=1)
    base = np.where(np.isneginf(top), 0.0, top)
    with np.errstate(divide="ignore"):
        return base + np.log2(np.exp2(logs - base[:, None]).sum(axis=1))
