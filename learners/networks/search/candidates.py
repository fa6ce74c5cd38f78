"""Candidate parent sets for each node of a large network, grown by one parent at a time."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from learners.networks._kernels.candidate_families import keep_cheaper
from learners.networks.search.extension_costs import extension_costs
from learners.networks.search.problem import NetworkProblem

__all__ = ["CandidateFamilies", "SortedFamilies", "bits_of", "members_of"]

EXHAUSTIVE_WORK = 1.5e8
"""Largest number of vector additions (about 0.3 s) with which all sets of one size are extended."""

BLOCK_WORK = 3e7
"""Vector additions of one kernel call (well below 0.2 s), so that the user's interrupt is noticed."""

BEAM_WORK, LEAST_BEAM = 5e7, 20
"""At the first size of which not all sets are extended, each node's cheapest sets are extended even if a
subset is cheaper, as they may be part of something useful: this many vector additions (0.1 s) in all."""

GROWTH_WORK = 1e9
"""Vector additions for all sizes of which not all sets are extended (some 4 s); each size may use a third of
what is left, and its cheapest sets are extended."""

PAIRS_WORK = 1e10
"""Vector additions up to which all pairs of parents are examined in the end (some 20 s): 200 nodes with 9000
rows."""

KEPT_WORK = 2.5
"""Time to compare a set with a kept one, relative to a vector addition."""

LEAST_EXTENDED, MOST_EXTENDED = 50, 500
"""Fewest and most kept sets of one size and node that are extended."""


@dataclass(frozen=True, eq=False)
class SortedFamilies:
    """The candidates of all nodes at one cost of a free arc, each node's by increasing cost."""

    starts: NDArray[np.int64]  # node v has the candidates starts[v] .. starts[v + 1] - 1
    costs: NDArray[np.float64]  # nats, arcs included
    sets: NDArray[np.uint64]  # (n_candidates, n_words), bit u % 64 of word u // 64 for parent u

    @cached_property
    def relevant(self) -> NDArray[np.uint64]:
        """Return which nodes are in any candidate of each node, of shape (n_nodes, n_words)."""
        return np.bitwise_or.reduceat(self.sets, self.starts[:-1], axis=0)


