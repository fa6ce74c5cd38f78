"""The code length of the classes without predictions: I_f(D|Q) and I_c(D|Q) of 1996."""

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from workbench.metrics._shared.checks import check_choice, check_integer

__all__ = ["class_complexity"]


def class_complexity(
    y_true: ArrayLike, *, n_classes: int, weights: Literal["frequency", "constant"] = "frequency"
) -> float:
    """Count the bits of the classes without predictions, the null hypothesis of `significance`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Class codes 0 .. n_classes - 1.
    n_classes : int
        Number of classes that there can be, at least 1.
    weights : {"frequency", "constant"}
        By the frequencies so far, I_f(D|Q), or all classes alike, I_c(D|Q).

    Returns
    -------
    float
        Bits for all cases together; the order of the cases does not matter.

    Raises
    ------
    ValueError
        If `y_true` holds no codes below `n_classes`, or an option is none of those above.

    Notes
    -----
    "frequency" codes a case with (c_i + 1)/(N + n), c_i of the N cases before being of its class, which
    multiplies to (n - 1)! prod_i c_i! / (N + n - 1)! over all; "constant" with 1/n.

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
            f"y_true holds {codes.dtype} values in shape {codes.shape}: give class codes in one dimension"
        )
    if codes.size and (codes.min() < 0 or codes.max() >= n_classes):
        raise ValueError(
            f"y_true holds codes from {codes.min()} to {codes.max()}: give codes 0 to {n_classes - 1}, "
            "or a larger n_classes"
        )
    if weights == "constant":
        return codes.size * math.log2(n_classes)
    counts = np.bincount(codes.astype(np.intp), minlength=n_classes).tolist()
    nats = math.lgamma(codes.size + n_classes) - math.lgamma(n_classes)
    return (nats - sum(math.lgamma(count + 1) for count in counts)) / math.log(2)
