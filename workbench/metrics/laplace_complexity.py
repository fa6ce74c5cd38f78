"""The simple code of 1996: first whether the predicted set holds the class, then which class it is."""

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.set_metric import CodeLength

__all__ = ["laplace_complexity"]


class LaplaceComplexity(CodeLength):
    """Count the bits of the classes, hits coded by Laplace's rule and all classes of a side alike.

    Smaller is better; at least 1 bit, without upper bound. The order of the cases moves bits from one to
    another and leaves the sum.

    Notes
    -----
    Of n classes a set names m. After c_p hits and c_n misses a hit costs -log2 (c_p + 1)/(c_p + c_n + 2) +
    log2 m bits, and a miss -log2 (c_n + 1)/(c_p + c_n + 2) + log2(n - m). It is wasteful where the set
    decides, with none or all of the classes, and may exceed log2 n bits per case: `constant_complexity`
    corrects both. Called as every metric of sets, see `CodeLength.code_lengths`; O(n_samples * n_classes).

    References
    ----------
    .. [1] Cleary, J. G., Legg, S., and Witten, I. H., "An MDL estimate of the significance of rules", 1996,
       section 3: the simple estimator.

    Examples
    --------
    >>> from workbench.metrics.laplace_complexity import laplace_complexity
    >>> sets = [[True, False], [False, True], [True, False]]
    >>> laplace_complexity([0, 1, 0], sets).__round__(6)  # hits of probability 1/2, 2/3, 3/4
    2.0
    """

    workbench_identity = "workbench.metrics.laplace_complexity:LaplaceComplexity"
    name = "laplace_complexity"
    direction = "lower"
    meaning = "the bits that encode the classes, with hits coded by Laplace's rule"
    bounds = (1.0, np.inf)
    order_matters = False

    def _of_cases(self, codes: NDArray[np.intp], sets: NDArray[np.bool_]) -> NDArray[np.float64]:
        n_samples, n_classes = sets.shape
        cases = np.arange(n_samples)
        hit = sets[cases, codes]
        named = np.count_nonzero(sets, axis=1)
        hits: NDArray[np.intp] = np.cumsum(hit) - hit
        same = np.where(hit, hits, cases - hits)
        choices = np.where(hit, named, n_classes - named)
        return np.log2(choices * (cases + 2) / (same + 1))


laplace_complexity = LaplaceComplexity()
