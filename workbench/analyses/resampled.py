"""Learners on one table that was split again and again: every pair, by a test made for that."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench import catalogue
from workbench.comparisons import LEVEL, corrected_t, five_by_two_t, holm
from workbench.errors import WorkbenchError, nearest
from workbench.scores import ScoreKey

if TYPE_CHECKING:
    from workbench.results import Results

__all__ = ["Resampled", "resampled_of"]


@dataclass(frozen=True, eq=False)
class Resampled:
    """The learners of a study on one table.

    Parameters
    ----------
    source : str
    score : ScoreKey
    test : {"five_by_two", "corrected"}
        Dietterich's t (with Alpaydin's F beside it) after `FiveByTwo`, Nadeau and Bengio's corrected t after
        any other design.
    means : DataFrame
        Index learner; columns mean, sd (over parts; it is no standard error, as parts share rows), n (parts),
        n_infinite.
    table : DataFrame
        One row a pair whose scores are finite in every part: learner, other, difference, t, p, F, p_F (NaN
        after other designs), p_holm (of p, over the pairs of this table).
    notes : tuple of str
        Who was left out of the tests and why.
    """

    source: str
    score: ScoreKey
    test: str
    means: pd.DataFrame
    table: pd.DataFrame
    notes: tuple[str, ...]

    @property
    def sign(self) -> float:
        """1 where larger scores are better, -1 where smaller ones are."""
        return 1.0 if catalogue.find("metrics", self.score.metric).direction == "higher" else -1.0

    def beaten_by(self, learner: str, *, p: str = "p") -> tuple[str, ...]:
        """List the learners that are significantly worse than one.

        Parameters
        ----------
        learner : str
        p : {"p", "p_F", "p_holm"}
            Which test decides, at 5%.

        Returns
        -------
        tuple of str
        """
        beaten = []
        for row in self.table.to_dict("records"):
            # Dietterich's t looks at the first difference alone: where that points elsewhere, nobody wins.
            contradicts = p != "p_F" and row["t"] * row["difference"] < 0
            if row[p] < LEVEL and not contradicts:
                gain = self.sign * row["difference"]
                pair = (row["learner"], row["other"])
                winner, loser = pair if gain > 0 else pair[::-1]
                if winner == learner:
                    beaten.append(loser)
        return tuple(beaten)


def resampled_of(
    results: "Results",
    *,
    metric: str | None = None,
    prior: str | None = None,
    rows: str | None = None,
    cutoff: str | None = None,
    learners: Sequence[str] | None = None,
    source: str | None = None,
) -> tuple[Resampled, ...]:
    """Test the learners of a study on tables, table by table.

    Parameters
    ----------
    results : Results
        Of a study on tables.
    metric, prior, rows, cutoff : str, optional
        The score, as `Results.choose` takes them.
    learners : sequence of str, optional
        Which are compared; by default those that the study says, else all.
    source : str, optional
        Only this one.

    Returns
    -------
    tuple of Resampled
        In the order of the study; tables without any score are left out.

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
    >>> (iris,) = resampled_of(results)
    >>> iris.beaten_by("nb"), iris.means["n"].tolist()
    (('prior',), [10, 10])
    """
    if not results.on_tables:
        raise WorkbenchError("the study is of truths, which are independent subjects: use `differences`")
    known = [key for key, _ in results.study["learners"]]
    for learner in learners or ():
        if learner not in known:
            raise WorkbenchError(f"there is no learner {learner!r} here: {nearest(learner, known)}")
    sources = [key for key, _ in results.study["sources"]]
    if source is not None and source not in sources:
        raise WorkbenchError(f"there is no source {source!r} here: {nearest(source, sources)}")
    score = results.choose(metric, prior=prior, rows=rows, cutoff=cutoff)
    scores = results.scores(score)
    wanted = list(learners or results.study.get("compared") or known)
    found = {key: scores[scores["source"] == key] for key in sources if source in (None, key)}
    return tuple(_resampled(results, own, key, score, wanted) for key, own in found.items() if len(own))


def _resampled(
    results: "Results", scores: pd.DataFrame, source: str, score: ScoreKey, wanted: list[str]
) -> Resampled:
    wide = scores.pivot_table(
        index=["replicate", "fold"], columns="learner", values="value", observed=True, sort=True
    )
    cells = results.cells()
    parts = cells[cells["source"] == source].groupby(["replicate", "fold"], observed=True).ngroups
    notes, whole = [], []
    for key in wanted:
        if key not in wide or wide[key].notna().sum() < parts:
            n = 0 if key not in wide else int(wide[key].notna().sum())
            notes.append(f"on {source} {key} is in no test: it has scores in {n} of {parts} parts")
        elif np.isinf(wide[key]).any():
            n = int(np.isinf(wide[key]).sum())
            notes.append(f"on {source} {key} is in no test: its score is infinite in {n} parts")
        else:
            whole.append(key)
    kind = results.study["design"][0]
    test = "five_by_two" if kind == "five_by_two" else "corrected"
    share = float((cells["n_test"] / cells["n_train"])[cells["source"] == source].iloc[0])
    rows = [(a, b, *_tested(wide[a] - wide[b], test, share)) for a, b in combinations(whole, 2)]
    table = pd.DataFrame(rows, columns=["learner", "other", "difference", "t", "p", "F", "p_F"])
    table["p_holm"] = holm(table["p"]) if len(table) else table["p"]
    return Resampled(source, score, test, _means(wide, wanted), table, tuple(notes))


def _tested(differences: pd.Series, test: str, share: float) -> tuple[float, float, float, float, float]:
    """Give difference, t, p, F, p_F of one pair."""
    d: NDArray[np.float64] = differences.to_numpy()
    if test == "five_by_two":
        found = five_by_two_t(d.reshape(5, 2))
        return found.mean, found.t, found.p, found.F, found.p_F
    if len(d) < 2:
        return float(d.mean()), float("nan"), 1.0, float("nan"), float("nan")
    corrected = corrected_t(d, test_share=share)
    return corrected.mean, corrected.t, corrected.p, float("nan"), float("nan")


def _means(wide: pd.DataFrame, wanted: list[str]) -> pd.DataFrame:
    rows = {}
    for key in wanted:
        values = wide[key].dropna().to_numpy() if key in wide else np.empty(0)
        infinite = int(np.isinf(values).sum())
        mean = float(values.mean()) if len(values) else float("nan")
        sd = float(values.std(ddof=1)) if len(values) > 1 and not infinite else float("nan")
        rows[key] = (mean, sd, len(values), infinite)
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["mean", "sd", "n", "n_infinite"])
    return table.rename_axis("learner")
