"""The standing of learners on the map of a suite, and on its parts."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.suites.places import MAP
from workbench.base.text import and_of
from workbench.comparisons import RankIntervals, Strengths, bradley_terry, rank_intervals
from workbench.profiles.part import N_TEST
from workbench.profiles.scores import CEILINGS, SuiteScores

__all__ = [
    "LEVEL",
    "SHARED",
    "Board",
    "Newcomer",
    "Position",
    "View",
    "board",
    "contestants",
    "part_of",
    "views",
]

#: With which probability all intervals of regret hold at once, all of ranks, each of a strength, and each of
#: the rank of a newcomer.
LEVEL = 0.95
#: Bits that are no difference: what single precision leaves of equal scores.
TIE = 1e-6
#: Bits by which a newcomer stands before the first of a board, or after the last.
BEYOND = 0.002
#: Fewest truths of a place and size, as one has no error.
LEAST_TRUTHS = 2
#: The choice of all sizes at which every learner but newcomers has scores.
SHARED = "shared"
#: Groups of kinds that can be chosen together: learners of networks are at home on the first.
NETWORKS = ("naive_bayes", "tan", "aode", "kdb", "dag")
GROUPS = ("networks", "other_kinds")
#: The width of places whose forecasts are of the test rows alone.
WIDE = "wide"

Array = NDArray[np.float64]


@dataclass(frozen=True)
class View:
    """A part of the map. Empty fields are not restricted."""

    kind: str = ""  # of truths, or a group of kinds: "networks", "other_kinds"
    sizes: str = ""  # a number of training rows, or `SHARED`
    difficulty: str = ""
    width: str = ""

    @property
    def key(self) -> str:
        """The view in a word."""
        return "|".join((self.kind, self.sizes, self.difficulty, self.width))


@dataclass(frozen=True)
class Position:
    """The standing of one learner. NaN, and ranks of 0, where it has none."""

    learner: str
    regret: float  # mean bits lost to the optimum, or to the truth where there is none
    low: float  # the intervals of all means of a board hold at once
    high: float
    first: int  # the best and the worst rank that it may have; these intervals hold at once, too
    last: int
    strength: float  # Bradley-Terry, log odds, with its own interval
    weakest: float
    strongest: float
    accuracy: float
    ir_b: float
    fit: float  # median seconds
    forecast: float  # median seconds for 1000 rows, at places with many attributes


@dataclass(frozen=True)
class Newcomer:
    """The standing of an entered learner next to the others, on the part that it has scores of."""

    standing: Position  # on its part; the interval of its rank holds by itself
    n_learners: int  # ranked on the part, it included
    n_ahead: int  # with a smaller mean regret there
    n_truths: int
    sizes: tuple[int, ...]

    @property
    def learner(self) -> str:
        """Its key."""
        return self.standing.learner


@dataclass(frozen=True)
class Board:
    """The leaderboard of a view, the smallest regret first."""

    view: View
    standings: tuple[Position, ...]  # ranked at once: all but newcomers that have less
    newcomers: tuple[Newcomer, ...]  # each ranked by itself, on its part
    yardsticks: tuple[Position, ...]  # truth, optimum, class frequencies, as far as they have all scores
    left_out: tuple[tuple[str, str], ...]  # learners that are not ranked, and what they lack
    sizes: tuple[int, ...]  # numbers of training rows that count
    n_places: int
    n_with_optimum: int
    n_cells: int  # pairs of place and size
    n_truths: int  # that every learner has that is ranked at once

    @property
    def leaders(self) -> tuple[str, ...]:
        """The learners that may be first."""
        return tuple(one.learner for one in self.standings if one.first == 1)

    @property
    def has_no_order(self) -> bool:
        """Whether every learner may have every rank."""
        n = len(self.standings)
        return all((one.first, one.last) == (1, n) for one in self.standings)

    def newcomer(self, learner: str) -> Newcomer | None:
        """Return a learner that is ranked separately, or None if it is not."""
        return next((one for one in self.newcomers if one.learner == learner), None)

    def order(self, newcomer: Newcomer) -> float:
        """Return a regret at which a newcomer has the same rank as on its part."""
        # Its own regret is of its part, and would put it anywhere.
        known = [one.regret for one in self.standings]
        edges = [known[0] - BEYOND, *known, known[-1] + BEYOND]
        return (edges[newcomer.n_ahead] + edges[newcomer.n_ahead + 1]) / 2


def contestants(scores: SuiteScores) -> tuple[str, ...]:
    """List the learners that are ranked: all but the truth, the optimum and the class frequencies."""
    return tuple(key for key in scores.learners if key not in CEILINGS)


def part_of(scores: SuiteScores, learner: str) -> tuple[int, tuple[int, ...]]:
    """Return the largest number of truths of a place with a learner's scores, and at which sizes."""
    own = np.isfinite(scores.regret[scores.at(learner)][_map_places(scores)])
    there = own.any(axis=(0, 1))
    return int(own.any(axis=2).sum(axis=1).max(initial=0)), tuple(np.array(scores.sizes)[there].tolist())


