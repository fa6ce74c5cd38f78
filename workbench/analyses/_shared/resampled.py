"""Learners on a resampled data set: every pair, with a test for resampling designs."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.base.cell import ENDED_WITHOUT_SCORES
from workbench.base.errors import WorkbenchError, check_known
from workbench.base.score_key import ScoreKey
from workbench.comparisons import LEVEL, bonferroni, corrected_t, five_by_two_t, holm
from workbench.designs._shared.resampling import Resampling
from workbench.metrics import Metric
from workbench.store.failures import first_clause

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["LeftOut", "Resampled", "nominal_shares", "resampled_of"]

#: Shares of training rows are ratios of whole numbers up to this; 9/10 is not quite one as a float.
MOST_PARTS = 1_000_000


@dataclass(frozen=True)
class LeftOut:
    """A learner that is in no test on a data set."""

    learner: str
    n: int  # parts in which it has a score
    n_parts: int  # of the data set so far
    n_infinite: int
    failure: str = ""  # why it failed, in a clause; empty if it did not, or the reason is unknown

    @property
    def why(self) -> str:
        """Why it is in no test."""
        if self.n < self.n_parts:
            reason = f": {self.failure}" if self.failure else ""
            return f"scores in {self.n} of {self.n_parts} parts{reason}"
        return f"infinite score in {self.n_infinite} of {self.n_parts} parts"


@dataclass(frozen=True, eq=False)
class Resampled:
    """The learners of a study on one data set.

    Parameters
    ----------
    source : str
    score : ScoreKey
    test : {"five_by_two", "corrected"}
        After `FiveByTwo` Alpaydin's combined F decides, with Dietterich's t reported as well; after any other
        design Nadeau and Bengio's corrected t.
    means : DataFrame
        Index learner, of those compared; columns mean, sd (over parts; not a standard error, as parts share
        rows), n (parts), n_infinite.
    alongside : DataFrame
        The same of the other learners of the study, which are in no test.
    table : DataFrame
        One row per pair whose scores are finite in every part: learner, other, difference (over parts, the
        first minus the other), t, p, F, p_F (NaN after designs other than `FiveByTwo`), p_holm and
        p_bonferroni (of the test that decides: p_F after `FiveByTwo`, else p; over the pairs of this data
        set). A pair with a constant difference has no spread: its statistics and p values are NaN, and in the
        family it counts with p = 1, as a tie.
    left_out : tuple of LeftOut
        Learners in no test, and why.
    metric : Metric
        What the metric declares, such as unit and direction.

    Notes
    -----
    After `FiveByTwo` F is preferred to t, which divides the first of the ten differences alone, so that it
    depends on which half came first; F uses all ten. In Alpaydin's experiments F had fewer false alarms and
    more power.

    The corrected t takes the nominal ratio of test to training rows: 1/(k - 1) for k folds, whose sizes
    differ by one row where the rows do not divide evenly; for single splits that of the rows.

    References
    ----------
    .. [1] Alpaydin, E., "Combined 5 x 2 cv F test for comparing supervised classification learning
       algorithms", Neural Computation 11, 1999.
    .. [2] Nadeau, C., and Bengio, Y., "Inference for the generalization error", Machine Learning 52, 2003.
    """

    source: str
    score: ScoreKey
    test: str
    means: pd.DataFrame
    alongside: pd.DataFrame
    table: pd.DataFrame
    left_out: tuple[LeftOut, ...]
    metric: Metric

    @property
    def sign(self) -> float:
        """1 where larger scores are better, -1 where smaller ones are."""
        return self.metric.sign

    @property
    def tested(self) -> tuple[str, ...]:
        """The learners that are in a test: those with finite scores in every part, if there are several."""
        paired = {*self.table["learner"], *self.table["other"]}
        return tuple(str(key) for key in self.means.index if key in paired)

    @property
    def best(self) -> tuple[str, ...]:
        """The learners with the best mean, of those that are tested; the first of them leads."""
        values = self.sign * self.means.loc[list(self.tested), "mean"].astype("float64")
        return tuple(str(key) for key in values.index[values == values.max()])

    @property
    def rivals(self) -> tuple[str, ...]:
        """The tested learners that do not differ significantly from the leader, which else wins."""
        worse = {*self.best[:1], *(self.beaten_by(self.best[0]) if self.best else ())}
        return tuple(key for key in self.tested if key not in worse)

    @property
    def notes(self) -> tuple[str, ...]:
        """Learners in no test and why, and pairs that could not be tested, one sentence each."""
        alone = [f"on {self.source} {one.learner} is in no test: {one.why}" for one in self.left_out]
        pairs = [f"{pair} on {self.source}: {self.why_no_test}" for pair in self.undecided]
        return (*alone, *pairs)

    @property
    def decides(self) -> str:
        """The column of `table` with the p values of the test that decides, uncorrected."""
        return _decides(self.test)

    @property
    def undecided(self) -> tuple[str, ...]:
        """Pairs whose differences cannot be tested."""
        own = self.table[self.table[self.decides].isna()]
        return tuple(f"{a} against {b}" for a, b in zip(own["learner"], own["other"], strict=True))

    @property
    def why_no_test(self) -> str:
        """Why these pairs cannot be tested."""
        if self.test == "five_by_two":
            return "no spread between halves, so no test"
        return (
            "one part, so no test" if (self.means["n"] <= 1).all() else "no spread between parts, so no test"
        )

    def winners(self, *, p: str = "p_holm") -> tuple[str | None, ...]:
        """Return the significantly better learner of every pair.

        Parameters
        ----------
        p : {"p_holm", "p", "p_F"}
            Which test decides, at 5%.

        Returns
        -------
        tuple of str or None
            One entry per row of `table`; None if neither is better.
        """
        return tuple(self._winner(row, p) for row in self.table.to_dict("records"))

    def beaten_by(self, learner: str, *, p: str = "p_holm") -> tuple[str, ...]:
        """List the learners that are significantly worse than a given one.

        Parameters
        ----------
        learner : str
        p : {"p_holm", "p", "p_F"}
            Which test decides, at 5%.

        Returns
        -------
        tuple of str
        """
        pairs = zip(self.table["learner"], self.table["other"], self.winners(p=p), strict=True)
        return tuple(b if winner == a else a for a, b, winner in pairs if winner == learner)

    def _winner(self, row: dict[Hashable, Any], p: str) -> str | None:
        # Dietterich's t uses only the first difference: if its sign differs, nobody wins.
        contradicts = p == "p" and row["t"] * row["difference"] < 0
        if not row[p] < LEVEL or contradicts or row["difference"] == 0:
            return None
        return str(row["learner"] if self.sign * row["difference"] > 0 else row["other"])


def resampled_of(
    results: "StudyResults",
    *,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
) -> tuple[Resampled, ...]:
    """Test the learners of a study on each data set.

    Parameters
    ----------
    results : StudyResults
        Of a study on data sets.
    score : ScoreKey or str, optional
        As `Results.choose` takes it.
    learners : sequence of str, optional
        The learners to compare; by default those that the study names, else all but prior.
    source : str, optional
        Only this one.

    Returns
    -------
    tuple of Resampled
        In the order of the study, for data sets with at least one attempted cell. If all learners failed, all
        are left out.

    Raises
    ------
    WorkbenchError
        If there is no such score, learner or source, or the study is of truths.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from learners import NaiveBayesClassifier, PriorClassifier
    >>> from workbench import compare
    >>> learners = {"nb": NaiveBayesClassifier(), "prior": PriorClassifier()}
    >>> results = compare(learners, on=load_iris(return_X_y=True, as_frame=True), metrics="accuracy")
    >>> (iris,) = resampled_of(results, learners=["nb", "prior"])
    >>> iris.beaten_by("nb"), iris.means["n"].tolist()
    (('prior',), [10, 10])
    """
    if not results.on_datasets:
        raise WorkbenchError("the study is of truths, which are independent: use `differences`")
    check_known("learner", learners or (), results.study.learner_keys)
    sources = results.study.source_keys
    check_known("source", () if source is None else (source,), sources)
    score = results.choose(score)
    scores, shares = results.scores(score), nominal_shares(results)
    wanted = list(dict.fromkeys(learners or results.study.compared_learners()))
    cells = results.cells()
    tried = [key for key in sources if source in (None, key) and (cells["source"] == key).any()]
    return tuple(
        _resampled(
            results,
            scores[scores["source"] == key],
            cells[cells["source"] == key],
            key,
            score,
            wanted,
            shares[key],
        )
        for key in tried
    )


def nominal_shares(results: "StudyResults") -> dict[str, float]:
    """Return the ratio of test to training rows by data set; nothing for truths, which share no rows."""
    # 1/(k - 1) for k folds, also where the first has a row more; that of the first part if none is declared
    if not results.on_datasets:
        return {}
    first = results.cells().astype({"source": "str"}).groupby("source").first()
    declared = _declared_share(results)
    return {str(key): declared or float(share) for key, share in (first["n_test"] / first["n_train"]).items()}


def _declared_share(results: "StudyResults") -> float | None:
    design = results.study.make_design()
    # One split has the same whole number of rows whenever it is repeated, which is better than its aim.
    if not isinstance(design, Resampling) or design.n_folds == 1:
        return None
    try:
        train = Fraction(design.train_share).limit_denominator(MOST_PARTS)
    except NotImplementedError:
        return None
    return float((1 - train) / train)


def _resampled(
    results: "StudyResults",
    scores: pd.DataFrame,
    cells: pd.DataFrame,
    source: str,
    score: ScoreKey,
    wanted: list[str],
    share: float,
) -> Resampled:
    test = "five_by_two" if results.study.design["kind"] == "five_by_two" else "corrected"
    if test == "corrected":  # of a run that was stopped, the parts that are complete
        scores, cells = _complete(scores, cells)
    wide = scores.pivot_table(
        index=["replicate", "fold"], columns="learner", values="value", observed=True, sort=True
    )
    parts = cells.groupby(["replicate", "fold"], observed=True).ngroups
    means = _means(wide, wanted)
    left_out = tuple(
        LeftOut(key, int(row["n"]), parts, int(row["n_infinite"]), _failure(cells, str(key)))
        for key, row in means.iterrows()
        if row["n"] < parts or row["n_infinite"]
    )
    whole = [key for key in wanted if key not in {one.learner for one in left_out}]
    rows = [(a, b, *_tested(wide[[a, b]].to_numpy(), test, share)) for a, b in combinations(whole, 2)]
    table = pd.DataFrame(rows, columns=["learner", "other", "difference", "t", "p", "F", "p_F"])
    # A pair that cannot be tested stays in the family, with p = 1.
    family = table[_decides(test)].astype("float64").fillna(1.0)
    table["p_holm"], table["p_bonferroni"] = holm(family), bonferroni(family)
    alongside = _means(wide, results.study.other_learners(wanted))
    facts = results.metric(score.metric)
    return Resampled(source, score, test, means, alongside, table, left_out, facts)


def _complete(scores: pd.DataFrame, cells: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Keep the parts without pending cells, if there are any."""
    part = pd.MultiIndex.from_frame(cells[["replicate", "fold"]])
    pending = part[(cells["state"] == "pending").to_numpy()].unique()
    kept = ~part.isin(pending)
    if kept.all() or not kept.any():
        return scores, cells
    of_scores = pd.MultiIndex.from_frame(scores[["replicate", "fold"]])
    return scores[~of_scores.isin(pending)], cells[kept]


