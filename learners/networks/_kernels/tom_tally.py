"""Posterior weights of arcs and cleaned graphs, accumulated along a chain of totally ordered models."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.networks._kernels.family_cache import FamilyCache
from learners.networks._kernels.indirect_costs import (
    EXCHANGED,
    IndirectCosts,
    order_nats,
    relation_nats,
)
from learners.networks._kernels.tom_chain import Rules, Tom, clean_family, walk
from learners.tables._kernels.copying import copy_to

__all__ = ["Tally", "begin", "bring_up_to_date", "new_tally", "sample_block"]

WITHIN = 30.0  # graphs met only in messages longer than the best by more nats than this are not kept
# places in `sums`
TOTAL, SQUARES, LENGTHS, IGNORED, REFERENCE, WEIGHT, BEYOND, MARK = range(8)
# places in `numbers`
N_GRAPHS, CURRENT, N_STEPS, N_CHANGES = range(4)
NONE = -1


class Tally(NamedTuple):
    """Weights so far, in units in which the shortest message has weight 1."""

    # (8,): all weight, squares, weight times nats beyond the shortest, weight of graphs not kept, the
    # shortest length, a sample's weight now and its nats beyond that, sums[0] when the present graph came
    sums: NDArray[np.float64]
    # (4,): graphs kept, the present one (-1 if not kept), samples, steps with a change
    numbers: NDArray[np.int64]
    # weight of models with the arc from row to column, up to when it was last removed
    arcs: NDArray[np.float64]
    since: NDArray[np.float64]  # all weight when the arc was put in
    slots: NDArray[np.int64]  # hash table: which graph, -1 for none
    graph_keys: NDArray[np.uint64]
    graph_weights: NDArray[np.float64]
    graph_lengths: NDArray[np.float64]
    graph_bits: NDArray[np.uint64]  # (capacity, n_nodes, n_words), parents of each node
    cleaned: NDArray[np.bool_]  # the present graph, row = child
    cleaned_keys: NDArray[np.uint64]
    cleaned_costs: NDArray[np.float64]


def new_tally(n_nodes: int, capacity: int) -> Tally:
    """Return an empty tally with room for `capacity` graphs, an even number."""
    # when it is full, the lighter half is dropped and its weight counted as not kept; the shortest stays
    n_words = (n_nodes + 63) // 64
    square = (n_nodes, n_nodes)
    return Tally(
        np.zeros(8),
        np.array([0, NONE, 0, 0], np.int64),
        np.zeros(square),
        np.zeros(square),
        np.full(1 << (2 * capacity - 1).bit_length(), NONE, np.int64),
        np.empty(capacity, np.uint64),
        np.empty(capacity),
        np.empty(capacity),
        np.empty((capacity, n_nodes, n_words), np.uint64),
        np.zeros(square, np.bool_),
        np.zeros(n_nodes, np.uint64),
        np.zeros(n_nodes),
    )


@kernel
def begin(cache: FamilyCache, rules: Rules, tom: Tom, tally: Tally, shortest: float, rate: float) -> None:
    """Make the present model the first sample. `shortest` is the least length so far."""
    n_nodes = tom.order.size
    tally.sums[REFERENCE] = min(shortest, tom.cost[0])
    _weigh(tom, tally, rate)
    for v in range(n_nodes):
        copy_to(tally.cleaned[v], tom.parents[v])
    for v in range(n_nodes):
        _clean(cache, rules, tom, tally, v)
    _enter_graph(rules, tom, tally)
    _add_samples(tally, 1)


@kernel
def sample_block(
    cache: FamilyCache,
    rules: Rules,
    tom: Tom,
    tally: Tally,
    draws: NDArray[np.float64],
    temperature: float,
) -> None:
    """Take one step per row of draws, and weigh the model after each, with `tally` after `begin`."""
    # A model has weight exp((shortest - length) (1 - 1 / temperature)). Weights of arcs and graphs are added
    # up when they leave (so `bring_up_to_date` comes before reading), so that a rejected step costs no more
    # than its proposal. Measured, one thread, at temperature 1.8: 0.2 to 0.4 microseconds a step.
    rate = 1 - 1 / temperature
    done = 0
    while done < draws.shape[0]:
        start = done
        done, changed = walk(cache, rules, tom, draws, start, temperature, np.inf)
        _add_samples(tally, done - start - changed)
        if changed:
            _follow(cache, rules, tom, tally, rate)
            _add_samples(tally, 1)


@kernel
def bring_up_to_date(tom: Tom, tally: Tally) -> None:
    """Add the weight of the present arcs and graph since they appeared (at any time)."""
    n_nodes = tom.order.size
    for v in range(n_nodes):
        for u in range(n_nodes):
            if tom.parents[v, u]:
                tally.arcs[u, v] += tally.sums[TOTAL] - tally.since[u, v]
                tally.since[u, v] = tally.sums[TOTAL]
    _leave_graph(tally)


@kernel
def _weigh(tom: Tom, tally: Tally, rate: float) -> None:
    # measured from the shortest length, or few significant digits would be left
    tally.sums[BEYOND] = tom.cost[0] - tally.sums[REFERENCE]
    tally.sums[WEIGHT] = np.exp(-tally.sums[BEYOND] * rate)


@kernel
def _add_samples(tally: Tally, n: int) -> None:
    """Count the model that was weighed last n times."""
    weight = tally.sums[WEIGHT]
    tally.sums[TOTAL] += n * weight
    tally.sums[SQUARES] += n * weight * weight
    tally.sums[LENGTHS] += n * weight * tally.sums[BEYOND]
    tally.numbers[N_STEPS] += n


@kernel
def _follow(cache: FamilyCache, rules: Rules, tom: Tom, tally: Tally, rate: float) -> None:
    """Update the tally after a step that changed arcs."""
    total = tally.sums[TOTAL]
    tally.numbers[N_CHANGES] += 1
    child = NONE
    for i in range(2):
        u, v = tom.changed[i]
        if v < 0:
            continue
        if tom.parents[v, u]:
            tally.since[u, v] = total
        else:
            tally.arcs[u, v] += total - tally.since[u, v]
        if v != child:
            _clean_child(cache, rules, rules.indirect, tom, tally, v)
        child = v
    _clean_whole(cache, rules, rules.indirect, tom, tally)
    _leave_graph(tally)
    if tom.cost[0] < tally.sums[REFERENCE]:
        _rescale(tally, tom.cost[0], rate)
    _weigh(tom, tally, rate)
    _enter_graph(rules, tom, tally)


@kernel
def _clean_child(
    cache: FamilyCache, rules: Rules, indirect: IndirectCosts | None, tom: Tom, tally: Tally, v: int
) -> None:
    """Clean the one node whose parents have changed, if what they are worth depends on nothing else."""
    if indirect is None:
        copy_to(tally.cleaned[v], tom.parents[v])
        _clean(cache, rules, tom, tally, v)


@kernel
def _clean_whole(
    cache: FamilyCache, rules: Rules, indirect: IndirectCosts | None, tom: Tom, tally: Tally
) -> None:
    """Clean the whole graph, where a parent may be worth a relation of other nodes."""
    if indirect is not None and tom.changed[0, 1] >= 0:
        for v in range(tom.order.size):
            copy_to(tally.cleaned[v], tom.parents[v])
        for v in range(tom.order.size):
            _clean(cache, rules, tom, tally, v)


@kernel
def _clean(cache: FamilyCache, rules: Rules, tom: Tom, tally: Tally, v: int) -> None:
    key, tally.cleaned_costs[v] = clean_family(cache, rules, v, tom.order, tally.cleaned)
    tally.cleaned_keys[v] = _mixed(key)


@kernel
def _mixed(z: np.uint64) -> np.uint64:
    """Scatter the bits: families share words, so adding their keys directly would collide."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def _rescale(tally: Tally, shortest: float, rate: float) -> None:
    """Rescale the weights to a new shortest message."""
    factor = np.exp((shortest - tally.sums[REFERENCE]) * rate)
    rise = tally.sums[REFERENCE] - shortest
    tally.sums[LENGTHS] = (tally.sums[LENGTHS] + rise * tally.sums[TOTAL]) * factor
    for place in (TOTAL, IGNORED, MARK):
        tally.sums[place] *= factor
    tally.sums[SQUARES] *= factor * factor
    for u in range(tally.arcs.shape[0]):
        for v in range(tally.arcs.shape[1]):
            tally.arcs[u, v] *= factor
            tally.since[u, v] *= factor
    for g in range(tally.numbers[N_GRAPHS]):
        tally.graph_weights[g] *= factor
    tally.sums[REFERENCE] = shortest


