"""The units of a study: what it measured on each split, replication or half of each data set."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.base.errors import WorkbenchError, nearest
from workbench.base.score_key import ScoreKey
from workbench.base.text import count_of
from workbench.reproduction.printed.table import PrintedTable
from workbench.store.failures import first_clause

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["PrintedColumn", "HasUnits", "Own", "Units", "half_differences", "side_by_side"]

PLACE = ["replicate", "fold"]
NOT_YET = "the study has no score of it yet"
APART = "no part of the data set has both scores"


@dataclass(frozen=True, eq=False)
class PrintedColumn:
    """The scores of one learner on one data set."""

    values: pd.Series  # by (replicate, fold)
    why: str = ""  # why there are no usable scores; empty if there are


@dataclass(frozen=True, eq=False)
class Own:
    """A study's values for one cell."""

    # (n_units, n_columns), a column per learner and score; no units if there is nothing to judge
    values: NDArray[np.float64]
    why: str = ""  # why there is nothing to judge, else empty


class HasUnits(Protocol):
    """Anything with the scores of learners on data sets."""

    def column(self, source: str, learner: str, score: ScoreKey) -> PrintedColumn:
        """Return the scores of one learner on one data set."""


@dataclass(frozen=True, eq=False)
class Units:
    """The scores of a study on data sets, by place; WorkbenchError if it is of truths."""

    results: "StudyResults"
    _wide: dict[ScoreKey, dict[str, pd.DataFrame]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if self.results.design.blocks.truth_known:
            raise WorkbenchError("the study is of truths: printed tables need a study on data sets")

    @cached_property
    def cells(self) -> pd.DataFrame:
        """The cells of the study, with source and learner as words."""
        return self.results.cells().astype({"source": "str", "learner": "str"})

    @property
    def learners(self) -> list[str]:
        """The keys of the study's learners."""
        return self.results.study.learner_keys

    def check(self, sources: Sequence[str], learners: Sequence[str], what: str) -> None:
        """Raise WorkbenchError if the study lacks a data set or learner of the printed tables."""
        known_sources = self.results.study.source_keys
        both = (("data set", sources, known_sources), ("learner", learners, self.learners))
        for word, wanted, known in both:
            for key in wanted:
                if key not in known:
                    raise WorkbenchError(
                        f"{what} needs the {word} {key!r}, which the study does not have: name the study's "
                        f"own key under [{word.replace(' ', '')}s], or run a study that has it "
                        f"({nearest(key, known)})"
                    )

    def check_scores(self, table: PrintedTable, lack: str = "the study lacks") -> None:
        """Raise WorkbenchError if the study lacks a score of a printed table."""
        for score in filter(None, (table.score, table.other_score)):
            try:
                self.results.choose(score)
            except WorkbenchError as error:
                raise WorkbenchError(f"table {table.name!r} needs a score that {lack}: {error}") from error

    def column(self, source: str, learner: str, score: ScoreKey) -> PrintedColumn:
        """Return the scores of one learner on one data set."""
        if (source, learner) in self._failures:
            messages = self._failures[source, learner]
            return _nothing(
                f"{learner} failed on {count_of(len(messages), 'part')}: {first_clause(messages[0])}"
            )
        table = self._of(source, score)
        return PrintedColumn(table[learner].dropna()) if learner in table else _nothing(NOT_YET)

    def digests(self, source: str) -> pd.Series:
        """Return the hash of the test rows of each place of a data set."""
        return self._digests.get(source, pd.Series(dtype="str"))

    @cached_property
    def _digests(self) -> dict[str, pd.Series]:
        done = self.cells[self.cells["state"] == "done"]
        found = done.groupby(["source", *PLACE])["test_digest"].first()
        return {str(name): own.droplevel(0) for name, own in found.groupby(level=0)}

    def _of(self, source: str, score: ScoreKey) -> pd.DataFrame:
        """Return the scores on a data set: index (replicate, fold), one column per learner."""
        if score not in self._wide:
            scores = self.results.scores(self.results.choose(score))
            scores = scores.astype({"source": "str", "learner": "str"})
            wide = scores.set_index(["source", *PLACE, "learner"])["value"].unstack("learner")
            self._wide[score] = {str(name): own.droplevel(0) for name, own in wide.groupby(level=0)}
        return self._wide[score].get(source, pd.DataFrame())

    @cached_property
    def _failures(self) -> dict[tuple[str, str], list[str]]:
        failed = self.cells[self.cells["state"] == "failed"].groupby(["source", "learner"])["message"]
        return failed.agg(list).to_dict() if len(failed) else {}


def side_by_side(measured: HasUnits, source: str, wanted: Sequence[tuple[str, ScoreKey]], unit: str) -> Own:
    """Return the values of learners and scores on the units that have all of them."""
    frame = _frame(measured, source, wanted)
    if isinstance(frame, str):
        return Own(np.empty((0, len(wanted))), frame)
    if unit == "replication":
        folds = frame.groupby(level="replicate")
        frame = folds.mean()[folds.size() == folds.size().max()]
    return Own(frame.to_numpy(dtype=np.float64))


def half_differences(measured: HasUnits, source: str, learners: Sequence[str], score: ScoreKey) -> Own:
    """Return the differences of two learners on both halves of each replication."""
    frame = _frame(measured, source, [(learner, score) for learner in learners])
    if isinstance(frame, str):
        return Own(np.empty((0, 2)), frame)
    wide = (frame[0] - frame[1]).unstack("fold")
    if wide.shape[1] != 2:
        return Own(np.empty((0, 2)), "ours is not a two-fold cross-validation, which the 5x2cv test needs")
    return Own(wide.dropna().to_numpy(dtype=np.float64))


def _frame(measured: HasUnits, source: str, wanted: Sequence[tuple[str, ScoreKey]]) -> pd.DataFrame | str:
    """Return one column per learner and score on the places that have all, or why there are none."""
    columns = [measured.column(source, learner, score) for learner, score in wanted]
    for column in columns:
        if column.why:
            return column.why
    frame = pd.concat([column.values for column in columns], axis=1, keys=range(len(columns))).dropna()
    infinite = int(np.isinf(frame.to_numpy()).any(axis=1).sum())
    if infinite:
        return f"ours is infinite on {infinite} of {count_of(len(frame), 'part')}"
    return frame if len(frame) else APART


def _nothing(why: str) -> PrintedColumn:
    return PrintedColumn(pd.Series(dtype="float64"), why)
