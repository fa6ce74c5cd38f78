"""Ranks of learners over data sets or truths: Friedman's test and which learners differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.analyses._shared.subjects import check_learners, check_source, subjects_of
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_list, learner_name
from workbench.base.score_key import ScoreKey
from workbench.base.text import count_of, truncate
from workbench.comparisons import LEVEL, FriedmanTest, friedman
from workbench.designs import Blocks

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["Ranks"]


@dataclass(frozen=True, eq=False)
class Ranks:
    """Ranks of learners on each data set, or on each truth at each size, with Friedman's test.

    Parameters
    ----------
    score : ScoreKey
        The key of the score.
    tests : dict of int or None to FriedmanTest
        The tests by number of training rows. On data sets there is one test, under the key None.
    over : str
        What learners are ranked on, in words: "data sets", or "truths" with the name of their kind if there
        is only one kind.
    notes : tuple of str
        Sentences on what was left out and why.

    Examples
    --------
    >>> from generators import random_tan
    >>> from learners import NaiveBayesClassifier, PriorClassifier
    >>> from workbench import compare
    >>> learners = {"nb": NaiveBayesClassifier(), "prior": PriorClassifier()}
    >>> truths = [random_tan(n_attributes=3, random_state=seed) for seed in range(5)]
    >>> results = compare(learners, on=truths, sizes=(500,), n_test=100)
    >>> Ranks.of(results, learners=["nb", "prior"]).table.to_dict("list")
    {'n_train': [500, 500], 'learner': ['nb', 'prior'], 'rank': [1.0, 2.0]}
    """

    score: ScoreKey
    tests: dict[int | None, FriedmanTest]
    over: str
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        results: "StudyResults",
        *,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
        source: str | None = None,
        alpha: float = LEVEL,
    ) -> "Ranks":
        """Rank the learners of a study and test whether their ranks differ.

        Parameters
        ----------
        results : StudyResults
        score : ScoreKey or str, optional
            The score, as a key or a part of one (see `Results.choose`).
        learners : sequence of str, optional
            The learners to rank. By default the compared learners.
        source : str, optional
            Use only the truths of this source. By default the truths of all sources are ranked together. Data
            sets are always ranked together.
        alpha : float
            Significance level of the critical difference.

        Returns
        -------
        Ranks
            The ranks. Learners without any score are left out first, then data sets or truths on which a
            remaining learner lacks a score. `notes` reports both. Infinite scores are ranked first or last.

        Raises
        ------
        WorkbenchError
            If there is no such score, learner or source, if a source is named for a study of data sets, or if
            fewer than two learners or fewer than two data sets or truths remain.
        """
        check_learners(results, learners or ())
        check_source(results, source)
        by = results.design.blocks
        if source is not None and not by.has_sizes:
            raise WorkbenchError(
                f"source is {source!r}, but ranks are over all {by.sources}: leave out source=, or use "
                f"`Results.differences` for one {by.source}"
            )
        score = results.choose(score)
        values = subjects_of(results, score, results.study.compared_learners(learners))
        direction = results.metric(score.metric).direction
        tests: dict[int | None, FriedmanTest] = {}
        notes: list[str] = []
        for size, table in _by_size(values, by, source).items():
            whole, left_out = _complete(table, size)
            notes += left_out
            tests[size] = friedman(
                whole.to_numpy(), learners=list(whole.columns), direction=direction, alpha=alpha
            )
        kind = f" of {source}" if source is not None else ""
        return cls(score, tests, f"{by.ranked_on}{kind}", tuple(notes))

    @property
    def table(self) -> pd.DataFrame:
        """One row per size and learner, best first: n_train (only on truths), learner, rank."""
        return self._joined({size: test.table() for size, test in self.tests.items()})

    @property
    def pairs(self) -> pd.DataFrame:
        """One row per size and pair of learners: n_train (only on truths) and fields of `RankDifference`."""
        return self._joined({size: test.pair_table() for size, test in self.tests.items()})

    def _joined(self, tables: dict[int | None, pd.DataFrame]) -> pd.DataFrame:
        if None in tables:
            return tables[None]
        return pd.concat(tables, names=["n_train"]).reset_index("n_train").reset_index(drop=True)


def _by_size(values: pd.DataFrame, by: Blocks, source: str | None) -> dict[int | None, pd.DataFrame]:
    """Return for each size the scores (data sets or truths, learners)."""
    if not by.has_sizes:
        by_data_set = values.groupby("source", sort=False)
        return {None: by_data_set.agg(lambda column: column.mean(skipna=False))}
    if source is not None:
        values = values.xs(source, level="source", drop_level=False)
    sizes = sorted(values.index.unique("n_train"))
    return {int(size): values.xs(size, level="n_train") for size in sizes}


def _complete(table: pd.DataFrame, size: int | None) -> tuple[pd.DataFrame, list[str]]:
    """Leave out learners without any score, then rows that lack one, with notes."""
    at = "" if size is None else f" with {size} rows"
    absent = [str(key) for key in table if table[key].isna().all()]
    notes = [f"{learner_name(key)} is not ranked{at}: it has no scores" for key in absent]
    table = table.drop(columns=absent)
    whole = table.dropna()
    if len(whole) < len(table):
        places = [_name(place) for place in table.index.difference(whole.index, sort=False)]
        notes.append(f"left out{at}, because some learners have no scores: {truncate(places)}")
    infinite = [str(key) for key in whole if np.isinf(whole[key]).any()]
    if infinite:
        notes.append(f"infinite scores{at} are ranked first or last: {learner_list(infinite)}")
    if whole.shape[1] < 2 or len(whole) < 2:
        found = f"{count_of(whole.shape[1], 'learner')} on {len(whole)} with all scores"
        raise WorkbenchError(
            f"ranks{at} need at least two learners on two data sets or truths, but there are {found}: "
            "add some, or name learners that have scores with learners="
        )
    return whole, notes


def _name(place: str | tuple[object, ...]) -> str:
    """Name a data set, or a truth by its source and replicate."""
    return place if isinstance(place, str) else f"{place[0]} {place[1]}"
