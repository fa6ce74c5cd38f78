"""Gaines's r-value: how easily chance would do as well as a rule."""

import math
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from learners._kernels.rule_chance import BINOMIAL, HYPERGEOMETRIC, log_chance

__all__ = ["STATISTICS", "chance_of_rule"]

#: Names of the two distributions that the rows drawn by chance may follow.
STATISTICS: Mapping[str, int] = MappingProxyType({"binomial": BINOMIAL, "hypergeometric": HYPERGEOMETRIC})


def chance_of_rule(
    right: float, covered: float, of_class: float, total: float, *, statistic: str = "binomial"
) -> float:
    """Give the chance that as many rows, drawn blindly, hold at least as many of the class.

    Smaller is better; between 0 and 1.

    Parameters
    ----------
    right : float
        z, rows of the class that the rule covers.
    covered : float
        s, rows that it covers.
    of_class : float
        k, rows of the class.
    total : float
        n, all rows.
    statistic : {"binomial", "hypergeometric"}, default "binomial"
        Whether rows are drawn with or without putting them back.

    Returns
    -------
    float
        With p = k / n the sum of ``C(s, i) p^i (1 - p)^(s - i)`` over i = z .. s; or the sum of
        ``C(k, i) C(n - k, s - i) / C(n, s)`` over i = z .. min(s, k).

    References
    ----------
    .. [1] B. R. Gaines, "An ounce of knowledge is worth a ton of data: quantitative studies of the trade-off
       between expertise and data based on statistically well-founded empirical induction", 1989.

    Examples
    --------
    >>> round(chance_of_rule(3, 3, 5, 14), 4)  # 3 of 3 where 5 of 14 are of the class
    0.0456
    >>> round(chance_of_rule(3, 3, 5, 14, statistic="hypergeometric"), 4)
    0.0275
    """
    return math.exp(log_chance(right, covered, of_class, total, STATISTICS[statistic], np.empty(0), math.inf))