def _decides(test: str) -> str:
    """Return the column of the p values that decide."""
    return "p_F" if test == "five_by_two" else "p"


def _failure(cells: pd.DataFrame, learner: str) -> str:
    """Return the most frequent reason of a learner's failures."""
    messages = cells["message"][(cells["learner"] == learner) & cells["state"].isin(ENDED_WITHOUT_SCORES)]
    return first_clause(messages.value_counts().index[0]) if len(messages) else ""


def _tested(pair: NDArray[np.float64], test: str, share: float) -> tuple[float, float, float, float, float]:
    """Return difference, t, p, F, p_F of one pair, whose scores are the two columns."""
    d, largest = pair[:, 0] - pair[:, 1], float(np.abs(pair).max())
    if test == "five_by_two":
        found = five_by_two_t(d.reshape(5, 2), largest=largest)
        return found.mean, found.t, found.p, found.F, found.p_F
    if len(d) < 2:
        unknown = float("nan")
        return float(d.mean()), unknown, unknown, unknown, unknown
    corrected = corrected_t(d, test_share=share, largest=largest)
    return corrected.mean, corrected.t, corrected.p, float("nan"), float("nan")


def _means(wide: pd.DataFrame, wanted: list[str]) -> pd.DataFrame:
    rows = {}
    for key in wanted:
        values = wide[key].dropna().to_numpy() if key in wide else np.empty(0)
        infinite = int(np.isinf(values).sum())
        mean = float(values.mean()) if len(values) else float("nan")
        sd = float(values.std(ddof=1)) if len(values) > 1 and not infinite else float("nan")
        rows[key] = (mean, sd, len(values), infinite)
    types = {"mean": "float64", "sd": "float64", "n": "int64", "n_infinite": "int64"}
    table = pd.DataFrame.from_dict(rows, orient="index", columns=list(types))
    return table.astype(types).rename_axis("learner")  # a table of no learners has these types, too
