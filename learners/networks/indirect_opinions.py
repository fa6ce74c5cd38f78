"""Prior opinions on ancestors, correlations and the order of the variables, checked for consistency."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import csgraph_from_dense, shortest_path

from learners.networks.search.arc_costs import ArcCosts
from learners.networks.search.indirect_prior import IndirectPrior, closure

__all__ = ["IndirectOpinions"]

ROUNDING = 1e-9

IndexArc = tuple[int, int]


@dataclass(frozen=True, eq=False)
class IndirectOpinions:
    """Opinions by index on ancestors, correlations, arcs (`weights`) and order, and the allowed arcs."""

    names: tuple[str, ...]
    ancestors: Mapping[IndexArc, float]
    correlated: Mapping[IndexArc, float]
    weights: Mapping[IndexArc, float]
    order: Sequence[int]
    order_penalty: float  # nats of each pair in the other order
    arc_costs: ArcCosts

    def prior(self) -> IndirectPrior | None:
        """Return the costs of the opinions, or None without opinions. Contradictions raise a ValueError."""
        self._check_certain()
        self._check_circles()
        self._check_ancestors()
        self._check_correlations()
        self._check_order()
        pairs = sorted({tuple(sorted(pair)) for pair in (*self.ancestors, *self.correlated)})
        precedes = np.zeros((len(self.names),) * 2, np.bool_)
        for u, v in itertools.combinations(self.order, 2):
            precedes[u, v] = self.order_penalty > 0
        if not pairs and not precedes.any():
            return None
        stated = [
            (
                self.ancestors.get((a, b), np.nan),
                self.ancestors.get((b, a), np.nan),
                self.correlated.get((a, b), self.correlated.get((b, a), np.nan)),
            )
            for a, b in pairs
        ]
        return IndirectPrior(
            np.array(pairs, np.int64).reshape(-1, 2),
            np.array(stated, float).reshape(-1, 3),
            precedes,
            float(self.order_penalty),
            self._precedes,
        )

    @cached_property
    def _precedes(self) -> NDArray[np.bool_]:
        """Whether the row's variable precedes the column's by tiers and required arcs."""
        return closure(self.arc_costs.precedes)

    def _descendants(self, a: int, until: int) -> set[int]:
        """Return the possible descendants of a variable by paths of variables after it and before another."""
        arcs = (
            np.isfinite(self.arc_costs.fixed)
            & ~self._precedes.T
            & ~self._precedes[:, a]
            & ~self._precedes[until]
        )
        found, waiting = set[int](), [a]
        while waiting:
            fresh = set(np.flatnonzero(arcs[waiting.pop()]).tolist()) - found
            found |= fresh
            waiting += fresh
        return found

    def _may_lead(self, a: int, b: int) -> bool:
        """Whether a path may lead from one variable to another."""
        return not self._precedes[b, a] and b in self._descendants(a, b)

    def _check_certain(self) -> None:
        """Raise an error for opinions on relations decided by required and forbidden arcs and tiers."""
        certain = closure(self.arc_costs.required)  # whether arcs lead from row to column
        for a, b in self.ancestors:
            if certain[a, b]:
                raise ValueError(
                    f"The required arcs make {self.names[a]!r} an ancestor of {self.names[b]!r}. Leave the "
                    "pair out of ancestors."
                )
            if not self._may_lead(a, b):
                raise ValueError(
                    f"{self.names[a]!r} cannot be an ancestor of {self.names[b]!r}, because of the required "
                    "and forbidden arcs and the tiers. Leave the pair out of ancestors, or change the arcs "
                    "or tiers."
                )
        for a, b in self.correlated:
            both = f"{self.names[a]!r} and {self.names[b]!r}"
            if (a, b) > (b, a) and (b, a) in self.correlated:
                raise ValueError(
                    f"correlated has {self.names[b]!r} and {self.names[a]!r} twice. Give the pair once."
                )
            if certain[a, b] or certain[b, a] or (certain[:, a] & certain[:, b]).any():
                raise ValueError(
                    f"The required arcs make {both} correlated. Leave the pair out of correlated."
                )
            causes = (c for c in range(len(self.names)) if c not in (a, b))
            if not (
                self._may_lead(a, b)
                or self._may_lead(b, a)
                or any(self._may_lead(c, a) and self._may_lead(c, b) for c in causes)
            ):
                raise ValueError(
                    f"{both} cannot be correlated, because of the forbidden arcs and the tiers. Leave the "
                    "pair out of correlated, or change the arcs or tiers."
                )

    # The checks below are of bounds that follow from two or three opinions: if a is an ancestor of b with
    # probability p, and b of c with q, then a of c with p + q - 1 or more.

    def _check_circles(self) -> None:
        """Raise an error for circles of ancestors that cannot fail as often as they must."""
        doubt, via = self._doubt
        for a, b in (*self.ancestors, *self.weights):
            if doubt[a, b] + doubt[b, a] < 1 - ROUNDING:
                circle = self._path(via, a, b) + self._path(via, b, a)[1:]
                raise ValueError(
                    f"The relations {self._arrows(circle)} cannot all hold, but by the opinions one of them "
                    f"fails with probability {doubt[a, b] + doubt[b, a]:.3g} at most. Lower one opinion."
                )

    def _check_ancestors(self) -> None:
        """Raise an error for probabilities of ancestors that contradict others."""
        doubt, via = self._doubt
        for (a, b), p in self.ancestors.items():
            if p < 1 - doubt[a, b] - ROUNDING:
                raise ValueError(
                    f"By the opinions on {self._arrows(self._path(via, a, b))}, {self.names[a]!r} is an "
                    f"ancestor of {self.names[b]!r} with probability {1 - doubt[a, b]:.3g} or more, but "
                    f"ancestors gives {p:.3g}. Raise it, or lower the others."
                )
            if p + self.ancestors.get((b, a), 0.0) > 1 - ROUNDING:
                raise ValueError(
                    f"The probabilities that {self.names[a]!r} is an ancestor of {self.names[b]!r} and that "
                    "it is a descendant sum to 1, so that one of both always holds. Lower one."
                )

    def _check_correlations(self) -> None:
        """Raise an error for correlations that contradict other opinions."""
        for (a, b), p in self.correlated.items():
            both = f"{self.names[a]!r} and {self.names[b]!r}"
            stated = sum(self.ancestors.get(pair, 0.0) for pair in ((a, b), (b, a)))
            least = max(self._least_correlated(a, b), stated)
            if p < least - ROUNDING:
                raise ValueError(
                    f"By the other opinions, {both} are correlated with probability {least:.3g} or more, but "
                    f"correlated gives {p:.3g}. Raise it, or lower the other opinions."
                )
            alone = len(self.names) == 2 and (a, b) in self.ancestors and (b, a) in self.ancestors
            if stated > 0 and p < stated + ROUNDING and not alone:
                raise ValueError(
                    f"The probability {p:.3g} that {both} are correlated equals the probability that one is "
                    "an ancestor of the other, and leaves none for a common ancestor. Raise it, or leave it "
                    "out."
                )
            if p > stated + ROUNDING and alone:
                raise ValueError(
                    f"{both} are the only variables, and have no common ancestor: correlated must be "
                    f"{stated:.3g}, the sum of ancestors, but was {p:.3g}. Leave it out."
                )

    def _least_correlated(self, a: int, b: int) -> float:
        """Return the least probability that two variables are correlated."""
        doubt, _ = self._doubt
        one_way = max(0.0, 1 - doubt[a, b]) + max(0.0, 1 - doubt[b, a])
        by_cause = float((1 - doubt[:, a] - doubt[:, b]).max())
        by_effect = [
            q - float(doubt[end, other])  # what is correlated with a variable is so with its descendants
            for (c, d), q in self.correlated.items()
            for one, end in ((c, d), (d, c))
            for own, other in ((a, b), (b, a))
            if one == own and end != other
        ]
        return max(one_way, by_cause, *by_effect, 0.0)

    def _check_order(self) -> None:
        """Raise an error for an order against tiers or required arcs."""
        for u, v in itertools.combinations(self.order, 2):
            if self._precedes[v, u]:
                raise ValueError(
                    f"The order has {self.names[u]!r} before {self.names[v]!r}, but the tiers or required "
                    "arcs require the reverse. Change one of them."
                )

    @cached_property
    def _doubt(self) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """Return an upper bound of the improbability that row is an ancestor of column, and its last step."""
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
