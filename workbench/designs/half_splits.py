"""Random halves, one for training and one for testing."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from workbench.designs._shared.resampling import Resampling, check_count, check_flag, one_split

if TYPE_CHECKING:
    from sklearn.model_selection import BaseCrossValidator

__all__ = ["HalfSplits"]


@dataclass(frozen=True)
class HalfSplits(Resampling):
    """Design with repeated splits of a data set into two random halves, one for training and one for testing.

    With the defaults this is the design of Cleary et al. (1996).

    Parameters
    ----------
    repeats : int
        Number of splits.
    stratified : bool
        Whether both halves have the class proportions of the data set. Must be False for rows with groups.

    Raises
    ------
    WorkbenchError
        If `repeats` is below 1, or `stratified` is not a bool.

    Examples
    --------
    >>> import numpy as np
    >>> train, test = HalfSplits().split(np.zeros(8, dtype=int), fold=0, seed=1)
    >>> len(train), len(test)
    (4, 4)
    """

    repeats: int = 25
    stratified: bool = False
    key: ClassVar[str] = "half_splits"
    how = (
        "Each {0.blocks.source} is halved {0.times}. Learners are fitted to one half and tested on the other"
    )
    n_folds: ClassVar[int] = 1
    train_share: ClassVar[float] = 0.5

    def __post_init__(self) -> None:
        object.__setattr__(self, "repeats", check_count("repeats", self.repeats))
        object.__setattr__(self, "stratified", check_flag("stratified", self.stratified))

    @property
    def n_repeats(self) -> int:
        """Number of times that a data set is split."""
        return self.repeats

    def splitter(self, seed: int, *, grouped: bool = False) -> "BaseCrossValidator":
        """Return scikit-learn's splitter for one replicate."""
        return one_split(0.5, stratified=self.stratified, seed=seed, grouped=grouped)
