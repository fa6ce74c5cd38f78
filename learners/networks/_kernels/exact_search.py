"""Find the shortest network over all directed acyclic graphs, by dynamic programming over sets of nodes.

Parent sets of node v are stored without v's own bit. `squeeze` and `spread` convert between both numberings.
"""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.networks._kernels.node_sets import lowest, size, spread, squeeze

__all__ = ["add_arc_costs", "best_subsets", "cheapest_parents", "family_costs", "least_costs"]


@kernel
def family_costs(
    arities: NDArray[np.int64],
    arity_index: NDArray[np.int64],
    filled: NDArray[np.float64],
    opened: NDArray[np.float64],
    parameter_cost: float,
    max_parents: int,
    nodes: NDArray[np.int64],
    costs: NDArray[np.float64],
) -> None:
    """Fill in, from the scores of sets, what every family of these nodes costs without arcs."""
    # filled, opened: see `set_scores`; `arity_index` is the column of `opened` that holds a node's arity.
    # costs (n_nodes, 2^(n_nodes - 1)), nats; sets of parents above `max_parents` are left as they are.
    half = costs.shape[1]
    configurations = np.ones(half)
    for v in nodes:
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


@kernel
def add_arc_costs(
    costs: NDArray[np.float64],
    arities: NDArray[np.int64],
    max_cells: float,
    fixed: NDArray[np.float64],
    required: NDArray[np.bool_],
    nodes: NDArray[np.int64],
) -> None:
    """Add to the `costs` of these nodes the cost of arcs that do not depend on the arc probability."""
    # fixed, required: [parent, child]; a family without a required parent or of too many cells costs infinity
    n_nodes, half = costs.shape
    arc_costs = np.zeros(half)
    cells = np.ones(half)
    for v in nodes:
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
def best_subsets(
    costs: NDArray[np.float64],
    arc_cost: float,
    free: NDArray[np.int64],
    nodes: NDArray[np.int64],
    best: NDArray[np.float64],
) -> None:
    """Set best[v, P], for these nodes v, to the least cost, arcs included, over the subsets of P."""
    # free: the parents of each node whose arcs cost `arc_cost`, as bits without its own
    n_sets = costs.shape[1]
    for v in nodes:
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
def least_costs(
    best: NDArray[np.float64], early: NDArray[np.int64], first: int, last: int, least: NDArray[np.float64]
) -> None:
    """Set least[S], for S from `first` to before `last`, to the cost of the cheapest graph over S."""
    # the sets before `first` are there already; early: nodes that may precede each, as bits, its own included
    n_nodes = early.size
    for nodes in range(first, last):
        shortest = np.inf if nodes else 0.0
        for v in range(n_nodes):
            before = nodes ^ (1 << v)
            if nodes >> v & 1 and before & ~early[v] == 0:
                shortest = min(shortest, least[before] + best[v, squeeze(before, v)])
        least[nodes] = shortest


@kernel
def cheapest_parents(
    best: NDArray[np.float64],
    early: NDArray[np.int64],
    least: NDArray[np.float64],
    parents: NDArray[np.int64],
) -> None:
    """Set `parents` to the parent sets of the cheapest graph, as bits, own bits included."""
    # Equal costs: a parent that saves nothing is dropped, highest number first; of equal orders the one that
    # ends in the lowest number.
    n_nodes = early.size
    everything = (1 << n_nodes) - 1
    parents[:] = 0
    nodes = everything if least[everything] < np.inf else 0
    while nodes:
        for v in range(n_nodes):
            before = nodes ^ (1 << v)
            # the same sum as in `least_costs`, so equality is exact
            may_be_last = nodes >> v & 1 and before & ~early[v] == 0
            if may_be_last and least[before] + best[v, squeeze(before, v)] == least[nodes]:
                parents[v] = spread(_smallest(best[v], squeeze(before, v)), v)
                nodes = before
                break


@kernel
def _smallest(row: NDArray[np.float64], short: int) -> int:
    """Drop the members without which the least cost stays the same, in one pass, as costs only grow."""
    bit = row.size >> 1
    while bit:
        if short & bit and row[short ^ bit] <= row[short]:
            short ^= bit
        bit >>= 1
    return short
