"""The map of a profile: what a learner loses on each kind of truth at each training size, and its place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from generators.suites.places import MAP
from workbench.comparisons import rank_intervals
from workbench.profiles.intervals import stratified_means
from workbench.profiles.scores import CEILINGS, LOSS, SuiteScores

__all__ = ["ALL", "KindsMap", "kinds_map", "kinds_of", "places_of"]

#: How the rows over the whole map are called.
ALL = "all kinds"


@dataclass(frozen=True, eq=False)
class KindsMap:
    """What a learner loses on the map of a suite."""

    # Regret, low, high: bits lost to the optimum, or to the truth where there is none (to: "optimum",
    # "truth", "both"); intervals of all rows hold at once with 95%, nominally: how often is in
    # docs/reference/arena_ranks.md. Ranks are the places that it may have among n_ranked learners, each
    # interval by itself.
    learner: str
    table: pd.DataFrame  # one row by kind, first all kinds, and n_train

    @property
    def half_width(self) -> float:
        """Median half width of the intervals, in bits."""
        return float((self.table["high"] - self.table["low"]).median() / 2)


def kinds_of(scores: SuiteScores) -> tuple[str, ...]:
    """Return the kinds of truths on the map, in order."""
    return tuple(dict.fromkeys(place.kind for place in scores.content.places if place.part == MAP))


def kinds_map(scores: SuiteScores, learner: str) -> KindsMap:
    """Compute the map of a learner among the others that have scores on two of its truths of each place."""
    rows = list(_rows(scores, learner))
    return KindsMap(learner, pd.DataFrame(rows))


def _rows(scores: SuiteScores, learner: str) -> Iterator[dict[str, object]]:
    own = scores.regret[scores.at(learner)]
    kinds = (ALL, *kinds_of(scores))
    n_intervals = len(kinds) * len(scores.sizes)
    for kind in kinds:
        places = places_of(scores, kind)
        means = stratified_means(own[places].transpose(2, 0, 1), n_intervals=n_intervals)
        with_optimum = scores.has_optimum[places]
        to = "optimum" if with_optimum.all() else "both" if with_optimum.any() else "truth"
        for j, size in enumerate(scores.sizes):
            if np.isnan(means.mean[j]):
                continue
            rank = rank_at(scores, learner, places, j)
            brier = rank_at(scores, learner, places, j, "quadratic_loss")
            yield {
                "kind": kind,
                "n_train": size,
                "to": to,
                "regret": means.mean[j],
                "low": means.low[j],
                "high": means.high[j],
                "rank_low": rank[0],
                "rank_high": rank[1],
                "n_ranked": rank[2],
                "brier_low": brier[0],
                "brier_high": brier[1],
                "n": int(means.n[j]),
            }


def places_of(scores: SuiteScores, kind: str) -> list[int]:
    """Return the indices of the places of a kind on the map, or of all."""
    places = [scores.content.place(key) for key in scores.places]
    return [i for i, place in enumerate(places) if place.part == MAP and kind in (ALL, place.kind)]


def rank_at(
    scores: SuiteScores, learner: str, places: Sequence[int], size: int, metric: str = LOSS
) -> tuple[int, int, int]:
    """Return the best and worst place that a learner may have at a size, and among how many learners."""
    # by a loss: the divergence from the truth, or the quadratic loss, to which a cut-off hardly matters
    loss = scores.values[metric][..., size][:, list(places)].astype(np.float64)
    own = loss[scores.at(learner)]
    shared = (np.isfinite(loss) & np.isfinite(own)).sum(axis=2).min(axis=1) >= 2
    players = [
        i for i, key in enumerate(scores.learners) if shared[i] and (key not in CEILINGS or key == learner)
    ]
    if scores.at(learner) not in players or len(players) < 2:
        return 1, max(1, len(players)), max(1, len(players))
    chosen = loss[players].reshape(len(players), -1).T
    strata = np.repeat(np.arange(len(places)), loss.shape[2])
    used = np.isfinite(chosen[:, players.index(scores.at(learner))])
    found = rank_intervals(
        np.where(used[:, None], chosen, np.nan)[used], direction="lower", strata=strata[used]
    )
    at = players.index(scores.at(learner))
    return int(found.own_low[at]), int(found.own_high[at]), len(players)
