"""The significance of a theory of 1996 by formula, and the code length of the classes without predictions."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from workbench.base.text import shown
from workbench.metrics._shared.checks import check_choice, check_integer, check_number

__all__ = ["analytic_significance", "class_complexity"]


def class_complexity(
    y_true: ArrayLike, *, n_classes: int, weights: Literal["frequency", "constant"] = "frequency"
) -> float:
    """Compute the bits that encode the classes without predictions, the null hypothesis of `significance`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Class codes 0 .. n_classes - 1.
    n_classes : int
        Number of possible classes, at least 1.
    weights : {"frequency", "constant"}
        "frequency" codes by the class frequencies of earlier cases, I_f(D|Q). "constant" codes all classes
        equally, I_c(D|Q).

    Returns
    -------
    float
        Number of bits for all cases together. The order of the cases does not matter.

    Notes
    -----
    "frequency" codes a case with probability (c_i + 1)/(N + n), if c_i of the N cases before it have the same
    class. The product over all cases is (n - 1)! prod_i c_i! / (N + n - 1)!. "constant" codes with
    probability 1/n.

    References
    ----------
    .. [1] Cleary, J. G., Legg, S., and Witten, I. H., "An MDL estimate of the significance of rules", 1996,
       section 3 and Table 1.

    Examples
    --------
    >>> from workbench.metrics import class_complexity
    >>> class_complexity([0, 0, 1], n_classes=2).__round__(3)  # 1/2, 2/3, 1/4
    3.585
    >>> class_complexity([0, 0, 1], n_classes=4, weights="constant")
    6.0
    """
    check_choice(weights, ("frequency", "constant"), name="weights")
    check_integer(n_classes, least=1, name="n_classes", meaning="the number of classes")
    codes = np.asarray(y_true)
    if codes.ndim != 1 or (codes.size and codes.dtype.kind not in "iu"):
        raise ValueError(
            f"y_true has {codes.dtype} values in shape {codes.shape}: give class codes in one dimension"
        )
    if codes.size and (codes.min() < 0 or codes.max() >= n_classes):
        raise ValueError(
            f"y_true has codes from {codes.min()} to {codes.max()}: give codes 0 to {n_classes - 1}, "
            "or a larger n_classes"
        )
    if weights == "constant":
        return codes.size * math.log2(n_classes)
    counts = np.bincount(codes.astype(np.intp), minlength=n_classes).tolist()
    nats = math.lgamma(codes.size + n_classes) - math.lgamma(n_classes)
    return (nats - sum(math.lgamma(count + 1) for count in counts)) / math.log(2)


def analytic_significance(
    n: float, majority: float, right: float, *, form: Literal["factorial", "stirling"] = "factorial"
) -> float:
    """Compute the significance of predictions on two classes from the number of right predictions.

    This is S_f for one predicted class per case, by a formula. Larger is better. It is 0 if the number of
    right predictions equals the number of cases of the larger class.

    Parameters
    ----------
    n : float
        Number of cases. All numbers may be fractional, so that means over splits can be given.
    majority : float
        Number of cases of the larger class.
    right : float
        Number of right predictions.
    form : {"factorial", "stirling"}
        "factorial" uses factorials. "stirling" uses Stirling's approximation as printed. It is undefined if
        all cases or no cases are of the larger class, or are predicted right.

    Returns
    -------
    float
        The significance, in bits.

    Notes
    -----
    If i of N cases are in the larger class and j predictions are right, I_f(D|Q) = log2 (N + 1)!/(i! (N -
    i)!) and I_f(D|T,Q) = log2 (N + 1)!/(j! (N - j)!). The latter is the length by `laplace_complexity`, and
    approximately the length by `frequency_complexity`. Stirling's approximation is N (E(p) - E(q)) -
    (log2(p/q) + log2((1 - p)/(1 - q)))/2, with p = i/N, q = j/N and the binary entropy E.

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
            raise ValueError(
                f"{name} is {shown(count)} of {shown(n)} cases: expected a number from 0 to {shown(n)}"
            )
    if form == "factorial":
        return _hidden(n, majority) - _hidden(n, right)
    if {majority, right} & {0, n}:
        raise ValueError(
            f"Stirling's formula divides by zero for {shown(right)} right predictions and "
            f"{shown(majority)} of {shown(n)} cases in the larger class: use form='factorial'"
        )
    p, q = majority / n, right / n
    odds = math.log2(p / q) + math.log2((1 - p) / (1 - q))
    return n * (_entropy(p) - _entropy(q)) - odds / 2


def _hidden(n: float, count: float) -> float:
    """Return log2 n! / (count! (n - count)!): the bits that select the cases."""
    nats = math.lgamma(n + 1) - math.lgamma(count + 1) - math.lgamma(n - count + 1)
    return nats / math.log(2)


def _entropy(share: float) -> float:
    return -share * math.log2(share) - (1 - share) * math.log2(1 - share)
