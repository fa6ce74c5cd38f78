"""The scale of training sizes: logarithms."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["log_sizes"]


def log_sizes(sizes: Sequence[int], n_columns: int) -> NDArray[np.float64]:
    """Return the natural logarithms of sizes, or say what is wrong with them."""
    numbers = np.asarray(sizes, dtype=np.float64)
    if numbers.shape != (n_columns,):
        raise ValueError(
            f"sizes has {numbers.size} numbers for {n_columns} columns of scores: give one for each"
        )
    if not (numbers > 0).all() or not (np.diff(numbers) > 0).all():
        raise ValueError(f"sizes is {list(sizes)}: give positive numbers in ascending order")
    return np.log(numbers)
