"""Cut a numeric column into intervals that hold about the same number of rows, where no class guides."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from learners.parent_lists import is_whole

__all__ = ["equal_frequency_cut_points"]


def equal_frequency_cut_points(x: ArrayLike, n_intervals: int) -> NDArray[np.float64]:
    """Find cuts between intervals of about equally many rows.

    Parameters
    ----------
    x : array-like of shape (n_samples,)
        Numbers; NaN is left out.
    n_intervals : int
        Most intervals, at least 1; there are fewer where equal values would be torn apart.

    Returns
    -------
    ndarray of shape (n_cuts,)
        Midpoints between neighboring values, ascending; each is the one nearest to its share of the rows.

    Raises
    ------
    ValueError
        If `n_intervals` is no whole number of at least 1.

    Examples
    --------
    >>> equal_frequency_cut_points([1, 2, 3, 4, 5, 6, 7, 8], 4)
    array([2.5, 4.5, 6.5])
    >>> equal_frequency_cut_points([0, 0, 0, 0, 0, 1], 3)
    array([0.5])
    """
    if not is_whole(n_intervals) or n_intervals < 1:
        raise ValueError(f"n_intervals must be a whole number, 1 or more, but was {n_intervals!r}.")
    values = np.asarray(x, dtype=np.float64)
    distinct, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    if distinct.size < 2:
        return np.empty(0)
    below = np.cumsum(counts)[:-1]  # rows below each gap between values
    wanted = np.arange(1, n_intervals) * counts.sum() / n_intervals
    gaps = np.unique(np.abs(below[None, :] - wanted[:, None]).argmin(axis=1)).astype(np.intp)
    low, high = distinct[:-1], distinct[1:]
    # half of each, so that the largest numbers do not overflow
    return (low / 2 + high / 2)[gaps]
