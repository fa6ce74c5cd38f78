"""The score that decides: of the study's first metric, after a cut-off where that lets more be compared."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from workbench.base.score_key import ScoreKey

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["counting_all", "deciding_score", "infinite_uncut"]


def deciding_score(
    results: "StudyResults",
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
) -> ScoreKey:
    """Complete a key as `Results.choose` does; if no cut-off is named, the one that leaves nobody out."""
    chosen = results.choose(score)
    return chosen if ScoreKey.parse(score).cutoff else counting_all(results, chosen, learners)


def counting_all(results: "StudyResults", score: ScoreKey, learners: Sequence[str] | None = None) -> ScoreKey:
    """Use a score after a cut-off if the one without it would leave learners out."""
    if score.cutoff != "none" or not _infinite(results, score, learners):
        return score
    clipped = (key for key in results.score_keys if key.cutoff != "none")
    return next((key for key in clipped if key == score._replace(cutoff=key.cutoff)), score)


def infinite_uncut(
    results: "StudyResults", score: ScoreKey, learners: Sequence[str] | None = None
) -> list[str]:
    """List the compared learners whose scores are infinite without the cut-off of a score."""
    plain = score._replace(cutoff="none")
    if score.cutoff == "none" or plain not in results.score_keys:
        return []
    return _infinite(results, plain, learners)


def _infinite(results: "StudyResults", score: ScoreKey, learners: Sequence[str] | None) -> list[str]:
    """List the compared learners with infinite scores."""
    # A source whose attribute space cannot be enumerated is scored on test rows in place of exactly.
    keys = [score, score._replace(rows="test")] if score.rows == "exact" else [score]
    found = {
        learner
        for own in map(results.scores, keys)
        for learner in own["learner"][np.isinf(own["value"])].unique()
    }
    return [key for key in results.study.compared_learners(learners) if key in found]
