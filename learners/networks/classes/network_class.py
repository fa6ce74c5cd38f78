"""Equivalence classes of networks, with the names and parameters of the variables."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from generators.networks.directed_graph import DirectedGraph
from learners.networks.search.equivalence import EquivalenceClass
from learners.networks.search.weighted_graphs import WeightedGraphs

__all__ = ["NetworkClass"]


class Filler(Protocol):
    """A learned network, which has the names and can estimate parameters of other graphs."""

    @property
    def network(self) -> DirectedGraph:
        """A network with the names."""

    def filled(self, parents: Sequence[Sequence[int]]) -> Any:
        """Return a network of these arcs."""


@dataclass(frozen=True, eq=False)
class NetworkClass:
    """A Markov equivalence class of sampled networks, with the variables of the learned network."""

    found: EquivalenceClass
    learned: Filler

    def __repr__(self) -> str:
        return f"NetworkClass({self.found.summary})"

    @property
    def posterior(self) -> float:
        """Share of the sample's weight, from 0 to 1."""
        return self.found.posterior

    @property
    def graphs(self) -> WeightedGraphs:
        """The sampled members, the heaviest first, with their shares."""
        return self.found.graphs

    @property
    def parents(self) -> dict[str, tuple[str, ...]]:
        """Parents of each variable in the heaviest member, by name."""
        names = self.learned.network.names
        both = zip(names, self.found.parents, strict=True)
        return {name: tuple(names[u] for u in others) for name, others in both}

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """Arcs (from, to) of the heaviest member, by name."""
        return tuple((u, v) for v, others in self.parents.items() for u in others)

    @cached_property
    def network(self) -> Any:
        """The heaviest member: a Network with probabilities (n + 1/2) / (N + r/2), or a GaussianNetwork."""
        return self.learned.filled(self.found.parents)