class CandidateFamilies:
    """Parent sets cheaper than all of their subsets, found by adding one parent at a time."""

    # A set that costs more than one of its subsets is never useful: the subset may be taken in any order of
    # the nodes. Growing misses a set if no set without one of its members is extended, as when parents are
    # informative only together. So where that is cheap, all sets of a size are extended, and the cheapest of
    # the sets that are not kept are extended as well. `grow_pairs` then extends all single parents that were
    # left; `grow_around` examines neighbors of the families of a network that was found. Candidates suffice
    # from the given free arc cost up, where fewer sets are cheaper than their subsets. Work is limited, so in
    # dense tables kept sets may be left unextended: `cut`.

    def __init__(self, problem: NetworkProblem, free_arc_cost: float, effort: float = 1.0) -> None:
        arc_costs = problem.arc_costs
        self._effort = effort
        self.problem = problem
        self.free_arc_cost = free_arc_cost
        self._extending = extension_costs(problem)
        self._work = self._extending.work
        self._arc_costs = arc_costs.fixed + np.where(arc_costs.free, free_arc_cost, 0.0)
        self._allowed = np.isfinite(self._arc_costs) & arc_costs.before & ~arc_costs.required
        np.fill_diagonal(self._allowed, False)
        self._free = bits_of(arc_costs.free.T)
        self._sets = [bits_of(required[None]) for required in arc_costs.required.T]
        # the required parents alone, whose arcs cost nothing
        bases = [np.flatnonzero(required).tolist() for required in arc_costs.required.T]
        self._costs = [np.array([problem.family_cost(v, base)]) for v, base in enumerate(bases)]
        self._n_kept = [1] * problem.n_nodes
        self._work_left = GROWTH_WORK * effort
        self.cut = False
        self._seen = [set[bytes]() for _ in range(problem.n_nodes)]
        self._extended_around = set[tuple[int, tuple[int, ...], int]]()
        self._beam = max(LEAST_BEAM, int(BEAM_WORK * effort / self.work))
        self._beams = [_Beam.empty(self._sets[0].shape[1], self._beam) for _ in range(problem.n_nodes)]

    @property
    def n_kept(self) -> int:
        """Number of candidates."""
        return sum(self._n_kept)

    @property
    def work(self) -> float:
        """Vector additions needed to extend one set of each node."""
        return self.problem.n_nodes * self._work

    def grow(self) -> Iterator[int]:
        """Extend the kept sets, size by size, until no more are kept."""
        exhaustive = self._exhaustive_sizes()
        frontiers = [sets[:1] for sets in self._sets]
        for size in range(self.problem.parent_limit):
            for v, frontier in enumerate(frontiers):
                self._beams[v] = _Beam.empty(frontier.shape[1], self._beam)
                for _ in self._extend(v, frontier, size < exhaustive, to_beam=True):
                    yield size
            frontiers = self._frontiers(size + 1, exhaustive)
            if not any(map(len, frontiers)):
                return

    def _frontiers(self, size: int, exhaustive: int) -> list[NDArray[np.uint64]]:
        """Return the sets of each node to extend at this size, or none when the work limit is reached."""
        if self._work_left <= 0:
            self.cut = True
            return []
        works = [self._work + KEPT_WORK * n_kept for n_kept in self._n_kept]
        most = max(int(self._work_left / 3 / sum(works)), LEAST_EXTENDED)
        most = min(most, int(MOST_EXTENDED * max(self._effort, 1.0)))
        frontiers = [self._frontier(v, size, exhaustive, most) for v in range(self.problem.n_nodes)]
        if size >= exhaustive:
            self._work_left -= sum(w * len(sets) for w, sets in zip(works, frontiers, strict=True))
        return frontiers

    def grow_pairs(self) -> Iterator[int]:
        """Extend the remaining single parents, if that is not too much work, then the cheapest pairs."""
        if self._exhaustive_sizes() > 1 or self.problem.n_nodes * self.work > PAIRS_WORK * self._effort:
            return
        for v, base in enumerate(self._sets):
            singles = base[:1] | bits_of(np.diag(self._allowed[:, v])[self._allowed[:, v]])
            unseen = [sets.tobytes() not in self._seen[v] for sets in singles]
            self._beams[v] = _Beam.empty(base.shape[1], self._beam)
            for _ in self._extend(v, singles[unseen], False, to_beam=True):
                yield v
            for _ in self._extend(v, self._beams[v].sets, False, to_beam=False):
                yield v

    def grow_around(self, parents: Sequence[Sequence[int]], n_dropped: int) -> Iterator[int]:
        """Extend each family of a network, and its subsets without some of the parents."""
        for v, others in enumerate(parents):
            family = (v, tuple(others), n_dropped)
            if family in self._extended_around:  # the same families recur
                continue
            around = self._subfamilies(v, others, n_dropped)
            unseen = [sets.tobytes() not in self._seen[v] for sets in around]
            if any(unseen):
                for _ in self._extend(v, around[unseen], False, to_beam=False):
                    yield v
            self._extended_around.add(family)

    def sorted_at(self, free_arc_cost: float) -> SortedFamilies:
        """Return the candidates at a cost of a free arc that is at least `self.free_arc_cost`."""
        found = [self._sorted(v, free_arc_cost - self.free_arc_cost) for v in range(self.problem.n_nodes)]
        starts = np.cumsum([0, *(len(costs) for costs, _ in found)])
        sets = np.concatenate([sets for _, sets in found])
        return SortedFamilies(starts, np.concatenate([costs for costs, _ in found]), sets)

    def _subfamilies(self, v: int, parents: Sequence[int], n_dropped: int) -> NDArray[np.uint64]:
        """Return a family and its subsets without up to `n_dropped` parents that are not required."""
        optional = [u for u in parents if self._allowed[u, v]]
        dropped = [few for size in range(n_dropped + 1) for few in combinations(optional, size)]
        members = np.zeros((len(dropped), self.problem.n_nodes), dtype=np.bool_)
        members[:, list(parents)] = True
        for row, few in zip(members, dropped, strict=True):
            row[list(few)] = False
        return bits_of(members)

    def _extend(self, v: int, sets: NDArray[np.uint64], only_later: bool, to_beam: bool) -> Iterator[None]:
        """Extend every set by one parent, and keep the results that are cheaper than all of their subsets."""
        # With `only_later` the added parent comes after the set's last parent that is not required, so that
        # each set is met once when all sets of a size are extended.
        sets = sets[np.bitwise_count(sets).sum(axis=1) < self.problem.parent_limit]
        block = max(1, int(BLOCK_WORK / (self._work + KEPT_WORK * self._n_kept[v])))
        for first in range(0, len(sets), block):
            self._keep(v, sets[first : first + block], only_later, to_beam)
            yield
        if not only_later:
            self._seen[v].update(words.tobytes() for words in sets)

    def _keep(self, v: int, sets: NDArray[np.uint64], only_later: bool, to_beam: bool) -> None:
        members = members_of(sets, self.problem.n_nodes)
        offered = self._allowed[:, v] & ~members
        if only_later:
            mine = members & self._allowed[:, v]
            offered &= ~np.flip(np.logical_or.accumulate(np.flip(mine, 1), axis=1), 1)
        costs = self._costs_of_more(v, sets, members, offered, self._worth(v))
        if to_beam:
            self._beams[v] = self._beams[v].with_more(sets, costs)
        self._make_room(v, int((costs < self._costs[v][0]).sum()))
        self._n_kept[v] = keep_cheaper(sets, costs, self._sets[v], self._costs[v], self._n_kept[v])

    def extended(self, v: int, sets: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Return the nats of a node with each set and one parent more, including arcs, inf if not allowed."""
        members = members_of(sets, self.problem.n_nodes)
        return self._costs_of_more(v, sets, members, self._allowed[:, v] & ~members, math.inf)

    def _costs_of_more(
        self,
        v: int,
        sets: NDArray[np.uint64],
        members: NDArray[np.bool_],
        offered: NDArray[np.bool_],
        worth: float,
    ) -> NDArray[np.float64]:
        costs = self._extending.costs(v, sets, members, offered, worth)
        arc_costs = np.where(np.isfinite(self._arc_costs[:, v]), self._arc_costs[:, v], 0.0)
        arc_costs[self.problem.arc_costs.required[:, v]] = 0.0
        found: NDArray[np.float64] = costs + (arc_costs + (members @ arc_costs)[:, None])
        return found

    def _worth(self, v: int) -> float:
        """Return the nats beyond which only a family's parameters cost more than the required parents."""
        # a family costs its values too, at least 0, and its arcs, at least the sum of all negative arc costs
        arc_costs = self._arc_costs[self._allowed[:, v], v]
        return float(self._costs[v][0] - np.minimum(arc_costs, 0.0).sum())

    def _make_room(self, v: int, n_more: int) -> None:
        needed = self._n_kept[v] + n_more
        if needed > len(self._costs[v]):
            longer = max(needed, 2 * self._n_kept[v]) - self._n_kept[v]
            n_words = self._sets[v].shape[1]
            self._sets[v] = np.concatenate(
                [self._sets[v][: self._n_kept[v]], np.zeros((longer, n_words), np.uint64)]
            )
            self._costs[v] = np.concatenate([self._costs[v][: self._n_kept[v]], np.zeros(longer)])

    def _exhaustive_sizes(self) -> int:
        """Count the sizes, from 0, of which all sets are extended."""
        n_nodes = self.problem.n_nodes
        work, size = 0.0, 0
        while size < n_nodes:
            work += n_nodes * math.comb(n_nodes - 1, size) * self._work
            if work > EXHAUSTIVE_WORK * self._effort and size > 0:
                break
            size += 1
        return size

    def _frontier(self, v: int, size: int, exhaustive: int, most: int) -> NDArray[np.uint64]:
        """Return the sets of this many parents beyond the required ones that are to be extended."""
        base = self._sets[v][:1]
        if size < exhaustive:
            chosen = list(combinations(np.flatnonzero(self._allowed[:, v]).tolist(), size))
            members = np.zeros((len(chosen), self.problem.n_nodes), dtype=np.bool_)
            members[np.arange(len(chosen))[:, None], np.array(chosen, dtype=np.intp).reshape(-1, size)] = True
            small = self._extending.affordable(v, members, self._worth(v))
            return bits_of(members[small]) | base
        sets, costs = self._sets[v][: self._n_kept[v]], self._costs[v][: self._n_kept[v]]
        here = np.flatnonzero(np.bitwise_count(sets ^ base).sum(axis=1) == size)
        kept = sets[here[np.argsort(costs[here], kind="stable")[:most]]]
        self.cut |= len(here) > most
        if size > exhaustive:
            return kept
        return np.unique(np.concatenate([kept, self._beams[v].sets]), axis=0)

    def _sorted(self, v: int, extra_cost: float) -> tuple[NDArray[np.float64], NDArray[np.uint64]]:
        """Drop sets that cost more than the required parents, and sort, ties by number of parents."""
        sets, costs = self._sets[v][: self._n_kept[v]], self._costs[v][: self._n_kept[v]]
        costs = costs + extra_cost * np.bitwise_count(sets & self._free[v]).sum(axis=1)
        wanted = np.flatnonzero(costs <= costs[0])
        order = wanted[np.lexsort((np.bitwise_count(sets[wanted]).sum(axis=1), costs[wanted]))]
        return costs[order], sets[order]


@dataclass(frozen=True, eq=False)
class _Beam:
    """The cheapest distinct sets of one size so far, at most `most`."""

    sets: NDArray[np.uint64]
    costs: NDArray[np.float64]
    most: int

    @classmethod
    def empty(cls, n_words: int, most: int) -> "_Beam":
        return cls(np.zeros((0, n_words), np.uint64), np.zeros(0), most)

    def with_more(self, extended: NDArray[np.uint64], costs: NDArray[np.float64]) -> "_Beam":
        """Add the sets extended by one more parent, with `costs` by set and parent."""
        flat = costs.ravel()
        first = np.argsort(flat, kind="stable")[: self.most]
        first = first[np.isfinite(flat[first])]
        parents = first % costs.shape[1]
        sets = extended[first // costs.shape[1]].copy()
        sets[np.arange(first.size), parents // 64] |= np.uint64(1) << (parents % 64).astype(np.uint64)
        all_sets, all_costs = np.concatenate([self.sets, sets]), np.concatenate([self.costs, flat[first]])
        all_sets, once = np.unique(all_sets, axis=0, return_index=True)
        cheap = np.argsort(all_costs[once], kind="stable")[: self.most]
        return _Beam(all_sets[cheap], all_costs[once][cheap], self.most)


def bits_of(members: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Pack rows of a mask, of shape (n_sets, n_nodes), into words of 64 bits."""
    n_sets, n_nodes = members.shape
    padded = np.zeros((n_sets, -(-n_nodes // 64) * 64), dtype=np.bool_)
    padded[:, :n_nodes] = members
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64, copy=False)


def members_of(sets: NDArray[np.uint64], n_nodes: int) -> NDArray[np.bool_]:
    """Unpack the words of `bits_of`."""
    words = np.ascontiguousarray(sets.astype("<u8", copy=False))
    return np.unpackbits(words.view(np.uint8), axis=1, count=n_nodes, bitorder="little").astype(np.bool_)
