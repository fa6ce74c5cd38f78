"""The splits of scikit-learn's splitters, part by part as in cross_val_score."""

import inspect
import math
import reprlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from workbench.base.errors import WorkbenchError, nearest
from workbench.base.text import and_of
from workbench.comparisons import PairTest
from workbench.designs._shared.resampling import Resampling

if TYPE_CHECKING:
    import pandas as pd
    from sklearn.model_selection import BaseCrossValidator

__all__ = ["ScikitSplits"]

#: Splitters, and those without classes that make parts of the same size.
SPLITTERS = {
    "KFold": "KFold",
    "StratifiedKFold": "KFold",
    "RepeatedKFold": "RepeatedKFold",
    "RepeatedStratifiedKFold": "RepeatedKFold",
    "ShuffleSplit": "ShuffleSplit",
    "StratifiedShuffleSplit": "ShuffleSplit",
    "GroupKFold": "GroupKFold",
    "StratifiedGroupKFold": "GroupKFold",
    "GroupShuffleSplit": "GroupShuffleSplit",
    "LeaveOneGroupOut": "LeaveOneGroupOut",
    "LeavePGroupsOut": "LeavePGroupsOut",
    "TimeSeriesSplit": "TimeSeriesSplit",
}
#: What to give, where rows belong to groups, in place of splitters that know none.
INSTEAD = {
    "KFold": "cv=GroupKFold({n}, shuffle=True)",
    "StratifiedKFold": "cv=StratifiedGroupKFold({n}, shuffle=True)",
    "RepeatedKFold": "design=RepeatedFolds(folds={n}, repeats={repeats}, stratified=False)",
    "RepeatedStratifiedKFold": "design=RepeatedFolds(folds={n}, repeats={repeats})",
    "ShuffleSplit": "cv=GroupShuffleSplit({n})",
    "StratifiedShuffleSplit": "cv=GroupShuffleSplit({n})",
    "TimeSeriesSplit": "cv=GroupKFold({n}), or no groups if test rows may be of training groups",
}
#: Splitters whose number of parts depends on the number of groups, and most parts that they may make.
LEAVING, MOST_LEFT_OUT = ("LeaveOneGroupOut", "LeavePGroupsOut"), 10_000
IN_TIME = (
    "TimeSeriesSplit tests on the rows that follow the training rows, so all parts belong to one period. No "
    "test or interval applies to other periods. Means are of this period, and n_train is the mean over its "
    "parts."
)
#: Scikit-learn's names of the options, by ours.
OPTIONS = {
    "n_splits": "n_splits",
    "repeats": "n_repeats",
    "shuffle": "shuffle",
    "test_size": "test_size",
    "train_size": "train_size",
    "random_state": "random_state",
    "n_groups": "n_groups",
    "max_train_size": "max_train_size",
    "gap": "gap",
}


class NoTest(PairTest):
    """Placeholder for designs without a valid test of two learners: no pair is tested."""

    name = "no test"
    holds = False

    def table(
        self, values: Any, learners: Sequence[str], sizes: Sequence[int], *, test_share: float
    ) -> "pd.DataFrame":
        """Return a table without pairs."""
        return super().table(values, (), sizes, test_share=test_share)


