"""Cross-validation, repeated."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from workbench.designs._shared.resampling import Resampling, check_count, check_flag, folds

if TYPE_CHECKING:
    from sklearn.model_selection import BaseCrossValidator

__all__ = ["RepeatedFolds"]


@dataclass(frozen=True)
class RepeatedFolds(Resampling):
    """Design with repeated k-fold cross-validation.

    Parameters
    ----------
    folds : int
        Number of folds, at least 2.
    repeats : int
        Number of repetitions. Each repetition has new folds.
    stratified : bool
        Whether all folds have the class proportions of the data set.

    Raises
    ------
    WorkbenchError
        If a number is too small, or `stratified` is not a bool.

    Examples
    --------
    >>> import numpy as np
    >>> train, test = RepeatedFolds(folds=4).split(np.zeros(8, dtype=int), fold=3, seed=1)
    >>> len(train), len(test)
    (6, 2)
    """

    folds: int = 10
    repeats: int = 10
    stratified: bool = True
    key: ClassVar[str] = "repeated_folds"
    how = (
        "Each {0.blocks.source} is cut into {0.folds} folds, {0.times}."
        " Each fold is the test set of learners fitted to the others"
    )

    def __post_init__(self) -> None:
        for name, least in (("folds", 2), ("repeats", 1)):
            object.__setattr__(self, name, check_count(name, getattr(self, name), least))
        object.__setattr__(self, "stratified", check_flag("stratified", self.stratified))

    @property
    def n_repeats(self) -> int:
        """Number of times that a data set is split into folds."""
        return self.repeats

    @property
    def n_folds(self) -> int:
        """Number of folds. Each fold is the test rows once."""
        return self.folds

    @property
    def train_share(self) -> float:
        """Share of the rows that are training rows."""
        return 1 - 1 / self.folds

    def splitter(self, seed: int, *, grouped: bool = False) -> "BaseCrossValidator":
        """Return scikit-learn's splitter for one replicate."""
        return folds(self.folds, stratified=self.stratified, seed=seed, grouped=grouped)
