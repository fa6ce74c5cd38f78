"""A classification graph cut into trees at its joins, with the message that encodes it."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from learners.code_lengths.graph import JoinRound, bits_of_rounds
from learners.code_lengths.tree import MessageParts
from learners.trees._kernels.graph import below_any, has_below, sums_of_subtrees
from learners.trees.growing.training_rows import TreeRows
from learners.trees.mml.costed_tree import MessageTree
from learners.trees.nodes.node_table import VALUES

__all__ = ["JoinCode", "MessageGraph", "Place", "Region", "WeightedRows"]


@dataclass(frozen=True, eq=False)
class WeightedRows:
    """Some of the training rows, each with its weight. A row may occur twice."""

    index: NDArray[np.intp]
    weight: NDArray[np.float64]

    def of(self, rows: TreeRows) -> TreeRows:
        """Select them from the training rows."""
        return rows._replace(codes=rows.codes[self.index], y=rows.y[self.index], weight=self.weight)


@dataclass(frozen=True)
class JoinCode:
    """How joins are encoded."""

    complete: bool  # whether everything that a receiver needs is encoded
    pairs_only: bool  # whether only two branches at a time may join


@dataclass(frozen=True)
class Place:
    """A node of a graph: the number of its region, and its number in the region's tree."""

    region: int
    node: int


@dataclass(frozen=True, eq=False)
class Region:
    """One of the trees that a graph is cut into."""

    found: MessageTree  # nodes below a joined node are kept, but ignored
    rows: WeightedRows  # those that reach its root
    settled: NDArray[np.int64]  # value of a nominal attribute that all rows share by the tests above, or -1
    joined: dict[int, int]  # the nodes that join others, and the regions that they lead to

    @cached_property
    def is_joined(self) -> NDArray[np.bool_]:
        """Whether each node joins others."""
        out = np.zeros(self.found.tree.n_nodes, bool)
        out[list(self.joined)] = True
        return out

    @cached_property
    def is_there(self) -> NDArray[np.bool_]:
        """Whether each node counts, because it is not below a joined node."""
        return ~below_any(self.found.tree.parent, self.is_joined)

    @cached_property
    def is_free(self) -> NDArray[np.bool_]:
        """Whether each node may be joined: neither it nor any below it is."""
        return self.is_there & ~has_below(self.found.tree.parent, self.is_joined)

    @cached_property
    def is_end(self) -> NDArray[np.bool_]:
        """Whether each node is a leaf or joined."""
        return self.is_there & (self.found.tree.is_leaf | self.is_joined)

    @cached_property
    def n_ends(self) -> int:
        """Number of these nodes."""
        return int(np.count_nonzero(self.is_end))

    @cached_property
    def below(self) -> NDArray[np.float64]:
        """Bits of each subtree without joins."""
        return sums_of_subtrees(self.found.tree.parent, self.found.own_bits)

    @cached_property
    def tests_below(self) -> NDArray[np.float64]:
        """Bits of each subtree without joins, the classes at its leaves left out."""
        found = self.found
        return sums_of_subtrees(found.tree.parent, found.structure + found.attribute + found.cut)

    @cached_property
    def parts(self) -> MessageParts:
        """The message of this tree, joins left out."""
        found, there = self.found, self.is_there
        tests = there & ~self.is_end
        leaves = there & self.is_end & ~self.is_joined
        return MessageParts(
            float(found.structure[tests | leaves].sum() + found.leaf_structure[self.is_joined].sum()),
            float(found.attribute[tests].sum()),
            float(found.cut[tests].sum()),
            float(found.category[leaves].sum()),
        )

    def rows_at(self, node: int, rows: TreeRows) -> WeightedRows:
        """Find the rows that reach a node."""
        tree, index, weight = self.found.tree, self.rows.index, self.rows.weight
        for step in tree.path(node):
            a = int(tree.attribute[step.node])
            codes = rows.codes[index, a]
            known = codes != rows.sizes[a]
            if tree.kind[step.node] == VALUES:
                here = codes == step.branch
            else:
                numbers = rows.values[rows.value_start[a] : rows.value_start[a + 1]]
                cut = np.searchsorted(numbers, tree.threshold[step.node])
                here = (codes > cut) == bool(step.branch)
            here = here & known
            if not known.all():
                share = weight[here].sum() / weight[known].sum()
                weight = np.where(known, weight, weight * share)
                here |= ~known if share > 0 else False
            index, weight = index[here], weight[here]
        return WeightedRows(index, weight)

    def settled_at(self, node: int) -> NDArray[np.int64]:
        """Find the values that all rows of a node share because of the tests above it."""
        tree, out = self.found.tree, self.settled.copy()
        for step in tree.path(node):
            if tree.kind[step.node] == VALUES:
                out[tree.attribute[step.node]] = step.branch
        return out


