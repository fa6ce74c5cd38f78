"""The significance of a theory of 1996, S_f: the bits that its predictions save."""

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.checks import check_choice
from workbench.metrics._shared.code_lengths import INCREMENTS, Increment, frequency_code
from workbench.metrics._shared.set_metric import CodeLength

__all__ = ["significance", "significance_by_count"]


class Significance(CodeLength):
    """Count the bits that predicted sets save over the frequencies of the classes alone.

    Larger is better, without bounds; 0 for sets of all classes, and for empty ones. Above 0 the predictions
    carry more information than the null hypothesis.

    Parameters
    ----------
    increment : {"share", "count"}
        As in `FrequencyComplexity`; "share" is as printed.
    name : str
        What tables call it.

    Raises
    ------
    ValueError
        If `increment` is another word.

    Notes
    -----
    S_f = I_f(D|Q) - I_f(D|T,Q), the `class_complexity` less the `frequency_complexity`; `code_lengths` gives
    what each case saves. It grows with the number of cases, so compare test parts of one size. For
    single predictions on two classes `analytic_significance` is nearly the same.

    References
    ----------
    .. [1] Cleary, J. G., Legg, S., and Witten, I. H., "An MDL estimate of the significance of rules", 1996,
       section 4.

    Examples
    --------
    >>> from workbench.metrics.significance import significance, significance_by_count
    >>> from workbench.metrics import as_sets
    >>> y = [0, 1] * 50
    >>> significance(y, as_sets(y, classes=[0, 1])).__round__(2)  # right throughout
    98.31
    >>> significance(y, as_sets([{0, 1}] * 100, classes=[0, 1]))
    0.0
    >>> significance_by_count(y, as_sets([0] * 100, classes=[0, 1])).__round__(2)  # no information
    -4.7
    """

    workbench_identity = "workbench.metrics.significance:Significance"
    direction = "higher"
    meaning = "the bits that predicted sets save over the class frequencies alone; 0 saves nothing"
    bounds = (-np.inf, np.inf)

    def __init__(self, *, increment: Increment = "share", name: str = "significance") -> None:
        check_choice(increment, INCREMENTS, name="increment")
        self.increment: Increment = increment
        self.name = name

    def _of_cases(self, codes: NDArray[np.intp], sets: NDArray[np.bool_]) -> NDArray[np.float64]:
        without = frequency_code(codes, np.ones_like(sets), increment=self.increment)
        return without - frequency_code(codes, sets, increment=self.increment)


significance = Significance()
significance_by_count = Significance(increment="count", name="significance_by_count")
