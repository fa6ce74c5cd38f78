"""Results of the design's test on one source: every pair of learners, and each learner's standing."""

import functools
import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from workbench.analyses._shared.paired_scores import PairedScores, paired_scores
from workbench.base.names import learner_name
from workbench.base.score_key import ScoreKey
from workbench.comparisons import LEVEL, holm

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["Comparison", "Standing", "comparisons_of"]


@dataclass(frozen=True)
class Standing:
    """The leader of a source at one training size, or on one data set."""

    kind: str  # the kind of truths, or the data set, in words
    n_train: int
    best: tuple[str, ...]  # the learners with the best mean; the first of them leads
    tied: tuple[str, ...]  # those that do not differ significantly from the leader, best first
    runner_up: str  # the first of these, else the next best
    gap: float  # how much better the leader is than it, at least 0
    low: float  # the ends of its interval; NaN after tests without
    high: float
    p: float = math.nan  # of this difference, after Holm's correction

    @property
    def leader(self) -> str:
        """The learner with the best mean."""
        return self.best[0]

    @property
    def wins(self) -> bool:
        """Whether the leader is significantly better than every other compared learner."""
        return not self.tied

    def of(self, learner: str) -> str:
        """Return the standing of a compared learner: "wins", "leads", "tied" or "worse"."""
        if learner == self.leader:
            return "wins" if self.wins else "leads"
        return "tied" if learner in self.tied else "worse"


