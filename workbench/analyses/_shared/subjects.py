"""What has been measured once: the scores of learners on each truth and size, or on each part of a table."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from workbench.base.errors import WorkbenchError, nearest
from workbench.study.scores import ScoreKey

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["check_learners", "check_source", "subjects_of"]

PLACE = ["source", "n_train", "replicate", "fold"]


def subjects_of(results: "StudyResults", score: ScoreKey, learners: Sequence[str]) -> pd.DataFrame:
    """Give one row a truth and size, or a part of a table, and one column a learner.

    Parameters
    ----------
    results : StudyResults
    score : ScoreKey
    learners : sequence of str
        Keys of learners of the study.

    Returns
    -------
    DataFrame
        Index (source, n_train, replicate, fold), every place that was tried, in the order of the study.
        Training sets of one truth are one subject, so their mean is given; a mean over fewer than were tried
        is none: those that are lacking may be the hard ones. NaN where there is no score; may be infinite.

    Examples
    --------
    >>> from generators import random_tan
    >>> from learners import NaiveBayesClassifier, TANClassifier
    >>> from workbench import compare
    >>> learners = {"nb": NaiveBayesClassifier(), "tan": TANClassifier()}
    >>> truths = [random_tan(n_attributes=3, random_state=seed) for seed in range(2)]
    >>> results = compare(learners, on=truths, sizes=(50, 500), n_test=100)
    >>> subjects_of(results, results.choose("ir_b"), ["nb", "tan"]).shape
    (4, 2)
    """
    cells = results.cells().astype({"source": "str", "learner": "str"})
    tried = cells.groupby([*PLACE, "learner"]).size()
    own = results.scores(score).astype({"source": "str", "learner": "str"})
    values = own.groupby([*PLACE, "learner"])["value"]
    means = values.mean().where(values.size() == tried.reindex(values.size().index))
    places = pd.MultiIndex.from_frame(cells[PLACE].drop_duplicates())
    return means.unstack("learner").reindex(index=places, columns=pd.Index(learners, name="learner"))


def check_learners(results: "StudyResults", learners: Sequence[str]) -> None:
    """Raise WorkbenchError if one of the learners is none of the study.

    Parameters
    ----------
    results : StudyResults
    learners : sequence of str
    """
    known = [key for key, _ in results.study["learners"]]
    if isinstance(learners, str):
        raise WorkbenchError(f"learners is {learners!r}: expected a list, [{learners!r}]")
    for learner in learners:
        if learner not in known:
            raise WorkbenchError(f"there is no learner {learner!r} here: {nearest(learner, known)}")


def check_source(results: "StudyResults", source: str | None) -> None:
    """Raise WorkbenchError if a source is named that the study has not.

    Parameters
    ----------
    results : StudyResults
    source : str or None
    """
    known = [key for key, _ in results.study["sources"]]
    if source is not None and source not in known:
        raise WorkbenchError(f"there is no source {source!r} here: {nearest(source, known)}")
