"""How learners stand on tables: means, ranks, and by how much they are behind the first."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.arena.tables.field import DESIGN, METRICS, YARDSTICK
from workbench.arena.tables.scores import LOSS, TableScores
from workbench.base.errors import WorkbenchError
from workbench.base.text import count_of
from workbench.comparisons import corrected_t, holm, mean_intervals, rank_intervals

__all__ = ["LEVEL", "Place", "TableBoard", "TableStanding", "board_of"]

#: With which probability all intervals of ranks hold at once, and each of a difference.
LEVEL = 0.95
#: Decimals in which losses are compared: what rounding leaves of equal scores is no difference.
DECIMALS = 9
#: Test rows of a part over its training rows.
TEST_SHARE = 1 / (DESIGN.folds - 1)

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Place:
    """Where a learner stands among those that are ranked.

    Attributes
    ----------
    first, last : int
        The best and the worst rank that it may have; 0 of one table, and of the class frequencies.
    mean_rank : float
        Over tables; NaN of one table, and of the class frequencies.
    behind, low, high : float
        By how many bits its loss is more than that of the leader, and the interval of that; NaN of the
        leader and of the class frequencies.
    """

    first: int = 0
    last: int = 0
    mean_rank: float = math.nan
    behind: float = math.nan
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True)
class TableStanding:
    """How one learner stands.

    Attributes
    ----------
    learner : str
    place : Place
    scores : mapping of str to float
        Means over tables, by metric.
    fit, forecast : float
        Median seconds of a fit and of a thousand forecasts over tables.
    n_failed : int
        Fits that failed.
    """

    learner: str
    place: Place
    scores: Mapping[str, float]
    fit: float
    forecast: float
    n_failed: int

    @property
    def loss(self) -> float:
        """Mean log loss, by which learners are ranked."""
        return self.scores[LOSS]


@dataclass(frozen=True)
class TableBoard:
    """The leaderboard of tables.

    Attributes
    ----------
    standings : tuple of TableStanding
        Learners that are ranked, the smallest loss first.
    yardstick : TableStanding
        The class frequencies.
    left_out : mapping of str to str
        Learners that are not ranked, and why.
    is_sure : bool
        Whether the first is found better than every other learner.
    n_first : int
        On how many tables the first has the smallest loss.
    without : mapping of str to str
        Tables without which another learner would lead, and which.
    """

    standings: tuple[TableStanding, ...]
    yardstick: TableStanding
    left_out: Mapping[str, str]
    is_sure: bool
    n_first: int
    without: Mapping[str, str]

    @property
    def leaders(self) -> tuple[str, ...]:
        """The learners that may be first; none of one table."""
        return tuple(one.learner for one in self.standings if one.place.first == 1)


def board_of(scores: TableScores) -> TableBoard:
    """Rank the learners that did not fail in more than half of their fits.

    Raises
    ------
    WorkbenchError
        If fewer than two are left.
    """
    left_out = {key: why for key in scores.learners if (why := _mostly_failed(scores, key))}
    own = [i for i, key in enumerate(scores.learners) if key not in (YARDSTICK, *left_out)]
    if len(own) < 2:
        said = "; ".join(f"{key} is not: {why}" for key, why in left_out.items())
        raise WorkbenchError(
            f"{count_of(len(own), 'learner')} can be ranked, and at least two are needed: {said}"
        )
    own.sort(key=lambda i: float(scores.values[LOSS][i].mean()))
    places, is_sure = _of_many(scores, own) if len(scores.tables) > 1 else _of_one(scores, own)
    return TableBoard(
        tuple(_standing(scores, i, place) for i, place in zip(own, places, strict=True)),
        _standing(scores, scores.at(YARDSTICK), Place()),
        left_out,
        is_sure,
        *_sensitivity(scores, own),
    )


def _sensitivity(scores: TableScores, own: list[int]) -> tuple[int, dict[str, str]]:
    """Return on how many tables the leader is first, and who leads where one table turns that."""
    losses = scores.values[LOSS][own].mean(axis=2).round(DECIMALS)
    n_first = int((losses[0] == losses.min(axis=0)).sum())
    if len(scores.tables) < 3:
        return n_first, {}
    others = losses.sum(axis=1, keepdims=True) - losses
    first = others.round(DECIMALS).argmin(axis=0)
    return n_first, {name: scores.learners[own[k]] for name, k in zip(scores.tables, first, strict=True) if k}


def _mostly_failed(scores: TableScores, learner: str) -> str:
    """Return how often a learner failed, and why, if it did in most of its fits."""
    failed = scores.failed[scores.at(learner)]
    if failed.sum() <= failed.size / 2:
        return ""
    return f"it failed in {failed.sum():,} of {failed.size:,} fits: {scores.reasons[learner]}"


def _of_many(scores: TableScores, own: list[int]) -> tuple[list[Place], bool]:
    """Rank learners by several tables; the first of `own` leads."""
    from scipy.stats import rankdata

    losses = scores.values[LOSS][own].mean(axis=2).T
    found = rank_intervals(losses, level=LEVEL)
    mean_ranks = rankdata(losses.round(DECIMALS), axis=1).mean(axis=0)
    behind = mean_intervals(losses - losses[:, :1], level=LEVEL, n_intervals=1)
    columns = (found.low, found.high, mean_ranks, behind.mean, behind.low, behind.high)
    leader, *others = (Place(*(column[k].item() for column in columns)) for k in range(len(own)))
    return [Place(leader.first, leader.last, leader.mean_rank), *others], leader.last == 1


def _of_one(scores: TableScores, own: list[int]) -> tuple[list[Place], bool]:
    """Compare learners on one table, by the t test that is corrected for rows that its parts share."""
    losses = scores.values[LOSS][own][:, 0].round(DECIMALS)
    tests = [corrected_t(one - losses[0], test_share=TEST_SHARE, level=LEVEL) for one in losses[1:]]
    # The leader was chosen by these scores, so that all pairs share the error.
    pairs = [corrected_t(a - b, test_share=TEST_SHARE).p for i, a in enumerate(losses) for b in losses[:i]]
    with_leader = [i * (i - 1) // 2 for i in range(1, len(losses))]
    p = holm(np.nan_to_num(pairs, nan=1.0))[with_leader]
    others = [Place(behind=one.mean, low=one.low, high=one.high) for one in tests]
    return [Place(), *others], bool((p <= 1 - LEVEL).all())


def _standing(scores: TableScores, i: int, place: Place) -> TableStanding:
    fit, forecast = (scores.seconds[name][i] for name in ("fit", "forecast"))
    return TableStanding(
        scores.learners[i],
        place,
        {metric: float(scores.values[metric][i].mean()) for metric in METRICS},
        _median(fit),
        _median(forecast),
        int(scores.failed[i].sum()),
    )


def _median(seconds: Array) -> float:
    there = seconds[np.isfinite(seconds)]
    return float(np.median(there)) if there.size else math.nan
