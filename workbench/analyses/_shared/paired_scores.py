"""The scores of learners on the same blocks of one source: its truths, or the parts of a data set."""

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.analyses._shared.subjects import check_learners, check_source, truths_of
from workbench.base.cell import ENDED_WITHOUT_SCORES
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name
from workbench.base.score_key import ScoreKey
from workbench.base.text import and_of, count_of
from workbench.designs import Blocks, Design
from workbench.metrics import Metric
from workbench.store.failures import first_clause
from workbench.study.metric_spec import metric_named

if TYPE_CHECKING:
    from workbench.comparisons import PairTest
    from workbench.store.results import StudyResults

__all__ = ["LeftOut", "PairedScores", "paired_scores", "nominal_shares"]

#: A replicate, or the replicate and fold of a part.
Block: TypeAlias = int | tuple[int, ...]


@dataclass(frozen=True)
class LeftOut:
    """A learner that is not compared on a source because scores are missing or infinite."""

    learner: str
    n: int  # scores that it has
    n_planned: int  # on the blocks so far
    n_infinite: int
    blocks: str  # what they are called
    failure: str = ""  # why it failed, in a clause; empty if it did not, or the reason is unknown

    @property
    def why(self) -> str:
        """The reason why the learner is in no test."""
        if self.n < self.n_planned:
            reason = f": {self.failure}" if self.failure else ""
            return f"scores in {self.n} of {self.n_planned} {self.blocks}{reason}"
        return f"infinite score in {self.n_infinite} of {self.n_planned} {self.blocks}"


