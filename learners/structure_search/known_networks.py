"""The networks that a search has found so far, and the shortest of them at any price of an arc."""

import numpy as np
from numpy.typing import NDArray

from learners.structure_search.arc_probability import CheapestDag

__all__ = ["KnownNetworks"]


class KnownNetworks:
    """Networks in the sequence in which they were found.

    Examples
    --------
    >>> known = KnownNetworks()
    >>> known.add(((), ()), 3.0, 0)
    >>> known.add(((), (0,)), 1.0, 1)
    >>> known.cheapest(1.5).parents, known.cheapest(2.5).parents
    (((), (0,)), ((), ()))
    """

    def __init__(self) -> None:
        self._parents: list[tuple[tuple[int, ...], ...]] = []
        self._costs: NDArray[np.float64] = np.empty(0)
        self._n_arcs: NDArray[np.int64] = np.empty(0, np.int64)

    def add(self, parents: tuple[tuple[int, ...], ...], cost: float, n_arcs: int) -> None:
        """Add a network: its cost without the arcs told at the arc probability, in nats, and their number."""
        self._parents.append(parents)
        self._costs = np.append(self._costs, cost)
        self._n_arcs = np.append(self._n_arcs, n_arcs)

    def least(self, price: float) -> float:
        """Give the least cost at a price of a free arc, in nats."""
        return float((self._costs + price * self._n_arcs).min())

    def cheapest(self, price: float) -> CheapestDag:
        """Give the network of least cost at a price of a free arc; of equals the first found."""
        costs = self._costs + price * self._n_arcs
        best = int(np.argmin(costs))
        return CheapestDag(float(costs[best]), self._parents[best], int(self._n_arcs[best]))