@kernel
def _leave_graph(tally: Tally) -> None:
    weight = tally.sums[TOTAL] - tally.sums[MARK]
    tally.sums[MARK] = tally.sums[TOTAL]
    current = tally.numbers[CURRENT]
    if current == NONE:
        tally.sums[IGNORED] += weight
    else:
        tally.graph_weights[current] += weight


@kernel
def _enter_graph(rules: Rules, tom: Tom, tally: Tally) -> None:
    """Find the present cleaned graph among those kept, or add it."""
    if tom.cost[0] >= tally.sums[REFERENCE] + WITHIN:
        tally.numbers[CURRENT] = NONE
        return
    key = np.uint64(0)
    for v in range(tom.order.size):
        key ^= tally.cleaned_keys[v]
    slot = _slot(tally, key)
    if tally.slots[slot] == NONE:
        if tally.numbers[N_GRAPHS] == tally.graph_keys.size:
            _give_up_half(tally)
            slot = _slot(tally, key)
        new = tally.numbers[N_GRAPHS]
        tally.numbers[N_GRAPHS] += 1
        tally.slots[slot] = new
        tally.graph_keys[new] = key
        tally.graph_weights[new] = 0.0
        tally.graph_lengths[new] = _cleaned_length(rules, tom, tally)
        tally.graph_bits[new] = 0
        for v in range(tom.order.size):
            for u in range(tom.order.size):
                if tally.cleaned[v, u]:
                    tally.graph_bits[new, v, u >> 6] |= np.uint64(1) << np.uint64(u & 63)
    tally.numbers[CURRENT] = tally.slots[slot]
    _shorten(rules, rules.indirect, tom, tally)


