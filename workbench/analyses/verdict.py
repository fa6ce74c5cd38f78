"""Who won, by how much, how sure: one sentence, made from the tests and nothing else."""

import math
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from workbench.analyses.differences import Differences
from workbench.analyses.experiment import Experiment
from workbench.scores import ScoreKey

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Standing", "Verdict"]

LEVEL = 0.05


@dataclass(frozen=True)
class Standing:
    """Who leads at one size of one source.

    Parameters
    ----------
    source : str
    n_train : int
    leader, next : str
        The learners with the best and the second best mean.
    gap, low, high : float
        How much better the leader is than the next, at least 0, and its interval.
    level_with : tuple of str
        Learners that Holm's test does not tell from the leader; empty where the leader wins.
    """

    source: str
    n_train: int
    leader: str
    next: str
    gap: float
    low: float
    high: float
    level_with: tuple[str, ...]


@dataclass(frozen=True)
class Verdict:
    """The answer of a study.

    Parameters
    ----------
    score : ScoreKey
    unit : str
    n_replicates : tuple of int
        Number of truths behind each source.
    standings : tuple of Standing
        By source, then size.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> values = rng.normal(size=(40, 1, 1)) + [[[0.0], [0.5]]] + 0.1 * rng.normal(size=(40, 2, 1))
    >>> score = ScoreKey("ir_b", "marginal", "exact", "none")
    >>> experiment = Experiment("tan", score, ("nb", "tan"), (50,), tuple(range(40)), values)
    >>> print(Verdict.of([Differences.of(experiment)]).sentence)
    By exact ir_b against the true class distribution, on tan truths tan wins at 50 rows over nb by 0.496
    bits (0.459 to 0.532); paired differences over 40 truths, intervals that hold together at 95%, Holm's test
    at 5%.
    """

    score: ScoreKey
    unit: str
    n_replicates: tuple[int, ...]
    standings: tuple[Standing, ...]

    @classmethod
    def of(cls, differences: "Sequence[Differences]") -> "Verdict":
        """Judge the differences of all sources.

        Parameters
        ----------
        differences : sequence of Differences
            By the same score.

        Returns
        -------
        Verdict
        """
        first = differences[0].experiment
        standings = [_standing(one, j) for one in differences for j in range(len(one.experiment.sizes))]
        replicates = tuple(len(one.experiment.replicates) for one in differences)
        return cls(first.score, first.unit, replicates, tuple(standings))

    @property
    def parts(self) -> tuple[str, ...]:
        """What the sentence says of each source."""
        parts = []
        for source, group in groupby(self.standings, key=lambda standing: standing.source):
            runs = [list(same) for _, same in groupby(group, key=_outcome)]
            winners = ["" if run[0].level_with else run[0].leader for run in runs]
            known = [i > 0 and winner and winner == winners[i - 1] for i, winner in enumerate(winners)]
            clauses = [_clause(run, self.unit, bool(same)) for run, same in zip(runs, known, strict=True)]
            parts.append(f"on {source} truths {_and(clauses)}")
        return tuple(parts)

    @property
    def opening(self) -> str:
        """By what the learners were judged."""
        priors = {
            "none": "",
            "marginal": " against the true class distribution",
            "training": " against the class frequencies in training",
            "test": " against the class frequencies of the test rows",
            "uniform": " against equal class probabilities",
        }
        how = "exact" if self.score.rows == "exact" else "sampled"
        cut = "" if self.score.cutoff == "none" else f" after the cut-off of {self.score.cutoff}"
        return f"By {how} {self.score.metric}{priors[self.score.prior]}{cut}"

    @property
    def surety(self) -> str:
        """How the answer was tested."""
        low, high = min(self.n_replicates), max(self.n_replicates)
        several = len(self.n_replicates) > 1
        n = f"{low} truths" if low == high else f"{low} to {high} truths"
        each = " a kind" if several else ""
        return f"paired differences over {n}{each}, intervals that hold together at 95%, Holm's test at 5%"

    @property
    def sentence(self) -> str:
        """The whole answer."""
        return f"{self.opening}, {'; '.join(self.parts)}; {self.surety}."


def _standing(differences: Differences, j: int) -> Standing:
    experiment: Experiment = differences.experiment
    means = experiment.sign * experiment.values[:, :, j].mean(axis=0)
    order = [experiment.learners[i] for i in np.argsort(-means, kind="stable")]
    leader, size = order[0], experiment.sizes[j]
    to_next = differences.paired.between(leader, order[1], size)
    level = [
        other for other in order[1:] if not differences.paired.between(leader, other, size).p_holm < LEVEL
    ]
    low, high = sorted((experiment.sign * to_next.low, experiment.sign * to_next.high))
    return Standing(
        experiment.source,
        size,
        leader,
        order[1],
        max(0.0, experiment.sign * to_next.difference),  # rounding may order equal means either way
        low,
        high,
        tuple(level),
    )


def _outcome(standing: Standing) -> tuple[str, ...]:
    """Give what neighboring sizes must share to be told of together."""
    return (standing.leader, *(standing.level_with or (" over ", standing.next)))


def _clause(standings: "list[Standing]", unit: str, winner_known: bool) -> str:
    """Tell of neighboring sizes with the same outcome; a winner is named once."""
    first = standings[0]
    rows = f"at {_and([str(standing.n_train) for standing in standings])} rows"
    if first.level_with:
        return f"{_and([first.leader, *first.level_with])} are level {rows}"
    gaps = [_gap(standing, unit) for standing in standings]
    return f"{'' if winner_known else f'{first.leader} wins '}{rows} over {first.next} by {_and(gaps)}"


def _gap(standing: Standing, unit: str) -> str:
    decimals = _decimals(standing)
    return f"{standing.gap:.{decimals}f} {unit} ({standing.low:.{decimals}f} to {standing.high:.{decimals}f})"


def _decimals(standing: Standing) -> int:
    """Give two digits that count, and at least three decimals."""
    return 3 if standing.gap <= 0 else min(8, max(3, 1 - math.floor(math.log10(standing.gap))))


def _and(words: "Sequence[str]") -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
