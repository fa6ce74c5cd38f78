"""The significance that a share of right predictions has by formula, for two classes."""

import math
from typing import Literal

from workbench.metrics._shared.checks import check_choice, check_number

__all__ = ["analytic_significance"]


def analytic_significance(
    n: float, majority: float, right: float, *, form: Literal["factorial", "stirling"] = "factorial"
) -> float:
    """Return S_f of single predictions on two classes from the number that is right.

    Larger is better; 0 where as many are right as the larger class has.

    Parameters
    ----------
    n : float
        Number of cases; it and the others need not be whole, so that means of splits can be given.
    majority : float
        How many are of the larger class.
    right : float
        How many predictions are right.
    form : {"factorial", "stirling"}
        By factorials, or by Stirling's approximation as printed, which has no value where all or none are
        of the class, or right.

    Returns
    -------
    float
        Bits.

    Raises
    ------
    ValueError
        If a count is not a number, or below 0 or above `n`, Stirling's form divides by zero, or `form` is
        unknown.

    Notes
    -----
    With i of N cases in the larger class and j right, I_f(D|Q) = log2 (N + 1)!/(i! (N - i)!) and
    I_f(D|T,Q) = log2 (N + 1)!/(j! (N - j)!). The latter is the length of `laplace_complexity`, and that of
    `frequency_complexity` only roughly. Stirling's: N (E(p) - E(q)) - (log2(p/q) + log2((1 - p)/(1 - q)))/2
    with p = i/N, q = j/N and the binary entropy E.

    References
    ----------
    .. [1] Cleary, J. G., Legg, S., and Witten, I. H., "An MDL estimate of the significance of rules", 1996,
       section 4, "Relating complexity to percent correct".

    Examples
    --------
    >>> from workbench.metrics import analytic_significance
    >>> analytic_significance(4062, 2104, 4062).__round__(1)  # mushrooms, all right; printed: 4053.4
    4051.9
    >>> analytic_significance(4062, 2104, 4000, form="stirling").__round__(1)
    3593.3
    """
    check_choice(form, ("factorial", "stirling"), name="form")
    for name, count in (("n", n), ("majority", majority), ("right", right)):
        check_number(count, name=name, meaning="a number of cases")
        if not 0 <= count <= n:
            raise ValueError(f"{name} is {count!r} of {n!r} cases: expected a number from 0 to {n!r}")
    if form == "factorial":
        return _hidden(n, majority) - _hidden(n, right)
    if {majority, right} & {0, n}:
        raise ValueError(
            f"Stirling's form divides by zero for {right!r} right and {majority!r} in the larger class of "
            f"{n!r}: take form='factorial'"
        )
    p, q = majority / n, right / n
    odds = math.log2(p / q) + math.log2((1 - p) / (1 - q))
    return n * (_entropy(p) - _entropy(q)) - odds / 2


def _hidden(n: float, count: float) -> float:
    """Return log2 n! / (count! (n - count)!): the bits of which cases are meant."""
    nats = math.lgamma(n + 1) - math.lgamma(count + 1) - math.lgamma(n - count + 1)
    return nats / math.log(2)


def _entropy(share: float) -> float:
    return -share * math.log2(share) - (1 - share) * math.log2(1 - share)
