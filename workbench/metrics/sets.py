"""Metrics of predicted sets: the share of rows whose set is right."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from workbench.metrics._shared.base import SetMetric
from workbench.metrics._shared.checks import Classes, Codes, Numbers, Sets, check_sets

__all__ = ["ExactMatch", "SetCoverage", "SetShare"]


class SetShare(SetMetric):
    """Compute the share of rows whose predicted set is right, as defined in `_of_cases`."""

    unit = "share of samples"
    direction = "higher"
    bounds = (0.0, 1.0)
    has_per_sample = True

    def per_sample(self, y_true: ArrayLike, y_set: ArrayLike, *, classes: Classes = None) -> Numbers:
        """Return 1 for each row whose predicted set is right, and 0 for the other rows."""
        return self._of_cases(*check_sets(y_true, y_set, classes))

    def _of_all(self, scores: Numbers) -> float:
        return float(scores.mean())


class ExactMatch(SetShare):
    """Compute the share of rows whose predicted set is exactly the true class.

    Larger is better. From 0 to 1.

    Notes
    -----
    This is the exact match ratio of multi-label learning. It is also our interpretation of "per cent correct"
    in [1]_, which does not define how an empty set or a set of several classes counts. If every set has one
    class, the score is the accuracy.

    References
    ----------
    .. [1] Cleary, J. G., Legg, S., and Witten, I. H., "An MDL estimate of the significance of rules", 1996,
       Table 2.

    Examples
    --------
    >>> from workbench.metrics import as_sets, exact_match
    >>> exact_match([0, 0, 0, 0], as_sets([{0}, {1}, {0, 1}, set()], classes=[0, 1]))
    0.25
    """

    workbench_identity = "workbench.metrics.set_share:ExactMatch"
    name = "exact_match"
    meaning = "the share of rows whose predicted set is exactly the true class"

    def _of_cases(self, codes: Codes, sets: Sets) -> Numbers:
        alone = sets.sum(axis=1) == 1
        return (alone & sets[np.arange(len(codes)), codes]).astype(np.float64)


class SetCoverage(SetShare):
    """Compute the share of rows whose predicted set contains the true class.

    Larger is better. From 0 to 1. If all sets contain all classes, the score is 1, so also consider the size
    of the sets.

    Notes
    -----
    This is the coverage of conformal prediction, whose sets are constructed to have a specified coverage.

    References
    ----------
    .. [1] Vovk, V., Gammerman, A., and Shafer, G., "Algorithmic learning in a random world", 2005, chapter 2.

    Examples
    --------
    >>> from workbench.metrics import as_sets, set_coverage
    >>> set_coverage([0, 0, 0, 0], as_sets([{0}, {1}, {0, 1}, set()], classes=[0, 1]))
    0.5
    """

    workbench_identity = "workbench.metrics.set_share:SetCoverage"
    name = "set_coverage"
    meaning = "the share of rows whose predicted set contains the true class"

    def _of_cases(self, codes: Codes, sets: Sets) -> Numbers:
        return sets[np.arange(len(codes)), codes].astype(np.float64)
