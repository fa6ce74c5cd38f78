"""The gain of recalibration: each learner and its recalibrated version on the same rows, by every score."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.analyses._shared.paired_scores import nominal_shares
from workbench.base.errors import WorkbenchError, check_known
from workbench.base.score_key import ScoreKey
from workbench.comparisons import corrected_t, holm, paired_differences
from workbench.study.document import StudyDocument

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["RecalibrationGain"]

RECALIBRATED = "workbench.recalibrated:RecalibratedClassifier"
PLACE = ["replicate", "training_set", "fold"]
COLUMNS = [
    "source", "n_train", "learner", "recalibrated", *ScoreKey._fields, "unit", "mean", "mean_recalibrated",
    "gain", "low", "high", "p", "p_holm", "n", "n_infinite", "n_infinite_recalibrated", "infinite_rows",
    "infinite_rows_recalibrated",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class RecalibrationGain:
    """The improvement of each learner's scores by recalibration.

    Parameters
    ----------
    pairs : dict of str to str
        Maps the key of each recalibrated learner to the key of the original learner.
    table : DataFrame
        One row per source, size, pair and score. Columns: source, n_train, learner, recalibrated, metric,
        prior, rows, cutoff, unit, mean, mean_recalibrated. gain: the improvement by recalibration, positive
        if the recalibrated learner is better, whatever the direction of the metric. low, high: the single 95%
        interval of the gain. p, and p_holm over all pairs and sizes of the source in this score. n: the
        number of truths, or parts of a data set, with scores of both learners. n_infinite,
        n_infinite_recalibrated: the number of truths or parts with an infinite score. infinite_rows,
        infinite_rows_recalibrated: the number of test rows in them with an infinite score, or of attribute
        cells (combinations of attribute values) for exact scores.

    Notes
    -----
    On truths the test is a paired t test over truths, after averaging over training sets. On data sets, whose
    parts share rows, it is Nadeau and Bengio's corrected t test for all designs, as this test has an
    interval.

    If scores are infinite, the gain is the difference of the means. It is infinite if one mean is infinite,
    and NaN if both are. Then interval and p are missing, and the pair counts with p = 1 in Holm's correction.
    An isotonic map assigns probability 0 or 1 where the ranking is perfect. This makes scores infinite if
    there is no cut-off.

    Examples
    --------
    >>> from generators import random_tan
    >>> from learners import NaiveBayesClassifier
    >>> from workbench import compare
    >>> from workbench.estimators.recalibrated import recalibrated
    >>> nb = NaiveBayesClassifier()
    >>> learners = {"nb": nb, "nb_sigmoid": recalibrated(nb, method="sigmoid")}
    >>> truths = [random_tan(n_attributes=3, random_state=seed) for seed in range(4)]
    >>> gain = RecalibrationGain.of(compare(learners, on=truths, sizes=(100,), n_test=100))
    >>> gain.pairs, gain.table["metric"].unique().tolist()
    ({'nb_sigmoid': 'nb'}, ['ir_b', 'accuracy'])
    """

    pairs: dict[str, str]
    table: pd.DataFrame

    @classmethod
    def of(cls, results: "StudyResults", pairs: Mapping[str, str] | None = None) -> "RecalibrationGain":
        """Compare learners with their recalibrated versions, by every score of a study.

        Parameters
        ----------
        results : StudyResults
        pairs : mapping of str to str, optional
            Maps the key of a recalibrated learner to the key of the original learner. By default all
            recalibrated learners whose original is also in the study.

        Returns
        -------
        RecalibrationGain

        Raises
        ------
        WorkbenchError
            If there is no such learner, if there are no pairs, or if no pair has a score.
        """
        chosen = dict(pairs) if pairs is not None else _twins(results.study)
        check_known("learner", (*chosen, *chosen.values()), results.study.learner_keys)
        if not chosen:
            raise WorkbenchError(
                "the study has no recalibrated learner together with the learner that it recalibrates: add "
                'both, such as "nb" and {key = "nb_isotonic", learner = "recalibrated", of = "nb"}'
            )
        found = [_of_score(results, key, chosen) for key in results.score_keys]
        whole = [table for table in found if len(table)]
        if not whole:
            raise WorkbenchError(
                f"no pair of {chosen} has a score: see `Results.cells()` for cells that failed or are pending"
            )
        return cls(chosen, pd.concat(whole, ignore_index=True)[COLUMNS])


def _twins(study: StudyDocument) -> dict[str, str]:
    """Find the recalibrated learners whose originals are in the study."""
    found: dict[str, str] = {}
    for key, identity in study.learners.items():
        own = identity["parameters"].get("of") if identity["class"] == RECALIBRATED else None
        for other, its in study.learners.items():
            if own is not None and its == own:
                found[key] = other
    return found


def _of_score(results: "StudyResults", score: ScoreKey, pairs: Mapping[str, str]) -> pd.DataFrame:
    scores = results.scores(score).astype({"source": "str", "learner": "str"})
    metric = results.metric(score.metric)
    sign = metric.sign
    tables, shares = [], nominal_shares(results)
    for source, own in scores.groupby("source", sort=False):
        share = shares[str(source)]
        rows = [
            {
                "n_train": size,
                "learner": plain,
                "recalibrated": twin,
                **_gain(cells, plain, twin, sign, share),
            }
            for size, cells in own.groupby("n_train")
            for twin, plain in pairs.items()
            if {twin, plain} <= set(cells["learner"])
        ]
        if rows:
            table = pd.DataFrame(rows).assign(source=source, unit=metric.unit, **score._asdict())
            # A pair that cannot be tested stays in the family, with p = 1.
            tables.append(table.assign(p_holm=holm(table["p"].fillna(1.0))))
    return pd.concat(tables) if tables else pd.DataFrame()


def _gain(cells: pd.DataFrame, plain: str, twin: str, sign: float, test_share: float) -> dict[str, Any]:
    """Return the gain of one pair with its statistics."""
    wide = cells.pivot(index=PLACE, columns="learner", values=["value", "n_infinite"])
    values, rows = (wide[name][[plain, twin]].astype("float64") for name in ("value", "n_infinite"))
    both = values.notna().all(axis=1)
    values, n_rows = values[both].sort_index(), rows[both].sum()
    if not test_share:  # truths, whose training sets are averaged
        values = values.groupby(level="replicate").mean()
    means, infinite = values.mean(), np.isinf(values).sum()
    with np.errstate(invalid="ignore"):
        gain = float(sign * (means[twin] - means[plain]))
    testable = len(values) > 1 and not infinite.any() and not np.isnan(test_share)
    low, high, p = _tested(sign * values[[twin, plain]].to_numpy(), test_share) if testable else [np.nan] * 3
    return {
        "learner": plain, "recalibrated": twin,
        "mean": means[plain], "mean_recalibrated": means[twin], "gain": gain, "low": low, "high": high,
        "p": p, "n": len(values), "n_infinite": infinite[plain], "n_infinite_recalibrated": infinite[twin],
        "infinite_rows": int(n_rows[plain]), "infinite_rows_recalibrated": int(n_rows[twin]),
    }  # fmt: skip


def _tested(values: NDArray[np.float64], test_share: float) -> tuple[float, float, float]:
    """Return the ends of the interval of the first column less the second, and p."""
    if not test_share:
        row = paired_differences(values[:, :, None], learners=["twin", "plain"], settings=["one"]).rows[0]
        return row.low, row.high, row.p
    found = corrected_t(
        values[:, 0] - values[:, 1], test_share=test_share, largest=float(np.abs(values).max())
    )
    return found.low, found.high, found.p
