"""Cells of the probability range, which group bets of nearly equal probability."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.bets import Bets, CountedForecasts

__all__ = ["ProbabilityCells", "closing_ranks", "quantile_cells", "smallest_cells", "uniform_cells"]


@dataclass(frozen=True)
class ProbabilityCells:
    """Counts of each cell, from the lowest to the highest.

    Parameters
    ----------
    n : ndarray of int, shape (n_cells,)
        Number of bets.
    hits : ndarray of int, shape (n_cells,)
        Number of bets that came true.
    mass : ndarray of shape (n_cells,)
        Sum of the probabilities.
    edges : ndarray of shape (n_cells + 1,)
        A cell holds its upper edge; the first holds its lower edge too.
    """

    n: NDArray[np.int64]
    hits: NDArray[np.int64]
    mass: NDArray[np.float64]
    edges: NDArray[np.float64]


def uniform_cells(bets: Bets, n_bins: int) -> ProbabilityCells:
    """Sort bets into cells of equal width between 0 and 1, some of which may stay empty."""
    return _tallied(bets, np.linspace(0.0, 1.0, n_bins + 1))


def quantile_cells(bets: Bets, n_bins: int) -> ProbabilityCells:
    """Sort bets into cells of about equal number; equal probabilities stay together, cells may be fewer."""
    ascending = np.sort(bets.probability)
    upper = ascending[-(-np.arange(1, n_bins) * ascending.size // n_bins) - 1]  # the last of each part
    inner = np.unique(upper[upper < ascending[-1]])
    return _tallied(bets, np.concatenate((ascending[:1], inner, ascending[-1:])))


def smallest_cells(distinct: CountedForecasts, least: int) -> ProbabilityCells:
    """Close cells, from the lowest probability on, as soon as they have enough bets and split no value."""
    ends = np.searchsorted(np.cumsum(distinct.n), closing_ranks(distinct.n, least)) + 1
    starts = np.concatenate(([0], ends[:-1]))
    n, hits, mass = (
        np.add.reduceat(terms, starts) for terms in (distinct.n, distinct.hits, distinct.n * distinct.values)
    )
    return ProbabilityCells(n, hits, mass, np.concatenate((distinct.values[:1], distinct.values[ends - 1])))


def closing_ranks(n: NDArray[np.int64], least: int) -> NDArray[np.int64]:
    """Return how many bets have been met where each cell closes; equal probabilities are not separated."""
    from workbench.metrics._kernels import cells

    return cells.closing_ranks(n, least)


def _tallied(bets: Bets, edges: NDArray[np.float64]) -> ProbabilityCells:
    from workbench.metrics._kernels import cells

    n, hits, mass = cells.tally(bets.probability, bets.happened, edges[1:-1])
    return ProbabilityCells(n, hits, mass, edges)
