"""Find the shortest network over all directed acyclic graphs, by dynamic programming over sets of nodes.

Parent sets of node v are stored without v's own bit; `squeeze` and `spread` convert between both numberings.
"""

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel
from learners.networks._kernels.node_sets import lowest, size, spread, squeeze

__all__ = ["add_arc_costs", "family_costs", "shortest_dag"]


@kernel
def family_costs(
    arities: NDArray[np.int64],
    arity_index: NDArray[np.int64],
    filled: NDArray[np.float64],
    opened: NDArray[np.float64],
    parameter_cost: float,
    max_parents: int,
) -> NDArray[np.float64]:
    """Cost of every family (node and parent set), arcs not included, from the scores of sets.

    Parameters
    ----------
    arities : ndarray of shape (n_nodes,)
        Number of values of each node.
    arity_index : ndarray of shape (n_nodes,)
        Column of `opened` that holds a node's arity.
    filled, opened : ndarray of shape (2^n_nodes,) and (2^n_nodes, n_child_arities)
        See `set_scores`.
    parameter_cost : float
        Nats for each free parameter; every configuration of the parents has arity - 1 of them.
    max_parents : int
        Larger parent sets cost infinity.

    Returns
    -------
    ndarray of shape (n_nodes, 2^(n_nodes - 1))
        Nats; column = parent set without the node's own bit.
    """
    n_nodes = arities.size
    half = 1 << (n_nodes - 1)
    configurations = np.ones(half)
    costs = np.full((n_nodes, half), np.inf)
    for v in range(n_nodes):
        free = parameter_cost * (arities[v] - 1)
        for short in range(half):
            if short:
                low = lowest(short)
                u = low + (low >= v)
                configurations[short] = configurations[short & (short - 1)] * arities[u]
            if size(short) <= max_parents:
                parents = spread(short, v)
                costs[v, short] = (
                    opened[parents, arity_index[v]]
                    - filled[parents | (1 << v)]
                    + free * configurations[short]
                )
    return costs


@kernel
def add_arc_costs(
    costs: NDArray[np.float64],
    arities: NDArray[np.int64],
    max_cells: float,
    fixed: NDArray[np.float64],
    required: NDArray[np.bool_],
) -> None:
    """Add to `costs` (from `family_costs`) the cost of arcs that do not depend on the arc probability.

    A family that lacks a required parent, or has more than `max_cells` cells, costs infinity. `fixed` and
    `required`, of shape (n_nodes, n_nodes), are indexed by [parent, child].
    """
    n_nodes, half = costs.shape
    arc_costs = np.zeros(half)
    cells = np.ones(half)
    for v in range(n_nodes):
        needed = 0
        for u in range(n_nodes):
            if required[u, v]:
                needed |= 1 << (u - (u > v))
        cells[0] = arities[v]
        for short in range(half):
            if short:
                low = lowest(short)
                u = low + (low >= v)
                rest = short & (short - 1)
                arc_costs[short] = arc_costs[rest] + fixed[u, v]
                cells[short] = cells[rest] * arities[u]
            if short & needed != needed or cells[short] > max_cells:
                costs[v, short] = np.inf
            else:
                costs[v, short] += arc_costs[short]


@kernel
def shortest_dag(
    costs: NDArray[np.float64],
    arc_cost: float,
    free: NDArray[np.int64],
    early: NDArray[np.int64],
    best: NDArray[np.float64],
    parents: NDArray[np.int64],
) -> float:
    """Find the graph of least total cost when every free arc costs `arc_cost` more.

    `free` (n_nodes,) holds the free parents of each node as bits, without the node's own; `early` (n_nodes,)
    the nodes that may precede each, as bits, own bits included in the numbering. `best` (shaped as `costs`)
    is work space; `parents` (n_nodes,) receives the parent sets as bits, own bits included. Equal costs: a
    parent that saves nothing is dropped, highest number first; of equal orders the one that ends in the
    lowest number. Measured: 8 nodes 11 microseconds, 16 nodes 6 ms, 20 nodes 0.13 s.

    Returns
    -------
    float
        Cost of the families and arcs, in nats.
    """
    n_nodes = costs.shape[0]
    _best_subsets(costs, arc_cost, free, best)
    everything = (1 << n_nodes) - 1
    parents[:] = 0
    least = np.empty(everything + 1)
    least[0] = 0.0
    for nodes in range(1, everything + 1):
        shortest = np.inf
        for v in range(n_nodes):
            before = nodes ^ (1 << v)
            if nodes >> v & 1 and before & ~early[v] == 0:
                shortest = min(shortest, least[before] + best[v, squeeze(before, v)])
        least[nodes] = shortest

    nodes = everything if least[everything] < np.inf else 0
    while nodes:
        for v in range(n_nodes):
            before = nodes ^ (1 << v)
            # the same sum as above, so equality is exact
            may_be_last = nodes >> v & 1 and before & ~early[v] == 0
            if may_be_last and least[before] + best[v, squeeze(before, v)] == least[nodes]:
                parents[v] = spread(_smallest(best[v], squeeze(before, v)), v)
                nodes = before
                break
    return least[everything]


@kernel
def _best_subsets(
    costs: NDArray[np.float64], arc_cost: float, free: NDArray[np.int64], best: NDArray[np.float64]
) -> None:
    """Set best[v, P] to the least cost, arcs included, over the subsets of P."""
    n_nodes, n_sets = costs.shape
    for v in range(n_nodes):
        row = best[v]
        for short in range(n_sets):
            row[short] = costs[v, short] + arc_cost * size(short & free[v])
        bit = 1
        while bit < n_sets:
            for start in range(0, n_sets, 2 * bit):
                for short in range(start, start + bit):
                    row[short + bit] = min(row[short], row[short + bit])
            bit *= 2


@kernel
def _smallest(row: NDArray[np.float64], short: int) -> int:
    """Drop the members without which the least cost stays the same; one pass is enough, costs only grow."""
    bit = row.size >> 1
    while bit:
        if short & bit and row[short ^ bit] <= row[short]:
            short ^= bit
        bit >>= 1
    return short