@dataclass(frozen=True)
class PairedScores:
    """The scores of learners on the blocks of one source, paired by block.

    Blocks are truths, or the parts (train-test splits) of a data set.

    Parameters
    ----------
    source : str
        Key of the source.
    score : ScoreKey
        The key of the score.
    learners : tuple of str
        The learners compared, in the order of the study.
    sizes : tuple of int
        Numbers of training rows, ascending. A data set has only one number.
    blocks : tuple
        The truths, by replicate, on which every compared learner has a score at every size, or the parts of a
        data set, by replicate and fold.
    values : ndarray of shape (n_blocks, n_learners, n_sizes)
        Finite scores of the compared learners, averaged over training sets if there are several.
    alongside : dict of str to ndarray of shape (n_blocks, n_sizes)
        Scores of the learners of the study that are not compared, such as the truth. NaN where there is no
        score. Scores may be infinite.
    truth, prior : str or None
        The keys in `alongside` of the truth and of the learner that forecasts the class frequencies.
    optimal, mix : str or None
        The keys in `alongside` of the optimum given the law of each truth, and of the optimum given only all
        laws of the study (the mixture). None if they have no scores.
    left_out : tuple of LeftOut
        Learners that were to be compared but lack finite scores.
    lacking : tuple of (str, int)
        Compared learners that lack scores, each with the number of truths without a score. These truths are
        left out for all learners.
    notes : tuple of str
        Sentences on what was left out and why.
    facts : Metric or None
        The properties of the metric, such as unit and direction. By default they are read from the catalogue.
    by : Blocks
        The kind of blocks: their name, and whether they are independent.
    test : PairTest
        The design's test of two learners.
    test_share : float
        Nominal ratio of test rows to training rows, 0 for independent blocks.
    wanted : tuple of str
        The learners to compare, including those left out. By default `learners`.
    named : bool
        Whether the caller named the learners. If so, the truth is the only other learner that is shown, as
        the upper limit.

    Examples
    --------
    >>> from generators import random_tan
    >>> from learners import NaiveBayesClassifier, TANClassifier
    >>> from workbench import compare
    >>> learners = {"nb": NaiveBayesClassifier(), "tan": TANClassifier()}
    >>> truths = [random_tan(n_attributes=3, random_state=seed) for seed in range(4)]
    >>> (found,) = paired_scores(compare(learners, on=truths, sizes=(50, 500), n_test=100))
    >>> found.values.shape, found.unit
    ((4, 2, 2), 'bits')
    """

    source: str
    score: ScoreKey
    learners: tuple[str, ...]
    sizes: tuple[int, ...]
    blocks: tuple[Block, ...]
    values: NDArray[np.float64]
    alongside: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    truth: str | None = None
    prior: str | None = None
    optimal: str | None = None
    mix: str | None = None
    left_out: tuple[LeftOut, ...] = ()
    lacking: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()
    facts: Metric | None = None
    by: Blocks = Design.blocks
    test: "PairTest" = Design.test
    test_share: float = 0.0
    wanted: tuple[str, ...] = ()
    named: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "wanted", self.wanted or self.learners)

    def check_blocks(self) -> None:
        """Raise WorkbenchError if there is only one truth, as a test needs two."""
        if self.by.independent and len(self.blocks) < 2:
            raise WorkbenchError(
                f"source {self.source!r} has one replicate, but a comparison needs at least two: give more "
                "truths or replicates"
            )

    @property
    def kind(self) -> str:
        """The kind of truths, or the data set, as named in sentences."""
        return truths_of(self.source) if self.by.truth_known else self.source

    @functools.cached_property
    def metric(self) -> Metric:
        """The properties of the metric, such as unit and direction."""
        return self.facts or metric_named(self.score.metric)

    @property
    def unit(self) -> str:
        """The unit of the scores."""
        return self.metric.unit

    @property
    def sign(self) -> float:
        """1 if larger scores are better, -1 if smaller scores are better."""
        return self.metric.sign

    @property
    def lacking_sentences(self) -> tuple[str, ...]:
        """One sentence for each learner that is not compared or whose missing scores exclude truths."""
        out = [
            f"{learner_name(one.learner)} is not compared on {self.kind}: {one.why}" for one in self.left_out
        ]
        return (*out, *_lacking(self.kind, self.lacking))

    @property
    def shown(self) -> tuple[str, ...]:
        """The learners in `alongside` that tables and figures show."""
        return tuple(
            key for key in self.alongside if not self.named or key in self.wanted or key == self.truth
        )

    @property
    def others(self) -> tuple[str, ...]:
        """The learners in `alongside` that were not to be compared."""
        return tuple(key for key in self.shown if key not in self.wanted)

    @functools.cached_property
    def means(self) -> pd.DataFrame:
        """Table of mean, sd, n and n_infinite by (learner, n_train), with the compared learners first.

        On a data set the index is learner. There, sd is not a standard error, because the parts share rows.
        """
        rows = {
            (key, size): _moments(self._scores_of(key)[:, j])
            for key in (*self.wanted, *self.others)
            for j, size in enumerate(self.sizes)
        }
        index = pd.MultiIndex.from_tuples(list(rows), names=["learner", "n_train"])
        table = pd.DataFrame(list(rows.values()), index, columns=["mean", "sd", "n", "n_infinite"])
        return table if self.by.has_sizes else table.droplevel("n_train")

    def _scores_of(self, learner: str) -> NDArray[np.float64]:
        """Return the scores of a learner, (n_blocks, n_sizes)."""
        if learner in self.learners:
            return self.values[:, self.learners.index(learner)]
        return self.alongside[learner]


