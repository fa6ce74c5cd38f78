"""Sums over the parent sets of each node, where the law draws them by leaving nodes out.

Among p nodes before it, a node has all as parents with some probability. Otherwise one of these is left out,
each by the same chance, and its parents are drawn among the others. So the sum over all parent sets among U
is that over the sums among U without each of its members, and one family. Parent sets are without the child's
own bit. The members of set U are `members[starts[U] : starts[U + 1]]`: looping over these is three times as
fast as testing bits.
"""

import math

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.networks._kernels.node_sets import spread
from learners.networks._kernels.order_sums import log_add

__all__ = ["law_arc_posteriors", "law_shares", "law_sums"]


@kernel
def law_sums(
    evidences: NDArray[np.float64],
    chances: NDArray[np.float64],
    starts: NDArray[np.int64],
    members: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Sum the families of each node over the parent sets among each set of preceding nodes, in logs."""
    # chances[0, p], [1, p]: that all p nodes before are parents, and that a certain one of them is left out
    sums = np.empty_like(evidences)
    for v in range(evidences.shape[0]):
        for among in range(evidences.shape[1]):
            all_parents, left_out = chances[:, starts[among + 1] - starts[among]]
            total = -np.inf
            if left_out > 0.0:
                for u in members[starts[among] : starts[among + 1]]:
                    total = log_add(total, sums[v, among ^ (1 << u)])
                total += math.log(left_out)
            if all_parents > 0.0:
                total = log_add(total, evidences[v, among] + math.log(all_parents))
            sums[v, among] = total
    return sums


@kernel
def law_shares(
    sums: NDArray[np.float64],
    evidences: NDArray[np.float64],
    chances: NDArray[np.float64],
    starts: NDArray[np.int64],
    members: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return which share of each sum is the family with all as parents, and which leaves out each member."""
    n_nodes, half = evidences.shape
    whole = np.zeros((n_nodes, half))
    without = np.zeros((n_nodes, starts[half]))
    for v in range(n_nodes):
        for among in range(half):
            all_parents, left_out = chances[:, starts[among + 1] - starts[among]]
            if all_parents > 0.0:
                whole[v, among] = all_parents * math.exp(evidences[v, among] - sums[v, among])
            if left_out > 0.0:  # else the sum of fewer may be larger by any factor
                for i in range(starts[among], starts[among + 1]):
                    fewer = sums[v, among ^ (1 << members[i])]
                    without[v, i] = left_out * math.exp(fewer - sums[v, among])
    return whole, without


@kernel
def law_arc_posteriors(
    whole: NDArray[np.float64],
    without: NDArray[np.float64],
    sums: NDArray[np.float64],
    forward: NDArray[np.float64],
    backward: NDArray[np.float64],
    starts: NDArray[np.int64],
    members: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the probability of every arc, from row to column."""
    # From the most nodes down, the chance that a node's parents are drawn among a set is shared out to the
    # sets with one node fewer, see `law_shares`. Measured: 8 nodes 0.1 ms, 14 nodes 7 ms.
    n_nodes, half = sums.shape
    arcs = np.zeros((n_nodes, n_nodes))
    drawn_among = np.empty(half)
    for v in range(n_nodes):
        drawn_among[:] = 0.0
        for among in range(half - 1, -1, -1):
            before = spread(among, v)
            orders = forward[before] + backward[before | (1 << v)] - forward[-1]
            chance = drawn_among[among] + math.exp(orders + sums[v, among])
            for i in range(starts[among], starts[among + 1]):
                u = members[i]
                drawn_among[among ^ (1 << u)] += chance * without[v, i]
                arcs[u + (u >= v), v] += chance * whole[v, among]
    return arcs