@dataclass(frozen=True, eq=False)
class Comparison:
    """Tests of all pairs of learners on a data set, or at all sizes of a source, by the test of the design.

    Parameters
    ----------
    scores : PairedScores
    table : DataFrame
        One row per pair and size: learner, other, n_train, difference (mean of learner minus mean of other),
        the statistics of the test, p_holm and p_bonferroni (corrected over all rows). Some pairs cannot be
        tested, such as a pair with a constant difference on a data set. Their statistics are NaN. They count
        as ties, with p = 1 in the corrections.

    Notes
    -----
    On truths, the test is the paired t test. Its columns are low and high (simultaneous 95% intervals), sd,
    t, df, p, d_z, detectable (the smallest true difference that a single test of this pair, at 5%, detects
    with 80% power) and detectable_together (the smallest true difference that a test at 5% over the number of
    rows detects with 80% power). p_bonferroni is below 5% if the interval from low to high excludes zero.

    On data sets, the test is Nadeau and Bengio's corrected t test, with columns t and p, and low and high
    (the single 95% interval of this pair). After `FiveByTwo`, Alpaydin's combined F test decides. Its columns
    are F and p_F, and low and high (the limits of the differences that the F test does not reject), next to t
    and p of Dietterich's test. Other designs may use other tests.

    Examples
    --------
    >>> import numpy as np
    >>> from workbench.base.score_key import ScoreKey
    >>> values = np.array([[[0.1], [0.2]], [[0.3], [0.5]], [[0.2], [0.3]]])
    >>> score = ScoreKey("ir_b", "marginal", "exact", "none")
    >>> scores = PairedScores("tan", score, ("nb", "tan"), (50,), (0, 1, 2), values)
    >>> Comparison.of(scores).table[["learner", "other", "n_train", "difference", "p_holm"]].round(3)
      learner other  n_train  difference  p_holm
    0      nb   tan       50      -0.133   0.057
    """

    scores: PairedScores
    table: pd.DataFrame

    @classmethod
    def of(cls, scores: PairedScores) -> "Comparison":
        """Test every pair of learners. Raise WorkbenchError if there is only one truth."""
        scores.check_blocks()
        table = scores.test.table(
            scores.values, scores.learners, scores.sizes, test_share=scores.test_share
        )  # fmt: skip
        return cls(scores, table)

    def against(self, base: str) -> "Comparison":
        """Keep only the pairs with one given learner, with Holm's correction over these pairs."""
        own = self.table[(self.table["learner"] == base) | (self.table["other"] == base)]
        family = own[self.scores.test.decides].astype("float64").fillna(1.0)
        return replace(self, table=own.assign(p_holm=holm(family)).reset_index(drop=True))

    @property
    def tested(self) -> tuple[str, ...]:
        """The learners that are in at least one test."""
        return self.scores.learners if len(self.scores.learners) > 1 and self.scores.test.holds else ()

    @functools.cached_property
    def standings(self) -> tuple[Standing, ...]:
        """The leader in each setting (size or data set) that has a test."""
        return tuple(self._standing(size) for size in self.scores.sizes) if self.tested else ()

    @property
    def best(self) -> tuple[str, ...]:
        """The tested learners with the best mean in the first setting (size or data set)."""
        return self.standings[0].best if self.standings else ()

    @property
    def deciding(self) -> str:
        """The criterion by which pairs are significantly different, in words."""
        return self.scores.test.deciding(self.scores.by.source)

    @property
    def undecided(self) -> tuple[str, ...]:
        """The pairs whose differences cannot be tested."""
        own = self.table[self.table[self.scores.test.decides].isna()]
        pairs = zip(own["learner"], own["other"], strict=True)
        return tuple(f"{learner_name(a)} against {learner_name(b)}" for a, b in pairs)

    @property
    def why_no_test(self) -> str:
        """The reason why these pairs cannot be tested."""
        by = self.scores.by
        if len(self.scores.blocks) < 2:
            return f"one {by.one} cannot be tested"
        if self._varies():
            return f"{self.scores.test.name} returns no p value"
        return f"the difference is the same on all {by.many}"

    def _varies(self) -> bool:
        """Whether the differences of a pair without a p value have a spread."""
        scores, own = self.scores, self.table[self.table[self.scores.test.decides].isna()]
        for row in own.to_dict("records"):
            places = (scores.learners.index(row[name]) for name in ("learner", "other"))
            a, b = (scores.values[:, i, scores.sizes.index(row["n_train"])] for i in places)
            if scores.test.has_spread(a - b, largest=float(max(np.abs(a).max(), np.abs(b).max()))):
                return True
        return False

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence for each learner that is in no test, with the reason, and for pairs without a test."""
        pairs = [f"{pair} on {self.scores.source}: {self.why_no_test}" for pair in self.undecided]
        return (*self.scores.notes, *pairs)

    def winners(self, *, p: str = "p_holm") -> tuple[str | None, ...]:
        """Return the better learner of every row of `table`, or None if p in a column is not below 5%."""
        return tuple(self._winner(row, p) for row in self.table.to_dict("records"))

    def beaten_by(self, learner: str, *, p: str = "p_holm") -> tuple[str, ...]:
        """List the learners that are significantly worse than a given one, by a column of p values at 5%."""
        pairs = zip(self.table["learner"], self.table["other"], self.winners(p=p), strict=True)
        return tuple(b if winner == a else a for a, b, winner in pairs if winner == learner)

    def _winner(self, row: dict[Hashable, Any], p: str) -> str | None:
        if not row[p] < LEVEL or row["difference"] == 0 or self.scores.test.contradicts(row, p):
            return None
        return str(row["learner"] if self.scores.sign * row["difference"] > 0 else row["other"])

    def _standing(self, size: int) -> Standing:
        scores = self.scores
        j = scores.sizes.index(size)
        means = scores.sign * np.array([scores.values[:, i, j].mean() for i in range(len(scores.learners))])
        order = [scores.learners[i] for i in np.argsort(-means, kind="stable")]
        best = tuple(key for key, mean in zip(scores.learners, means, strict=True) if mean == means.max())
        pairs = self._pairs_of(order[0], size)
        tied = tuple(key for key in order[1:] if not self._is_worse(pairs[key], order[0]))
        runner_up = (tied or order[1:])[0]
        ends = [scores.sign * pairs[runner_up].get(name, np.nan) for name in ("low", "high")]
        # rounding may order equal means either way
        gap = max(0.0, scores.sign * pairs[runner_up]["difference"])
        return Standing(
            scores.kind, size, best, tied, runner_up, gap, min(ends), max(ends), pairs[runner_up]["p_holm"]
        )

    def _is_worse(self, pair: dict[Hashable, Any], leader: str) -> bool:
        if self.scores.test.by_intervals:  # the printed intervals decide, so that no winner's contains zero
            return not pair["low"] <= 0.0 <= pair["high"]
        return self._winner(pair, "p_holm") == leader

    def _pairs_of(self, learner: str, size: int) -> dict[str, dict[Hashable, Any]]:
        """Return the rows with a learner by the other one, as differences to the other."""
        found = {}
        for row in self.table[self.table["n_train"] == size].to_dict("records"):
            if row["learner"] == learner:
                found[str(row["other"])] = row
            elif row["other"] == learner:
                found[str(row["learner"])] = _flipped(row)
        return found


def _flipped(row: dict[Hashable, Any]) -> dict[Hashable, Any]:
    """Return the difference of a pair with the opposite sign."""
    # 0.0 - x instead of -x avoids printing -0.
    turned = {**row, "learner": row["other"], "other": row["learner"]}
    turned |= {name: 0.0 - row[name] for name in ("difference", "t", "d_z") if name in row}
    return turned | ({"low": 0.0 - row["high"], "high": 0.0 - row["low"]} if "low" in row else {})


def comparisons_of(
    results: "StudyResults",
    *,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
) -> tuple[Comparison, ...]:
    """Test the pairs of learners of a study on each source. Parameters and errors: see `paired_scores`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from learners import NaiveBayesClassifier, PriorClassifier
    >>> from workbench import compare
    >>> learners = {"nb": NaiveBayesClassifier(), "prior": PriorClassifier()}
    >>> results = compare(learners, on=load_iris(return_X_y=True, as_frame=True), metrics="accuracy")
    >>> (iris,) = comparisons_of(results, learners=["nb", "prior"])
    >>> iris.beaten_by("nb"), iris.scores.means["n"].tolist()
    (('prior',), [10, 10])
    """
    found = paired_scores(results, score=score, learners=learners, source=source)
    return tuple(map(Comparison.of, found))
