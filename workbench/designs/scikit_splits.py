"""The splits of one of scikit-learn's splitters, part by part as cross_val_score makes them."""

import reprlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from workbench.base.errors import WorkbenchError, nearest
from workbench.base.text import and_of
from workbench.designs._shared.resampling import Resampling

if TYPE_CHECKING:
    from sklearn.model_selection import BaseCrossValidator

__all__ = ["ScikitSplits"]

#: Splitters that need no groups, and those without classes that make parts of the same size.
SPLITTERS = {
    "KFold": "KFold",
    "StratifiedKFold": "KFold",
    "RepeatedKFold": "RepeatedKFold",
    "RepeatedStratifiedKFold": "RepeatedKFold",
    "ShuffleSplit": "ShuffleSplit",
    "StratifiedShuffleSplit": "ShuffleSplit",
}
#: Scikit-learn's names of the options, by ours.
OPTIONS = {
    "n_splits": "n_splits",
    "repeats": "n_repeats",
    "shuffle": "shuffle",
    "test_size": "test_size",
    "train_size": "train_size",
    "random_state": "random_state",
}


@dataclass(frozen=True)
class ScikitSplits(Resampling):
    """Split as one of scikit-learn's splitters does; what `workbench.compare` makes of `cv`.

    All parts belong to one replicate.

    Parameters
    ----------
    method : str
        KFold, StratifiedKFold, RepeatedKFold, RepeatedStratifiedKFold, ShuffleSplit or
        StratifiedShuffleSplit.
    n_splits, repeats, shuffle, test_size, train_size : optional
        Its options, `repeats` for its n_repeats; None for scikit-learn's default.
    random_state : int, optional
        With a number, or where nothing is shuffled, the parts are those that scikit-learn makes; else the
        seed of the splitter derives from the study's.

    Raises
    ------
    WorkbenchError
        If there is no such splitter, or it refuses its options.

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
    key: ClassVar[str] = "scikit_splits"
    how = "Each {0.blocks.source} is split by scikit-learn's {0.method}"
    n_repeats: ClassVar[int] = 1
    sorts_classes: ClassVar[bool] = True  # as scikit-learn does

    def __post_init__(self) -> None:
        if self.method not in SPLITTERS:
            raise WorkbenchError(f"unknown splitter {self.method!r}; {nearest(self.method, SPLITTERS)}")
        try:
            made = self._made(self.method, seed=0)
            made.get_n_splits()
        except (TypeError, ValueError) as error:
            raise WorkbenchError(f"{self.method} cannot be made: {error}") from error
        # Equal splits are equal cells, whether a default was named or not.
        known = {**getattr(made, "cvargs", {}), **vars(made)}
        for ours, theirs in OPTIONS.items():
            if ours != "random_state" and getattr(self, ours) is None and known.get(theirs) is not None:
                object.__setattr__(self, ours, known[theirs])

    @classmethod
    def of(cls, cv: Any) -> "ScikitSplits":
        """Make the design of a splitter, or of a number of stratified folds as scikit-learn reads one.

        Parameters
        ----------
        cv : int or splitter

        Returns
        -------
        ScikitSplits

        Raises
        ------
        WorkbenchError
            If it is another kind of splitter, such as one that needs groups, or its random state is no
            integer.
        """
        if isinstance(cv, int | np.integer) and not isinstance(cv, bool):
            return cls(n_splits=int(cv))
        method = type(cv).__name__
        if method not in SPLITTERS or not type(cv).__module__.startswith("sklearn."):
            raise WorkbenchError(
                f"cv is {reprlib.repr(cv)}: expected a number of folds or one of scikit-learn's "
                f"{and_of([*SPLITTERS])}; other ways to split are designs, design="
            )
        known = {**getattr(cv, "cvargs", {}), **vars(cv)}
        options = {ours: known[theirs] for ours, theirs in OPTIONS.items() if known.get(theirs) is not None}
        seed = options.get("random_state")
        if seed is not None and not isinstance(seed, int | np.integer):
            raise WorkbenchError(
                f"cv has random_state={seed!r}: expected an integer, or None for a seed that derives from "
                "seed="
            )
        return cls(method, **options)

    @property
    def n_folds(self) -> int:
        """Number of parts."""
        return int(self._made(self.method, seed=0).get_n_splits())

    @property
    def train_share(self) -> float:
        """Share of training rows: of k folds 1 - 1/k; random splits declare their number of rows."""
        if self.method.endswith("ShuffleSplit"):
            return super().train_share
        return 1 - 1 / (self.n_splits or 5)  # scikit-learn's default

    def describe(self) -> dict[str, Any]:
        """Return what determines the parts, as plain data."""
        return {name: value for name, value in super().describe().items() if value is not None}

    def n_train(self, n_rows: int) -> int:
        """Return the number of training rows of the first part, as it is without classes."""
        return len(self._first_part(n_rows)[0])

    def n_test(self, n_rows: int) -> int:
        """Return the number of test rows of that part; some rows may be in neither."""
        return len(self._first_part(n_rows)[1])

    def _first_part(self, n_rows: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        splitter = self._made(SPLITTERS[self.method], seed=0)
        train, test = next(iter(splitter.split(np.zeros((n_rows, 1)))))
        return train, test

    def splitter(self, seed: int) -> "BaseCrossValidator":
        """Make scikit-learn's splitter."""
        return self._made(self.method, seed)

    def _why(self, codes: NDArray[np.intp], classes: Sequence[object]) -> str:
        return ""  # scikit-learn's own words, which name its options

    def _made(self, method: str, seed: int) -> "BaseCrossValidator":
        import sklearn.model_selection

        given = {theirs: getattr(self, ours) for ours, theirs in OPTIONS.items()}
        given = {name: value for name, value in given.items() if value is not None}
        kind = getattr(sklearn.model_selection, method)
        shuffles = getattr(kind(**given), "shuffle", True)
        return kind(**{"random_state": seed, **given}) if shuffles else kind(**given)
