"""The complexity of a theory of 1996, I(T): the bits that encode what a learner has learned."""

from typing import Any

import numpy as np

from workbench.metrics._shared.base import Metric
from workbench.metrics._shared.code_lengths import theory_bits

__all__ = ["theory_complexity"]


class TheoryComplexity(Metric):
    """Count the bits that encode the theory itself: a tree, a graph or rules.

    Smaller is better; from 0, without upper bound. It uses the fitted learner and no rows, so it does not
    measure performance; the bits of the classes given the theory are `frequency_complexity`, and both
    together `whole_message`.

    Parameters
    ----------
    learner : classifier
        Fitted, and able to encode its theory: those of `learners` that grow trees, graphs or rules, and any
        other whose method ``theory_complexity()`` gives an object with ``total``, in bits.

    Returns
    -------
    float
        Bits.

    Raises
    ------
    ValueError
        If the learner has no theory to encode: it has no such method, or has learned none, such as trees that
        vote.

    Notes
    -----
    I(D) = I(T) + I(Q) + I(D|T,Q), and I(Q), the attributes, is the same for all learners. What the code of a
    theory contains is documented in `learners.code_lengths.theory`. In a study a learner without a theory has
    no such score; its cells do not fail. A score has no prior, rows or cut-off: all three are "none".

    References
    ----------
    .. [1] Cleary, J. G., Legg, S., and Witten, I. H., "An MDL estimate of the significance of rules", 1996,
       section 2, "Theory Complexity"; "future work" of section 6.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from workbench.metrics.theory_complexity import theory_complexity
    >>> class Coin:  # its theory is one of two classes
    ...     def theory_complexity(self):
    ...         return SimpleNamespace(total=1.0)
    >>> theory_complexity(Coin())
    1.0
    """

    workbench_identity = "workbench.metrics.theory_complexity:TheoryComplexity"
    name = "theory_complexity"
    unit = "bits"
    direction = "lower"
    meaning = "the bits that encode the theory itself: a tree, a graph or rules"
    bounds = (0.0, np.inf)
    needs = frozenset({"theory"})

    def __call__(self, learner: Any) -> float:
        """Return the bits of a fitted learner's theory."""
        return theory_bits(learner)


theory_complexity = TheoryComplexity()
