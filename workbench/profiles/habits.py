"""How a learner forecasts on the map: how cautious it is, whether too sure, and whom it is like."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from generators.suites.places import MAP
from workbench.profiles.intervals import stratified_means
from workbench.profiles.scores import LOSS, SuiteScores

__all__ = ["Habits", "habits_of"]

#: Losses that differ by no more, in bits, are the same in single precision.
SAME = 2e-6
#: Share of truths with the same loss from which on two learners are the same.
NEARLY_ALL = 0.8
MEASURES = {"caution": "forecast_entropy", "confidence": "confidence_gap"}
COLUMNS = ("n_train", *(f"{name}{end}" for name in MEASURES for end in ("", "_low", "_high")), "n")


@dataclass(frozen=True, eq=False)
class Habits:
    """How a learner forecasts, by training size."""

    # Where it ran, against the best possible forecasts: caution is the entropy of its forecasts (bits; above
    # 0 is more cautious), confidence the probability of its predicted classes less how often they happen
    # (above 0: overconfident). Intervals of a column hold at once with 95%. Distance is the mean absolute
    # difference of losses (bits) on truths that all learners of the size have, same the share of the truths
    # that both have on which there is none.
    table: pd.DataFrame  # by n_train: caution, confidence, with _low and _high; n
    neighbors: pd.DataFrame  # by n_train: learner, distance, same; the nearest first

    @property
    def twins(self) -> dict[str, float]:
        """Learners with the same loss on nearly all truths that both were tried on, and on which share."""
        # a learner that is not told of classes that its rows do not show differs where there are such
        same = self.neighbors.groupby("learner")["same"].mean()
        return {str(key): float(share) for key, share in same.items() if share >= NEARLY_ALL}

    def nearest(self) -> pd.DataFrame:
        """Return the nearest other learner of each size."""
        return self.neighbors.groupby("n_train", sort=True).first().reset_index()


def habits_of(scores: SuiteScores, learner: str) -> Habits:
    """Compute how a learner forecasts on the map, and next to which others it stands."""
    places = [i for i, key in enumerate(scores.places) if scores.content.place(key).part == MAP]
    return Habits(
        pd.DataFrame(list(_rows(scores, learner, places)), columns=list(COLUMNS)),
        pd.DataFrame(
            list(_neighbors(scores, learner, places)), columns=["n_train", "learner", "distance", "same"]
        ),
    )


def _rows(scores: SuiteScores, learner: str, places: list[int]) -> Iterator[dict[str, float]]:
    gaps = {}
    for name, metric in MEASURES.items():
        own = scores.values[metric][scores.at(learner)].astype(np.float64)
        gaps[name] = (own - scores.best_of(metric))[places]
    for j, size in enumerate(scores.sizes):
        ran = np.isfinite(gaps["caution"][..., j]).sum(axis=1) >= 2
        if not ran.any():
            continue
        row: dict[str, float] = {"n_train": size}
        for name, gap in gaps.items():
            means = stratified_means(gap[ran][..., j], n_intervals=len(scores.sizes))
            ends = {name: means.mean, f"{name}_low": means.low, f"{name}_high": means.high}
            row |= {key: float(value) for key, value in ends.items()} | {"n": int(means.n)}
        yield row


def _neighbors(
    scores: SuiteScores, learner: str, places: list[int]
) -> Iterator[tuple[int, str, float, float]]:
    loss = scores.values[LOSS][:, places].astype(np.float64)
    own = loss[scores.at(learner)]
    others = [key for key in scores.learners if key not in (learner, "truth", "optimal")]
    for j, size in enumerate(scores.sizes):
        gaps = {key: np.abs(own[..., j] - loss[scores.at(key)][..., j]) for key in others}
        gaps = {key: gap for key, gap in gaps.items() if np.isfinite(gap).any()}
        common = np.all([np.isfinite(gap) for gap in gaps.values()], axis=0)
        rows = [
            (size, key, float(gap[common].mean()), float((gap[np.isfinite(gap)] <= SAME).mean()))
            for key, gap in gaps.items()
            if common.any()
        ]
        yield from sorted(rows, key=lambda row: row[2])