def paired_scores(
    results: "StudyResults",
    *,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
    at_least: int = 2,
    independent: bool = False,
) -> tuple[PairedScores, ...]:
    """Return the scores of a study for each source, paired by block (truth, or part of a data set).

    Parameters
    ----------
    results : StudyResults
    score : ScoreKey or str, optional
        The score, as a key or a part of one (see `Results.choose`).
    learners : sequence of str, optional
        The learners to compare. By default the learners that the study names, otherwise all except reference
        learners. A learner with an infinite score is left out by default, with a note.
    source : str, optional
        Read only this source. By default all sources.
    at_least : int
        Least number of learners that are compared on truths.
    independent : bool
        Whether only truths are allowed, because they are independent.

    Returns
    -------
    tuple of PairedScores
        One item per source, in the order of the study. A truth on which a compared learner lacks a score for
        some size or training set is left out for all learners, with a note. On a data set, the learner is
        left out instead. If exact scores are requested, a source whose attribute space cannot be enumerated
        gets the scores of its test rows. A source without the score is left out. The notes of the first
        source name such sources.

    Raises
    ------
    WorkbenchError
        If there is no such score, learner or source, or if only truths are allowed and the study is of data
        sets. On truths, also if fewer than `at_least` learners can be compared, or if a learner that was
        named has an infinite score.
    """
    design = results.design
    if independent and not design.blocks.independent:
        raise WorkbenchError(
            "the study is of data sets, whose parts share rows and are not independent: use "
            "`Results.differences` or `workbench compare`, which test each data set separately"
        )
    few = design.blocks.independent and learners is not None and len({*learners}) < at_least
    if isinstance(learners, str) or few:
        raise WorkbenchError(f"learners is {learners!r}: expected a list of learners, at least {at_least}")
    check_learners(results, learners or ())
    check_source(results, source)
    score = results.choose(score)
    wanted = [key for key in results.study.source_keys if source in (None, key)]
    shares, cells = nominal_shares(results), results.cells()
    found, notes = [], list(filter(None, [design.note]))
    for key, own, owned in _scores_by_source(results, wanted, score):
        its_cells = cells[cells["source"] == key]
        if its_cells.empty or (owned is None and design.blocks.independent):
            notes.append(f"{key} is left out, because it has no {score.words}")
            continue
        if owned not in (None, score):
            notes.append(f"{key} is scored on {owned.rows} rows, because it has no {score.rows} scores")
        one = _of_source(results, own, its_cells, key, owned or score, learners, at_least)
        found.append(replace(one, by=design.blocks, test=design.test, test_share=shares[key]))
    if found and notes:
        found[0] = replace(found[0], notes=(*found[0].notes, *notes))
    return tuple(found)


def nominal_shares(results: "StudyResults") -> dict[str, float]:
    """Return the nominal number of test rows over training rows by source, or of groups, 0 for truths."""
    first = results.cells().astype({"source": "str"}).groupby("source").first()
    rows = zip(first.index, first["n_train"], first["n_test"], strict=True)
    design, n_groups = results.design, results.study.n_groups
    own = {str(key): design.group_counts(n_groups(str(key))) or sizes for key, *sizes in rows}
    return {key: design.test_share(*map(int, sizes)) for key, sizes in own.items()}


def _scores_by_source(
    results: "StudyResults", sources: Sequence[str], score: ScoreKey
) -> Iterator[tuple[str, pd.DataFrame, ScoreKey | None]]:
    """Return each source's scores, on test rows if its attribute space has no exact scores."""
    keys = [score, score._replace(rows="test")] if score.rows == "exact" else [score]
    tables = {key: results.scores(key) for key in keys}
    for source in sources:
        parts = {key: table[table["source"] == source] for key, table in tables.items()}
        owned = next((key for key, own in parts.items() if len(own)), None)
        yield source, parts[owned or score], owned


def _tables(
    results: "StudyResults", scores: pd.DataFrame, cells: pd.DataFrame, sizes: tuple[int, ...]
) -> dict[str, pd.DataFrame]:
    """Return for each learner one row per block and one column per size, averaged over training sets."""
    key = list(results.design.blocks.key)
    planned = cells.groupby("learner", observed=True)["training_set"].nunique()
    # a mean over fewer training sets than planned is missing, as the lacking ones may be the hard ones
    values = scores.groupby(["learner", *key, "n_train"], observed=True)["value"]
    found = pd.DataFrame({"mean": values.mean(), "n": values.size()})
    tables = {}
    for learner in results.study.learner_keys:
        own = found[found.index.get_level_values("learner") == learner].droplevel("learner")
        table = own["mean"].where(own["n"] == planned.get(learner, 1)).unstack("n_train")
        tables[learner] = table.reindex(columns=list(sizes))
    return tables


