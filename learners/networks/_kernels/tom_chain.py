"""Steps among totally ordered models (TOMs): an order of the nodes, and arcs that obey it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.networks._kernels.family_cache import (
    FamilyCache,
    cached_family_cost,
    enter_toggled,
    family_key,
    lookup,
)
from learners.networks._kernels.indirect_costs import (
    EXCHANGED,
    RELATIONS,
    IndirectCosts,
    exchanged,
    indirect_nats,
    least_relations,
    number_exchanged,
    order_nats,
    relation_nats,
    relations_toggled,
    relations_turned,
)
from learners.tables._kernels.copying import copy_to

__all__ = ["JOIN", "PART", "PLACE", "Rules", "Tom", "clean_family", "search_block", "set_up", "walk"]

JOIN, PART, PLACE = range(3)
IMPROVEMENT = 0.001  # nats by which a new best must be shorter


class Rules(NamedTuple):
    """What changes of arcs and order cost in nats, and which are allowed."""

    # (3, n, n): JOIN, PART row to column; PLACE row before column; inf where not allowed
    arc_costs: NDArray[np.float64]
    no_arcs: float  # nats of stating that no pair is joined
    original_swap: bool  # whether the parent swap is the CaMML program's own
    indirect: IndirectCosts | None = None


class Tom(NamedTuple):
    """A totally ordered model. Every array changes as the chain moves."""

    order: NDArray[np.int64]  # the node at each place
    place: NDArray[np.int64]  # the place of each node
    parents: NDArray[np.bool_]  # row = child, column = parent
    n_parents: NDArray[np.int64]
    keys: NDArray[np.uint64]  # each node's family in the cache
    families: NDArray[np.float64]  # nats of each node's table and values
    arcs: NDArray[np.float64]  # nats of the arcs into each node
    cost: NDArray[np.float64]  # (1,), nats of the whole message
    # (2, 2), parent and child of the pairs that were joined or parted last; -1 for none
    changed: NDArray[np.int64]
    opinions: NDArray[np.float64]  # (2,), nats of the relations, and number of pairs in the other order


@kernel
def set_up(cache: FamilyCache, rules: Rules, tom: Tom) -> None:
    """Fill in everything that follows from `order` and `parents`."""
    for i in range(tom.order.size):
        tom.place[tom.order[i]] = i
    for v in range(tom.order.size):
        members = np.flatnonzero(tom.parents[v])
        tom.n_parents[v] = members.size
        tom.keys[v] = family_key(cache, v, members)
        tom.families[v] = cached_family_cost(cache, v, members)
        _set_arc_cost(rules, tom, v)
    tom.opinions[RELATIONS] = relation_nats(rules.indirect, tom.order, tom.parents)
    tom.opinions[EXCHANGED] = number_exchanged(rules.indirect, tom.order)
    _add_up(rules, tom)


@kernel
def search_block(
    cache: FamilyCache,
    rules: Rules,
    tom: Tom,
    draws: NDArray[np.float64],
    temperature: float,
    margin: float,
    best: Tom,
) -> None:
    """Take one step per row of draws from `tom`, and keep the shortest message met in `best`."""
    # while the message is longer than the best by more than `margin`, only shorter ones are accepted
    done = 0
    while done < draws.shape[0]:
        done, _ = walk(cache, rules, tom, draws, done, temperature, best.cost[0] + margin)
        if tom.cost[0] < best.cost[0] - IMPROVEMENT:
            copy_to(best.order, tom.order)
            for v in range(tom.order.size):
                copy_to(best.parents[v], tom.parents[v])
            best.cost[0] = tom.cost[0]


@kernel
def walk(
    cache: FamilyCache,
    rules: Rules,
    tom: Tom,
    draws: NDArray[np.float64],
    start: int,
    temperature: float,
    ceiling: float,
) -> tuple[int, bool]:
    """Step until arcs or the order's cost change, and return the next row of draws and if they changed."""
    # draws (n_steps, 5), uniform: one for the move, three for its place, one for acceptance, of a step up by
    # d nats with probability exp(-d / temperature), and none above `ceiling` nats. A third of the steps
    # choose a pair of nodes and add or remove its arc; a third exchange two neighbors in the order, which
    # reverses an arc between them; a sixth choose three nodes and add or remove the arcs from both earlier
    # ones to the latest; a sixth exchange a parent for an earlier node, see `_swapped_parents`. The tuples
    # are unpacked once for many steps: passing them to a function at each step took 0.5 microseconds, while a
    # step takes 0.05 to 0.1 (8 nodes, cached families, one thread).
    order, place, parents, n_parents = tom.order, tom.place, tom.parents, tom.n_parents
    keys, families = tom.keys, tom.families
    arc_costs, words, known, costs = rules.arc_costs, cache.parent_words, cache.keys, cache.costs
    indirect, opinions = rules.indirect, tom.opinions
    least = least_relations(indirect)
    n_nodes = order.size
    heat = temperature if tom.cost[0] <= ceiling else 0.0
    for t in range(start, draws.shape[0] if n_nodes > 1 else 0):
        move = int(6 * draws[t, 0])  # 0, 1 skeletal; 2, 3 temporal; 4 double skeletal; 5 parent swap
        if move == 2 or move == 3:
            i = int(draws[t, 1] * (n_nodes - 1))
            a, b = order[i], order[i + 1]
            if arc_costs[PLACE, b, a] == np.inf:
                continue
            joined = parents[b, a]
            more = exchanged(indirect, a, b)
            change = order_nats(indirect, more)
            if joined:
                change += arc_costs[PART, a, b] + arc_costs[JOIN, b, a]
                if change == np.inf or n_parents[a] >= cache.max_parents:
                    continue
                key_a, key_b = keys[a] ^ words[b], keys[b] ^ words[a]
                slot = lookup(known, key_a)
                if known[slot] != key_a:
                    enter_toggled(cache, slot, key_a, a, parents[a], b, -1)
                family_a = costs[slot]
                slot = lookup(known, key_b)
                if known[slot] != key_b:
                    enter_toggled(cache, slot, key_b, b, parents[b], a, -1)
                change += family_a - families[a] + costs[slot] - families[b]
                if not _accepted(change + least - opinions[RELATIONS], heat, draws[t, 4]):
                    continue
                relations = relations_turned(indirect, order, parents, i)
                if not _accepted(change + relations - opinions[RELATIONS], heat, draws[t, 4]):
                    continue
                opinions[RELATIONS] = relations
                opinions[EXCHANGED] += more
                _turn(rules, tom, a, b, key_a, key_b, family_a, costs[slot])
            elif not _accepted(change, heat, draws[t, 4]):
                continue
            order[i], order[i + 1] = b, a
            place[a], place[b] = i + 1, i
            if joined:
                return t + 1, True
            if more != 0:
                opinions[EXCHANGED] += more
                tom.changed[0, 0] = tom.changed[0, 1] = tom.changed[1, 0] = tom.changed[1, 1] = -1
                _add_up(rules, tom)
                return t + 1, True
            continue
        if move < 2:
            child, x, y = _pair(place, draws[t])
        elif move == 4:
            child, x, y = _triple(place, draws[t])
        else:
            child, x, y = _swapped_parents(order, parents, n_parents, rules.original_swap, draws[t])
        if child < 0:
            continue
        change = arc_costs[PART if parents[child, x] else JOIN, x, child]
        key = keys[child] ^ words[x]
        n_more = -1 if parents[child, x] else 1
        if y >= 0:
            change += arc_costs[PART if parents[child, y] else JOIN, y, child]
            key ^= words[y]
            n_more += -1 if parents[child, y] else 1
        if change == np.inf or n_parents[child] + n_more > cache.max_parents:
            continue
        slot = lookup(known, key)
        if known[slot] != key:
            enter_toggled(cache, slot, key, child, parents[child], x, y)
        change += costs[slot] - families[child]
        if not _accepted(change + least - opinions[RELATIONS], heat, draws[t, 4]):
            continue
        relations = relations_toggled(indirect, order, parents, child, x, y)
        if _accepted(change + relations - opinions[RELATIONS], heat, draws[t, 4]):
            opinions[RELATIONS] = relations
            _toggle(rules, tom, child, x, y, key, costs[slot])
            return t + 1, True
    return draws.shape[0], False


