"""Exact scores against those of the test rows: the noise of a test sample."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["Sampling"]


@dataclass(frozen=True, eq=False)
class Sampling:
    """Scores of cells that were scored both exactly and on the test rows, to show the noise of a test sample.

    Parameters
    ----------
    source : str
        Key of the source.
    score : ScoreKey
        The key of the exact score. The other score differs from it only in its rows, "test".
    unit : str
        Unit of the scores.
    table : DataFrame
        One row per cell with finite scores: learner, replicate, n_train, exact score, test score.
    bias, error : float
        Mean, and root mean square, of the difference test score minus exact score.
    n_left_out : int
        Number of cells that are left out because a score is infinite.

    Examples
    --------
    >>> from generators import random_tan
    >>> from learners import NaiveBayesClassifier, TANClassifier
    >>> from workbench import compare
    >>> learners = {"nb": NaiveBayesClassifier(), "tan": TANClassifier()}
    >>> results = compare(learners, on=random_tan(n_attributes=3, random_state=1), sizes=50, n_test=100)
    >>> Sampling.of(results, "truths").table.columns.tolist()
    ['learner', 'replicate', 'n_train', 'exact', 'test']
    """

    source: str
    score: ScoreKey
    unit: str
    table: pd.DataFrame
    bias: float
    error: float
    n_left_out: int

    @classmethod
    def of(
        cls,
        results: "StudyResults",
        source: str,
        *,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
    ) -> "Sampling":
        """Pair the exact scores and the scores on the test rows of one source.

        Parameters
        ----------
        results : StudyResults
        source : str
            Key of the source.
        score : ScoreKey or str, optional
            As in `Results.choose`. The rows named in the key are ignored.
        learners : sequence of str, optional
            By default all.

        Returns
        -------
        Sampling

        Raises
        ------
        WorkbenchError
            If the study lacks exact scores or scores on test rows, or if every cell has an infinite score.
        """
        asked = ScoreKey.parse(score)
        key = results.choose(asked._replace(rows="exact"))
        sampled = results.choose(key._replace(rows="test", cutoff=asked.cutoff))
        columns = {
            "exact": _column(results, source, key),
            "test": _column(results, source, sampled),
        }
        both = pd.DataFrame(columns).dropna()
        both = both if learners is None else both[both.index.isin(learners, level="learner")]
        finite = both[np.isfinite(both).all(axis=1)]
        if finite.empty:
            raise WorkbenchError(
                f"{source} has no cell with a finite exact score and a finite score of the test rows: choose "
                "another score or source"
            )
        gap = finite["test"] - finite["exact"]
        unit = results.metric(key.metric).unit
        table = finite.reset_index().drop(columns="training_set")
        error = float(np.sqrt((gap**2).mean()))
        return cls(source, key, unit, table, float(gap.mean()), error, len(both) - len(finite))


def _column(results: "StudyResults", source: str, key: ScoreKey) -> pd.Series:
    scores = results.scores(key)
    own = scores[scores["source"] == source]
    return own.astype({"learner": "str"}).set_index(["learner", "replicate", "n_train", "training_set"])[
        "value"
    ]