def views(scores: SuiteScores, newcomers: Collection[str] = ()) -> tuple[View, ...]:
    """List the views worth having: of more than one place, the widest first."""
    places = [scores.content.place(scores.places[i]) for i in _map_places(scores)]
    kinds, levels, widths = (
        ("", *dict.fromkeys(getattr(place, name) for place in places))
        for name in ("kind", "difficulty", "width")
    )
    groups = GROUPS if 0 < sum(kind in NETWORKS for kind in kinds) < len(kinds) - 1 else ()
    kinds = ("", *groups, *kinds[1:])
    sizes = ["", *([SHARED] if _shared_sizes(scores, newcomers) else []), *map(str, scores.sizes)]
    found = (View(*own) for own in product(kinds, sizes, levels, widths))
    return tuple(view for view in found if len(_places(scores, view)) > 1 or len(places) == 1)


def board(
    scores: SuiteScores, view: View, *, newcomers: Collection[str] = (), n_resamples: int = 200
) -> Board | None:
    """Return the leaderboard of a view, or None if fewer than two learners can be ranked."""
    # Every pair of place and size of which more than half of the learners have scores counts the same;
    # learners that lack one are left out. Means and ranks are of the truths that all ranked ones have,
    # strengths of those that two learners both have. Newcomers do not change this: one that has all is ranked
    # with the others, one that has less by itself, among the others on the truths that it has of theirs.
    reference = _Cut.of(scores, view, newcomers)
    if reference is None:
        return None
    regret = reference.cut(scores.regret)
    parts = {i: reference.part_of(i, np.isfinite(regret[i])) for i in map(scores.at, newcomers)}
    have_all = [
        i for i, part in parts.items() if part is not None and np.all(part.shared == reference.shared)
    ]
    cut = replace(reference, ranked=sorted([*reference.ranked, *have_all]))
    left_out = sorted([*cut.left_out, *(i for i, part in parts.items() if part is None)])
    return Board(
        view,
        tuple(sorted(_standings(scores, cut, regret, n_resamples), key=lambda one: one.regret)),
        tuple(
            _newcomer(scores, part, regret, n_resamples)
            for i, part in parts.items()
            if part is not None and i not in have_all
        ),
        tuple(_yardsticks(scores, cut, regret)),
        tuple((scores.learners[i], cut.lack(scores, np.isfinite(regret[i]))) for i in left_out),
        cut.sizes_of(scores),
        int(cut.cells.any(axis=1).sum()),
        int((scores.has_optimum[cut.places] & cut.cells.any(axis=1)).sum()),
        int(cut.cells.sum()),
        cut.n_truths,
    )