@kernel
def _pair(place: NDArray[np.int64], draw: NDArray[np.float64]) -> tuple[int, int, int]:
    """Choose two nodes. The later one is the child."""
    u = int(draw[1] * place.size)
    v = int(draw[2] * (place.size - 1))
    v += v >= u
    return (v, u, -1) if place[u] < place[v] else (u, v, -1)


@kernel
def _triple(place: NDArray[np.int64], draw: NDArray[np.float64]) -> tuple[int, int, int]:
    """Choose three nodes. The latest is the child."""
    if place.size < 3:
        return -1, -1, -1
    u = int(draw[1] * place.size)
    v = int(draw[2] * (place.size - 1))
    v += v >= u
    w = int(draw[3] * (place.size - 2))
    w += w >= min(u, v)
    w += w >= max(u, v)
    if place[u] > max(place[v], place[w]):
        return u, v, w
    if place[v] > place[w]:
        return v, u, w
    return w, u, v


@kernel
def _swapped_parents(
    order: NDArray[np.int64],
    parents: NDArray[np.bool_],
    n_parents: NDArray[np.int64],
    original: bool,
    draw: NDArray[np.float64],
) -> tuple[int, int, int]:
    """Choose a child, a parent to drop, and an earlier node that takes its place."""
    # The child is at place j + 2, j = floor((n - 2)(1 - u^2)), so late nodes are chosen more often; of its k
    # parents each is dropped with probability 1 / k, of the earlier others each is taken with 1 / (j + 2 -
    # k). The reverse step has the same child and k: the proposal is symmetric. The CaMML program considers
    # only the first j - k of those: it never proposes the reverse of a swap whose dropped parent is then
    # among the last two non-parents, so its chain does not have quite the intended distribution.
    n_nodes = order.size
    if n_nodes < 3:
        return -1, -1, -1
    n_earlier = min(int((n_nodes - 2) * (1 - draw[1] * draw[1])), n_nodes - 3) + 2
    child = order[n_earlier]
    n_others = n_earlier - n_parents[child] - (2 if original else 0)
    if n_parents[child] == 0 or n_others <= 0:
        return -1, -1, -1
    drop, take = int(draw[2] * n_parents[child]), int(draw[3] * n_others)
    x = y = -1
    for i in range(n_earlier):
        u = order[i]
        if parents[child, u]:
            if drop == 0:
                x = u
            drop -= 1
        else:
            if take == 0:
                y = u
            take -= 1
    return child, x, y


