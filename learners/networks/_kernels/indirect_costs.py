"""Costs of opinions on indirect relations and on the order of the nodes, for the whole graph."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

__all__ = [
    "ANCESTOR",
    "COMMON_CAUSE",
    "DESCENDANT",
    "EXCHANGED",
    "RELATIONS",
    "UNRELATED",
    "IndirectCosts",
    "exchanged",
    "fewest_exchanged",
    "indirect_nats",
    "least_relations",
    "number_exchanged",
    "order_nats",
    "relation_nats",
    "relations_toggled",
    "relations_turned",
]

ANCESTOR, DESCENDANT, COMMON_CAUSE, UNRELATED = range(4)
RELATIONS, EXCHANGED = range(2)  # places in the opinions of a totally ordered model


class IndirectCosts(NamedTuple):
    """Nats of relations and of the order."""

    pairs: NDArray[np.int64]  # (n_pairs, 2)
    # (n_pairs, 4): if the first is an ANCESTOR, a DESCENDANT, has only a COMMON_CAUSE, is UNRELATED
    costs: NDArray[np.float64]
    least: float  # nats of all relations, at least
    precedes: NDArray[np.bool_]  # whether the row's node should precede the column's
    penalty: float  # nats of each pair in the other order
    ancestors: NDArray[np.uint64]  # (n_nodes, n_words), working memory


# Every function takes None where there are no such opinions: then nothing of it is compiled.


@kernel
def order_nats(indirect: IndirectCosts | None, number: float) -> float:
    """Return the nats of a number of pairs in the other order."""
    if indirect is None:
        return 0.0
    return indirect.penalty * number


@kernel
def indirect_nats(indirect: IndirectCosts | None, opinions: NDArray[np.float64]) -> float:
    """Return the nats of a model's relations and order, from its `opinions`."""
    if indirect is None:
        return 0.0
    return opinions[RELATIONS] + order_nats(indirect, opinions[EXCHANGED])


@kernel
def relation_nats(
    indirect: IndirectCosts | None, order: NDArray[np.int64], parents: NDArray[np.bool_]
) -> float:
    """Return the nats of the relations in a graph, `parents` by child, `order` with parents first."""
    if indirect is None:
        return 0.0
    if indirect.pairs.shape[0] == 0:
        return 0.0
    ancestors = indirect.ancestors
    n_words = ancestors.shape[1]
    for i in range(order.size):
        v = order[i]
        for w in range(n_words):
            ancestors[v, w] = 0
        for j in range(i):
            u = order[j]
            if parents[v, u]:
                for w in range(n_words):
                    ancestors[v, w] |= ancestors[u, w]
                ancestors[v, u >> 6] |= np.uint64(1) << np.uint64(u & 63)
    total = 0.0
    for k in range(indirect.pairs.shape[0]):
        total += indirect.costs[k, _relation(ancestors, indirect.pairs[k, 0], indirect.pairs[k, 1])]
    return total


@kernel
def _relation(ancestors: NDArray[np.uint64], a: int, b: int) -> int:
    if ancestors[b, a >> 6] >> np.uint64(a & 63) & np.uint64(1):
        return ANCESTOR
    if ancestors[a, b >> 6] >> np.uint64(b & 63) & np.uint64(1):
        return DESCENDANT
    for w in range(ancestors.shape[1]):
        if ancestors[a, w] & ancestors[b, w]:
            return COMMON_CAUSE
    return UNRELATED


@kernel
def number_exchanged(indirect: IndirectCosts | None, order: NDArray[np.int64]) -> float:
    """Count the pairs that stand in the other order (Kendall's distance)."""
    if indirect is None:
        return 0.0
    number = 0.0
    for i in range(order.size):
        for j in range(i):
            if indirect.precedes[order[i], order[j]]:
                number += 1.0
    return number


@kernel
def exchanged(indirect: IndirectCosts | None, a: int, b: int) -> float:
    """Return how many more pairs stand in the other order when b comes directly before a, not after it."""
    if indirect is None:
        return 0.0
    more = 1.0 if indirect.precedes[a, b] else 0.0
    return more - 1.0 if indirect.precedes[b, a] else more


@kernel
def least_relations(indirect: IndirectCosts | None) -> float:
    """Return the nats that the relations of a graph cost at least."""
    if indirect is None:
        return 0.0
    return indirect.least


@kernel
def relations_toggled(
    indirect: IndirectCosts | None,
    order: NDArray[np.int64],
    parents: NDArray[np.bool_],
    child: int,
    x: int,
    y: int,
) -> float:
    """Return the nats of the relations after x, and y unless it is negative, are added or removed."""
    if indirect is None:
        return 0.0
    parents[child, x] = not parents[child, x]
    if y >= 0:
        parents[child, y] = not parents[child, y]
    nats = relation_nats(indirect, order, parents)
    parents[child, x] = not parents[child, x]
    if y >= 0:
        parents[child, y] = not parents[child, y]
    return nats


@kernel
def relations_turned(
    indirect: IndirectCosts | None, order: NDArray[np.int64], parents: NDArray[np.bool_], i: int
) -> float:
    """Return the nats of the relations after the arc between the nodes at places i and i + 1 is reversed."""
    if indirect is None:
        return 0.0
    a, b = order[i], order[i + 1]
    order[i], order[i + 1] = b, a
    parents[b, a], parents[a, b] = False, True
    nats = relation_nats(indirect, order, parents)
    order[i], order[i + 1] = a, b
    parents[b, a], parents[a, b] = True, False
    return nats


@kernel
def fewest_exchanged(first: NDArray[np.int64], wanted: NDArray[np.int64], counts: NDArray[np.int64]) -> int:
    """Return how many pairs must stand in the other order, over all orders that put ancestors first."""
    # bits of the nodes that must precede each (first), and that each should precede (wanted); counts (2^n,)
    # is working memory: by set of nodes, the fewest with that set first
    n = first.size
    for members in range(1, counts.size):
        fewest = n * n
        for v in range(n):
            rest = members & ~(1 << v)
            if members >> v & 1 and not first[v] & ~rest and counts[rest] < n * n:
                crossed = rest & wanted[v]
                number = counts[rest]
                while crossed:
                    crossed &= crossed - 1
                    number += 1
                fewest = min(fewest, number)
        counts[members] = fewest
    return counts[counts.size - 1]
