"""The class distribution, learned from counts or known: the next class, and the evidence so far."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import xlogy

from learners.counts._kernels.dirichlet import log_evidence
from learners.counts.class_prior import class_prior

__all__ = ["ClassDistribution"]


class ClassDistribution(NamedTuple):
    """Probabilities of the next class, and the log evidence (nats) of the classes so far."""

    probabilities: NDArray[np.float64]
    log_evidence: float

    @classmethod
    def of(cls, counts: NDArray[np.float64], alpha: float, *, known: ArrayLike | None = None) -> Self:
        """Learn the distribution from class counts with a Dirichlet(alpha) prior, unless it is `known`."""
        if known is not None:
            known = np.asarray(known, dtype=np.float64)
            if known.shape != counts.shape or (known < 0).any() or abs(known.sum() - 1) > 1e-8:
                raise ValueError(
                    f"the known class distribution is {known.tolist()}: expected probabilities of the "
                    f"{counts.size} classes that sum to one"
                )
            return cls(known, float(xlogy(counts, known).sum()))
        return cls(class_prior(counts, alpha=alpha), float(log_evidence(counts[np.newaxis], alpha)))
