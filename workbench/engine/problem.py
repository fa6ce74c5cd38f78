"""The fixed part of a replicate: its test rows, and the known facts of the truth."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.tables.columns import class_codes
from workbench.base.errors import WorkbenchError
from workbench.base.seeds import canonical, generator_for, integer_seed
from workbench.datasets.dataset import declare, hash_rows, shown_columns
from workbench.designs import Resampling
from workbench.study.rows_source import RowsSource
from workbench.study.source import Source
from workbench.study.study import Study

if TYPE_CHECKING:
    from generators.networks.truth import Truth

__all__ = ["Problem", "DrawSpec", "ForecastRows", "SplitSpec", "build_problem", "spec_of"]


@dataclass(frozen=True)
class ForecastRows:
    """Rows to forecast, and their weights."""

    X: pd.DataFrame  # categoricals; of a data set also numbers
    y: NDArray[np.intp]  # class codes, (n_rows,); empty for the attribute space
    joint: NDArray[np.float64] | None  # P(x, class) of the attribute space, (n_rows, n_classes)
    p_true: NDArray[np.float64] | None  # the truth's posterior, (n_rows, n_classes); None if unknown

    def in_file_order(self, answers: Sequence[Any]) -> "tuple[ForecastRows, list[Any]]":
        """Return the rows of a data set in their order there, with the predictions for them."""
        order = np.argsort(self.X.index.to_numpy(), kind="stable")
        rows = ForecastRows(self.X.iloc[order], self.y[order], self.joint, self.p_true)
        return rows, [None if own is None else own[order] for own in answers]

    @functools.cached_property
    def weight(self) -> NDArray[np.float64]:
        """P(x) of the attribute space, of shape (n_rows,)."""
        assert self.joint is not None
        return self.joint.sum(axis=1)


@dataclass(frozen=True)
class Problem:
    """The common part of all cells of a replicate, or of one part of a split."""

    classes: tuple[Any, ...]  # declared ones, in the order of all columns of probabilities
    # of a number of rows and a training set: the same for every learner
    training_rows: Callable[[int, int], tuple[pd.DataFrame, pd.Series]]
    test: ForecastRows
    test_digest: str  # hash of the test rows: cells with equal hashes are paired
    truth: "Truth | None" = None  # None for data sets
    exact: ForecastRows | None = (
        None  # the attribute space; None if too large, not needed, or the truth is unknown
    )
    marginal: NDArray[np.float64] | None = None  # the true class distribution, (n_classes,), if known
    # all rows of a data set before their values were declared, with the index of all other rows
    given: pd.DataFrame | None = None
    # returns all rows of a data set, with numbers cut on all of them
    cut: Callable[[], pd.DataFrame] | None = None

    def codes(self, y: Any) -> NDArray[np.intp]:
        """Return the index of each label in `classes`."""
        return class_codes(y, self.classes)


@dataclass(frozen=True)
class DrawSpec:
    """What determines a problem. Two specs with the same identity and numbers are equal."""

    source: Source = field(compare=False, repr=False)
    seed: int  # of the study
    replicate: int
    n_test: int
    exact: bool  # whether to enumerate the attribute space where it is small enough
    identity: str = field(init=False)
    law: str = field(init=False, repr=False)  # of a given truth, whose identity is without it
    rows: str = field(init=False, repr=False)  # what the random numbers of rows derive from

    def __post_init__(self) -> None:
        object.__setattr__(self, "identity", canonical(self.source.identity(self.replicate)))
        object.__setattr__(self, "rows", canonical(self.source.rows_identity(self.replicate)))
        law = self.source.given_law(self.replicate)
        object.__setattr__(self, "law", "" if law is None else canonical(law.to_document()))

    def generator(self, purpose: str, *place: int) -> np.random.Generator:
        """Return the random generator of some rows of this replicate."""
        return generator_for(purpose, self.seed, self.rows, self.replicate, *place)

    def build(self) -> Problem:
        """Draw the truth and the test rows."""
        truth = self.source.draw(seed=self.seed, replicate=self.replicate)
        X, y = truth.sample(self.n_test, self.generator("test rows"))
        classes = tuple(truth.classes)
        codes = class_codes(y, classes)

        def training_rows(n_train: int, training_set: int) -> tuple[pd.DataFrame, pd.Series]:
            return truth.sample(n_train, self.generator("training rows", n_train, training_set))

        return Problem(
            classes,
            training_rows,
            ForecastRows(X=X, y=codes, joint=None, p_true=truth.posterior(X)),
            hash_rows(X, codes),
            truth,
            exact=_attribute_space(truth) if self.exact and truth.enumerable else None,
            marginal=truth.class_marginal(),
        )


@dataclass(frozen=True)
class SplitSpec:
    """What determines one part of a split of a data set."""

    # A column that declares no values (text of a CSV file) gets those of the training part; others are then
    # missing. The seed derives from the study's seed, the hash of the data set (names, types, declared
    # values, cells), the replicate and the design's options: whatever the set is called, and whichever
    # learners there are, the split is the same. Rows read as other types are another data set: "True" of a
    # CSV file, bools of a Parquet file.
    source: RowsSource = field(compare=False, repr=False)
    design: Resampling
    seed: int  # of the study
    replicate: int
    fold: int
    identity: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "identity", canonical(self.source.identity(self.replicate)))

    def build(self) -> Problem:
        """Split the data set."""
        rows = self.source.content
        if canonical(self.source.identity(self.replicate)) != self.identity:
            raise WorkbenchError(
                f"the rows of source {self.source.key!r} changed while the study ran: run it again"
            )
        # The seed is the replicate's: all folds are parts of one split.
        seed = integer_seed("split", self.seed, self.identity, self.replicate, self.design.describe())
        codes = rows.sorted_codes if self.design.sorts_classes else rows.codes
        # a design of somebody else need not know groups
        groups = () if rows.groups is None else (rows.groups,)
        train, test = self.design.split(codes, self.fold, seed, *groups)
        X, codes = rows.X.iloc[test], rows.codes[test]
        columns = shown_columns(known := rows.X.iloc[train])
        training = declare(known, columns), rows.y.iloc[train]
        return Problem(
            rows.classes,
            lambda n_train, training_set: training,
            ForecastRows(X=declare(X, columns), y=codes, joint=None, p_true=None),
            hash_rows(X, codes),
            given=(rows.X if self.source.rows is not None else rows.as_pandas_reads) if columns else None,
            cut=lambda: declare(rows.cut, columns),
        )


def spec_of(study: Study, cell: Any) -> DrawSpec | SplitSpec:
    """Return what determines the rows of a cell that was scored on its test rows."""
    source = study.source(cell.source)
    if isinstance(source, RowsSource):
        return SplitSpec(source, study.design, study.seed, int(cell.replicate), int(cell.fold))  # type: ignore[arg-type]
    return DrawSpec(
        source.only(cell.replicate), study.seed, int(cell.replicate), int(cell.n_test), exact=False
    )


@functools.lru_cache(maxsize=4)
def build_problem(spec: DrawSpec | SplitSpec) -> Problem:
    """Make the problem of a replicate. Each process caches the latest few."""
    return spec.build()


def _attribute_space(truth: "Truth") -> ForecastRows:
    space = truth.enumerate()
    return ForecastRows(
        X=space.X, y=np.empty(0, dtype=np.intp), joint=space.joint, p_true=truth.posterior(space.X)
    )
