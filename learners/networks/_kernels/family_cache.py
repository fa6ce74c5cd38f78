"""A cache of family costs, for searches that visit families repeatedly.

A family is identified by a 64-bit number: the exclusive or of a random word for its child and one for each
parent. So a search that adds or drops a parent updates the key without looping over the parents.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.networks._kernels.gaussian_cost import Moments, gaussian_cost
from learners.networks._kernels.local_cost import local_cost

__all__ = [
    "CodedRows",
    "FamilyCache",
    "cached_family_cost",
    "enter_toggled",
    "family_key",
    "lookup",
    "new_family_cache",
]

MOST_PROBES = 32
MOST_SLOTS = 1 << 22  # 64 MB
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class CodedRows(NamedTuple):
    """Nominal rows, and how their families are encoded (see `local_cost`)."""

    codes: NDArray[np.unsignedinteger]
    arities: NDArray[np.int64]
    ln_factorials: NDArray[np.float64]
    parameter_cost: float
    local_model: int | None
    max_cells: float  # families whose table has more cost infinity


class FamilyCache(NamedTuple):
    """Rows, and the costs of families known so far. Either `coded` or `moments` is present."""

    keys: NDArray[np.uint64]  # the family in each slot, 0 where empty; a power of two of slots
    costs: NDArray[np.float64]  # nats of that family, arcs not included
    parent_words: NDArray[np.uint64]  # what a parent, or a child, adds to a family's key
    child_words: NDArray[np.uint64]
    coded: CodedRows | None
    moments: Moments | None
    max_parents: int


def new_family_cache(
    n_nodes: int, *, max_parents: int, coded: CodedRows | None = None, moments: Moments | None = None
) -> FamilyCache:
    """Return an empty cache with two slots for each possible family, four million at most."""
    n_slots = min(MOST_SLOTS, n_nodes.bit_length() << min(n_nodes + 1, 40))
    n_slots = 1 << (n_slots - 1).bit_length()
    # a key and its cost side by side: one line of the processor's cache holds both
    pairs = np.zeros((n_slots, 2))
    words = _words(2 * n_nodes)
    return FamilyCache(
        pairs.view(np.uint64)[:, 0],
        pairs[:, 1],
        words[:n_nodes],
        words[n_nodes:],
        coded,
        moments,
        int(max_parents),
    )


def _words(n: int) -> NDArray[np.uint64]:
    """Return n words of random bits, always the same: the splitmix64 sequence."""
    z = (np.arange(1, n + 1, dtype=np.uint64)) * GOLDEN
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def family_key(cache: FamilyCache, child: int, parents: NDArray[np.int64]) -> np.uint64:
    """Return the number that identifies a family, for any order of its parents."""
    key = cache.child_words[child]
    for u in parents:
        key ^= cache.parent_words[u]
    return key


@kernel
def cached_family_cost(cache: FamilyCache, child: int, parents: NDArray[np.int64]) -> float:
    """Return the nats of a family, arcs not included. Rows are counted only the first time."""
    # Parents ascend: another order may change the last digit. Open addressing; a family that finds 32 slots
    # taken replaces the first of them. Two families share a key with probability 2^-64, so among a million
    # families some two do with probability 3e-8. Looking up a cached family takes 20 to 100 nanoseconds.
    key = family_key(cache, child, parents)
    slot = lookup(cache.keys, key)
    if cache.keys[slot] != key:
        _enter(cache, slot, key, child, parents)
    return cache.costs[slot]


@kernel
def enter_toggled(
    cache: FamilyCache,
    slot: np.int64,
    key: np.uint64,
    child: int,
    is_parent: NDArray[np.bool_],
    x: int,
    y: int,
) -> None:
    """Store the cost of a child after x, and y unless it is negative, join or leave its parents."""
    members = np.empty(is_parent.size, np.int64)
    n = 0
    for u in range(is_parent.size):
        if is_parent[u] != (u in (x, y)):
            members[n] = u
            n += 1
    _enter(cache, slot, key, child, members[:n])


@kernel
def lookup(keys: NDArray[np.uint64], key: np.uint64) -> np.int64:
    """Return the slot of a key or, if absent, an empty slot or the slot to overwrite."""
    mask = keys.size - 1
    first = np.int64(key & np.uint64(mask))
    slot = first
    for _ in range(MOST_PROBES):
        if keys[slot] == key or keys[slot] == 0:
            return slot
        slot = (slot + 1) & mask
    return first


@kernel
def _enter(cache: FamilyCache, slot: int, key: np.uint64, child: int, parents: NDArray[np.int64]) -> None:
    cost = np.inf
    if parents.size <= cache.max_parents:
        cost = _family_nats(cache.coded, cache.moments, child, parents)
    cache.keys[slot] = key
    cache.costs[slot] = cost


# Of either kind of rows one is None, and what follows is then not compiled.


@kernel
def _family_nats(
    coded: CodedRows | None, moments: Moments | None, child: int, parents: NDArray[np.int64]
) -> float:
    if coded is None:
        return _regressions_nats(moments, child, parents)
    n_cells = float(coded.arities[child])
    for u in parents:
        n_cells *= coded.arities[u]
    if n_cells > coded.max_cells:
        return np.inf
    return local_cost(
        coded.codes,
        coded.arities,
        coded.ln_factorials,
        coded.parameter_cost,
        child,
        parents,
        coded.local_model,
    )


@kernel
def _regressions_nats(moments: Moments | None, child: int, parents: NDArray[np.int64]) -> float:
    if moments is None:
        return np.inf
    return gaussian_cost(moments, child, parents)
