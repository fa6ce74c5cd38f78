"""Completions of coded rows with missing values."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Completions"]


@dataclass(frozen=True, eq=False)
class Completions:
    """All completions of rows with missing values, numbered row by row."""

    codes: NDArray[np.integer]  # (n_columns, n_rows); the arity is a hole
    arities: NDArray[np.int64]

    @property
    def n_ways(self) -> NDArray[np.float64]:
        """Number of completions of each row, which may exceed the range of integers."""
        return self._sizes.prod(axis=0, dtype=np.float64)

    def blocks(self, size: int) -> Iterator[tuple[NDArray[np.integer], NDArray[np.intp]]]:
        """Yield the completed rows in blocks of `size`, with the index of their row."""
        sizes = self._sizes
        strides = np.cumprod(sizes, axis=0) // sizes
        ways = self.n_ways.astype(np.int64)
        ends = np.cumsum(ways)
        total = int(ends[-1]) if ends.size else 0
        for start in range(0, total, size):
            index = np.arange(start, min(start + size, total))
            owners = np.searchsorted(ends, index, side="right")
            way = index - (ends - ways)[owners]
            values = way // strides[:, owners] % sizes[:, owners]
            rows = self.codes[:, owners]
            yield np.where(rows == self.arities[:, None], values, rows).astype(self.codes.dtype), owners

    @property
    def _sizes(self) -> NDArray[np.int64]:
        """Return the number of values that each cell may take."""
        return np.where(self.codes == self.arities[:, None], self.arities[:, None], 1)