def _of_source(
    results: "StudyResults",
    scores: pd.DataFrame,
    cells: pd.DataFrame,
    source: str,
    score: ScoreKey,
    asked: Sequence[str] | None,
    at_least: int,
) -> PairedScores:
    """Leave out blocks, or learners, without a score, depending on the kind of blocks."""
    design, wanted = results.design, results.study.compared_learners(asked)
    if not design.blocks.independent and not design.test.needs_all:
        scores, cells = _complete(scores, cells, list(design.blocks.key))
    sizes = tuple(int(size) for size in sorted(scores["n_train"].unique()))
    if not design.blocks.has_sizes:  # parts that differ in their rows, as folds may, are of one setting
        sizes = (int(cells["n_train"].iloc[0]),)
        scores = scores.assign(n_train=sizes[0])
    tables = _tables(results, scores, cells, sizes)
    if design.blocks.independent:
        compared, notes = _compared({key: tables[key] for key in wanted}, source, score, bool(asked))
        notes += _without_the_rarest(tables, compared, source)
        if len(compared) < at_least:
            reason = "; ".join(notes) or "name learners with learners=, or run the study with more learners"
            raise WorkbenchError(
                f"on {truths_of(source)} too few learners can be compared by {score.words}: {reason}"
            )
        blocks, lacking = _whole(tables, compared, source)
        notes += _lacking(truths_of(source), lacking)
    else:
        wanted = list(dict.fromkeys(asked or wanted))
        places = cells[list(design.blocks.key)].drop_duplicates()
        one_column = places.shape[1] == 1
        blocks = (
            pd.Index(places.iloc[:, 0]) if one_column else pd.MultiIndex.from_frame(places)
        ).sort_values()
        compared = [key for key in wanted if np.isfinite(tables[key].reindex(blocks).to_numpy()).all()]
        notes, lacking = [], []
    values = {key: table.reindex(blocks).to_numpy() for key, table in tables.items()}
    left_out = [_left_out(key, values[key], cells, design.blocks) for key in wanted if key not in compared]
    if not design.blocks.independent:
        notes = [f"{learner_name(one.learner)} is in no test on {source}: {one.why}" for one in left_out]
    others = [key for key in tables if key not in compared]
    roles = {results.study.role(key): key for key in reversed(others) if not tables[key].isna().all().all()}
    nobody = np.empty((len(blocks), 0, len(sizes)))
    return PairedScores(
        source,
        score,
        tuple(compared),
        sizes,
        tuple(blocks.tolist()),
        np.stack([values[key] for key in compared], axis=1) if compared else nobody,
        {key: values[key] for key in others},
        truth=roles.get("truth"),
        prior=roles.get("prior"),
        optimal=roles.get("optimal"),
        mix=roles.get("optimal_mixture"),
        left_out=tuple(left_out),
        lacking=tuple(lacking),
        notes=tuple(notes),
        facts=results.metric(score.metric),
        wanted=tuple(wanted),
        named=bool(asked),
    )


