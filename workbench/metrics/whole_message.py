"""The whole message of 1996, I(T) + I(D|T,Q): the theory, and the classes of the training rows given it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from workbench.metrics._shared.base import Metric
from workbench.metrics._shared.checks import check_sets
from workbench.metrics._shared.code_lengths import frequency_code, theory_bits

__all__ = ["whole_message"]


class WholeMessage(Metric):
    """Count the bits that encode a theory, and then the classes of the training rows.

    Smaller is better; from 0, without upper bound. It is the sum of `theory_complexity` and, on the rows that
    were learned from, `frequency_complexity`. It uses no other rows, so it estimates performance without
    measuring it.

    Notes
    -----
    I(D) = I(T) + I(Q) + I(D|T,Q), and I(Q), the attributes, is the same for all learners, so learners can be
    compared by the rest, and the one with the shortest message chosen. The value of that was measured
    (experiments/studies/theory_complexity/notes.md). Where the classes that a theory names are judged, such
    choices lose more than those by cross-validation, and other codes for theories change that little; where
    its probabilities are judged, they come near to those by cross-validation.

    In a study it is a score of training rows whatever rows are named, and a learner without a theory has
    none. `make_scorer` returns its negative; pass that scorer the training rows.

    References
    ----------
    .. [1] Cleary, J. G., Legg, S., and Witten, I. H., "An MDL estimate of the significance of rules", 1996,
       section 2, and section 3 for I_f(D|T,Q).

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from workbench.metrics.whole_message import whole_message
    >>> class Coin:  # its theory is one of two classes
    ...     def theory_complexity(self):
    ...         return SimpleNamespace(total=1.0)
    >>> sets = [[True, False], [False, True], [True, False]]
    >>> whole_message(Coin(), [0, 1, 1], sets).__round__(3)  # 1 + 4.322
    5.322
    """

    workbench_identity = "workbench.metrics.whole_message:WholeMessage"
    name = "whole_message"
    unit = "bits"
    direction = "lower"
    meaning = "the bits that encode the theory, and then the classes of the training rows"
    bounds = (0.0, np.inf)
    needs = frozenset({"theory", "sets"})
    order_matters = True

    def __call__(
        self,
        learner: Any,
        y_true: ArrayLike,
        y_set: ArrayLike,
        *,
        classes: Sequence[object] | ArrayLike | None = None,
    ) -> float:
        """Return the bits of a fitted learner's theory and of the classes given it."""
        codes, sets = check_sets(y_true, y_set, classes)
        return theory_bits(learner) + float(frequency_code(codes, sets, increment="share").sum())


whole_message = WholeMessage()
