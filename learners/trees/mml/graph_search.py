"""Join the nodes of a tree of shortest message as long as that makes the message shorter."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from learners.trees._kernels.graph import merging_saves
from learners.trees.growing.training_rows import TreeRows
from learners.trees.mml.costed_graph import JoinCode, MessageGraph, Place, Region, WeightedRows
from learners.trees.mml.costed_tree import MessageCode, single_leaf
from learners.trees.mml.growth import grow_message_tree

__all__ = ["search_graph"]

LEAST_SAVING = 1e-6  # bits: smaller differences are rounding
#: Pairs are formed among this many nodes, those with the most rows.
MOST_NODES = 1500

Pair = tuple[Place, Place]


def search_graph(rows: TreeRows, code: MessageCode, joins: JoinCode, *, beam: int) -> MessageGraph:
    """Grow a tree and join its nodes. Every change that shortens the whole message is kept."""
    # 1. Subtrees: the rows of two nodes, at least one of them a test, go to a new node with the best tree for
    # them. Pairs are tried in the order of an estimate: what merging the classes of their rows saves, and the
    # tests of the smaller subtree, encoded once instead of twice. The pair that saves most is joined.
    # 2. Leaves, with leaves or groups of them: the pair whose classes save most first; the shortest graph met
    # is kept, since the first join alone may cost more than it saves.
    # 3. Joined leaves, which now have more rows, become trees if shorter; then all starts over.
    whole = WeightedRows(np.arange(rows.y.size), rows.weight)
    tree = grow_message_tree(rows, code)
    root = Region(tree, whole, np.full(rows.sizes.size, -1), {})
    search = _GraphSearch(rows, code, beam, MessageGraph((root,), joins, tree.parts.total))
    grows = beam > 0
    while grows:
        search.join_subtrees()
        search.join_leaves()
        grows = search.grow_joined()
    return search.graph


@dataclass
class _GraphSearch:
    rows: TreeRows
    code: MessageCode
    beam: int
    graph: MessageGraph
    good: dict[Pair, Region] = field(default_factory=dict)  # pairs that would save if joins cost nothing
    tried: set[Pair] = field(default_factory=set)
    grown: set[int] = field(default_factory=set)

    def join_subtrees(self) -> None:
        """Join pairs of nodes, not both of them leaves."""
        while True:
            shorter = self._best_known()
            if shorter is None and self._try_pairs():
                shorter = self._best_known()
            if shorter is None:
                return
            self.graph = shorter

    def join_leaves(self) -> None:
        """Join pairs of leaves."""
        places = self._places(np.inf)
        places = [p for p in places if self.graph.at(p.region).found.tree.is_leaf[p.node]]
        clusters = _Clusters(self._counts(places), self.code)
        graph, patience = self.graph, self.beam
        while patience and (pair := clusters.nearest()):
            one, other = places[pair[0]], places[pair[1]]
            graph = graph.joined(one, other, self._merged(graph, one, other, grow=False))
            clusters.merge(*pair)
            places[pair[0]] = Place(len(graph.regions) - 1, 0)
            patience -= 1
            if graph.bits < self.graph.bits - LEAST_SAVING:
                self.graph, patience = graph, self.beam

    def grow_joined(self) -> bool:
        """Grow trees where joined leaves now have enough rows, and return whether any grew."""
        before = self.graph
        for number, region in enumerate(self.graph.regions):
            if number == 0 or region is None or region.found.tree.n_nodes > 1 or region.joined:
                continue
            if number in self.grown:
                continue
            self.grown.add(number)
            tree = grow_message_tree(region.rows.of(self.rows), self.code, region.settled >= 0)
            longer = Region(tree, region.rows, region.settled, {})
            if longer.parts.total < region.parts.total - LEAST_SAVING:
                graph = self.graph.with_region(number, longer)
                self.graph = graph if graph.bits < self.graph.bits else self.graph
        return self.graph is not before

    # -- pairs ------------------------------------------------------------------------------

    def _best_known(self) -> MessageGraph | None:
        """Return the shortest graph that joins one of the good pairs, if it is shorter than this one."""
        best, best_bits = None, self.graph.bits - LEAST_SAVING
        for pair, region in list(self.good.items()):
            if not self._may_join(*pair):
                del self.good[pair]
                continue
            graph = self.graph.joined(*pair, region)
            if graph.bits < best_bits:
                best, best_bits = graph, graph.bits
        return best

    def _try_pairs(self) -> bool:
        """Grow the trees of the most promising untried pairs, and return whether there were any."""
        pairs = self._promising()
        self.tried.update(pairs)
        for pair in pairs:
            region = self._merged(self.graph, *pair, grow=True)
            separate = sum(self._bits_below(place) for place in pair)
            if region.parts.total < separate - LEAST_SAVING:
                self.good[pair] = region
        return bool(pairs)

    def _bits_below(self, place: Place) -> float:
        """Return the bits saved by joining a node: its subtree, except for stating that the branch ends."""
        region = self.graph.at(place.region)
        is_group = place.node == 0 and not self.graph.code.pairs_only
        return float(
            region.below[place.node] - (0.0 if is_group else region.found.leaf_structure[place.node])
        )

    def _promising(self) -> list[Pair]:
        """Find the untried pairs with the best estimates."""
        places = self._places(MOST_NODES)
        counts = self._counts(places)
        regions = [self.graph.at(place.region) for place in places]
        tests = np.array([region.tests_below[p.node] for region, p in zip(regions, places, strict=True)])
        is_leaf = np.array(
            [region.found.tree.is_leaf[p.node] for region, p in zip(regions, places, strict=True)], bool
        )
        found: list[tuple[float, Pair]] = []
        saved = np.empty(len(places))
        for i in np.flatnonzero(~is_leaf).tolist():
            merging_saves(counts[i], counts, *self.code.terms, saved)
            estimate = saved + np.minimum(tests[i], tests)
            estimate[: i + 1][~is_leaf[: i + 1]] = -np.inf  # each pair once
            best = np.argsort(-estimate, kind="stable")
            best = best[: np.count_nonzero(estimate > 0)][: 2 * self.beam]
            found += [(float(estimate[j]), (places[i], places[j])) for j in best.tolist()]
        found.sort(key=lambda each: -each[0])
        fresh = (pair for _, pair in found if pair not in self.tried and self._may_join(*pair))
        return [pair for _, pair in zip(range(self.beam), fresh, strict=False)]

    def _may_join(self, one: Place, other: Place) -> bool:
        """Return whether both nodes exist, have no joins below them, and neither is above the other."""
        for place in (one, other):
            region = self.graph.regions[place.region]
            if region is None or not region.is_free[place.node]:
                return False
        if one.region != other.region:
            return True
        parent = self.graph.at(one.region).found.tree.parent
        low, high = max(one.node, other.node), min(one.node, other.node)
        while low > high:
            low = int(parent[low])
        return low != high

    def _places(self, most: float) -> list[Place]:
        """Return the nodes that may be joined, those with the most rows if there are too many."""
        places, weights = [], []
        for number, region in enumerate(self.graph.regions):
            if region is None:
                continue
            for node in np.flatnonzero(region.is_free).tolist():
                if (number or node) and region.found.tree.weight[node] > 0:
                    places.append(Place(number, node))
                    weights.append(float(region.found.tree.weight[node]))
        if len(places) <= most:
            return places
        heaviest = np.sort(np.argsort(-np.array(weights), kind="stable")[: int(most)])
        return [places[k] for k in heaviest.tolist()]

    def _counts(self, places: list[Place]) -> NDArray[np.float64]:
        counts = [self.graph.at(place.region).found.tree.class_weight[place.node] for place in places]
        return np.array(counts).reshape(len(places), self.rows.n_classes)

    def _merged(self, graph: MessageGraph, one: Place, other: Place, *, grow: bool) -> Region:
        """Return the tree that follows the join of two nodes: a leaf, or the best tree."""
        regions = [graph.at(place.region) for place in (one, other)]
        ends = list(zip(regions, (one.node, other.node), strict=True))
        each = [region.rows_at(node, self.rows) for region, node in ends]
        rows = WeightedRows(
            np.concatenate([part.index for part in each]), np.concatenate([part.weight for part in each])
        )
        values = [region.settled_at(node) for region, node in ends]
        settled = np.where(values[0] == values[1], values[0], -1)
        if grow:
            tree = grow_message_tree(rows.of(self.rows), self.code, settled >= 0)
        else:
            counts = sum(region.found.tree.class_weight[node] for region, node in ends)
            tree = single_leaf(np.asarray(counts), self.code, settled >= 0)
        return Region(tree, rows, settled, {})


class _Clusters:
    """Leaves that are merged pair by pair. The savings of all pairs are kept up to date."""

    def __init__(self, counts: NDArray[np.float64], code: MessageCode) -> None:
        heavy = np.argsort(-counts.sum(axis=1), kind="stable")[:MOST_NODES]
        self.counts, self.terms = counts.copy(), code.terms
        self.saves = np.full((len(heavy), len(heavy)), -np.inf)
        self.number = np.sort(heavy)  # row of `saves` to leaf
        for i in range(len(heavy)):
            self._measure(i, np.arange(i))

    def nearest(self) -> tuple[int, int] | None:
        """Return the two leaves that save most together, if any do."""
        if not self.saves.size:
            return None
        i, j = np.unravel_index(int(self.saves.argmax()), self.saves.shape)
        return (int(self.number[i]), int(self.number[j])) if self.saves[i, j] > 0 else None

    def merge(self, one: int, other: int) -> None:
        """Merge the second leaf into the first."""
        i, j = np.searchsorted(self.number, [one, other]).tolist()
        self.counts[one] += self.counts[other]
        self.saves[j, :], self.saves[:, j] = -np.inf, -np.inf
        self.counts[other] = 0.0
        self._measure(i, np.arange(i))
        for k in range(i + 1, len(self.number)):
            if self.saves[k, i] > -np.inf:
                self._measure(k, np.array([i]))

    def _measure(self, i: int, others: NDArray[np.intp]) -> None:
        alive = others[self.counts[self.number[others]].sum(axis=1) > 0]
        if alive.size and self.counts[self.number[i]].sum() > 0:
            out = np.empty(alive.size)
            merging_saves(self.counts[self.number[i]], self.counts[self.number[alive]], *self.terms, out)
            self.saves[i, alive] = out