@kernel
def _cleaned_length(rules: Rules, tom: Tom, tally: Tally) -> float:
    """Return the nats of the present cleaned graph in the present order."""
    relations = relation_nats(rules.indirect, tom.order, tally.cleaned)
    in_order = order_nats(rules.indirect, tom.opinions[EXCHANGED])
    return rules.no_arcs + tally.cleaned_costs.sum() + relations + in_order


@kernel
def _shorten(rules: Rules, indirect: IndirectCosts | None, tom: Tom, tally: Tally) -> None:
    """Note the present graph's length, if no order in which it was met before made it shorter."""
    if indirect is not None:
        current = tally.numbers[CURRENT]
        length = _cleaned_length(rules, tom, tally)
        tally.graph_lengths[current] = min(tally.graph_lengths[current], length)


@kernel
def _slot(tally: Tally, key: np.uint64) -> np.int64:
    mask = tally.slots.size - 1
    slot = np.int64(key & np.uint64(mask))
    while tally.slots[slot] != NONE and tally.graph_keys[tally.slots[slot]] != key:
        slot = (slot + 1) & mask
    return slot


@kernel
def _give_up_half(tally: Tally) -> None:
    """Drop the lighter half of the graphs. The shortest stays."""
    n_graphs = tally.numbers[N_GRAPHS]
    by_weight = np.argsort(-tally.graph_weights[:n_graphs])
    keep = np.zeros(n_graphs, np.bool_)
    keep[by_weight[: n_graphs // 2]] = True
    keep[np.argmin(tally.graph_lengths[:n_graphs])] = True
    n_kept = 0
    for g in range(n_graphs):
        if not keep[g]:
            tally.sums[IGNORED] += tally.graph_weights[g]
            continue
        tally.graph_keys[n_kept] = tally.graph_keys[g]
        tally.graph_weights[n_kept] = tally.graph_weights[g]
        tally.graph_lengths[n_kept] = tally.graph_lengths[g]
        for v in range(tally.graph_bits.shape[1]):
            copy_to(tally.graph_bits[n_kept, v], tally.graph_bits[g, v])
        n_kept += 1
    tally.numbers[N_GRAPHS] = n_kept
    tally.slots[:] = NONE
    for g in range(n_kept):
        tally.slots[_slot(tally, tally.graph_keys[g])] = g