@dataclass(frozen=True, eq=False)
class MessageGraph:
    """A graph of the search. Changes return a new one."""

    regions: tuple[Region | None, ...]  # that of the root first; None for one that was removed
    code: JoinCode
    tree_bits: float  # message length of the initial tree

    @cached_property
    def rounds(self) -> list[JoinRound]:
        """The joins encoded after each round of trees."""
        return [step for step, _ in self._walk()]

    @cached_property
    def order(self) -> list[int]:
        """The regions in the order in which they are encoded: each after all that lead to it."""
        return [0, *(region for _, opened in self._walk() for region in opened)]

    @cached_property
    def parts(self) -> MessageParts:
        """The whole message."""
        each = [region.parts for region in self.regions if region is not None]
        joins = bits_of_rounds(self.rounds, complete=self.code.complete, pairs_only=self.code.pairs_only)
        return MessageParts(
            sum(p.structure for p in each),
            sum(p.attributes for p in each),
            sum(p.cuts for p in each),
            sum(p.categories for p in each),
            joins=joins,
        )

    @property
    def bits(self) -> float:
        """Length of the whole message."""
        return self.parts.total

    def at(self, number: int) -> Region:
        """Return a region that was not removed."""
        region = self.regions[number]
        assert region is not None
        return region

    def joined(self, one: Place, other: Place, region: Region) -> "MessageGraph":
        """Join two nodes."""
        number = len(self.regions)
        regions = [*self.regions, region]
        for place in (one, other):
            its = regions[place.region]
            assert its is not None
            if place.node == 0 and not self.code.pairs_only:
                regions[place.region] = None
                for k, leading in enumerate(regions):
                    if leading is not None and place.region in leading.joined.values():
                        moved = {n: number if r == place.region else r for n, r in leading.joined.items()}
                        regions[k] = replace(leading, joined=moved)
            else:
                regions[place.region] = replace(its, joined={**its.joined, place.node: number})
        return replace(self, regions=tuple(regions))

    def with_region(self, number: int, region: Region) -> "MessageGraph":
        """Replace the tree of a region."""
        regions = list(self.regions)
        regions[number] = region
        return replace(self, regions=tuple(regions))

    def _walk(self) -> list[tuple[JoinRound, list[int]]]:
        """Follow the order of the message, and return each round, and the regions that it opens."""
        members: dict[int, int] = {}
        for region in self.regions:
            for to in region.joined.values() if region is not None else ():
                members[to] = members.get(to, 0) + 1
        met, before = dict.fromkeys(members, 0), dict.fromkeys(members, 0)
        out, opened, waiting = [], [0], 0
        while opened:
            trees = [self.at(number) for number in opened]
            for to in (to for tree in trees for to in tree.joined.values()):
                met[to] += 1
            n_new = sum(len(tree.joined) for tree in trees)
            opened = [to for to in members if met[to] == members[to]]
            sizes = tuple(members[to] for to in opened)
            new_sizes = tuple(met[to] - before[to] for to in opened)
            n_ends = sum(tree.n_ends for tree in trees)
            out.append((JoinRound(n_ends, n_new, waiting, sizes, new_sizes), opened))
            waiting += n_new - sum(sizes)
            for to in opened:
                del members[to]
            before = dict(met)
        return out