def _complete(scores: pd.DataFrame, cells: pd.DataFrame, key: list[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Keep the parts without pending cells, if any, of an interrupted run."""
    part = pd.MultiIndex.from_frame(cells[key])
    pending = part[(cells["state"] == "pending").to_numpy()].unique()
    kept = ~part.isin(pending)
    if kept.all() or not kept.any():
        return scores, cells
    return scores[~pd.MultiIndex.from_frame(scores[key]).isin(pending)], cells[kept]


def _left_out(learner: str, values: NDArray[np.float64], cells: pd.DataFrame, blocks: Blocks) -> LeftOut:
    """Count the missing scores of a learner, with the most frequent reason of its failures."""
    messages = cells["message"][(cells["learner"] == learner) & cells["state"].isin(ENDED_WITHOUT_SCORES)]
    failure = first_clause(messages.value_counts().index[0]) if len(messages) else ""
    n, n_infinite = int((~np.isnan(values)).sum()), int(np.isinf(values).sum())
    many = "cells" if blocks.has_sizes else blocks.many
    return LeftOut(learner, n, values.size, n_infinite, many, failure)


def _moments(values: NDArray[np.float64]) -> tuple[float, float, int, int]:
    """Return mean, standard deviation, number and number of infinities of scores, which may be missing."""
    known = values[~np.isnan(values)]
    infinite = int(np.isinf(known).sum())
    mean = float(known.mean()) if len(known) else float("nan")
    sd = float(known.std(ddof=1)) if len(known) > 1 and not infinite else float("nan")
    return mean, sd, len(known), infinite


def _lacking(kind: str, lacking: Sequence[tuple[str, int]]) -> list[str]:
    if not lacking:
        return []
    who = and_of([f"{learner_name(key)} has no score on {n}" for key, n in lacking])
    return [f"some {kind.removeprefix('the ')} are left out for every learner: {who}"]


def _without_the_rarest(tables: Mapping[str, pd.DataFrame], compared: list[str], source: str) -> list[str]:
    """Remove learners from `compared` with so few replicates that fewer than two are common, with a note."""
    complete = {key: tables[key].dropna().index for key in compared}
    n = len(pd.concat(list(tables.values()), axis=1))
    notes = []
    while len(compared) > 2 and n > 1 and len(_common([complete[key] for key in compared])) < 2:
        rarest = min(reversed(compared), key=lambda key: len(complete[key]))
        if len(complete[rarest]) == n:
            break
        compared.remove(rarest)
        lacking = f"{n - len(complete[rarest])} of {count_of(n, 'replicate')}"
        notes.append(
            f"{learner_name(rarest)} is not compared on {truths_of(source)}: it has no score on {lacking}"
        )
    return notes


def _common(found: Sequence[pd.Index]) -> pd.Index:
    return functools.reduce(lambda one, other: one.intersection(other), found)


def _whole(
    tables: Mapping[str, pd.DataFrame], compared: Sequence[str], source: str
) -> tuple[pd.Index, list[tuple[str, int]]]:
    """Return the replicates with every score of the compared learners, and how many each learner lacks."""
    whole = pd.concat([tables[key] for key in compared], axis=1).dropna().index
    everywhere = pd.concat(list(tables.values()), axis=1).index
    if whole.empty:
        raise WorkbenchError(
            f"on {source} no replicate has a score of every compared learner at every size: compare fewer "
            "learners"
        )
    own = {key: len(everywhere.difference(tables[key].dropna().index)) for key in compared}
    return whole, [(key, n) for key, n in own.items() if n]


def _compared(
    tables: dict[str, pd.DataFrame], source: str, score: ScoreKey, asked: bool
) -> tuple[list[str], list[str]]:
    """Return the learners that can be compared, and why the others cannot."""
    compared, notes = [], []
    clipped = score._replace(cutoff="2002")
    for key, table in tables.items():
        n_infinite = int(np.isinf(table.to_numpy()).sum())
        cells = count_of(n_infinite, "cell")
        if n_infinite and asked:
            raise WorkbenchError(
                f"{key} has an infinite score in {cells} on {source}, so its mean is not finite: leave it "
                f"out, or use a score with clipping, such as {str(clipped)!r}"
            )
        if n_infinite:
            notes.append(
                f"{learner_name(key)} is not compared on {truths_of(source)}: its score is infinite in "
                f"{cells} "
                f"(score {str(clipped)!r} is finite)"
            )
        elif table.isna().all().any():
            lacking = [str(size) for size in table.columns[table.isna().all()]]
            where = "" if len(lacking) == table.shape[1] else f" with {and_of(lacking)} rows"
            notes.append(
                f"{learner_name(key)} is not compared on {truths_of(source)}: it has no score{where}"
            )
        else:
            compared.append(key)
    return compared, notes