@dataclass(frozen=True, eq=False)
class _Cut:
    """The elements of a view, as indices of the scores."""

    places: list[int]
    sizes: list[int]
    ranked: list[int]
    left_out: list[int]
    cells: NDArray[np.bool_]  # (places, sizes): what counts
    shared: NDArray[np.bool_]  # (places, truths, sizes): what all ranked learners have of it

    @classmethod
    def of(cls, scores: SuiteScores, view: View, newcomers: Collection[str]) -> "_Cut | None":
        """Select the counted scores and the ranked learners, without newcomers."""
        places, sizes = _places(scores, view), _sizes(scores, view, newcomers)
        own = _others(scores, newcomers)
        there = np.isfinite(scores.regret[own][:, places][..., sizes])
        known = there.sum(axis=2) >= LEAST_TRUTHS
        cells = known.sum(axis=0) > len(own) / 2
        among = known[:, cells].all(axis=1)
        # where failures leave too few truths in common, a place and size counts for nobody
        shared = there[among].all(axis=0) & cells[:, None]
        cells &= shared.sum(axis=1) >= LEAST_TRUTHS
        if among.sum() < 2 or not cells.any():
            return None
        ranked = [i for i, is_in in zip(own, among, strict=True) if is_in]
        left_out = [i for i in own if i not in ranked]
        return cls(places, sizes, ranked, left_out, cells, shared & cells[:, None])

    def part_of(self, newcomer: int, there: NDArray[np.bool_]) -> "_Cut | None":
        """Return the part that a newcomer has, where it is ranked with the others, or None."""
        shared = self.shared & there
        cells = shared.sum(axis=1) >= LEAST_TRUTHS
        if not cells.any():
            return None
        return replace(
            self, ranked=[*self.ranked, newcomer], left_out=[], cells=cells, shared=shared & cells[:, None]
        )

    @property
    def n_truths(self) -> int:
        """Number of truths that are shared at some size."""
        return int(self.shared.any(axis=2).sum())

    def sizes_of(self, scores: SuiteScores) -> tuple[int, ...]:
        """Return the numbers of training rows that count."""
        return tuple(scores.sizes[self.sizes[k]] for k in np.flatnonzero(self.cells.any(axis=0)))

    def cut(self, values: NDArray[Any]) -> Array:
        """Return the part of (learners, places, ..., sizes) that the view is of."""
        return np.asarray(values[:, self.places][..., self.sizes], dtype=np.float64)

    def subjects(self, values: Array) -> tuple[Array, NDArray[np.intp]]:
        """Arrange (learners, places, truths, sizes) as (subjects, learners, sizes) with the place of each."""
        n_learners, n_places, n_truths, n_sizes = values.shape
        flat = values.transpose(1, 2, 0, 3).reshape(n_places * n_truths, n_learners, n_sizes)
        there = ~np.isnan(flat).all(axis=(1, 2))
        return flat[there], np.repeat(np.arange(n_places), n_truths)[there]

    def means(self, values: Array) -> Array:
        """Average (learners, places, truths, sizes) over shared truths, then over places and sizes."""
        total = np.where(self.shared, values, 0.0).sum(axis=2)
        with np.errstate(invalid="ignore", divide="ignore"):
            own = total / self.shared.sum(axis=1)
        return np.asarray(own[:, self.cells].mean(axis=1))

    def lack(self, scores: SuiteScores, there: NDArray[np.bool_]) -> str:
        """Describe the missing scores of a learner."""
        lacking = self.cells & (there.sum(axis=1) < LEAST_TRUTHS)
        of_size = lacking.any(axis=0)
        if (lacking == self.cells)[:, of_size].all():
            sizes = [f"{scores.sizes[self.sizes[k]]:,}" for k in np.flatnonzero(of_size)]
            return f"no scores with {and_of(sizes)} training rows"
        return f"no scores in {int(lacking.sum())} of {int(self.cells.sum())} pairs of place and size"


def _standings(scores: SuiteScores, cut: _Cut, regret: Array, n_resamples: int) -> list[Position]:
    """Rank the learners of a cut together."""
    # Ranks and means are of the same truths: nobody is then found better than the learner with the best mean.
    common, strata = cut.subjects(np.where(cut.shared, regret[cut.ranked], np.nan))
    means = rank_intervals(common, direction="lower", strata=strata, level=LEVEL)
    values, strata = cut.subjects(np.where(cut.cells[:, None], regret[cut.ranked], np.nan))
    games = bradley_terry(
        values, direction="lower", strata=strata, tie=TIE, level=LEVEL, n_resamples=n_resamples
    )
    return _written(scores, cut, means, games, (means.low, means.high))


def _newcomer(scores: SuiteScores, part: _Cut, regret: Array, n_resamples: int) -> Newcomer:
    """Rank the last learner of a part separately."""
    common, strata = part.subjects(np.where(part.shared, regret[part.ranked], np.nan))
    means = rank_intervals(common, direction="lower", strata=strata, level=LEVEL)
    games = bradley_terry(
        common, direction="lower", strata=strata, tie=TIE, level=LEVEL, n_resamples=n_resamples
    )
    # It was chosen before its scores were seen, so that its interval need not hold at once with the others'.
    standing = _written(scores, part, means, games, (means.own_low, means.own_high))[-1]
    n_ahead = int((means.mean[:-1] < means.mean[-1]).sum())
    return Newcomer(standing, len(part.ranked), n_ahead, part.n_truths, part.sizes_of(scores))


