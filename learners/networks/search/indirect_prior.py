"""Prior probabilities of indirect relations and of the order, which depend on the whole network."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from learners.networks._kernels.indirect_costs import (
    ANCESTOR,
    COMMON_CAUSE,
    DESCENDANT,
    UNRELATED,
    IndirectCosts,
    fewest_exchanged,
    relation_nats,
)

__all__ = ["REFUSED", "IndirectPrior", "closure", "relation_shares"]

REFUSED = (
    "The structure prior's ancestors, correlated and order depend on the whole network, and exact searches, "
    'blanket searches and averages over all networks do not accept them. Use search="fast" or "metropolis", '
    'and in CaMMLClassifier averaging="none", "representative" or "mixture".'
)

LEAST_SHARE = 1e-12
"""No relation has a smaller share: among two nodes, or at tiny arc probabilities, rounding leaves none."""

MOST_EXACT = 16
"""Variables in the preferred order up to which the best order of a network is found exactly."""

Parents = Sequence[Sequence[int]]


@dataclass(frozen=True, eq=False)
class IndirectPrior:
    """Opinions on indirect relations, and on the order of the nodes."""

    pairs: NDArray[np.int64]
    # (n_pairs, 3): probability that the first is an ancestor, a descendant, or that they are correlated (one
    # an ancestor of the other, or with a common one); NaN where not stated
    stated: NDArray[np.float64]
    precedes: NDArray[np.bool_]  # whether the row's node should precede the column's
    penalty: float  # nats of each pair in the other order
    must_precede: NDArray[np.bool_]  # the same, whatever the arcs; transitively closed

    def at(self, arc_probability: float) -> IndirectCosts:
        """Return all costs at one arc probability."""
        n_nodes = len(self.precedes)
        shares = relation_shares(n_nodes, arc_probability)
        costs = np.array([_nats(stated, shares) for stated in self.stated]).reshape(-1, 4)
        return IndirectCosts(
            self.pairs,
            costs,
            float(costs.min(axis=1, initial=np.inf).sum()) if len(costs) else 0.0,
            self.precedes,
            self.penalty,
            np.zeros((n_nodes, (n_nodes + 63) // 64), np.uint64),
        )

    def length(self, parents: Parents, arc_probability: float) -> float:
        """Return the nats of a network's relations, and of its best order."""
        is_parent = _matrix(parents)
        order = np.argsort(closure(is_parent).sum(axis=1), kind="stable").astype(np.int64)
        relations = relation_nats(self.at(arc_probability), order, is_parent)
        return float(relations) + self.penalty * self.n_exchanged(parents)

    def n_exchanged(self, parents: Parents) -> int:
        """Count the pairs in the opposite order, for the network's order with the fewest."""
        # exact for up to `MOST_EXACT` variables; beyond, from an order that no move of one variable improves
        nodes = np.flatnonzero(self.precedes.any(axis=0) | self.precedes.any(axis=1))
        earlier = closure(_ancestors(parents).T | self.must_precede).T
        ancestors = earlier[np.ix_(nodes, nodes)]
        wanted = self.precedes[np.ix_(nodes, nodes)]
        if len(nodes) <= MOST_EXACT:
            bits = 1 << np.arange(len(nodes))
            counts = np.zeros(1 << len(nodes), np.int64)
            return int(fewest_exchanged(ancestors @ bits, wanted @ bits, counts))
        return _improved(_in_wanted_order(ancestors, wanted), ancestors, wanted)


def _nats(stated: NDArray[np.float64], shares: tuple[float, float, float]) -> NDArray[np.float64]:
    """Return the nats of the four relations of a pair. Relations without an opinion share the rest."""
    ancestor, descendant, correlated = stated
    apart = 1 - correlated  # NaN where not stated
    by_relation = np.empty(4)
    by_relation[[ANCESTOR, DESCENDANT, UNRELATED]] = ancestor, descendant, apart
    by_relation[COMMON_CAUSE] = np.nan
    usual = np.empty(4)
    usual[[ANCESTOR, DESCENDANT, COMMON_CAUSE, UNRELATED]] = shares[0], shares[0], shares[1], shares[2]
    open_ones = np.isnan(by_relation)
    usual = np.maximum(usual, LEAST_SHARE)
    whole = 1.0 if np.isnan(correlated) else correlated  # not 1 less what is apart, which may round to 1
    left = max(whole - np.nansum(by_relation[:UNRELATED]), LEAST_SHARE)
    by_relation[open_ones] = usual[open_ones] / usual[open_ones].sum() * left
    with np.errstate(divide="ignore"):
        nats: NDArray[np.float64] = -np.log(by_relation)
    return nats


