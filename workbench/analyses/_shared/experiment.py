"""One kind of truth as an experiment: the scores of learners by replicate, learner and size."""

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.analyses._shared.subjects import check_learners, check_source, truths_of
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.base.text import and_of, truncate
from workbench.metrics import Metric
from workbench.study.metric_spec import metric_named

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["Experiment", "experiments_of"]


@dataclass(frozen=True)
class Experiment:
    """The scores of learners on the truths of one source, which are subjects with repeated measures.

    Parameters
    ----------
    source : str
        Key of the source.
    score : ScoreKey
        The key of the score.
    learners : tuple of str
        The learners compared, in the order of the study.
    sizes : tuple of int
        Numbers of training rows, ascending.
    replicates : tuple of int
        The truths for which every compared learner has a score at every size.
    values : ndarray of shape (n_replicates, n_learners, n_sizes)
        Finite scores; means over training sets if there are several.
    alongside : dict of str to ndarray of shape (n_replicates, n_sizes)
        The other learners of the study; NaN where there is no score; may be infinite.
    truth, prior : str or None
        Which of `alongside` is the truth itself, and which the class frequencies.
    optimal, mix : str or None
        Which of `alongside` is the optimum under the law of each truth, and which the one that knows only the
        laws of the study; None where it has no scores.
    left_out : tuple of str
        Learners that could not be compared, for lack of finite scores.
    notes : tuple of str
        What was left out and why, in sentences.
    facts : Metric or None
        What the metric declares; by default the catalogue's metric of that key.

    Examples
    --------
    >>> from generators import random_tan
    >>> from learners import NaiveBayesClassifier, TANClassifier
    >>> from workbench import compare
    >>> learners = {"nb": NaiveBayesClassifier(), "tan": TANClassifier()}
    >>> truths = [random_tan(n_attributes=3, random_state=seed) for seed in range(4)]
    >>> (experiment,) = experiments_of(compare(learners, on=truths, sizes=(50, 500), n_test=100))
    >>> experiment.values.shape, experiment.unit
    ((4, 2, 2), 'bits')
    """

    source: str
    score: ScoreKey
    learners: tuple[str, ...]
    sizes: tuple[int, ...]
    replicates: tuple[int, ...]
    values: NDArray[np.float64]
    alongside: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    truth: str | None = None
    prior: str | None = None
    optimal: str | None = None
    mix: str | None = None
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    facts: Metric | None = None

    def check_replicates(self) -> None:
        """Raise WorkbenchError if there is only one truth, which allows no test."""
        if len(self.replicates) < 2:
            raise WorkbenchError(f"{self.source} has one replicate: a comparison needs at least two")

    @property
    def kind(self) -> str:
        """The kind of truths, for sentences."""
        return truths_of(self.source)

    @functools.cached_property
    def metric(self) -> Metric:
        """What the metric declares, such as unit and direction."""
        return self.facts or metric_named(self.score.metric)

    @property
    def unit(self) -> str:
        """The unit of the values."""
        return self.metric.unit

    @property
    def sign(self) -> float:
        """1 where larger values are better, -1 where smaller ones are."""
        return self.metric.sign


def experiments_of(
    results: "StudyResults",
    *,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
    at_least: int = 2,
) -> tuple[Experiment, ...]:
    """Read the experiments of a study, one for each source.

    Parameters
    ----------
    results : StudyResults
    score : ScoreKey or str, optional
        As `Results.choose` takes it.
    learners : sequence of str, optional
        The learners to compare; by default those that the study names, else all but the yardsticks. By
        default a learner with an infinite score is not compared, and a note says so.
    source : str, optional
        Only this one.
    at_least : int
        Least number of learners.

    Returns
    -------
    tuple of Experiment
        In the order of the study. A replicate in which a compared learner lacks a score for some size or
        training set is left out for all, with a note. If exact scores are asked for, a source whose attribute
        space cannot be enumerated uses its test rows, and one without the score is left out; notes of the
        first experiment name them.

    Raises
    ------
    WorkbenchError
        If there is no such score, learner or source, fewer learners than that can be compared, or one that
        was asked for has an infinite score.
    """
    if results.on_datasets:
        raise WorkbenchError(
            "the study is of data sets, whose parts share rows and are not independent: use "
            "`Results.differences` or `workbench compare`, which test each data set separately"
        )
    if isinstance(learners, str) or (learners is not None and len(set(learners)) < at_least):
        raise WorkbenchError(f"learners is {learners!r}: expected a list of at least {at_least}")
    check_learners(results, learners or ())
    check_source(results, source)
    score = results.choose(score)
    wanted = [key for key in results.study.source_keys if source in (None, key)]
    n_sets = _planned_sets(results)
    found, notes = [], []
    for key, own, owned in _scores_by_source(results, wanted, score):
        if owned is None:
            notes.append(f"{key} is left out, as it has no {score.words}")
            continue
        if owned != score:
            notes.append(f"{key} is scored on {owned.rows} rows, as it has no {score.rows} scores")
        found.append(_experiment(results, own, key, owned, learners, at_least, n_sets.get(key, {})))
    if found and notes:
        found[0] = replace(found[0], notes=(*found[0].notes, *notes))
    return tuple(found)


def _scores_by_source(
    results: "StudyResults", sources: Sequence[str], score: ScoreKey
) -> Iterator[tuple[str, pd.DataFrame, ScoreKey | None]]:
    """Return each source's scores; on test rows if exact ones do not exist for its attribute space."""
    keys = [score, score._replace(rows="test")] if score.rows == "exact" else [score]
    tables = {key: results.scores(key) for key in keys}
    for source in sources:
        parts = {key: table[table["source"] == source] for key, table in tables.items()}
        owned = next((key for key, own in parts.items() if len(own)), None)
        yield source, parts[owned or score], owned


