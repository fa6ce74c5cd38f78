"""Smoothed probabilities of one attribute's values, shared by AODE and AnDE."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.bayes._kernels.factors import class_factors, joint_with_class, marginal_pseudo_counts
from learners.bayes._shared.backed_off_tables import BACKED_OFF, check_seed, sampler, value_factors
from learners.counts.class_prior import class_prior
from learners.counts.slots import N0, N0_CLASS_ALPHA, impossible_values

__all__ = ["SmoothedValues", "check_smoothing"]

_AS_N0 = ("friedman", *BACKED_OFF)  # in class prior, joint and values that training does not show


@dataclass(frozen=True, eq=False)
class SmoothedValues:
    """Probabilities of values and classes, and the pseudo-counts behind them."""

    class_prior: NDArray[np.float64]
    factors: NDArray[np.float64]  # P(value | class), (n_slots, n_classes); 1 in the slot for missing
    joint: NDArray[np.float64]  # P(class, value); meaningless in the slot for missing
    pseudo: NDArray[np.float64]  # (n_slots,): pseudo-count of each value as a child
    totals: NDArray[np.float64]  # their sum over the values of each attribute
    hidden: NDArray[np.bool_] | None  # (n_slots,): values that count as missing

    @classmethod
    def of(
        cls,
        values: NDArray[np.float64],
        class_counts: NDArray[np.float64],
        offsets: NDArray[np.int64],
        arities: NDArray[np.int64],
        *,
        smoothing: str,
        alpha: float,
        random_state: int = 0,
    ) -> "SmoothedValues":
        """Smooth counts."""
        n_classes = class_counts.size
        class_alpha = {"laplace": alpha, "m_estimate": 1.0 / n_classes}.get(smoothing, N0_CLASS_ALPHA)
        prior = class_prior(class_counts, alpha=class_alpha)
        pseudo, totals = _pseudo_counts(values, offsets, arities, smoothing, alpha)
        if smoothing in BACKED_OFF:
            factors = value_factors(values, offsets, arities, sampler(smoothing, random_state))
        else:
            # one layout for this kernel is compiled once
            factors = class_factors(np.array(values, order="C"), pseudo, offsets, arities)
        if smoothing in _AS_N0:
            return cls(prior, factors, prior * factors, pseudo, totals, impossible_values(pseudo))
        cell = np.full(arities.size, alpha) if smoothing == "laplace" else 1.0 / (n_classes * arities)
        joint = joint_with_class(values, class_counts.sum(), cell, offsets, arities)
        return cls(prior, factors, joint, pseudo, totals, None)


def check_smoothing(smoothing: object, random_state: object) -> None:
    """Raise an error for an unknown smoothing or an invalid seed."""
    if smoothing not in ("laplace", "m_estimate", *_AS_N0):
        raise ValueError(
            'smoothing must be "laplace", "m_estimate", "friedman", "backoff" or "hdp", but was '
            f"{smoothing!r}."
        )
    check_seed(random_state)


def _pseudo_counts(
    values: NDArray[np.float64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
    smoothing: str,
    alpha: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the pseudo-count of each slot as a child, and the sum over the values of each attribute."""
    if smoothing in _AS_N0:
        return marginal_pseudo_counts(values, N0, offsets, arities), np.full(arities.size, N0)
    if smoothing == "laplace":
        return np.full(len(values), alpha), np.multiply(alpha, arities)
    each: NDArray[np.float64] = 1.0 / arities
    return np.repeat(each, arities + 1), each * arities
