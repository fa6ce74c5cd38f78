"""How a learner forecasts on the map: how cautious it is, whether too sure, and whom it is like."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from generators.suites.places import MAP
from workbench.profiles.intervals import stratified_means
from workbench.profiles.scores import CEILINGS, LOSS, SuiteScores

__all__ = ["Habits", "habits_of"]

#: Losses that differ by no more, in bits, are those of the same forecasts, in single precision.
SAME = 2e-5
#: Share of truths with the same loss from which on two learners are the same.
NEARLY_ALL = 0.8


@dataclass(frozen=True, eq=False)
class Habits:
    """How a learner forecasts, by training size.

    Parameters
    ----------
    table : DataFrame
        One row per size: n_train; caution, the entropy of its forecasts less that of the best possible ones
        (bits; above 0 is more cautious); confidence, the probability of its predicted classes less how often
        they happen, less the same of the best possible forecasts (above 0 is overconfident); each with _low
        and _high; n (truths). The intervals of a column hold at once with 95%.
    neighbors : DataFrame
        One row per size and other learner: n_train, learner; distance, the mean absolute difference of their
        losses on the same truths (bits); same, the share of truths on which there is none; the nearest first.
    """

    table: pd.DataFrame
    neighbors: pd.DataFrame

    @property
    def twins(self) -> dict[str, float]:
        """Learners whose loss was the same on nearly all truths that both were tried on, and on which share.

        A learner that is not told of classes that its rows do not show differs where there are such.
        """
        same = self.neighbors.groupby("learner")["same"].mean()
        return {str(key): float(share) for key, share in same.items() if share >= NEARLY_ALL}

    def nearest(self) -> pd.DataFrame:
        """Return the nearest other learner of each size."""
        return self.neighbors.groupby("n_train", sort=True).first().reset_index()


def habits_of(scores: SuiteScores, learner: str) -> Habits:
    """Compute how a learner forecasts on the map, and next to which others it stands."""
    places = [i for i, key in enumerate(scores.places) if scores.content.place(key).part == MAP]
    return Habits(
        pd.DataFrame(list(_rows(scores, learner, places))),
        pd.DataFrame(
            list(_neighbors(scores, learner, places)), columns=["n_train", "learner", "distance", "same"]
        ),
    )


def _rows(scores: SuiteScores, learner: str, places: list[int]) -> Iterator[dict[str, float]]:
    found = {}
    for name, metric in (("caution", "forecast_entropy"), ("confidence", "confidence_gap")):
        own = scores.values[metric][scores.at(learner)].astype(np.float64)
        gap = (own - scores.best_of(metric))[places]
        found[name] = stratified_means(gap.transpose(2, 0, 1), n_intervals=len(scores.sizes))
    for j, size in enumerate(scores.sizes):
        if np.isnan(found["caution"].mean[j]):
            continue
        row: dict[str, float] = {"n_train": size}
        for name, means in found.items():
            row |= {name: means.mean[j], f"{name}_low": means.low[j], f"{name}_high": means.high[j]}
        yield row | {"n": int(found["caution"].n[j])}


def _neighbors(
    scores: SuiteScores, learner: str, places: list[int]
) -> Iterator[tuple[int, str, float, float]]:
    loss = scores.values[LOSS][:, places].astype(np.float64)
    own = loss[scores.at(learner)]
    for j, size in enumerate(scores.sizes):
        rows = []
        for i, other in enumerate(scores.learners):
            gap = np.abs(own[..., j] - loss[i][..., j])
            gap = gap[np.isfinite(gap)]
            if other != learner and other not in CEILINGS[:2] and gap.size:
                rows.append((size, other, float(gap.mean()), float((gap <= SAME).mean())))
        yield from sorted(rows, key=lambda row: row[2])
