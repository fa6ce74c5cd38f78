"""The evidence of counts whose probabilities have a Dirichlet distribution."""

import math

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel


@kernel
def log_evidence(counts: NDArray[np.float64], alpha: float) -> float:
    """Log probability of sequences with these counts (n_sequences, n_values), each Dirichlet(alpha)."""
    # counts need not be whole; 1000 sequences of 5 values: 0.1 ms
    of_one, of_all = math.lgamma(alpha), math.lgamma(alpha * counts.shape[1])
    evidence = 0.0
    for i in range(counts.shape[0]):
        total = 0.0
        for count in counts[i]:
            if count > 0.0:
                total += count
                evidence += math.lgamma(count + alpha) - of_one
        if total > 0.0:
            evidence -= math.lgamma(total + alpha * counts.shape[1]) - of_all
    return evidence


@kernel
def log_rising(n: float, alpha: float) -> float:
    """Log of alpha (alpha + 1) ... (alpha + n - 1)."""
    return math.lgamma(n + alpha) - math.lgamma(alpha) if n > 0.0 else 0.0
