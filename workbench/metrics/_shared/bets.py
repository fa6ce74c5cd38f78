"""Binary bets on classes: one by one, counted by probability, and in cells of the probability range."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.checks import Codes, Numbers, Sets
from workbench.metrics._shared.rows import own_entries, predicted_class


@dataclass(frozen=True)
class Bets:
    """The probability of each bet, and whether it came true."""

    probability: Numbers
    happened: Sets


def bets_on_predicted(codes: Codes, forecast: Numbers) -> Bets:
    """Bet, for each sample, on its most probable class, the first of ties."""
    predicted = predicted_class(forecast)
    return Bets(own_entries(forecast, predicted), predicted == codes)


def bets_on_class(codes: Codes, forecast: Numbers, code: int) -> Bets:
    """Bet on one class against the rest."""
    return Bets(np.ascontiguousarray(forecast[:, code]), codes == code)


def bets_on_each_class(codes: Codes, forecast: Numbers) -> Iterator[Bets]:
    """Bet on one class after the other, against the rest."""
    for code, probability in enumerate(np.ascontiguousarray(forecast.T)):
        yield Bets(probability, codes == code)


def bets_on_all_classes(codes: Codes, forecast: Numbers) -> Bets:
    """Bet on every class of every sample. The bets of one sample depend on each other."""
    return Bets(forecast.ravel(), (codes[:, None] == np.arange(forecast.shape[1])).ravel())


def macro_average(score: Callable[[Bets], float], codes: Codes, forecast: Numbers) -> float:
    """Average a score of the bets on one class over the classes that some but not all samples have."""
    each = bets_on_each_class(codes, forecast)
    scores = [score(bets) for bets in each if bets.happened.any() and not bets.happened.all()]
    return float(np.mean(scores)) if scores else float("nan")


@dataclass(frozen=True)
class CountedForecasts:
    """The probabilities that occur, in ascending order, each with its number of bets and of hits."""

    values: Numbers
    n: NDArray[np.int64]
    hits: NDArray[np.int64]


def counted_forecasts(bets: Bets) -> CountedForecasts:
    """Count bets and hits at each probability that occurs, regardless of the order of the bets.

    Bare numbers are sorted, all and those of hits, which is several times as fast as sorting places.
    """
    ascending = np.sort(bets.probability)
    is_last = np.ones(ascending.size, dtype=np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=is_last[:-1])
    last = np.flatnonzero(is_last)
    values = ascending[last]
    hits = np.sort(bets.probability[bets.happened]).searchsorted(values, side="right")
    return CountedForecasts(values, _steps(last + 1), _steps(hits))


def _steps(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what each count adds to the one before."""
    steps = counts.copy()
    steps[1:] -= counts[:-1]
    return steps


@dataclass(frozen=True)
class ProbabilityCells:
    """Bets, hits and sum of probabilities of each cell of the probability range, from the lowest.

    A cell includes its upper edge, the first also its lower edge.
    """

    n: NDArray[np.int64]
    hits: NDArray[np.int64]
    mass: Numbers
    edges: Numbers


def uniform_cells(bets: Bets, n_bins: int) -> ProbabilityCells:
    """Sort bets into cells of equal width between 0 and 1, some of which may be empty."""
    return _tallied(bets, np.linspace(0.0, 1.0, n_bins + 1))


def quantile_cells(bets: Bets, n_bins: int) -> ProbabilityCells:
    """Sort bets into cells of about equal number. Equal probabilities stay together: cells may be fewer."""
    ascending = np.sort(bets.probability)
    upper = ascending[-(-np.arange(1, n_bins) * ascending.size // n_bins) - 1]  # the last of each part
    inner = np.unique(upper[upper < ascending[-1]])
    return _tallied(bets, np.concatenate((ascending[:1], inner, ascending[-1:])))


def _tallied(bets: Bets, edges: Numbers) -> ProbabilityCells:
    place, n_cells = edges[1:-1].searchsorted(bets.probability), edges.size - 1
    n = np.bincount(place, minlength=n_cells)
    hits = np.bincount(place[bets.happened], minlength=n_cells)
    mass = np.bincount(place, weights=bets.probability, minlength=n_cells).astype(np.float64, copy=False)
    return ProbabilityCells(n, hits, mass, edges)


def smallest_cells(distinct: CountedForecasts, least: int) -> ProbabilityCells:
    """Close cells, from the lowest probability on, when they have enough bets and split no value."""
    ends = np.searchsorted(np.cumsum(distinct.n), closing_ranks(distinct.n, least)) + 1
    starts = np.concatenate(([0], ends[:-1]))
    n, hits, mass = (
        np.add.reduceat(terms, starts) for terms in (distinct.n, distinct.hits, distinct.n * distinct.values)
    )
    return ProbabilityCells(n, hits, mass, np.concatenate((distinct.values[:1], distinct.values[ends - 1])))


def closing_ranks(n: NDArray[np.int64], least: int) -> NDArray[np.int64]:
    """Return the number of bets up to the end of each cell. Equal probabilities are not separated.

    Remaining bets join the last cell.
    """
    met, ends = np.cumsum(n).tolist(), [0]
    while (place := bisect_left(met, ends[-1] + least)) < len(met):
        ends.append(met[place])
    return np.array([*ends[1:-1], met[-1]])
