"""Opinions on ancestors, correlations and the order of the variables, checked against all other opinions."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import csgraph_from_dense, shortest_path

from learners.networks.search.arc_costs import ArcCosts
from learners.networks.search.indirect_prior import IndirectPrior

__all__ = ["IndirectOpinions"]

ROUNDING = 1e-9

IndexArc = tuple[int, int]


@dataclass(frozen=True, eq=False)
class IndirectOpinions:
    """Opinions by index, and what else is known of the arcs.

    Attributes
    ----------
    names : tuple of str
    ancestors, correlated, weights : mapping of (int, int) to float
        Probabilities that the first is an ancestor of the second, that two variables are correlated, and that
        there is an arc from the first to the second.
    order : sequence of int
        Variables in the preferred order.
    order_penalty : float
        Nats of each pair in the other order.
    arc_costs : ArcCosts
        Which arcs and orders are required and forbidden.
    """

    names: tuple[str, ...]
    ancestors: Mapping[IndexArc, float]
    correlated: Mapping[IndexArc, float]
    weights: Mapping[IndexArc, float]
    order: Sequence[int]
    order_penalty: float
    arc_costs: ArcCosts

    def prior(self) -> IndirectPrior | None:
        """Return what the opinions cost, or None if there are none.

        Raises
        ------
        ValueError
            If they contradict each other or those on arcs.
        """
        if not (self.ancestors or self.correlated or self.order):
            return None
        for refuse in (self._refuse_certain, self._refuse_incoherent, self._refuse_order):
            for message in refuse():
                raise ValueError(message)
        pairs = sorted({tuple(sorted(pair)) for pair in (*self.ancestors, *self.correlated)})
        stated = [
            (
                self.ancestors.get((a, b), np.nan),
                self.ancestors.get((b, a), np.nan),
                self._stated_correlation(a, b),
            )
            for a, b in pairs
        ]
        precedes = np.zeros((len(self.names),) * 2, np.bool_)
        for u, v in itertools.combinations(self.order, 2):
            precedes[u, v] = self.order_penalty > 0
        return IndirectPrior(
            np.array(pairs, np.int64).reshape(-1, 2),
            np.array(stated, float).reshape(-1, 3),
            precedes,
            float(self.order_penalty),
        )

    def _stated_correlation(self, a: int, b: int) -> float:
        return self.correlated.get((a, b), self.correlated.get((b, a), np.nan))

    def _refuse_certain(self) -> Iterator[str]:
        """Find opinions on what required and forbidden arcs and tiers leave no choice about."""
        certain, possible = self._certain, self._possible
        for a, b in self.ancestors:
            if certain[a, b]:
                yield (
                    f"The required arcs make {self.names[a]!r} an ancestor of {self.names[b]!r}; leave out "
                    "its probability."
                )
            if not possible[a, b]:
                yield (
                    f"{self.names[a]!r} cannot be an ancestor of {self.names[b]!r}, by the required and "
                    "forbidden arcs and the tiers; leave out its probability, or one of these."
                )
        for a, b in self.correlated:
            both = f"{self.names[a]!r} and {self.names[b]!r}"
            if certain[a, b] or certain[b, a] or (certain[:, a] & certain[:, b]).any():
                yield f"The required arcs make {both} correlated; leave out the probability of it."
            if not (possible[a, b] or possible[b, a] or (possible[:, a] & possible[:, b]).any()):
                yield (
                    f"{both} cannot be correlated, by the forbidden arcs and the tiers; leave out the "
                    "probability of it, or one of these."
                )

    @cached_property
    def _certain(self) -> NDArray[np.bool_]:
        """Whether required arcs lead from row to column."""
        return _closure(self.arc_costs.required)

    @cached_property
    def _possible(self) -> NDArray[np.bool_]:
        """Whether the row's variable may be an ancestor of the column's."""
        paths = _closure(np.isfinite(self.arc_costs.fixed) & self.arc_costs.before)
        return paths & self.arc_costs.before & ~self._certain.T

    def _refuse_incoherent(self) -> Iterator[str]:
        """Find probabilities that no distribution over networks has.

        If a is an ancestor of b with probability p, and b of c with q, then a of c with p + q - 1 or more.
        """
        doubt, via = self._doubt
        for (a, b), p in self.ancestors.items():
            if doubt[a, b] + doubt[b, a] < 1 - ROUNDING or self.ancestors.get((b, a), 0.0) + p >= 1:
                circle = self._path(via, a, b) + self._path(via, b, a)[1:]
                yield (
                    f"The opinions on {self._arrows(circle)} cannot all hold, and their probabilities are "
                    "so high that they sometimes would; lower one."
                )
            if p < 1 - doubt[a, b] - ROUNDING:
                yield (
                    f"By the opinions on {self._arrows(self._path(via, a, b))}, {self.names[a]!r} is an "
                    f"ancestor of {self.names[b]!r} with probability {1 - doubt[a, b]:.3g} or more, but "
                    f"ancestors gives {p:.3g}; raise it, or lower the others."
                )
        for (a, b), p in self.correlated.items():
            if (a, b) != (b, a) and (b, a) in self.correlated and a > b:
                yield f"correlated has {self.names[b]!r} and {self.names[a]!r} twice; give them once."
            one_way = sum(max(0.0, 1 - doubt[pair]) for pair in ((a, b), (b, a)))
            causes = 1 - doubt[:, a] - doubt[:, b]
            least = max(one_way, float(causes.max()))
            stated = sum(self.ancestors.get(pair, 0.0) for pair in ((a, b), (b, a)))
            if p < least - ROUNDING or p <= stated:
                yield (
                    f"By the opinions on ancestors, {self.names[a]!r} and {self.names[b]!r} are correlated "
                    f"with probability {max(least, stated):.3g} or more, but correlated gives {p:.3g}; give "
                    "more, or lower those of ancestors."
                )

    @cached_property
    def _doubt(self) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """At most how improbable it is that row is an ancestor of column, and by which last step."""
        direct = np.full((len(self.names),) * 2, np.inf)
        direct[self.arc_costs.required] = 0.0
        for pair, p in (*self.weights.items(), *self.ancestors.items()):
            direct[pair] = min(direct[pair], 1 - p)
        doubt, via = shortest_path(csgraph_from_dense(direct, null_value=np.inf), return_predecessors=True)
        np.fill_diagonal(doubt, 0.0)
        return doubt, via

    def _path(self, via: NDArray[np.int32], a: int, b: int) -> list[int]:
        path = [b]
        while path[-1] != a:
            path.append(int(via[a, path[-1]]))
        return path[::-1]

    def _arrows(self, path: Sequence[int]) -> str:
        return " => ".join(self.names[v] for v in path)

    def _refuse_order(self) -> Iterator[str]:
        for u, v in itertools.combinations(self.order, 2):
            before = f"The order has {self.names[u]!r} before {self.names[v]!r}"
            if self._certain[v, u]:
                yield f"{before}, but the required arcs lead the other way; turn one of them."
            if not self.arc_costs.before[u, v]:
                yield f"{before}, but the tiers or required arcs say otherwise; turn one of them."


def _closure(arcs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether a path leads from row to column."""
    found = arcs.copy()
    for v in range(len(found)):
        found |= found[:, [v]] & found[[v]]
    return found