@lru_cache(maxsize=1024)
def relation_shares(n_nodes: int, arc_probability: float) -> tuple[float, float, float]:
    """Return the probabilities of an ancestor, only a common cause, and neither, in random ordered models."""
    # Twice the first and the others sum to 1. Exact, by the numbers of ancestors: with r ancestors of a node
    # met so far, itself included, the next earlier node is one with probability 1 - (1 - p)^r, and those of
    # two nodes are independent until they meet. Time is n^3. The CaMML program counts in 10,000 random
    # models.
    q = (1 - arc_probability) ** np.arange(n_nodes + 1)
    apart = np.zeros((n_nodes, n_nodes + 1))  # [i, r]: no common ancestor among i nodes, given 1 and r
    none = np.ones((n_nodes + 1, n_nodes + 1))  # the same given a and r
    for i in range(n_nodes):
        apart[i] = none[1]
        more = np.pad(none, ((0, 1), (0, 1)), mode="edge")
        none = np.outer(q, q) * none + np.outer(1 - q, q) * more[1:, :-1] + np.outer(q, 1 - q) * more[:-1, 1:]
    met = np.zeros(n_nodes + 1)  # [r]: probability of r ancestors among the nodes between, itself included
    met[1] = 1.0
    ancestor = unrelated = 0.0
    for distance in range(1, n_nodes):
        places = n_nodes - distance
        ancestor += places * float(met @ (1 - q))
        unrelated += float((met * q) @ apart[:places].sum(axis=0))
        met = met * q + np.concatenate([[0.0], (met * (1 - q))[:-1]])
    pairs = n_nodes * (n_nodes - 1) / 2
    return ancestor / pairs / 2, max(0.0, 1 - (ancestor + unrelated) / pairs), unrelated / pairs


def closure(arcs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether a path leads from row to column."""
    found = arcs.copy()
    for v in range(len(found)):
        found |= found[:, [v]] & found[[v]]
    return found


def _ancestors(parents: Parents) -> NDArray[np.bool_]:
    """Return whether the column's node is an ancestor of the row's."""
    return closure(_matrix(parents))


def _matrix(parents: Parents) -> NDArray[np.bool_]:
    """Return whether the column's node is a parent of the row's."""
    found = np.zeros((len(parents), len(parents)), np.bool_)
    for v, others in enumerate(parents):
        found[v, list(others)] = True
    return found


def _in_wanted_order(ancestors: NDArray[np.bool_], wanted: NDArray[np.bool_]) -> list[int]:
    """Return an order with ancestors first, each time the node preferred before the most others."""
    waits_for = ancestors.sum(axis=1)
    rank = -wanted.sum(axis=1)
    ready = [(int(rank[v]), v) for v in np.flatnonzero(waits_for == 0).tolist()]
    heapq.heapify(ready)
    order = []
    while ready:
        _, u = heapq.heappop(ready)
        order.append(u)
        waits_for = waits_for - ancestors[:, u]
        for v in np.flatnonzero(ancestors[:, u] & (waits_for == 0)).tolist():
            heapq.heappush(ready, (int(rank[v]), v))
    return order


def _improved(order: list[int], ancestors: NDArray[np.bool_], wanted: NDArray[np.bool_]) -> int:
    """Move single nodes as long as that helps, and return the number of pairs in the other order."""
    better = True
    while better:
        better = False
        for v in list(order):
            i = order.index(v)
            best, gain, total = i, 0, 0
            for step in (-1, 1):
                total = 0
                j = i + step
                while 0 <= j < len(order) and not (ancestors[v, order[j]] or ancestors[order[j], v]):
                    u = order[j]
                    total += step * (int(wanted[v, u]) - int(wanted[u, v]))
                    if total < gain:
                        best, gain = j, total
                    j += step
            if best != i:
                order.insert(best, order.pop(i))
                better = True
    return int(np.tril(wanted[np.ix_(order, order)], -1).sum())
