"""The ranking of learners in every setting: who wins, ties with the winner, or is worse."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from workbench.analyses._shared.comparison import Comparison
from workbench.base.score_key import ScoreKey

__all__ = ["LearnerRanking"]

NOT_COMPARED = "not compared"
Row = tuple[str, int | None, str, str, float]


@dataclass(frozen=True, eq=False)
class LearnerRanking:
    """The standing of each learner at each size of each source, or on each data set.

    Parameters
    ----------
    score : ScoreKey
        The key of the score.
    table : DataFrame
        One row per source, size and learner: source, n_train (missing on data sets), learner, standing, mean.
        The learner with the best mean "wins" if it is significantly better than every other learner,
        otherwise it "leads". Another learner is "tied" if it does not differ significantly from the learner
        with the best mean, otherwise "worse". A learner without finite scores is "not compared".

    Notes
    -----
    The tests are those of `Results.answer`: on truths the simultaneous 95% intervals of `Comparison`
    (Bonferroni over pairs and sizes), on data sets the test of the design, with Holm's correction. A pair
    that cannot be tested counts as a tie.

    Examples
    --------
    >>> import numpy as np
    >>> from workbench.analyses import PairedScores
    >>> rng = np.random.default_rng(1)
    >>> values = rng.normal(size=(40, 1, 1)) + [[[0.0], [0.5]]] + 0.1 * rng.normal(size=(40, 2, 1))
    >>> score = ScoreKey("ir_b", "marginal", "exact", "none")
    >>> scores = PairedScores("tan", score, ("nb", "tan"), (50,), tuple(range(40)), values)
    >>> LearnerRanking.of([Comparison.of(scores)]).matrix
    source     tan
    n_train     50
    learner
    nb       worse
    tan       wins
    """

    score: ScoreKey
    table: pd.DataFrame

    @classmethod
    def of(cls, tests: Sequence[Comparison]) -> "LearnerRanking":
        """Derive the standings of learners from the tests of all sources, which must be by the same score."""
        rows = [row for one in tests for row in _rows(one)]
        table = pd.DataFrame(rows, columns=["source", "n_train", "learner", "standing", "mean"])
        return cls(tests[0].scores.score, table.astype({"n_train": "Int64"}))

    @property
    def matrix(self) -> pd.DataFrame:
        """Table of standings. Rows are learners. Columns are sources and sizes, or data sets."""
        across = ["source"] if self.table["n_train"].isna().all() else ["source", "n_train"]
        wide = self.table.set_index(["learner", *across])["standing"].unstack(across)
        columns = self.table[across].drop_duplicates()
        order = columns["source"] if len(across) == 1 else pd.MultiIndex.from_frame(columns)
        learners = pd.Index(dict.fromkeys(self.table["learner"]), name="learner")
        return wide.reindex(index=learners, columns=order).fillna(NOT_COMPARED)


def _rows(one: Comparison) -> Iterator[Row]:
    scores = one.scores
    by_size = {standing.n_train: standing for standing in one.standings}
    for size in scores.sizes:
        means = scores.means.xs(size, level="n_train") if scores.by.has_sizes else scores.means
        for learner in scores.wanted:
            known = size in by_size and learner in scores.learners
            word = by_size[size].of(learner) if known else NOT_COMPARED
            mean = float(means.loc[learner, "mean"])
            yield scores.source, size if scores.by.has_sizes else None, learner, word, mean
