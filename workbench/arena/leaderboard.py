"""How learners stand on the map of a suite, and on every part of it that can be chosen."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.base.text import and_of
from workbench.comparisons import bradley_terry, rank_intervals
from workbench.profiles.part import N_TEST
from workbench.profiles.scores import CEILINGS, SuiteScores

__all__ = ["LEVEL", "SHARED", "Board", "Standing", "View", "board", "contestants", "part_of", "views"]

#: With which probability all intervals of regret hold at once, all of ranks, and each of a strength.
LEVEL = 0.95
#: Bits that are no difference: what single precision leaves of equal scores.
TIE = 1e-6
#: Fewest truths of a place and size, as one has no error.
LEAST_TRUTHS = 2
#: The choice of all sizes at which every learner has scores.
SHARED = "shared"
#: The part of a suite that the arena ranks on, and the places whose forecasts are of the test rows alone.
MAP, WIDE = "map", "wide"

Array = NDArray[np.float64]


@dataclass(frozen=True)
class View:
    """A part of the map; what is empty is not restricted.

    Attributes
    ----------
    kind : str
        Of truths.
    sizes : str
        A number of training rows, or `SHARED`.
    difficulty, width : str
    """

    kind: str = ""
    sizes: str = ""
    difficulty: str = ""
    width: str = ""

    @property
    def key(self) -> str:
        """The view in a word."""
        return "|".join((self.kind, self.sizes, self.difficulty, self.width))


@dataclass(frozen=True)
class Standing:
    """How one learner stands; NaN, and ranks of 0, where it has none.

    Attributes
    ----------
    learner : str
    regret, low, high : float
        Mean bits lost to the optimum, or to the truth where there is none, and the interval of the mean; the
        intervals of a board hold at once.
    first, last : int
        The best and the worst rank that it may have; these intervals hold at once, too.
    strength, weakest, strongest : float
        Bradley and Terry's, on the scale of log odds, and its own interval.
    accuracy, ir_b : float
        Means.
    fit : float
        Median seconds of a fit.
    forecast : float
        Median seconds to forecast 1000 rows, of the places with many attributes.
    """

    learner: str
    regret: float
    low: float
    high: float
    first: int
    last: int
    strength: float
    weakest: float
    strongest: float
    accuracy: float
    ir_b: float
    fit: float
    forecast: float


@dataclass(frozen=True)
class Board:
    """The leaderboard of a view.

    Attributes
    ----------
    view : View
    standings : tuple of Standing
        Ranked learners, the smallest regret first.
    yardsticks : tuple of Standing
        The truth, the optimum and the class frequencies, as far as they have scores everywhere.
    left_out : tuple of (str, str)
        Learners that are not ranked, and what they lack.
    sizes : tuple of int
        Numbers of training rows that count.
    n_places, n_with_optimum, n_cells : int
        Places that count, those with a known optimum, and pairs of place and size.
    n_truths : int
        Truths behind the means: those that every ranked learner has.
    """

    view: View
    standings: tuple[Standing, ...]
    yardsticks: tuple[Standing, ...]
    left_out: tuple[tuple[str, str], ...]
    sizes: tuple[int, ...]
    n_places: int
    n_with_optimum: int
    n_cells: int
    n_truths: int

    @property
    def leaders(self) -> tuple[str, ...]:
        """The learners that may be first."""
        return tuple(one.learner for one in self.standings if one.first == 1)

    @property
    def has_no_order(self) -> bool:
        """Whether every learner may have every rank."""
        n = len(self.standings)
        return all((one.first, one.last) == (1, n) for one in self.standings)


def contestants(scores: SuiteScores) -> tuple[str, ...]:
    """List the learners that are ranked: all but the truth, the optimum and the class frequencies."""
    return tuple(key for key in scores.learners if key not in CEILINGS)


def part_of(scores: SuiteScores, learner: str) -> tuple[int, tuple[int, ...]]:
    """Return the most truths of a place on the map that a learner has scores of, and at which sizes."""
    own = np.isfinite(scores.regret[scores.at(learner)][_map_places(scores)])
    there = own.any(axis=(0, 1))
    return int(own.any(axis=2).sum(axis=1).max(initial=0)), tuple(np.array(scores.sizes)[there].tolist())


def views(scores: SuiteScores) -> tuple[View, ...]:
    """List the views worth having: of more than one place, the widest first."""
    places = [scores.content.place(scores.places[i]) for i in _map_places(scores)]
    kinds, levels, widths = (
        ("", *dict.fromkeys(getattr(place, name) for place in places))
        for name in ("kind", "difficulty", "width")
    )
    sizes = ["", *([SHARED] if _shared_sizes(scores) else []), *map(str, scores.sizes)]
    found = (View(*own) for own in product(kinds, sizes, levels, widths))
    return tuple(view for view in found if len(_places(scores, view)) > 1 or len(places) == 1)


def board(scores: SuiteScores, view: View, *, n_resamples: int = 200) -> Board | None:
    """Compute the leaderboard of a view, or return None if fewer than two learners can be ranked.

    Every pair of place and size counts the same that more than half of the learners have scores of. Learners
    that lack one are left out; means and ranks are of the truths that all ranked ones have, strengths of the
    truths that two learners both have.
    """
    cut = _Cut.of(scores, view)
    if cut is None:
        return None
    regret = cut.cut(scores.regret)
    values, strata = cut.subjects(np.where(cut.cells[:, None], regret[cut.ranked], np.nan))
    # Ranks and means are of the same truths: nobody is then found better than the learner with the best mean.
    common, own_strata = cut.subjects(np.where(cut.shared, regret[cut.ranked], np.nan))
    means = rank_intervals(common, strata=own_strata, level=LEVEL)
    games = bradley_terry(values, strata=strata, tie=TIE, level=LEVEL, n_resamples=n_resamples)
    columns = {
        "regret": means.mean,
        "low": means.mean_low,
        "high": means.mean_high,
        "first": means.low,
        "last": means.high,
        "strength": games.strength,
        "weakest": games.low,
        "strongest": games.high,
        **_described(scores, cut, cut.ranked),
    }
    standings = [
        Standing(learner=scores.learners[i], **{name: column[k].item() for name, column in columns.items()})
        for k, i in enumerate(cut.ranked)
    ]
    return Board(
        view,
        tuple(sorted(standings, key=lambda one: one.regret)),
        tuple(_yardsticks(scores, cut, regret)),
        tuple((scores.learners[i], cut.lack(scores, i)) for i in cut.left_out),
        tuple(scores.sizes[cut.sizes[k]] for k in np.flatnonzero(cut.cells.any(axis=0))),
        int(cut.cells.any(axis=1).sum()),
        int((scores.has_optimum[cut.places] & cut.cells.any(axis=1)).sum()),
        int(cut.cells.sum()),
        int(cut.shared.any(axis=2).sum()),
    )


@dataclass(frozen=True, eq=False)
class _Cut:
    """What a view is made of.

    Attributes
    ----------
    places, sizes : list of int
        Of the view.
    ranked, left_out : list of int
        Learners.
    cells : ndarray of bool of shape (places, sizes)
        What counts.
    shared : ndarray of bool of shape (places, truths, sizes)
        What all ranked learners have of it.
    known : ndarray of bool of shape (learners, places, sizes)
        Which learners have enough truths.
    """

    places: list[int]
    sizes: list[int]
    ranked: list[int]
    left_out: list[int]
    cells: NDArray[np.bool_]
    shared: NDArray[np.bool_]
    known: NDArray[np.bool_]

    @classmethod
    def of(cls, scores: SuiteScores, view: View) -> "_Cut | None":
        """Choose what counts, and who is ranked."""
        places, sizes = _places(scores, view), _sizes(scores, view)
        own = [scores.at(key) for key in contestants(scores)]
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
        return cls(places, sizes, ranked, left_out, cells, shared & cells[:, None], known)

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

    def lack(self, scores: SuiteScores, learner: int) -> str:
        """Say what a learner has no scores of."""
        own = self.known[contestants(scores).index(scores.learners[learner])]
        lacking = self.cells & ~own
        of_size = lacking.any(axis=0)
        if (lacking == self.cells)[:, of_size].all():
            sizes = [f"{scores.sizes[self.sizes[k]]:,}" for k in np.flatnonzero(of_size)]
            return f"no scores with {and_of(sizes)} training rows"
        return f"no scores in {int(lacking.sum())} of {int(self.cells.sum())} pairs of place and size"


def _described(scores: SuiteScores, cut: _Cut, learners: list[int]) -> dict[str, Array]:
    """Return what is told of learners besides regret: other scores and times."""
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


def _yardsticks(scores: SuiteScores, cut: _Cut, regret: Array) -> Iterator[Standing]:
    """Yield what is no learner, without ranks and intervals."""
    own = [i for i, key in enumerate(scores.learners) if key in CEILINGS]
    complete = [i for i in own if np.isfinite(regret[i][cut.shared]).all()]
    means, described = cut.means(regret[complete]), _described(scores, cut, complete)
    for k, i in enumerate(complete):
        none = dict.fromkeys(("low", "high", "strength", "weakest", "strongest"), float("nan"))
        numbers = {name: column[k].item() for name, column in described.items()}
        yield Standing(scores.learners[i], means[k].item(), first=0, last=0, **none, **numbers)


def _map_places(scores: SuiteScores) -> list[int]:
    return [i for i, key in enumerate(scores.places) if scores.content.place(key).part == MAP]


def _places(scores: SuiteScores, view: View) -> list[int]:
    """Return the indices of the places of a view."""
    wanted = {"kind": view.kind, "difficulty": view.difficulty, "width": view.width}
    chosen = {name: word for name, word in wanted.items() if word}
    places = {i: scores.content.place(scores.places[i]) for i in _map_places(scores)}
    return [
        i for i, place in places.items() if all(getattr(place, name) == word for name, word in chosen.items())
    ]


def _sizes(scores: SuiteScores, view: View) -> list[int]:
    """Return the indices of the sizes of a view."""
    if view.sizes == SHARED:
        return _shared_sizes(scores)
    return [k for k, size in enumerate(scores.sizes) if view.sizes in ("", str(size))]


def _shared_sizes(scores: SuiteScores) -> list[int]:
    """Return the sizes at which every learner has scores wherever most have; none if these are all."""
    own = [scores.at(key) for key in contestants(scores)]
    known = np.isfinite(scores.regret[own][:, _map_places(scores)]).sum(axis=2) >= LEAST_TRUTHS
    cells = known.sum(axis=0) > len(own) / 2
    used = [k for k in range(len(scores.sizes)) if cells[:, k].any()]
    found = [k for k in used if known[:, cells[:, k], k].all()]
    return [] if found == used else found
