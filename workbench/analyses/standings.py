"""How every learner stands in every setting: a matrix of who wins, ties with the winner, or is worse."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from workbench.analyses._shared.differences import Differences
from workbench.analyses._shared.resampled import Resampled
from workbench.analyses._shared.standing import standings_of
from workbench.base.score_key import ScoreKey

__all__ = ["Standings"]

NOT_COMPARED = "not compared"
Row = tuple[str, int | None, str, str, float]


@dataclass(frozen=True, eq=False)
class Standings:
    """How each learner stands at each size of each source, or on each data set.

    Parameters
    ----------
    score : ScoreKey
    table : DataFrame
        One row per source, size and learner: source, n_train (missing on data sets), learner, standing, mean.
        The learner with the best mean "wins" if it is significantly better than every other, else it "leads";
        of the others those that do not differ significantly from it are "tied", and the rest are "worse".
        Learners that lack finite scores there are "not compared".

    Notes
    -----
    The tests are those of the answer: on truths the simultaneous 95% intervals of `Differences` (Bonferroni
    over pairs and sizes), on data sets the test of `Resampled` that decides, with Holm's correction. A pair
    that cannot be tested is a tie.

    Examples
    --------
    >>> import numpy as np
    >>> from workbench.analyses import Experiment
    >>> rng = np.random.default_rng(1)
    >>> values = rng.normal(size=(40, 1, 1)) + [[[0.0], [0.5]]] + 0.1 * rng.normal(size=(40, 2, 1))
    >>> score = ScoreKey("ir_b", "marginal", "exact", "none")
    >>> experiment = Experiment("tan", score, ("nb", "tan"), (50,), tuple(range(40)), values)
    >>> Standings.of([Differences.of(experiment)]).matrix
    source     tan
    n_train     50
    learner
    nb       worse
    tan       wins
    """

    score: ScoreKey
    table: pd.DataFrame

    @classmethod
    def of(cls, tests: Sequence[Differences] | Sequence[Resampled]) -> "Standings":
        """Read how learners stand off the tests of a study.

        Parameters
        ----------
        tests : sequence of Differences or of Resampled
            Of all sources, by the same score.

        Returns
        -------
        Standings
        """
        rows: list[Row] = []
        for one in tests:
            rows += _of_data_set(one) if isinstance(one, Resampled) else _of_truths(one)
        table = pd.DataFrame(rows, columns=["source", "n_train", "learner", "standing", "mean"])
        first = tests[0]
        score = first.score if isinstance(first, Resampled) else first.experiment.score
        return cls(score, table.astype({"n_train": "Int64"}))

    @property
    def matrix(self) -> pd.DataFrame:
        """Learners down; sources and sizes across, or data sets."""
        across = ["source"] if self.table["n_train"].isna().all() else ["source", "n_train"]
        wide = self.table.set_index(["learner", *across])["standing"].unstack(across)
        columns = self.table[across].drop_duplicates()
        order = columns["source"] if len(across) == 1 else pd.MultiIndex.from_frame(columns)
        learners = pd.Index(dict.fromkeys(self.table["learner"]), name="learner")
        return wide.reindex(index=learners, columns=order).fillna(NOT_COMPARED)


def _of_truths(differences: Differences) -> Iterator[Row]:
    experiment = differences.experiment
    for j, standing in enumerate(standings_of(differences)):
        means = experiment.values[:, :, j].mean(axis=0)
        for learner, mean in zip(experiment.learners, means, strict=True):
            yield experiment.source, standing.n_train, learner, standing.of(learner), float(mean)
        for learner in experiment.left_out:
            yield experiment.source, standing.n_train, learner, NOT_COMPARED, float("nan")


def _of_data_set(one: Resampled) -> Iterator[Row]:
    words = dict.fromkeys(one.tested, "worse") | dict.fromkeys(one.rivals, "tied")
    words |= dict.fromkeys(one.best[:1], "leads" if one.rivals else "wins")
    for learner, mean in one.means["mean"].items():
        yield one.source, None, str(learner), words.get(str(learner), NOT_COMPARED), float(mean)
