"""Multiple tests: p values that control the family-wise error rate."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["bonferroni", "holm"]


def bonferroni(p_values: ArrayLike) -> NDArray[np.float64]:
    """Multiply p values by their number, which controls the family-wise error rate.

    A smaller value is stronger evidence. The result is never below Holm's value and never above 1. It is
    valid under any dependence between the tests.

    Parameters
    ----------
    p_values : array-like of any shape
        The p values of one family, between 0 and 1.

    Returns
    -------
    ndarray of the same shape
        Adjusted p values. Reject a hypothesis if its value is at most the level.

    Raises
    ------
    ValueError
        If a value is NaN or not between 0 and 1.

    See Also
    --------
    holm : is equally valid, and rejects at least the same hypotheses.

    References
    ----------
    .. [1] Dunn, O. J., "Multiple comparisons among means", Journal of the American Statistical Association
       56, 1961.

    Examples
    --------
    >>> bonferroni([0.01, 0.04, 0.5])
    array([0.03, 0.12, 1.  ])
    """
    p = _checked(p_values)
    return np.minimum(p * p.size, 1.0)


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Adjust p values by Holm's procedure, which controls the family-wise error rate.

    A smaller value is stronger evidence. The result is never below the given value and never above 1. It is
    valid under any dependence between the tests.

    Parameters
    ----------
    p_values : array-like of any shape
        The p values of one family, between 0 and 1.

    Returns
    -------
    ndarray of the same shape
        Adjusted p values. Reject a hypothesis if its value is at most the level.

    Raises
    ------
    ValueError
        If a value is NaN or not between 0 and 1.

    Notes
    -----
    This is a step-down procedure. The i-th smallest of m p values (i from 0) is multiplied by m - i. Then
    each product is raised to the largest product before it, and limited to 1. The procedure is uniformly more
    powerful than Bonferroni's, which multiplies all p values by m. Time is O(m log m).

    References
    ----------
    .. [1] Holm, S., "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
       Statistics 6, 1979.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])  # 3 x 0.01, then 2 x 0.03, then 1 x 0.04, raised to the 0.06 before it
    array([0.03, 0.06, 0.06])
    """
    p = _checked(p_values)
    flat = p.ravel()
    order = np.argsort(flat, kind="stable")
    stepped = np.maximum.accumulate(flat[order] * np.arange(flat.size, 0, -1))
    adjusted = np.empty_like(flat)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted.reshape(p.shape)


def _checked(p_values: ArrayLike) -> NDArray[np.float64]:
    p = np.asarray(p_values, dtype=np.float64)
    if not ((p >= 0) & (p <= 1)).all():
        wrong = p[~((p >= 0) & (p <= 1))].flat[0]
        raise ValueError(
            f"p_values contains {wrong}: give numbers from 0 to 1, and leave out tests that have none"
        )
    return p
