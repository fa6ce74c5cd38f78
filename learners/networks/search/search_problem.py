"""Coded rows as a search problem, and the network found by a search."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.code_lengths.multinomial import ln_factorials, parameter_constant
from learners.networks._kernels.family_cost import family_cost
from learners.networks._kernels.local_cost import LOCAL_MODELS, TABLE, local_cost
from learners.networks.search.arc_costs import ArcCosts
from learners.networks.search.problem import NetworkProblem, check_limit

__all__ = ["SearchProblem", "FoundNetwork"]


LARGEST_FILLED = 50e6
"""Most cells of the table that a tree or a logit fills: a network keeps it as a table."""


@dataclass(frozen=True, eq=False)
class SearchProblem(NetworkProblem):
    """The problem of a search: coded rows, and the costs of the message that a network gives.

    Attributes
    ----------
    codes : ndarray of unsigned integers, shape (n_nodes, n_rows)
        Codes 0 .. arity - 1. A code equal to the arity is a missing value.
    arities : ndarray of int64, shape (n_nodes,)
        Number of values of each node.
    parameter_cost : float
        Cost of each free parameter in nats.
    arc_costs : ArcCosts
        Costs of the arcs.
    max_parents : int or None
        Maximum number of parents of a node. None sets no limit.
    max_cells : int or None
        Maximum number of cells of a node's probability table (the product of the numbers of values of the
        node and its parents). Larger families are excluded.
    local_model : int or None
        Code number of the encoding of a child's probabilities.

    Examples
    --------
    >>> x = np.tile(np.array([0, 1], dtype=np.uint8), 50)
    >>> problem = SearchProblem.of(np.array([x, x]), np.array([2, 2]))
    >>> round(problem.family_cost(0, ()), 2), round(problem.family_cost(0, (1,)), 2)
    (71.58, 8.22)
    >>> round(problem.length([(1,), ()], 0.5), 2)
    80.49
    """

    codes: NDArray[np.unsignedinteger]
    arities: NDArray[np.int64]
    parameter_cost: float
    arc_costs: ArcCosts
    max_parents: int | None = None
    max_cells: int | None = None
    local_model: int | None = TABLE

    @classmethod
    def of(
        cls,
        codes: NDArray[np.unsignedinteger],
        arities: NDArray[np.int64],
        *,
        constant: str = "exact",
        arc_costs: ArcCosts | None = None,
        max_parents: int | None = None,
        max_cells: int | None = None,
        local_model: str = "table",
    ) -> "SearchProblem":
        """Check the options and make the problem.

        `local_model` is "table", "tree" (a decision tree over the parents), "shorter" (the shorter of table
        and tree), "logit" (effects of the parents that add up), or "auto" (the shortest of all three).
        """
        check_limit("max_parents", max_parents, 0)
        check_limit("max_cells", max_cells, 1)
        if local_model not in LOCAL_MODELS:
            known = ", ".join(f'"{name}"' for name in LOCAL_MODELS)
            raise ValueError(
                f'local_model must be one of {known}, or "gaussian" for numbers without a class, '
                f"but was {local_model!r}."
            )
        arities = np.asarray(arities, np.int64)
        given = ArcCosts.uniform(len(arities)) if arc_costs is None else arc_costs
        return cls(
            codes,
            arities,
            parameter_constant(constant),
            given,
            max_parents,
            max_cells,
            LOCAL_MODELS[local_model],
        )

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.arities)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.codes.shape[1]

    @cached_property
    def cell_limit(self) -> float:  # type: ignore[override]
        """Maximum number of cells of a node's table, also if a tree or logit encodes it, or infinity."""
        most = np.inf if self.max_cells is None else float(self.max_cells)
        return most if self.local_model == TABLE else min(most, LARGEST_FILLED)

    @cached_property
    def holes(self) -> bool:  # type: ignore[override]
        """Whether the rows have missing values."""
        return bool((self.codes.max(axis=1, initial=0) >= self.arities).any())

    @cached_property
    def ln_factorials(self) -> NDArray[np.float64]:
        """ln(k!) for every k that the cost of a family can need."""
        return ln_factorials(self.n_rows + int(self.arities.max()))

    def family_cost(self, child: int, parents: Sequence[int]) -> float:
        """Return the cost in nats of one node's table and values, without arcs.

        With a table and complete rows, it is the length of the adaptive code of the child's values in each
        configuration of the parents, plus `parameter_cost` for each free parameter. With missing values, the
        parents save bits on the rows in which the whole family is known. The cost is then the cost of the
        child without parents on all rows in which the child is known, minus these savings. It is infinite if
        a limit is exceeded.
        """
        members = np.array(parents, dtype=np.int64)
        if len(members) > self.parent_limit or self.n_cells([*parents, child]) > self.cell_limit:
            return np.inf
        if self.local_model == TABLE:  # avoids compiling trees
            arguments = (self.codes, self.arities, self.ln_factorials, self.parameter_cost, child, members)
            return float(family_cost(*arguments))
        return float(
            local_cost(
                self.codes,
                self.arities,
                self.ln_factorials,
                self.parameter_cost,
                child,
                members,
                self.local_model,
            )
        )

    def n_cells(self, nodes: Sequence[int]) -> float:
        """Return the number of cells of a probability table of some nodes."""
        return float(np.prod(self.arities[list(nodes)], dtype=float))

    def with_arc_costs(self, arc_costs: ArcCosts) -> "SearchProblem":
        """Return the problem with other costs of arcs."""
        return replace(self, arc_costs=arc_costs)

    def permuted(self, order: NDArray[Any]) -> "SearchProblem":
        """Return the problem for renumbered nodes: node order[i] becomes node i."""
        return SearchProblem(
            np.ascontiguousarray(self.codes[order]),
            self.arities[order],
            self.parameter_cost,
            self.arc_costs.permuted(order),
            self.max_parents,
            self.max_cells,
            self.local_model,
        )


@dataclass(frozen=True, eq=False)
class FoundNetwork:
    """The network with the shortest message that a search found.

    Attributes
    ----------
    parents : tuple of tuple of int
        Parents of each node, ascending.
    length : float
        Length of the whole message in nats.
    arc_probability : float
        Arc probability used to encode the arcs.
    trace : ndarray of shape (n_improvements, 2)
        Seconds since the start, and the length in nats of the shortest message known by then. Empty for exact
        searches.
    interrupted : bool
        Whether the user or the time limit stopped the search early.
    alone : tuple of int
        Nodes that a blanket search left with only required parents, because they do not matter to its target.
        If there are such nodes, the message is longer than necessary.
    """

    parents: tuple[tuple[int, ...], ...]
    length: float
    arc_probability: float
    trace: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 2)))
    interrupted: bool = False
    alone: tuple[int, ...] = ()
