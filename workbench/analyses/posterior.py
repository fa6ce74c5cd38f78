"""Posterior comparison of two learners (worse, practically equal, better), per data set and over all."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.analyses._shared.paired_scores import nominal_shares
from workbench.analyses._shared.subjects import check_learners, check_source, subjects_of
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name
from workbench.base.score_key import ScoreKey
from workbench.base.text import count_of
from workbench.comparisons import (
    CorrelatedPosterior,
    SignedRankPosterior,
    bayesian_correlated_t,
    bayesian_signed_rank,
)
from workbench.designs import Blocks

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["Posterior"]

Place = tuple[str, int]


@dataclass(frozen=True, eq=False)
class Posterior:
    """Posterior probabilities that one learner is worse than, practically equal to, or better than another.

    Parameters
    ----------
    score : ScoreKey
        The key of the score.
    learner, other : str
        Keys of the two learners.
    rope : float
        Half width of the region of practical equivalence, in the unit of the score.
    places : dict of (str, int) to CorrelatedPosterior
        The posterior by source and number of training rows. On a data set it is computed from the parts
        (train-test splits), which share rows. On truths it is computed from independent truths.
    overall : SignedRankPosterior or None
        The posterior over the mean differences of all data sets. None on truths and for one data set.
    by : Blocks
        The blocks (truths, or parts of data sets) by which scores are paired.
    unit : str
        Unit of the score.
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
    >>> found = Posterior.of(results, "nb", "prior", rope=0.01)
    >>> found.table[["source", "n_train", "p_worse", "p_better", "decision"]].round(2).to_dict("records")
    [{'source': 'truths', 'n_train': 500, 'p_worse': 0.0, 'p_better': 1.0, 'decision': 'better'}]
    """

    score: ScoreKey
    learner: str
    other: str
    rope: float
    places: dict[Place, CorrelatedPosterior]
    overall: SignedRankPosterior | None
    by: Blocks
    unit: str
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        results: "StudyResults",
        learner: str,
        other: str,
        *,
        rope: float,
        score: ScoreKey | str | None = None,
        source: str | None = None,
        level: float = 0.95,
    ) -> "Posterior":
        """Compute the posterior of two learners from the results of a study.

        Parameters
        ----------
        results : StudyResults
        learner, other : str
            Keys of the two learners.
        rope : float
            Half width of the region of practical equivalence, in the unit of the score.
        score : ScoreKey or str, optional
            The score, as a key or a part of one (see `Results.choose`).
        source : str, optional
            Use only this data set or source of truths. By default all.
        level : float
            An outcome is decided if its probability is at least this.

        Returns
        -------
        Posterior
            The posterior. A data set (or truth) on which either learner lacks a finite score is left out,
            with a sentence in `notes`.

        Raises
        ------
        WorkbenchError
            If there is no such score, learner or source, or both learners are the same. If no data set has at
            least two parts, or no training size at least two truths, with finite scores of both learners. If
            no test is valid for the parts, as for splits in time.
        """
        check_learners(results, [learner, other])
        check_source(results, source)
        if learner == other:
            raise WorkbenchError(f"both learners are {learner!r}: name two different learners")
        if not results.design.test.holds:
            raise WorkbenchError(f"differences have no valid posterior: {results.design.note}")
        score, by = results.choose(score), results.design.blocks
        values = subjects_of(results, score, [learner, other])
        found, notes = _differences(values[learner] - values[other], by, source)
        if not found:
            raise WorkbenchError(
                f"{learner_name(learner)} and {learner_name(other)} have too few finite scores by "
                f"{score.words} to be compared: "
                f"{'; '.join(notes)}"
            )
        facts = results.metric(score.metric)
        shares, largest = nominal_shares(results), _largest(values[[learner, other]])
        places = {
            place: bayesian_correlated_t(
                d, rope=rope, test_share=shares[place[0]], direction=facts.direction, level=level,
                largest=largest[place],
            )
            for place, d in found.items()
        }  # fmt: skip
        notes += [f"on {_place_name(at, by)} {one.note}" for at, one in places.items() if one.note]
        overall = None
        if not by.has_sizes and len(found) > 1:
            means = [float(d.mean()) for d in found.values()]
            overall = bayesian_signed_rank(means, rope=rope, direction=facts.direction, level=level)
        return cls(score, learner, other, float(rope), places, overall, by, facts.unit, tuple(notes))

    @property
    def table(self) -> pd.DataFrame:
        """One row per source and size: source, n_train, n, difference, low, high, p_worse, p_equal, p_better,
        decision ("worse", "equal", "better" or None). The difference is learner minus other.
        """  # noqa: D205
        rows = [
            (*place, one.n, one.mean, one.low, one.high, one.p_worse, one.p_equal, one.p_better, one.decision)
            for place, one in self.places.items()
        ]
        names = ["source", "n_train", "n", "difference", "low", "high", "p_worse", "p_equal", "p_better"]
        table = pd.DataFrame(rows, columns=[*names, "decision"])
        # pandas would convert the column to its string type, whose missing value is NaN.
        decisions = pd.Series([row[-1] for row in rows], index=table.index, dtype=object)
        return table.assign(decision=decisions)


def _differences(d: pd.Series, by: Blocks, source: str | None) -> tuple[dict[Place, np.ndarray], list[str]]:
    """Return the finite differences of each source and size, and notes on what was left out."""
    found: dict[Place, np.ndarray] = {}
    notes = []
    for (key, size), own in d.groupby(["source", "n_train"], sort=False):
        if source not in (None, key):
            continue
        finite = own[np.isfinite(own)].to_numpy(dtype=np.float64)
        lacking = len(own) - len(finite)
        place = _place_name((str(key), int(size)), by)
        # The parts of a data set form one subject, complete or left out; each truth is its own subject.
        if len(finite) < 2 or (not by.independent and lacking):
            why = f"{len(finite)} of {count_of(len(own), by.one)} with finite scores of both"
            notes.append(f"{place} is left out: {why}")
            continue
        if lacking:
            notes.append(f"on {place} left out for lack of finite scores: {count_of(lacking, by.one)}")
        found[str(key), int(size)] = finite
    return found, notes


def _largest(values: pd.DataFrame) -> dict[Place, float]:
    """Return the largest finite score of each source and size, in absolute value."""
    sizes = values[np.isfinite(values).all(axis=1)].abs().max(axis=1).groupby(["source", "n_train"]).max()
    return {(str(key), int(size)): float(one) for (key, size), one in sizes.items()}


def _place_name(place: Place, by: Blocks) -> str:
    return f"{place[0]} with {place[1]} rows" if by.has_sizes else place[0]
