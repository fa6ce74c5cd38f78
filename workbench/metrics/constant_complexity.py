"""The constant weighted code of 1996, I_c(D|T,Q): sets weighted by their size and by how they went so far."""

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.code_lengths import constant_code
from workbench.metrics._shared.set_metric import CodeLength

__all__ = ["constant_complexity"]


class ConstantComplexity(CodeLength):
    """Count the bits of the classes, given predicted sets, all classes alike.

    Smaller is better; from 0, without upper bound. Empty sets and full ones cost log2 n bits per case.

    Notes
    -----
    Of n classes a set names m. A hit has probability p/m and a miss (1 - p)/(n - m), where
    p = alpha m / (alpha m + beta (n - m)). A hit then adds 1/m to alpha, a miss 1/(n - m) to beta; both start
    at 1/n. Called as every metric of sets, see `CodeLength.code_lengths`; O(n_samples * n_classes), compiled.

    References
    ----------
    .. [1] Cleary, J. G., Legg, S., and Witten, I. H., "An MDL estimate of the significance of rules", 1996,
       section 3 and Table 1.

    Examples
    --------
    >>> from workbench.metrics.constant_complexity import constant_complexity
    >>> constant_complexity([0, 1, 2, 3], [[True] * 4] * 4)
    8.0
    >>> constant_complexity.code_lengths([0, 1], [[True, False], [False, True]]).round(3)
    array([1.   , 0.415])
    """

    workbench_identity = "workbench.metrics.constant_complexity:ConstantComplexity"
    name = "constant_complexity"
    direction = "lower"
    meaning = "the bits that encode the classes, given the predicted sets, with all classes alike"
    bounds = (0.0, np.inf)

    def _of_cases(self, codes: NDArray[np.intp], sets: NDArray[np.bool_]) -> NDArray[np.float64]:
        return constant_code(codes, sets)


constant_complexity = ConstantComplexity()