@kernel
def _accepted(change: float, heat: float, draw: float) -> bool:
    return change <= 0 or change < -heat * np.log(draw)


@kernel
def _turn(
    rules: Rules,
    tom: Tom,
    a: int,
    b: int,
    key_a: np.uint64,
    key_b: np.uint64,
    family_a: float,
    family_b: float,
) -> None:
    """Reverse the arc from a to b."""
    _toggle(rules, tom, a, b, -1, key_a, family_a)
    _toggle(rules, tom, b, a, -1, key_b, family_b)
    tom.changed[1, 0], tom.changed[1, 1] = b, a


@kernel
def _toggle(rules: Rules, tom: Tom, child: int, x: int, y: int, key: np.uint64, family: float) -> None:
    """Add x, and y unless it is negative, to the parents of a child, or remove them."""
    for i, u in enumerate((x, y)):
        tom.changed[i, 0], tom.changed[i, 1] = u, child if u >= 0 else -1
        if u >= 0:
            tom.n_parents[child] += -1 if tom.parents[child, u] else 1
            tom.parents[child, u] = not tom.parents[child, u]
    tom.keys[child], tom.families[child] = key, family
    _set_arc_cost(rules, tom, child)
    _add_up(rules, tom)


@kernel
def _set_arc_cost(rules: Rules, tom: Tom, v: int) -> None:
    # summed anew, so that no rounding builds up over millions of steps
    total = 0.0
    for u in range(tom.order.size):
        if tom.parents[v, u]:
            total += rules.arc_costs[JOIN, u, v]
    tom.arcs[v] = total


@kernel
def _add_up(rules: Rules, tom: Tom) -> None:
    cost = rules.no_arcs + indirect_nats(rules.indirect, tom.opinions)
    for v in range(tom.order.size):
        cost += tom.families[v] + tom.arcs[v]
    tom.cost[0] = cost


@kernel
def clean_family(
    cache: FamilyCache,
    rules: Rules,
    child: int,
    order: NDArray[np.int64],
    parents: NDArray[np.bool_],
) -> tuple[np.uint64, float]:
    """Drop parents that save nothing, highest first, and return the family's key and nats with arcs."""
    arc_costs, is_parent = rules.arc_costs, parents[child]
    key = cache.child_words[child]
    arcs = 0.0
    for u in range(is_parent.size):
        if is_parent[u]:
            key ^= cache.parent_words[u]
            arcs += arc_costs[JOIN, u, child]
    slot = lookup(cache.keys, key)
    if cache.keys[slot] != key:
        enter_toggled(cache, slot, key, child, is_parent, -1, -1)
    family = cache.costs[slot]
    relations = relation_nats(rules.indirect, order, parents)
    for u in range(is_parent.size - 1, -1, -1):
        if is_parent[u] and arc_costs[PART, u, child] < np.inf:
            without = key ^ cache.parent_words[u]
            slot = lookup(cache.keys, without)
            if cache.keys[slot] != without:
                enter_toggled(cache, slot, without, child, is_parent, u, -1)
            change = cache.costs[slot] - family - arc_costs[JOIN, u, child]
            if change + least_relations(rules.indirect) - relations > 0:
                continue
            fewer = relations_toggled(rules.indirect, order, parents, child, u, -1)
            if change + fewer - relations <= 0:
                key, family, relations = without, cache.costs[slot], fewer
                arcs -= arc_costs[JOIN, u, child]
                is_parent[u] = False
    return key, family + arcs
