"""The base of designs that split a data set."""

import inspect
import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import fields
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from workbench.base.cell import Cell
from workbench.base.checks import as_integer
from workbench.base.errors import WorkbenchError
from workbench.base.identity import implementation
from workbench.base.text import count_of
from workbench.comparisons import CorrectedT, PairTest
from workbench.designs._shared.base import Blocks, Design, StudyOutline

if TYPE_CHECKING:
    from sklearn.model_selection import BaseCrossValidator

__all__ = ["Resampling", "check_count", "check_flag", "check_share", "folds", "one_split"]

# The smallest number of rows that can be split into training and test rows.
LEAST_ROWS = 4
# Shares of training rows are ratios of whole numbers up to this; 9/10 is not quite one as a float.
MOST_PARTS = 1_000_000


class Resampling(Design):
    """Base class of designs that split the rows of a data set repeatedly into training and test rows.

    All learners get the same parts (train-test splits). `n_train` of a cell is the nominal number of training
    rows. The true number may differ by a few rows for stratified folds, and by many rows for groups of
    unequal size. A design declares `train_share`, or overrides `n_train` if the number is not a share of the
    rows. An option for the number of splits must be called `repeats`, because `describe` leaves out this
    option.

    If rows have groups, groups are split and counted instead of rows. For this, the method `splitter` of the
    design must have the option `grouped`, or its method `split` must have the option `groups`.

    Attributes
    ----------
    n_repeats, n_folds : int
        Number of replicates of a source, and number of parts of each replicate.
    """

    blocks = Blocks(
        ("replicate", "fold"), "part", "parts", "data set", "data sets",
        independent=False, has_sizes=False, truth_known=False,
    )  # fmt: skip
    test: PairTest = CorrectedT()
    #: Whether `split` counts classes in the order of their sorted labels, and not in the declared one.
    sorts_classes: ClassVar[bool] = False

    @property
    @abstractmethod
    def n_repeats(self) -> int:
        """Number of times that a data set is split."""

    @property
    @abstractmethod
    def n_folds(self) -> int:
        """Number of parts of one replicate. Each part has its own test rows."""

    @property
    def train_share(self) -> float:
        """Share of the rows that are training rows."""
        raise NotImplementedError(f"{type(self).__name__} declares no train_share: override n_train")

    @property
    def times(self) -> str:
        """The number of splits of a data set, in words."""
        return {1: "once", 2: "twice"}.get(self.n_repeats, f"{self.n_repeats} times")

    def test_share(self, n_train: int, n_test: int) -> float:
        """Return the nominal ratio of test to training rows: 1/(k - 1) for k folds, even if folds differ."""
        # One split has the same whole number of rows whenever it is repeated, which is better than its aim.
        if self.n_folds == 1:
            return n_test / n_train
        try:
            train = Fraction(self.train_share).limit_denominator(MOST_PARTS)
        except NotImplementedError:
            return n_test / n_train
        return float((1 - train) / train)

    def n_parts(self, n_groups: int) -> int:
        """Return the number of parts of one replicate with so many groups (0 for rows). Usually `n_folds`."""
        return self.n_folds

    @abstractmethod
    def splitter(self, seed: int, *, grouped: bool = False) -> "BaseCrossValidator":
        """Return scikit-learn's splitter for one replicate.

        Parameters
        ----------
        seed : int
            Seed of the splitter.
        grouped : bool
            Whether rows have groups. No group may be split.

        Returns
        -------
        splitter
            The splitter. Its method `split` yields `n_folds` pairs of row numbers.
        """

    def n_replicates(self, n_truths: int) -> int:
        """Return the number of replicates of every source."""
        return self.n_repeats

    def describe(self) -> dict[str, Any]:
        """Return, as plain data, what determines the parts. It is part of the identity of a cell."""
        # The number of repeats is left out, so that further repeats leave the first ones as they are.
        options = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "repeats"}  # type: ignore[arg-type]
        # Of somebody else's class its place and version, as another one may have the same key.
        return {"design": self.key, **options, **implementation(type(self))}

    def rounds(self, plan: StudyOutline) -> Iterator[tuple[Cell, ...]]:
        """Yield a single round with all cells, ordered by data set and replicate."""
        cells = []
        for source, n_rows in plan.n_rows.items():
            n_groups = plan.n_groups.get(source, 0)
            n_train, n_test = self.n_train(n_rows), self.n_test(n_rows)
            if counts := self.group_counts(n_groups):
                n_train, n_test = (max(1, round(n * n_rows / n_groups)) for n in counts)
            cells += [
                Cell(source, replicate, n_train, learner, fold=fold, n_test=n_test)
                for replicate in range(self.n_repeats)
                for fold in range(self.n_parts(n_groups))
                for learner in plan.learners
            ]
        yield tuple(cells)

    def group_counts(self, n_groups: int) -> tuple[int, int] | None:
        """Return the nominal numbers of training groups and test groups, or None if rows have no groups."""
        return (self.n_train(n_groups), self.n_test(n_groups)) if n_groups else None

    def n_train(self, n_rows: int) -> int:
        """Return the nominal number of training rows. Folds of one replicate may differ by one row."""
        # scikit-learn rounds the training part of one split down.
        aimed = self.train_share * n_rows
        return min(max(math.floor(aimed) if self.n_folds == 1 else round(aimed), 1), n_rows - 1)

    def n_test(self, n_rows: int) -> int:
        """Return the nominal number of test rows. By default these are all rows that are not trained on."""
        return n_rows - self.n_train(n_rows)

    def check(
        self,
        what: str,
        codes: NDArray[np.intp],
        classes: Sequence[object],
        groups: NDArray[np.intp] | None = None,
    ) -> None:
        """Check that a data set can be split, so that errors are raised before anything is computed.

        Parameters
        ----------
        what : str
            Name of the data set for error messages.
        codes : ndarray of shape (n_rows,)
            Class code of each row.
        classes : sequence
            The classes, in the order of the codes.
        groups : ndarray of shape (n_rows,), optional
            Group code of each row.

        Raises
        ------
        WorkbenchError
            If there are too few rows or groups, if the design cannot split groups, or if scikit-learn's
            splitter rejects the classes. A class with fewer rows than folds is allowed.
        """
        if len(codes) < LEAST_ROWS:
            raise WorkbenchError(
                f"{what} has {count_of(len(codes), 'row')}: expected at least {LEAST_ROWS} to split"
            )
        self.check_groups(what, 0 if groups is None else int(groups.max()) + 1)
        try:
            train, test = self.split(codes, 0, 0, *(() if groups is None else (groups,)))
        except ValueError as error:
            why = self._why(codes, classes) if groups is None else ""
            raise WorkbenchError(f"{what} {why or f'cannot be split: {error}'}") from error
        if groups is not None and np.isin(groups[test], groups[train]).any():  # a design of somebody else
            raise WorkbenchError(
                f"{what} has groups, some of which design {self.key!r} splits: correct the design"
            )

    def check_groups(self, what: str, n_groups: int) -> None:
        """Raise WorkbenchError if the design cannot split so many groups (0 for rows without groups)."""
        if not n_groups:
            return
        own = type(self).split is not Resampling.split
        where, needed = (self.split, "groups") if own else (self.splitter, "grouped")
        if needed not in inspect.signature(where).parameters:
            raise WorkbenchError(
                f"{what} has groups, which design {self.key!r} would split: use a design whose "
                f"`{where.__name__}` takes `{needed}`, such as RepeatedFolds()"
            )
        if self.n_folds > n_groups:
            raise WorkbenchError(
                f"{what} has {n_groups} groups: expected {self.n_folds}, one for each fold, or fewer folds"
            )

    def _why(self, codes: NDArray[np.intp], classes: Sequence[object]) -> str:
        """Return why a splitter rejected the data and what to do, or an empty text if unknown."""
        counts, stratified = np.bincount(codes), getattr(self, "stratified", False)
        if self.n_folds > len(codes):
            return f"has {len(codes)} rows: expected {self.n_folds}, one for each fold, or fewer folds"
        if stratified and self.n_folds > counts.max():
            return (
                f"has at most {count_of(counts.max(), 'row')} of a class: expected {self.n_folds} of one "
                "class for as many stratified folds. Give fewer folds or set stratified to False"
            )
        if stratified and self.n_folds == 1 and (counts == 1).any():
            return (
                f"has one row of class {classes[np.flatnonzero(counts == 1)[0]]!r}: expected two of every "
                "class for a stratified split. Set stratified to False or drop the class"
            )
        if self.n_folds == 1:
            off = " or set stratified to False" if stratified else ""
            expected = f"one of each of {np.count_nonzero(counts)} classes" if stratified else "a row"
            return (
                f"has {len(codes)} rows: expected enough for {expected} in both parts of a split with "
                f"{count_of(self.n_train(len(codes)), 'training row')}. Change their number{off}"
            )
        return ""

    def split(
        self, codes: NDArray[np.intp], fold: int, seed: int, groups: NDArray[np.intp] | None = None
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the training and test rows of one part.

        Parameters
        ----------
        codes : ndarray of shape (n_rows,)
            Class code of each row.
        fold : int
            Number of the part within its replicate.
        seed : int
            Seed of the replicate, which is the same for all folds and learners. In a study it derives from
            the study's seed, the hash of the data set, the number of the replicate and the options of the
            design.
        groups : ndarray of shape (n_rows,), optional
            Group code of each row. No group is in both the training and the test rows.

        Returns
        -------
        train, test : ndarray of int
            Row numbers. No row is in both arrays.
        """
        import warnings

        with warnings.catch_warnings():
            # A class with fewer rows than folds cannot be in all of them; that is not an error.
            warnings.filterwarnings("ignore", message="The least populated class", category=UserWarning)
            X = np.zeros((len(codes), 1))
            if groups is None:
                parts = list(self.splitter(seed).split(X, codes))
            else:
                parts = list(self.splitter(seed, grouped=True).split(X, codes, groups))
        return parts[fold]


def check_count(name: str, value: object, least: int = 1) -> int:
    """Return an option as an integer, or raise WorkbenchError if it is not one or too small."""
    number = as_integer(value)
    if number is None or number < least:
        raise WorkbenchError(f"{name} is {value!r}: expected an integer of at least {least}")
    return number


def check_flag(name: str, value: object) -> bool:
    """Return an option as a bool, or raise WorkbenchError."""
    if not isinstance(value, bool | np.bool_):
        raise WorkbenchError(f"{name} is {value!r}: expected true or false, without quotes")
    return bool(value)


def check_share(name: str, value: object) -> float:
    """Return an option as a share, or raise WorkbenchError unless it lies strictly between 0 and 1."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) < 1:
        raise WorkbenchError(f"{name} is {value!r}: expected a share, more than 0 and less than 1")
    return float(value)


def folds(n: int, *, stratified: bool, seed: int, grouped: bool = False) -> "BaseCrossValidator":
    """Make scikit-learn's splitter into n shuffled folds."""
    from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

    kinds = {
        (False, False): KFold, (True, False): StratifiedKFold,
        (False, True): GroupKFold, (True, True): StratifiedGroupKFold,
    }  # fmt: skip
    return kinds[stratified, grouped](n_splits=n, shuffle=True, random_state=seed)


def one_split(train: float, *, stratified: bool, seed: int, grouped: bool = False) -> "BaseCrossValidator":
    """Make scikit-learn's splitter into random training and test rows."""
    from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit, StratifiedShuffleSplit

    if grouped and stratified:
        raise WorkbenchError(
            "a single stratified split of groups is not available: set stratified to False, or use folds, "
            "as in RepeatedFolds()"
        )
    kind = GroupShuffleSplit if grouped else StratifiedShuffleSplit if stratified else ShuffleSplit
    return kind(n_splits=1, train_size=train, random_state=seed)
