"""Networks that rows cannot distinguish, with the names and tables of the variables."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

from generators.networks.network import Network
from learners.networks.families import family_table
from learners.networks.search.equivalence import EquivalenceClass
from learners.networks.search.search_problem import SearchProblem
from learners.networks.search.weighted_graphs import WeightedGraphs

__all__ = ["NetworkClass"]


@dataclass(frozen=True, eq=False)
class NetworkClass:
    """Markov equivalent networks, as a sample met them.

    Attributes
    ----------
    found : EquivalenceClass
        The graphs and their share of the sample's weight, by index of the variables.
    problem : SearchProblem
        The rows that fill the tables.
    names : tuple of str
    states : tuple of tuple
        Names and states of the variables.
    class_index : int or None
        Which variable is the class.

    Examples
    --------
    >>> import numpy as np
    >>> from learners import learn_network
    >>> x = np.tile([0, 1], 100)
    >>> best = learn_network(np.column_stack([x, x])).equivalence_classes[0]
    >>> best
    NetworkClass(posterior 1.000, 2 graphs of 1 arc)
    >>> best.network.pattern()
    Pattern(x0 - x1)
    """

    found: EquivalenceClass
    problem: SearchProblem
    names: tuple[str, ...]
    states: tuple[tuple[Hashable, ...], ...]
    class_index: int | None

    def __repr__(self) -> str:
        return f"NetworkClass({self.found.summary})"

    @property
    def posterior(self) -> float:
        """Share of the sample's weight, 0 to 1."""
        return self.found.posterior

    @property
    def graphs(self) -> WeightedGraphs:
        """The members that were met, the heaviest first, with their own shares."""
        return self.found.graphs

    @property
    def parents(self) -> dict[str, tuple[str, ...]]:
        """Parents of each variable in the heaviest member, by name."""
        both = zip(self.names, self.found.parents, strict=True)
        return {name: tuple(self.names[u] for u in others) for name, others in both}

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """Arcs (from, to) of the heaviest member, by name."""
        return tuple((u, v) for v, others in self.parents.items() for u in others)

    @cached_property
    def network(self) -> Network:
        """The heaviest member, its probabilities (n + 1/2) / (N + r/2)."""
        cpts = tuple(
            family_table(self.problem, v, others, self.names) for v, others in enumerate(self.found.parents)
        )
        return Network(self.names, self.states, self.found.parents, cpts, class_index=self.class_index)
