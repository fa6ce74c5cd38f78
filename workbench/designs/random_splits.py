"""Random splits into training and test rows."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from workbench.designs._shared.resampling import Resampling, check_count, check_flag, check_share, one_split

if TYPE_CHECKING:
    from sklearn.model_selection import BaseCrossValidator

__all__ = ["RandomSplits"]


@dataclass(frozen=True)
class RandomSplits(Resampling):
    """Design with repeated random splits of a data set into training and test rows.

    With the defaults this is the design of Korb, Hope and Hughes (2001): 25 splits, with two thirds of the
    rows for training.

    Parameters
    ----------
    repeats : int
        Number of splits.
    train : float
        Share of the rows (or of the groups, if rows have groups) that are training rows, more than 0 and less
        than 1. With one half, this is the design of Cleary et al. (1996), 25 half splits.
    stratified : bool
        Whether training and test rows have the class proportions of the data set. Must be False for rows with
        groups.

    Raises
    ------
    WorkbenchError
        If `repeats`, `train` or `stratified` is not a valid value.

    Examples
    --------
    >>> import numpy as np
    >>> train, test = RandomSplits().split(np.zeros(9, dtype=int), fold=0, seed=1)
    >>> len(train), len(test)
    (6, 3)
    """

    repeats: int = 25
    train: float = 2 / 3
    stratified: bool = False
    key: ClassVar[str] = "random_splits"
    how = (
        "Each {0.blocks.source} is split {0.times}."
        " Learners are fitted to {0.train:.0%} of the rows and tested on the others"
    )
    n_folds: ClassVar[int] = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "repeats", check_count("repeats", self.repeats))
        object.__setattr__(self, "train", check_share("train", self.train))
        object.__setattr__(self, "stratified", check_flag("stratified", self.stratified))

    @property
    def n_repeats(self) -> int:
        """Number of times that a data set is split."""
        return self.repeats

    @property
    def train_share(self) -> float:
        """Share of the rows that are training rows."""
        return self.train

    def splitter(self, seed: int, *, grouped: bool = False) -> "BaseCrossValidator":
        """Return scikit-learn's splitter for one replicate."""
        return one_split(self.train, stratified=self.stratified, seed=seed, grouped=grouped)
