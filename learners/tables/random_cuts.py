"""Random cuts of numbers that ignore the class, for averages over discretizations."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Spread"]

FEWEST, MOST, POWER = 3, 12, 0.4  # numbers of intervals, up to n ** POWER
LEAST_SHARE = 0.3  # of an even interval, at either end
TAIL, LEAST_ROWS = 4.0, 8.0  # intervals of a tail shrink by this factor, down to so many rows
MOST_TAIL = 32  # of them are more than any number of rows allows


class Spread(NamedTuple):
    """The spread of a column's numbers, from which cuts are drawn."""

    between: NDArray[np.float64]  # midway between neighboring distinct values, ascending
    below: NDArray[np.float64]  # weight of the rows up to each value

    @classmethod
    def of(cls, x: NDArray[np.float64], weight: NDArray[np.float64] | None = None) -> "Spread":
        """Sort the numbers of a column without NaN."""
        known = ~np.isnan(x)
        values, where = np.unique(x[known], return_inverse=True)
        each = np.bincount(where, weights=None if weight is None else weight[known])
        return cls(0.5 * values[1:] + 0.5 * values[:-1], np.cumsum(each, dtype=np.float64))

    def draw_cuts(self, rng: np.random.Generator, *, tails: bool = False) -> NDArray[np.float64]:
        """Cut into a random number of about equally frequent intervals, 3 to n ** 0.4, but at most 12."""
        # Where the first cut lies within the first interval is drawn too. With fewer distinct values than
        # intervals, each value is one. Two random numbers are drawn, whatever the column. With `tails` the
        # first and the last interval are cut again, towards the ends, into ever smaller ones of about 8 rows,
        # so that a model can tell what only the largest numbers have. Ties make intervals larger or smaller
        # than that.
        first, second = rng.random(2)
        if self.below.size < 2:
            return np.empty(0)
        most = max(FEWEST, min(MOST, int(self.below[-1] ** POWER)))
        n_intervals = FEWEST + int(first * (most - FEWEST + 1))
        if self.below.size <= n_intervals:
            return self.between
        shares = (np.arange(n_intervals) + second) / n_intervals
        ends = LEAST_SHARE / n_intervals
        shares = shares[(shares > ends) & (shares < 1.0 - ends)]
        return self._cuts_at(self._with_tails(shares) if tails else shares)

    def _with_tails(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Add shares that approach 0 and 1 to ascending shares."""
        least = LEAST_ROWS / self.below[-1]
        shrunk = TAIL ** -np.arange(1.0, MOST_TAIL)
        below, above = shares[0] * shrunk, (1.0 - shares[-1]) * shrunk
        return np.concatenate([below[below >= least][::-1], shares, 1.0 - above[above >= least]])

    def even_cuts(self, n_intervals: int) -> NDArray[np.float64]:
        """Cut into intervals of about equal frequency, or one for each value if there are fewer values."""
        if self.below.size <= n_intervals:
            return self.between
        return self._cuts_at(np.arange(1, n_intervals) / n_intervals)

    def _cuts_at(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return cuts above these shares of the rows."""
        at = np.searchsorted(self.below, shares * self.below[-1], side="left")
        return self.between[np.unique(np.minimum(at, self.between.size - 1))]
