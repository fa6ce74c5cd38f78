"""The adaptive code of one row of counts."""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

__all__ = ["adaptive"]


@kernel
def adaptive(counts: NDArray[np.int64], ln_factorials: NDArray[np.float64]) -> float:
    """Return ln (N + r - 1)! - ln (r - 1)! - sum of ln n_k!, in nats, from a table of ln k! at index k."""
    n = 0
    length = -ln_factorials[counts.size - 1]
    for k in range(counts.size):
        n += counts[k]
        length -= ln_factorials[counts[k]]
    return length + ln_factorials[n + counts.size - 1]
