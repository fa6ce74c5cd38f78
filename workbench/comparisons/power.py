"""The smallest difference that a planned comparison can detect."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.text import shown
from workbench.comparisons._shared.base import check_share, t_critical

__all__ = ["detectable_difference"]


def detectable_difference(
    sd: ArrayLike, n: ArrayLike, *, power: float = 0.8, alpha: float = 0.05
) -> float | NDArray[np.float64]:
    """Compute the smallest true mean difference that a paired t test detects with a given power.

    It is assumed that differences are normal. A smaller result means a more sensitive study. The result is 0
    if `sd` is 0.

    Parameters
    ----------
    sd : float or array-like
        Standard deviation of the paired differences, in the unit of the scores.
    n : int or array-like of int
        Number of pairs (such as truths on which two learners are compared), at least 2. `n` and `sd` are
        broadcast together.
    power : float
        Probability of detecting the difference, greater than `alpha` and less than 1.
    alpha : float
        Significance level of the two-sided test. For one of m tests with Bonferroni's correction, pass
        ``0.05 / m``.

    Returns
    -------
    float or ndarray
        The smallest detectable difference, in the unit of `sd`. A float if `sd` and `n` both are scalars.

    Raises
    ------
    ValueError
        If `sd` is negative or not finite, if `n` is not whole or below 2, or unless
        ``0 < alpha < power < 1``.

    Notes
    -----
    If the true mean difference is d, the t statistic has a noncentral t distribution with noncentrality
    ``d sqrt(n) / sd``. Both tails are counted. The noncentrality that gives the power is computed to full
    precision, once for each different n. With few pairs and heavy tails, the true power is less certain than
    the digits suggest.

    Examples
    --------
    >>> round(detectable_difference(1.0, 40), 4)
    0.4543
    >>> detectable_difference([1.0, 2.0], [10, 40]).round(4)
    array([0.996 , 0.9085])
    """
    spread, pairs = np.asarray(sd, dtype=np.float64), np.asarray(n)
    if not (np.isfinite(spread) & (spread >= 0)).all():
        raise ValueError(
            f"sd is {shown(sd)}: give finite standard deviations of the differences, 0 or larger"
        )
    if pairs.dtype.kind not in "iu" or (pairs < 2).any():
        raise ValueError(f"n is {shown(n)}: give whole numbers of pairs, each at least 2")
    check_share(power, what="power")
    check_share(alpha, what="alpha")
    if power <= alpha:
        raise ValueError(
            f"power {shown(power)} is not above alpha {shown(alpha)}, the rate at which the test rejects "
            "without a difference: give a power above alpha"
        )
    sizes, places = np.unique(pairs, return_inverse=True)
    noncentrality = np.array([_noncentrality(int(size) - 1, power, alpha) for size in sizes])
    found = spread * noncentrality[places.reshape(pairs.shape)] / np.sqrt(pairs)
    return float(found) if np.ndim(found) == 0 else found


def _noncentrality(df: int, power: float, alpha: float) -> float:
    """Return the noncentrality at which two-sided t on `df` degrees of freedom has the power."""
    from scipy.optimize import brentq

    critical = t_critical(alpha, df)
    high = 1.0
    while _power(high, critical, df) < power:
        high *= 2
    return float(brentq(lambda x: _power(x, critical, df) - power, 0.0, high, xtol=1e-12, rtol=1e-13))


def _power(noncentrality: float, critical: float, df: int) -> float:
    from scipy.stats import nct

    # If the far tail underflows, scipy returns NaN instead of 0.
    far = np.nan_to_num(nct.cdf(-critical, df, noncentrality))
    return float(nct.sf(critical, df, noncentrality) + far)