@dataclass(frozen=True)
class ScikitSplits(Resampling):
    """Design with the splits of a splitter of scikit-learn, as `workbench.compare` uses for `cv`.

    All parts (train-test splits) belong to one replicate. With TimeSeriesSplit learners are not tested:
    `note` gives the reason.

    Parameters
    ----------
    method : str
        Name of the splitter: KFold, StratifiedKFold, RepeatedKFold, RepeatedStratifiedKFold, ShuffleSplit,
        StratifiedShuffleSplit or TimeSeriesSplit. For rows with groups: GroupKFold, StratifiedGroupKFold,
        GroupShuffleSplit, LeaveOneGroupOut or LeavePGroupsOut.
    n_splits, repeats, shuffle, test_size, train_size, n_groups, max_train_size, gap : optional
        Options of the splitter, under their names in scikit-learn, except that `repeats` is its n_repeats.
        None for scikit-learn's default.
    random_state : int, optional
        Seed of the splitter. With a number, or without shuffling, the parts are the same as scikit-learn's.
        With None, the seed derives from the study's seed.

    Raises
    ------
    WorkbenchError
        If there is no such splitter, or its options are invalid.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.model_selection import RepeatedStratifiedKFold
    >>> design = ScikitSplits.of(RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0))
    >>> design.n_folds
    6
    >>> train, test = design.split(np.repeat([0, 1], 6), fold=5, seed=1)
    >>> len(train), len(test)
    (8, 4)
    """

    method: str = "StratifiedKFold"
    n_splits: int | None = None
    repeats: int | None = None
    shuffle: bool | None = None
    test_size: float | int | None = None
    train_size: float | int | None = None
    random_state: int | None = None
    n_groups: int | None = None
    max_train_size: int | None = None
    gap: int | None = None
    key: ClassVar[str] = "scikit_splits"
    how = "Each {0.blocks.source} is split by scikit-learn's {0.method}"
    n_repeats: ClassVar[int] = 1
    sorts_classes: ClassVar[bool] = True  # as scikit-learn does

    def __post_init__(self) -> None:
        if self.method not in SPLITTERS:
            raise WorkbenchError(f"unknown splitter {self.method!r}; {nearest(self.method, SPLITTERS)}")
        try:
            made = self._made(self.method, seed=0)
            if self.method not in LEAVING:
                made.get_n_splits()
        except (TypeError, ValueError) as error:
            raise WorkbenchError(f"{self.method} cannot be made: {error}") from error
        # Equal splits are equal cells, whether a default was named or not.
        for name, value in _options_of(made).items():
            if name != "random_state" and getattr(self, name) is None:
                object.__setattr__(self, name, value)
        if self.method == "TimeSeriesSplit":
            object.__setattr__(self, "test", NoTest())
            object.__setattr__(self, "note", IN_TIME)

    @classmethod
    def of(cls, cv: Any) -> "ScikitSplits":
        """Make the design from a splitter of scikit-learn, or from a number of stratified folds.

        Parameters
        ----------
        cv : int or splitter
            The number of folds, or the splitter.

        Returns
        -------
        ScikitSplits

        Raises
        ------
        WorkbenchError
            If the splitter is of another class, or its random state is not an integer or None.
        """
        if isinstance(cv, int | np.integer) and not isinstance(cv, bool):
            return cls(n_splits=int(cv))
        method = type(cv).__name__
        if method not in SPLITTERS or not type(cv).__module__.startswith("sklearn."):
            raise WorkbenchError(
                f"cv is {reprlib.repr(cv)}: expected a number of folds or one of scikit-learn's "
                f"{and_of([*SPLITTERS])}. For other ways to split, pass a design, such as "
                "design=RandomSplits()"
            )
        options = _options_of(cv)
        seed = options.get("random_state")
        if seed is not None and not isinstance(seed, int | np.integer):
            raise WorkbenchError(
                f"cv has random_state={seed!r}: expected an integer, or None for a seed that derives from "
                "seed="
            )
        return cls(method, **options)

    def test_share(self, n_train: int, n_test: int) -> float:
        """Return the nominal ratio of test to training rows. NaN for splits in time, without intervals."""
        return super().test_share(n_train, n_test) if self.test.holds else float("nan")

    @property
    def n_folds(self) -> int:
        """Number of parts, or 0 if the groups determine it."""
        return 0 if self.method in LEAVING else int(self._made(self.method, seed=0).get_n_splits())

    def n_parts(self, n_groups: int) -> int:
        """Return the number of parts of one replicate."""
        return self.n_folds or math.comb(n_groups, self.n_groups or 1)

    def check_groups(self, what: str, n_groups: int) -> None:
        """Raise WorkbenchError if the splitter needs groups and there are none, or would split groups."""
        knows = self.method not in INSTEAD
        if knows and not n_groups:
            raise WorkbenchError(
                f"{what} has no groups, which {self.method} needs: name the group of each row with groups="
            )
        if n_groups and not knows:
            instead = INSTEAD[self.method].format(n=self.n_splits, repeats=self.repeats)
            raise WorkbenchError(f"{what} has groups, which {self.method} would split: use {instead}")
        if self.method in LEAVING and self.n_parts(n_groups) > MOST_LEFT_OUT:
            raise WorkbenchError(
                f"{what} has {n_groups} groups, of which LeavePGroupsOut would leave out {self.n_groups} in "
                f"{self.n_parts(n_groups):,} ways: use GroupShuffleSplit, which draws some of these"
            )
        if self.method.endswith("GroupKFold"):
            super().check_groups(what, n_groups)

    @property
    def train_share(self) -> float:
        """Share of training rows: 1 - 1/k for k folds. Other splitters declare numbers of rows instead."""
        if not self.method.endswith("KFold"):
            return super().train_share
        return 1 - 1 / (self.n_splits or 5)  # scikit-learn's default

    def describe(self) -> dict[str, Any]:
        """Return, as plain data, what determines the parts."""
        return {name: value for name, value in super().describe().items() if value is not None}

    def n_train(self, n_rows: int) -> int:
        """Return the number of training rows of the first part. For splits in time, return the mean."""
        if self.method == "TimeSeriesSplit":
            return round(sum(len(train) for train, _ in self._parts(n_rows)) / self.n_folds)
        return len(next(self._parts(n_rows))[0])

    def n_test(self, n_rows: int) -> int:
        """Return the number of test rows of the first part. Some rows may be in neither part of the split."""
        return len(next(self._parts(n_rows))[1])

    def _parts(self, n_rows: int) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        splitter = self._made(SPLITTERS[self.method], seed=0)
        groups = () if self.method in INSTEAD else (None, np.arange(n_rows))  # groups stand for rows
        return iter(splitter.split(np.zeros((n_rows, 1)), *groups))

    def splitter(self, seed: int, *, grouped: bool = False) -> "BaseCrossValidator":
        """Return scikit-learn's splitter."""
        return self._made(self.method, seed)

    def _why(self, codes: NDArray[np.intp], classes: Sequence[object]) -> str:
        return ""  # scikit-learn's own words, which name its options

    def _made(self, method: str, seed: int) -> "BaseCrossValidator":
        import sklearn.model_selection

        given = {theirs: getattr(self, ours) for ours, theirs in OPTIONS.items()}
        given = {name: value for name, value in given.items() if value is not None}
        kind = getattr(sklearn.model_selection, method)
        shuffles = "random_state" in _takes(kind) and getattr(kind(**given), "shuffle", True)
        return kind(**{"random_state": seed, **given}) if shuffles else kind(**given)


def _takes(kind: type) -> Collection[str]:
    return inspect.signature(kind).parameters


def _options_of(splitter: Any) -> dict[str, Any]:
    """Return the options of a splitter that are not None, by our names."""
    known = {**getattr(splitter, "cvargs", {}), **vars(splitter)}
    known = {name: value for name, value in known.items() if name in _takes(type(splitter))}
    return {ours: known[theirs] for ours, theirs in OPTIONS.items() if known.get(theirs) is not None}
