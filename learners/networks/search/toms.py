"""Totally ordered models (TOMs) from which chains start: an order of the nodes with arcs that obey it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from learners.networks._kernels.family_cache import (
    CodedRows,
    FamilyCache,
    cached_family_cost,
    new_family_cache,
)
from learners.networks._kernels.tom_chain import JOIN, Rules, Tom, clean_family, set_up
from learners.networks.search.arc_costs import NO_NETWORK
from learners.networks.search.gaussian_problem import GaussianProblem
from learners.networks.search.problem import NetworkProblem
from learners.networks.search.search_problem import SearchProblem

__all__ = ["Parents", "TomSpace", "empty_cache", "parents_of"]

MOST_FILLED = 7
"""Most parents of a node in a filled start: the CaMML program's limit in 2013 (later 11)."""

MOST_FILLED_CELLS = 64_000
"""Most cells of a table in a filled start, as in the CaMML program."""

Parents = Sequence[Sequence[int]]


class TomSpace:
    """The totally ordered models of a problem, with the costs of the families met so far."""

    # ValueError if no order fits the required arcs and tiers, or if these break the limits

    def __init__(self, problem: NetworkProblem) -> None:
        self.problem = problem
        self.cache = empty_cache(problem)
        arc_costs = problem.arc_costs
        self.required = [
            tuple(np.flatnonzero(arc_costs.required[:, v]).tolist()) for v in range(len(arc_costs.free))
        ]
        self._must_precede = arc_costs.precedes
        costs = [
            cached_family_cost(self.cache, v, np.array(parents, np.int64))
            for v, parents in enumerate(self.required)
        ]
        forbidden = arc_costs.required & np.isinf(arc_costs.fixed)
        if not np.isfinite(costs).all() or forbidden.any() or self._first_order(self.required) is None:
            raise ValueError(NO_NETWORK)

    def rules(self, arc_probability: float, *, original_swap: bool = False) -> Rules:
        """Return the costs of arcs at one arc probability."""
        arc_costs = self.problem.arc_costs
        join = arc_costs.at(arc_probability)
        part = np.where(arc_costs.required, np.inf, -join)
        place = np.where(arc_costs.before, 0.0, np.inf)
        no_arcs = float(arc_costs.no_arcs(arc_probability))
        indirect = None if arc_costs.indirect is None else arc_costs.indirect.at(arc_probability)
        return Rules(np.stack([join, part, place]), no_arcs, original_swap, indirect)

    def tom(self, rules: Rules, order: NDArray[np.int64], parents: Parents) -> Tom:
        """Return a model whose `order` has parents before children."""
        n_nodes = self.problem.n_nodes
        tom = Tom(
            np.array(order, np.int64),
            np.empty(n_nodes, np.int64),
            np.zeros((n_nodes, n_nodes), np.bool_),
            np.empty(n_nodes, np.int64),
            np.empty(n_nodes, np.uint64),
            np.empty(n_nodes),
            np.empty(n_nodes),
            np.empty(1),
            np.full((2, 2), -1, np.int64),
            np.zeros(2),
        )
        for v, others in enumerate(parents):
            tom.parents[v, list(others)] = True
        set_up(self.cache, rules, tom)
        return tom

    def empty(self, rules: Rules, rng: np.random.Generator) -> Tom:
        """Return the model of only the required arcs, in a random order."""
        return self.tom(rules, self.random_order(self.required, rng), self.required)

    def filled(self, rules: Rules, rng: np.random.Generator) -> Tom:
        """Return a model with a random order, each node with its nearest allowed predecessors as parents."""
        order = self.random_order(self.required, rng)
        limit = min(self.problem.parent_limit, MOST_FILLED)
        cells = min(self.problem.cell_limit, MOST_FILLED_CELLS)
        parents = [list(others) for others in self.required]
        for i, v in enumerate(order):
            for u in order[:i][::-1]:
                family = [*parents[v], u]
                fits = self.problem.n_cells([v, *family]) <= cells and len(family) <= limit
                if u not in parents[v] and np.isfinite(rules.arc_costs[JOIN, u, v]) and fits:
                    parents[v] = family
        return self.tom(rules, order, parents)

    def random_order(self, parents: Parents, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw an allowed order, choosing each next node uniformly from those possible."""
        order = self._first_order(parents, rng)
        if order is None:
            raise ValueError(
                "The starting arcs form a cycle, or contradict the required order of the nodes. Start from "
                "other arcs."
            )
        return order

    def _first_order(
        self, parents: Parents, rng: np.random.Generator | None = None
    ) -> NDArray[np.int64] | None:
        precedes = self._must_precede.copy()
        for v, others in enumerate(parents):
            precedes[list(others), v] = True
        waits_for = precedes.sum(axis=0)
        order = []
        ready = np.flatnonzero(waits_for == 0).tolist()
        while ready:
            v = ready.pop(0 if rng is None else int(rng.integers(len(ready))))
            order.append(v)
            freed = precedes[v] & (waits_for == 1)
            waits_for -= precedes[v]
            ready.extend(np.flatnonzero(freed).tolist())
        return np.array(order, np.int64) if len(order) == len(precedes) else None

    def cleaned(self, rules: Rules, tom: Tom) -> tuple[tuple[int, ...], ...]:
        """Return the parents of each node that shorten the message (see `clean_family`)."""
        parents = tom.parents.copy()
        for v in range(len(parents)):
            clean_family(self.cache, rules, v, tom.order, parents)
        return parents_of(parents)


def parents_of(is_parent: NDArray[np.bool_]) -> tuple[tuple[int, ...], ...]:
    """Convert a matrix, row = child and column = parent, to the parents of each node."""
    return tuple(tuple(np.flatnonzero(row).tolist()) for row in is_parent)


def empty_cache(problem: NetworkProblem) -> FamilyCache:
    """Return a cache that costs the problem's families."""
    n_nodes, most = problem.n_nodes, problem.parent_limit
    if isinstance(problem, GaussianProblem):
        return new_family_cache(n_nodes, max_parents=most, moments=problem.moments)
    assert isinstance(problem, SearchProblem)
    coded = CodedRows(
        np.ascontiguousarray(problem.codes),
        problem.arities,
        problem.ln_factorials,
        problem.parameter_cost,
        problem.local_model,
        float(problem.cell_limit),
    )
    return new_family_cache(n_nodes, max_parents=most, coded=coded)
