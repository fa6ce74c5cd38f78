"""Weighted graphs in packed form, from a sampler or an exact posterior."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["WeightedGraphs"]


@dataclass(frozen=True, eq=False)
class WeightedGraphs:
    """Distinct directed acyclic graphs over the same nodes with weights, the largest weight first.

    Attributes
    ----------
    bits : ndarray of uint64, shape (n_graphs, n_nodes, n_words)
        Parents of each node: bit u % 64 of word u // 64 is node u.
    weights : ndarray of float64, shape (n_graphs,)
        Each graph's share of the total weight. Shares sum to less than 1 if some graphs are not listed.
    """

    bits: NDArray[np.uint64]
    weights: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        parents: Sequence[Sequence[Sequence[int]]],
        weights: Sequence[float] | NDArray[np.float64] | None = None,
    ) -> "WeightedGraphs":
        """Pack graphs that are given by the parents of each node, and merge equal graphs."""
        given = np.ones(len(parents)) if weights is None else np.asarray(weights, dtype=np.float64)
        if not len(parents) or given.shape != (len(parents),) or not given.sum() > 0 or given.min() < 0:
            raise ValueError(
                f"There are {len(parents)} graphs and weights of shape {given.shape}: expected at least one "
                "graph, and for each graph a weight of at least 0, with at least one positive weight."
            )
        n_nodes = len(parents[0])
        bits = np.zeros((len(parents), n_nodes, (n_nodes + 63) // 64), np.uint64)
        for g, graph in enumerate(parents):
            for v, others in enumerate(graph):
                for u in others:
                    bits[g, v, u >> 6] |= np.uint64(1) << np.uint64(u & 63)
        return cls.merged(bits, given / given.sum())

    @classmethod
    def merged(cls, bits: NDArray[np.uint64], weights: NDArray[np.float64]) -> "WeightedGraphs":
        """Merge equal graphs, and sort graphs by descending weight. Ties keep their order."""
        flat = np.ascontiguousarray(bits).reshape(len(bits), bits.shape[1] * bits.shape[2])
        rows = flat.view(np.dtype((np.void, flat.dtype.itemsize * flat.shape[1]))).ravel()
        _, first, group = np.unique(rows, return_index=True, return_inverse=True)
        total = np.zeros(len(first))
        np.add.at(total, group, weights)
        order = np.lexsort((first, -total))
        return cls(bits[first[order]], total[order])

    def __repr__(self) -> str:
        weights = f", weights {self.weights.max():.3g} to {self.weights.min():.3g}" if len(self) else ""
        return f"WeightedGraphs({len(self):,} graphs of {self.n_nodes} nodes{weights})"

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return int(self.bits.shape[1])

    def parents(self, graph: int) -> tuple[tuple[int, ...], ...]:
        """Return the parents of each node of one graph, ascending."""
        words = self.bits[graph]
        places = np.arange(self.n_nodes)
        is_parent = words[:, places >> 6] >> (places & 63).astype(np.uint64) & np.uint64(1)
        return tuple(tuple(np.flatnonzero(row).tolist()) for row in is_parent)
