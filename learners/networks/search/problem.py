"""The interface of search problems: the nodes, and the costs of their families and arcs."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from numbers import Integral
from typing import Any, Self

from numpy.typing import NDArray

from learners.networks.search.arc_costs import ArcCosts

__all__ = ["NetworkProblem", "check_limit"]


def check_limit(name: str, limit: object, least: int) -> None:
    """Raise an error unless a limit is None or a whole number that is not too small."""
    whole = isinstance(limit, Integral) and not isinstance(limit, bool)
    if limit is not None and not (whole and limit >= least):  # type: ignore[operator]
        raise ValueError(f"{name} must be None or a whole number, {least} or more, but was {limit!r}.")


class NetworkProblem(ABC):
    """The rows whose shortest network is searched, and the costs of its message."""

    arc_costs: ArcCosts
    max_parents: int | None
    cell_limit: float  # most cells of a node's table; infinite without a limit
    holes: bool  # whether a value is missing

    @property
    @abstractmethod
    def n_nodes(self) -> int:
        """Number of nodes."""

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """Number of rows."""

    @abstractmethod
    def family_cost(self, child: int, parents: Sequence[int]) -> float:
        """Return the cost in nats of one node's probabilities and values, without arcs."""

    @abstractmethod
    def n_cells(self, nodes: Sequence[int]) -> float:
        """Return the number of cells of a probability table of some nodes, 1 for numeric nodes."""

    @abstractmethod
    def with_arc_costs(self, arc_costs: ArcCosts) -> Self:
        """Return the problem with other costs of arcs."""

    @abstractmethod
    def permuted(self, order: NDArray[Any]) -> Self:
        """Return the problem for renumbered nodes: node order[i] becomes node i."""

    @property
    def parent_limit(self) -> int:
        """Maximum number of parents of a node."""
        return self.n_nodes - 1 if self.max_parents is None else min(self.max_parents, self.n_nodes - 1)

    def length(self, parents: Sequence[Sequence[int]], arc_probability: float) -> float:
        """Return the length in nats of the message that encodes a network and the rows."""
        families = sum(self.family_cost(v, others) for v, others in enumerate(parents))
        return self.arc_costs.structure_length(parents, arc_probability) + families
