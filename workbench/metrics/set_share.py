"""The share of rows whose predicted set names the class alone, or at least names it."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._checks import check_choice
from workbench.metrics.set_metric import SetMetric

__all__ = ["exact_match", "set_coverage"]

Kind = Literal["alone", "among_others"]


class SetShare(SetMetric):
    """Measure the share of rows whose predicted set names the true class, alone or among others.

    Larger is better; between 0 and 1.

    Parameters
    ----------
    named : {"alone", "among_others"}
        Whether a set that also names other classes counts.
    name : str
        What tables call it.

    Raises
    ------
    ValueError
        If `named` is another word.

    Notes
    -----
    "alone" is the exact match ratio of multi-label learning, and our reading of "per cent correct" in [1]_,
    which does not say how an empty set or one of several classes counts; where every set has one class it is
    the accuracy. "among_others" is the coverage of conformal prediction.

    References
    ----------
    .. [1] Cleary, J. G., Legg, S., and Witten, I. H., "An MDL estimate of the significance of rules", 1996,
       Table 2.

    Examples
    --------
    >>> from workbench.metrics.as_sets import as_sets
    >>> from workbench.metrics.set_share import exact_match, set_coverage
    >>> sets = as_sets([{0}, {1}, {0, 1}, set()], classes=[0, 1])
    >>> exact_match([0, 0, 0, 0], sets), set_coverage([0, 0, 0, 0], sets)
    (0.25, 0.5)
    """

    unit = "share of samples"
    direction = "higher"
    bounds = (0.0, 1.0)
    has_per_sample = True

    def __init__(self, *, named: Kind = "alone", name: str = "exact_match") -> None:
        check_choice(named, ("alone", "among_others"), name="named")
        self.named: Kind = named
        self.name = name

    def per_sample(
        self,
        y_true: ArrayLike,
        y_set: ArrayLike,
        *,
        classes: Sequence[object] | ArrayLike | None = None,
    ) -> NDArray[np.float64]:
        """Give 1 for each row that counts and 0 for the others.

        Parameters
        ----------
        y_true, y_set, classes
            As in `SetMetric.__call__`.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._of_cases(*self._checked(y_true, y_set, classes))

    def _of_cases(self, codes: NDArray[np.intp], sets: NDArray[np.bool_]) -> NDArray[np.float64]:
        named = sets[np.arange(len(codes)), codes]
        if self.named == "alone":
            named &= sets.sum(axis=1) == 1
        return named.astype(np.float64)

    def _of_all(self, scores: NDArray[np.float64]) -> float:
        return float(scores.mean())


exact_match = SetShare()
set_coverage = SetShare(named="among_others", name="set_coverage")
