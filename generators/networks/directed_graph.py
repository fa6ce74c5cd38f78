"""The base of all networks: named variables, and arcs between them without a cycle."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from generators.base.validation import shown, topological_order
from generators.networks.patterns import (
    Pattern,
    StructuralDistance,
    completed_pattern,
    markov_blanket,
    structural_distance,
)

__all__ = ["DirectedGraph", "check_requested", "listed", "place_of"]

MOST_LISTED = 20  # names or states in an error message


class DirectedGraph:
    """A directed acyclic graph over named variables (base class of networks)."""

    names: tuple[str, ...]
    parent_indices: tuple[tuple[int, ...], ...]

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Indices of the variables, parents before children, and otherwise in ascending order."""
        return topological_order(self.names, self.parent_indices)

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """The arcs as pairs of names (from, to), in the order of the child variables."""
        return tuple(
            (self.names[parent], name)
            for name, parents in zip(self.names, self.parent_indices, strict=True)
            for parent in parents
        )

    @property
    def parents(self) -> dict[str, tuple[str, ...]]:
        """Names of each variable's parents. `parent_indices` has their indices."""
        return {
            name: tuple(self.names[parent] for parent in above)
            for name, above in zip(self.names, self.parent_indices, strict=True)
        }

    def parents_of(self, name: str) -> tuple[str, ...]:
        """Return the names of a variable's parents, in the order of the axes of its distribution.

        Raises
        ------
        ValueError
            If the variable is unknown.

        Examples
        --------
        >>> from generators import random_tan
        >>> random_tan(n_attributes=3, random_state=0).parents_of("x1")
        ('y', 'x2')
        """
        return tuple(self.names[parent] for parent in self.parent_indices[place_of(self.names, name)])

    def markov_blanket(self, name: str) -> tuple[str, ...]:
        """Return the Markov blanket of a variable: its parents, children and children's other parents.

        Raises
        ------
        ValueError
            If the variable is unknown.

        Examples
        --------
        >>> from generators import random_naive_bayes
        >>> random_naive_bayes(n_attributes=3, random_state=0).markov_blanket("x0")
        ('y',)
        """
        blanket = markov_blanket(self.parent_indices, place_of(self.names, name))
        return tuple(self.names[variable] for variable in blanket)

    def pattern(self, excluded: Collection[tuple[int, int]] = ()) -> Pattern[str]:
        """Return the pattern (CPDAG) of the Markov equivalence class of this network.

        Parameters
        ----------
        excluded : collection of (int, int)
            Arcs excluded by prior knowledge, by index. Equivalent networks with an excluded arc are left out.

        Returns
        -------
        Pattern
            Arcs that all equivalent networks have, and pairs that are joined in different directions in
            different equivalent networks. Variables are given by name.

        Examples
        --------
        >>> from generators import random_naive_bayes
        >>> random_naive_bayes(n_attributes=2, random_state=0).pattern()
        Pattern(x0 - y, x1 - y)
        """
        found, names = completed_pattern(self.parent_indices, excluded), self.names
        return Pattern(
            frozenset((names[u], names[v]) for u, v in found.directed),
            frozenset((names[u], names[v]) for u, v in found.undirected),
        )

    def structural_distance(self, truth: DirectedGraph) -> StructuralDistance:
        """Compare the arcs of this network with the arcs of a true network.

        Parameters
        ----------
        truth : Network or GaussianNetwork
            Network over the same variables, in any order.

        Returns
        -------
        StructuralDistance
            Numbers of found, reversed, missed and extra arcs, and the structural Hamming distance between the
            patterns of the two networks.

        Raises
        ------
        ValueError
            If the names of the variables differ.
        TypeError
            If `truth` is not a network.

        Examples
        --------
        >>> from generators import random_tan
        >>> truth = random_tan(n_attributes=3, random_state=0)
        >>> truth.structural_distance(truth)
        StructuralDistance(found=5, reversed=0, missed=0, extra=0, shd=0)
        """
        if not isinstance(truth, DirectedGraph):
            raise TypeError(
                f"truth is a {type(truth).__name__}: expected a Network, or a result of learn_network"
            )
        if set(self.names) != set(truth.names):
            raise ValueError(
                f"the variables are {', '.join(self.names)}, and the truth has {', '.join(truth.names)}: "
                "give the truth the same names"
            )
        theirs = [truth.names.index(name) for name in self.names]
        mine = {place: v for v, place in enumerate(theirs)}
        aligned = tuple(tuple(mine[u] for u in truth.parent_indices[place]) for place in theirs)
        return structural_distance(self.parent_indices, aligned)


def place_of(names: Sequence[str], name: str) -> int:
    """Return the index of a variable, or raise ValueError with the nearest name."""
    if isinstance(name, str) and name in names:
        return names.index(name)
    near = difflib.get_close_matches(name, names, n=1) if isinstance(name, str) else []
    hint = f"did you mean {near[0]!r}?" if near else f"give one of {listed(map(str, names))}"
    raise ValueError(f"unknown variable {shown(name)}; {hint}")


def check_requested(names: Sequence[str], places: Sequence[int], seen: Collection[int]) -> None:
    """Raise an error for a query of no variable, of one twice, or of one among the evidence."""
    if not names:
        raise ValueError("no variable is requested: expected a name, or a list of names")
    for position, (name, place) in enumerate(zip(names, places, strict=True)):
        if place in seen:
            raise ValueError(f"{name!r} is requested and is also in the evidence: remove it from one")
        if place in places[:position]:
            raise ValueError(f"{name!r} is requested twice: give each name once")


def listed(words: Iterable[str]) -> str:
    """Return words as a list for a sentence, shortened if there are many."""
    known = list(words)
    return ", ".join(known[:MOST_LISTED]) + (", ..." if len(known) > MOST_LISTED else "")