def _planned_sets(results: "StudyResults") -> dict[str, dict[str, int]]:
    """Return the planned number of training sets by source and by learner."""
    places = results.cells().groupby(["source", "learner"], observed=True)["training_set"]
    found: dict[str, dict[str, int]] = {}
    for (source, key), n in places.nunique().items():
        found.setdefault(str(source), {})[str(key)] = int(n)
    return found


def _experiment(
    results: "StudyResults",
    scores: pd.DataFrame,
    source: str,
    score: ScoreKey,
    asked: Sequence[str] | None,
    at_least: int,
    n_sets: Mapping[str, int],
) -> Experiment:
    sizes = tuple(int(size) for size in sorted(scores["n_train"].unique()))
    tables = _by_replicate(scores, results.study.learner_keys, sizes, n_sets)
    wanted = results.study.compared_learners(asked)
    compared, notes = _compared({key: tables[key] for key in wanted}, source, score, bool(asked))
    if len(compared) < at_least:
        reason = "; ".join(notes) or "name some with `learners`, or run the study with more"
        raise WorkbenchError(
            f"on {truths_of(source)} too few learners can be compared by {score.words}: {reason}"
        )
    whole, lacking = _whole(tables, compared, source)
    values = np.stack([tables[key].loc[whole].to_numpy() for key in compared], axis=1)
    others = [key for key in tables if key not in compared]
    roles = {results.study.role(key): key for key in reversed(others) if not tables[key].isna().all().all()}
    return Experiment(
        source,
        score,
        tuple(compared),
        sizes,
        tuple(int(replicate) for replicate in whole),
        values,
        {key: tables[key].reindex(whole).to_numpy() for key in others},
        truth=roles.get("truth"),
        prior=roles.get("prior"),
        optimal=roles.get("optimal"),
        mix=roles.get("optimal_mix"),
        left_out=tuple(key for key in wanted if key not in compared),
        notes=(*notes, *lacking),
        facts=results.metric(score.metric),
    )


def _whole(
    tables: Mapping[str, pd.DataFrame], compared: Sequence[str], source: str
) -> tuple[pd.Index, list[str]]:
    """Return the replicates with every score of the compared learners, and notes on the others."""
    whole = pd.concat([tables[key] for key in compared], axis=1).dropna().index
    everywhere = pd.concat(list(tables.values()), axis=1).index
    if whole.empty:
        raise WorkbenchError(f"on {source} no replicate has a score of every compared learner at every size")
    if len(whole) == len(everywhere):
        return whole, []
    lacking = truncate([str(replicate) for replicate in everywhere.difference(whole)])
    return whole, [f"on {source} left out for all, as some learners lack scores: replicate {lacking}"]


def _by_replicate(
    scores: pd.DataFrame, learners: Sequence[str], sizes: tuple[int, ...], n_sets: Mapping[str, int]
) -> dict[str, pd.DataFrame]:
    """Return for each learner one row per replicate and one column per size, averaged over training sets."""
    # a mean over fewer training sets than planned is missing, as the lacking ones may be the hard ones
    values = scores.groupby(["learner", "replicate", "n_train"], observed=True)["value"]
    found = pd.DataFrame({"mean": values.mean(), "n": values.size()})
    tables = {}
    for key in learners:
        own = found[found.index.get_level_values("learner") == key].droplevel("learner")
        table = own["mean"].where(own["n"] == n_sets.get(key, 1)).unstack("n_train")
        tables[key] = table.reindex(columns=list(sizes))
    return tables


def _compared(
    tables: dict[str, pd.DataFrame], source: str, score: ScoreKey, asked: bool
) -> tuple[list[str], list[str]]:
    """Return the learners that can be compared, and why the others cannot."""
    compared, notes = [], []
    infinite: dict[str, int] = {}
    for key, table in tables.items():
        n_infinite = int(np.isinf(table.to_numpy()).sum())
        if n_infinite and asked:
            raise WorkbenchError(
                f"{key} has an infinite score in {n_infinite} cells, so its mean is not finite: leave it "
                f"out, or use a score after a cut-off, such as {_clipped(score)}"
            )
        if n_infinite:
            infinite[key] = n_infinite
        elif table.isna().all().any():
            lacking = [str(size) for size in table.columns[table.isna().all()]]
            where = "" if len(lacking) == table.shape[1] else f" at {and_of(lacking)} rows"
            notes.append(f"on {source} {key} is not compared: it has no score{where}")
        else:
            compared.append(key)
    return compared, [*_infinite_note(infinite, source, score), *notes]


def _infinite_note(infinite: Mapping[str, int], source: str, score: ScoreKey) -> list[str]:
    """Return a sentence on learners with infinite scores, and which score would be finite."""
    if not infinite:
        return []
    keys, counts = and_of(list(infinite)), and_of([str(n) for n in infinite.values()])
    several = len(infinite) > 1
    whose = "are not compared: their scores are" if several else "is not compared: its score is"
    return [
        f"on {source} {keys} {whose} infinite in {counts} cells (the score {_clipped(score)} would be finite)"
    ]


def _clipped(score: ScoreKey) -> ScoreKey:
    """Return the score after a cut-off that is finite where this one is not."""
    return score._replace(cutoff="2002")
