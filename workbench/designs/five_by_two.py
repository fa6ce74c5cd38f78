"""Dietterich's five replications of two-fold cross-validation."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from workbench.comparisons import CombinedF
from workbench.designs._shared.resampling import Resampling, check_flag, folds

if TYPE_CHECKING:
    from sklearn.model_selection import BaseCrossValidator

__all__ = ["FiveByTwo"]


@dataclass(frozen=True)
class FiveByTwo(Resampling):
    """Design with five replications of two-fold cross-validation (5x2cv).

    Parameters
    ----------
    stratified : bool
        Whether both halves have the class proportions of the data set, as in Hope and Korb (2004).

    Raises
    ------
    WorkbenchError
        If `stratified` is not a bool.

    References
    ----------
    .. [1] Dietterich, T. G., "Approximate statistical tests for comparing supervised classification learning
       algorithms", Neural Computation 10, 1998.

    Examples
    --------
    >>> import numpy as np
    >>> train, test = FiveByTwo().split(np.array([0, 0, 1, 1]), fold=0, seed=1)
    >>> len(train), len(test), sorted({*train.tolist(), *test.tolist()})
    (2, 2, [0, 1, 2, 3])
    """

    stratified: bool = True
    key: ClassVar[str] = "five_by_two"
    n_repeats: ClassVar[int] = 5
    n_folds: ClassVar[int] = 2
    train_share: ClassVar[float] = 0.5
    test = CombinedF()
    how = (
        "Each {0.blocks.source} is halved five times. Learners are fitted to each half and tested on the "
        "other"
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "stratified", check_flag("stratified", self.stratified))

    def splitter(self, seed: int, *, grouped: bool = False) -> "BaseCrossValidator":
        """Return scikit-learn's splitter for one replicate."""
        return folds(2, stratified=self.stratified, seed=seed, grouped=grouped)