def _written(
    scores: SuiteScores,
    cut: _Cut,
    means: RankIntervals,
    games: Strengths,
    ranks: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> list[Position]:
    """Combine the results for the learners of a cut."""
    columns = {
        "regret": means.mean,
        "low": means.mean_low,
        "high": means.mean_high,
        "first": ranks[0],
        "last": ranks[1],
        "strength": games.strength,
        "weakest": games.low,
        "strongest": games.high,
        **_described(scores, cut, cut.ranked),
    }
    return [
        Position(learner=scores.learners[i], **{name: column[k].item() for name, column in columns.items()})
        for k, i in enumerate(cut.ranked)
    ]


def _described(scores: SuiteScores, cut: _Cut, learners: list[int]) -> dict[str, Array]:
    """Return other facts of learners besides regret: other scores and times."""
    found = {
        name: cut.means(cut.cut(scores.values[name])[learners])
        if name in scores.values
        else np.full(len(learners), np.nan)
        for name in ("accuracy", "ir_b")
    }
    wide = [scores.content.place(scores.places[i]).width == WIDE for i in cut.places]
    found["fit"] = _median(scores, cut, learners, "fit", cut.cells)
    found["forecast"] = (
        1000 / N_TEST * _median(scores, cut, learners, "predict", cut.cells & np.array(wide)[:, None])
    )
    return found


def _median(
    scores: SuiteScores, cut: _Cut, learners: list[int], name: str, cells: NDArray[np.bool_]
) -> Array:
    """Return the median over places and sizes, without those at which a learner failed on some truth."""
    if name not in scores.seconds or not cells.any():
        return np.full(len(learners), np.nan)
    seconds = cut.cut(scores.seconds[name])[learners][:, cells]
    return np.array(
        [np.median(own[np.isfinite(own)]) if np.isfinite(own).any() else np.nan for own in seconds]
    )


def _yardsticks(scores: SuiteScores, cut: _Cut, regret: Array) -> Iterator[Position]:
    """Yield the reference entries that are not learners, without ranks and intervals."""
    own = [i for i, key in enumerate(scores.learners) if key in CEILINGS]
    complete = [i for i in own if np.isfinite(regret[i][cut.shared]).all()]
    means, described = cut.means(regret[complete]), _described(scores, cut, complete)
    for k, i in enumerate(complete):
        none = dict.fromkeys(("low", "high", "strength", "weakest", "strongest"), float("nan"))
        numbers = {name: column[k].item() for name, column in described.items()}
        yield Position(scores.learners[i], means[k].item(), first=0, last=0, **none, **numbers)


def _map_places(scores: SuiteScores) -> list[int]:
    return [i for i, key in enumerate(scores.places) if scores.content.place(key).part == MAP]


def _places(scores: SuiteScores, view: View) -> list[int]:
    """Return the indices of the places of a view."""
    places = {i: scores.content.place(scores.places[i]) for i in _map_places(scores)}
    return [
        i
        for i, place in places.items()
        if view.kind in ("", place.kind, GROUPS[place.kind not in NETWORKS])
        and view.difficulty in ("", place.difficulty)
        and view.width in ("", place.width)
    ]


def _sizes(scores: SuiteScores, view: View, newcomers: Collection[str]) -> list[int]:
    """Return the indices of the sizes of a view."""
    if view.sizes == SHARED:
        return _shared_sizes(scores, newcomers)
    return [k for k, size in enumerate(scores.sizes) if view.sizes in ("", str(size))]


def _others(scores: SuiteScores, newcomers: Collection[str]) -> list[int]:
    return [scores.at(key) for key in contestants(scores) if key not in newcomers]


def _shared_sizes(scores: SuiteScores, newcomers: Collection[str]) -> list[int]:
    """Return the sizes at which every learner has scores wherever most have, or none if these are all."""
    own = _others(scores, newcomers)
    known = np.isfinite(scores.regret[own][:, _map_places(scores)]).sum(axis=2) >= LEAST_TRUTHS
    cells = known.sum(axis=0) > len(own) / 2
    used = [k for k in range(len(scores.sizes)) if cells[:, k].any()]
    found = [k for k in used if known[:, cells[:, k], k].all()]
    return [] if found == used else found
