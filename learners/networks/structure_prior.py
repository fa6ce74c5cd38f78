"""Prior knowledge of network structure."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.networks.network import Network
from learners.networks.indirect_opinions import IndirectOpinions
from learners.networks.search.arc_costs import ArcCosts
from learners.parent_checks import column_index, find_cycle

__all__ = ["StructurePrior", "check_structure_prior"]

Arc = tuple[int | str, int | str]
IndexArc = tuple[int, int]


@dataclass(frozen=True, eq=False)
class StructurePrior:
    """Prior knowledge of arcs, ancestors and the order of the variables.

    Pairs without an opinion are encoded with the arc probability. Variables are given by name or by index. In
    a classifier, the class is the last variable. Its name is the name of `y`, or "y" if `y` has no name.

    Parameters
    ----------
    tiers : sequence of sequences or sets of str
        Groups of variables in temporal order. No arc goes from a later group to an earlier group, and no
        variable precedes a variable of an earlier group. Variables that are in no group are not restricted.
    required, forbidden : sequence or set of (str, str)
        Arcs (from, to) that must be present, and arcs that must not be present.
    weights : mapping of (str, str) to float
        Probability of an arc (from, to), strictly between 0 and 1. The rest of the probability is shared
        equally by the other possibilities for the pair: the reverse arc, unless it also has a weight, and no
        arc with either order of the two variables. Weighted pairs do not depend on the arc probability. (In
        the CaMML program, the shares are in proportion to the arc probability, and equal only if that is
        1/2.) If arcs are rare, a low weight on one arc therefore makes the reverse arc more probable than it
        is without an opinion. In this case, also give the reverse arc a weight, or forbid it.
    expert : Network, or sequence or set of (str, str), optional
        An expert's network. Each added or missing arc, compared with this network, costs `edit_penalty`, and
        a reversed arc twice as much. A Network concerns only pairs of its variables, a list of arcs concerns
        all pairs. For pairs with a weight, the expert's network is ignored.
    edit_penalty : float, default 1.0
        Penalty in nats for each difference, 0 or more.
    ancestors : mapping of (str, str) to float
        Probability, strictly between 0 and 1, that the first variable is an ancestor of the second: arcs lead
        from the first to the second, directly or through other variables. This probability is multiplied with
        the probability that the arc probability implies (see Notes).
    correlated : mapping of (str, str) to float
        Probability, strictly between 0 and 1, that one of the two variables is an ancestor of the other, or
        that they have a common ancestor.
    order : sequence of str
        Some or all variables in a preferred order. Each pair of variables whose order is reversed costs
        `order_penalty`.
    order_penalty : float, default 1.0
        Penalty in nats for each difference, 0 or more.

    Notes
    -----
    Pairs with an opinion on an arc do not contribute to the estimate of the arc probability. All orders of
    the variables have the same cost, unless `order` is given. Costs that are the same for all networks are
    left out.

    Two variables have one of four relations: the first is an ancestor of the second, the first is a
    descendant of the second, they only have a common ancestor, or they are unrelated. If `ancestors` and
    `correlated` do not determine the probabilities of all four relations, the remaining probability is shared
    by the other relations, in proportion to their frequency in random totally ordered models at the same arc
    probability. For each pair with an opinion, a network costs -ln P(relation) in addition to the cost of its
    arcs, as in the CaMML program. The program estimates the frequencies from 10,000 random models. Here they
    are exact.

    The probability from the opinion and the probability from the arcs are multiplied. The prior probability
    of the relation therefore differs from the stated probability. For instance, with two variables and the
    arc probability 0.2, the first is an ancestor of the second with probability 0.1. With an opinion of 0.3
    this probability becomes 0.06, with 0.5 it becomes 0.12, and with 0.9 it becomes 0.56. If arcs are rare, a
    medium opinion is therefore evidence against a relation, and an opinion in favor of a relation should be
    near 1.

    In a totally ordered model, the variables have an order in which parents precede children. The cost of an
    order is `order_penalty` times Kendall's distance to `order`. Among the orders that a network allows, its
    message uses the order with the smallest distance. (If `order` has more than 16 variables, it uses an
    order that no move of one variable improves.) The CaMML program takes an expert's network instead of an
    order, and the nearest order that this network allows.

    `ancestors`, `correlated` and `order` depend on the whole network. The fast search, annealing and sampling
    accept these opinions, exact search and exact averages do not. The fast search then ends with annealing,
    in which "joint" estimates the arc probability in the same way as "fixed_point".

    Contradicting opinions raise an error, if a few opinions together show the contradiction. An arc that is
    required, weighted or in the expert's network cannot be forbidden, and cannot contradict the tiers or a
    required arc. The same holds for ancestors and the order. If one variable is an ancestor of a second with
    probability p, and the second is an ancestor of a third with probability q, the first is an ancestor of
    the third with probability p + q - 1 or more. A lower stated probability is an error. A circle of
    ancestors is an error if the probabilities that the single relations fail sum to less than 1. If two
    variables are correlated, the first is also correlated with the descendants of the second.

    References
    ----------
    .. [1] O'Donnell, R. T., Nicholson, A. E., Han, B., Korb, K. B., Alam, M. J. & Hope, L. R. 2006, "Causal
       discovery with prior information", AI 2006.

    Examples
    --------
    >>> from learners import learn_network
    >>> x = np.tile([0, 1], 100)
    >>> X = np.column_stack([x, x])
    >>> learn_network(X, structure_prior=StructurePrior(tiers=[["x0"], ["x1"]])).parents
    {'x0': (), 'x1': ('x0',)}
    >>> learn_network(X, structure_prior=StructurePrior(required=[("x1", "x0")])).parents
    {'x0': ('x1',), 'x1': ()}
    """

    workbench_identity = "learners.structure_prior:StructurePrior"
    tiers: Sequence[Collection[int | str]] = ()
    required: Collection[Arc] = ()
    forbidden: Collection[Arc] = ()
    weights: Mapping[Arc, float] = field(default_factory=dict)
    expert: Network | Collection[Arc] | None = None
    edit_penalty: float = 1.0
    ancestors: Mapping[Arc, float] = field(default_factory=dict)
    correlated: Mapping[Arc, float] = field(default_factory=dict)
    order: Sequence[int | str] = ()
    order_penalty: float = 1.0

    def __post_init__(self) -> None:
        for name in ("required", "forbidden"):
            if not _is_list(getattr(self, name)):
                raise ValueError(
                    f"{name} must be a sequence or set of arcs (from, to), but was {getattr(self, name)!r}."
                )
        if self.expert is not None and not isinstance(self.expert, Network) and not _is_list(self.expert):
            raise ValueError(
                "expert must be a Network, a sequence or set of arcs (from, to), or None, but was "
                f"{self.expert!r}."
            )
        if not _is_list(self.tiers) or isinstance(self.tiers, Set):
            raise ValueError(
                f"tiers must be a sequence of sequences or sets of columns, but was {self.tiers!r}."
            )
        if not all(map(_is_list, self.tiers)):
            raise ValueError(
                f"tiers must be a sequence of sequences or sets of columns, but was {self.tiers!r}."
            )
        for name, what, certain in (
            ("weights", "weight", "required or forbidden"),
            ("ancestors", "probability", "required arcs or tiers"),
            ("correlated", "probability", "required or forbidden arcs"),
        ):
            _check_probabilities(name, getattr(self, name), what, certain)
        if not _is_list(self.order) or isinstance(self.order, Set):
            raise ValueError(f"order must be a sequence of columns, but was {self.order!r}.")
        for name in ("edit_penalty", "order_penalty"):
            penalty = getattr(self, name)
            if not _is_number(penalty) or not 0 <= penalty < math.inf:
                raise ValueError(f"{name} must be a number of nats, 0 or more, but was {penalty!r}.")

    @property
    def is_indirect(self) -> bool:
        """Whether there are opinions on ancestors, correlations or the order of the variables."""
        return bool(self.ancestors or self.correlated or (len(self.order) > 1 and self.order_penalty > 0))

    def arc_costs(self, names: tuple[str, ...]) -> ArcCosts:
        """Return the cost of every possible arc between the named variables.

        Parameters
        ----------
        names : tuple of str
            Names in the order of the nodes.

        Returns
        -------
        ArcCosts

        Raises
        ------
        ValueError
            If a name is unknown, opinions contradict each other, or a number is invalid.
        """
        n = len(names)
        others = ~np.eye(n, dtype=np.bool_)
        draft = _Draft(names, others.copy(), np.zeros((n, n)), np.zeros((n, n), np.bool_), others.copy())
        weights = _by_index(self.weights, names, "The weighted arc")
        believed = draft.heed_expert(self.expert, self.edit_penalty, weights)
        draft.weigh(weights)
        draft.heed_tiers(self.tiers)
        draft.forbid(_indices(self.forbidden, names, "The forbidden arc"))
        draft.require(_indices(self.required, names, "The required arc"), weights)
        draft.refuse_excluded(weights, "has a weight")
        draft.refuse_excluded(believed, "is the expert's")
        known = ArcCosts(draft.free, draft.fixed, draft.required, draft.before, draft.constant)
        indirect = IndirectOpinions(
            names,
            _by_index(self.ancestors, names, "The ancestor pair"),
            _by_index(self.correlated, names, "The correlated pair"),
            weights,
            _places(self.order, names),
            self.order_penalty,
            known,
        )
        return replace(known, indirect=indirect.prior())


def check_structure_prior(value: object) -> StructurePrior:
    """Return the opinions, with None for no opinion."""
    if value is None:
        return StructurePrior()
    if not isinstance(value, StructurePrior):
        raise ValueError(f"structure_prior must be a StructurePrior or None, but was {value!r}.")
    return value


@dataclass
class _Draft:
    """The costs while opinions are added one after the other."""

    names: tuple[str, ...]
    free: NDArray[np.bool_]
    fixed: NDArray[np.float64]
    required: NDArray[np.bool_]
    before: NDArray[np.bool_]
    constant: float = 0.0
    excluded: dict[IndexArc, str] = field(default_factory=dict)

    def heed_expert(
        self, expert: Network | Collection[Arc] | None, penalty: float, weights: Mapping[IndexArc, float]
    ) -> list[IndexArc]:
        """Return the expert's arcs, and set their costs for pairs without a weight."""
        if expert is None:
            return []
        known, arcs = self._expert_arcs(expert)
        among = np.ix_(known, known)
        self.free[among] = False
        self.fixed[among] = penalty
        np.fill_diagonal(self.fixed, 0.0)
        for u, v in arcs:
            if (u, v) not in weights and (v, u) not in weights:
                self.fixed[u, v] = -penalty
                self.constant += penalty
        return arcs

    def _expert_arcs(self, expert: Network | Collection[Arc]) -> tuple[list[int], list[IndexArc]]:
        if not isinstance(expert, Network):
            arcs = _indices(expert, self.names, "The expert's arc")
            parents: list[tuple[int, ...]] = [()] * len(self.names)
            for u, v in arcs:
                parents[v] = (*parents[v], u)
            if find_cycle(tuple(parents)):
                raise ValueError("The expert's arcs have a cycle. Leave out one of them.")
            return list(range(len(self.names))), arcs
        place = [column_index(name, self.names, "The expert's variable") for name in expert.names]
        return place, [(place[u], place[v]) for v, others in enumerate(expert.parent_indices) for u in others]

    def weigh(self, weights: Mapping[IndexArc, float]) -> None:
        for (u, v), weight in weights.items():
            other = weights.get((v, u))
            both = weight + (0.0 if other is None else other)
            if both >= 1:
                raise ValueError(
                    f"The weights of the arc {self._arc(u, v)} and of its reverse must sum to less than 1, "
                    f"but were {weight!r} and {other!r}. Lower one."
                )
            rest = (1 - both) / (3 if other is None else 2)
            self.free[u, v] = self.free[v, u] = False
            self.fixed[u, v] = math.log(rest / weight)
            if other is None:
                self.fixed[v, u] = 0.0
            if other is None or u < v:
                self.constant -= math.log(2 * rest)

    def heed_tiers(self, tiers: Sequence[Collection[int | str]]) -> None:
        groups = [
            [column_index(name, self.names, "The tiers' variable") for name in _listed(tier)]
            for tier in tiers
        ]
        members = [u for group in groups for u in group]
        if len(set(members)) < len(members):
            twice = next(u for u in members if members.count(u) > 1)
            raise ValueError(f"The tiers name {self.names[twice]!r} twice. Name each variable once.")
        for i, later in enumerate(groups):
            for earlier in groups[:i]:
                at = np.ix_(later, earlier)
                self.before[at] = False
                self.forbid(((u, v) for u in later for v in earlier), "contradicts the tiers")

    def forbid(self, arcs: Iterable[IndexArc], why: str = "is forbidden") -> None:
        for u, v in arcs:
            self.free[u, v] = False
            self.fixed[u, v] = math.inf
            self.excluded[u, v] = why

    def require(self, arcs: list[IndexArc], weights: Mapping[IndexArc, float]) -> None:
        parents: list[tuple[int, ...]] = [()] * len(self.names)
        for u, v in arcs:
            if (u, v) in weights:
                raise ValueError(f"The arc {self._arc(u, v)} has a weight, but is required. Leave out one.")
            parents[v] = (*parents[v], u)
        self.refuse_excluded(arcs, "is required")
        if cycle := find_cycle(tuple(parents)):
            path = " -> ".join(self.names[v] for v in [*cycle, cycle[0]])
            raise ValueError(f"The required arcs have a cycle, {path}. Leave out one of them.")
        for u, v in arcs:
            self.required[u, v] = True
            self.constant += self.fixed[u, v]  # an expert's opinion on it costs the same for every network
            self.fixed[u, v] = 0.0
            self.free[u, v] = False
            self.forbid([(v, u)], f"contradicts the required arc {self._arc(u, v)}")
            self.before[v, u] = False

    def refuse_excluded(self, arcs: Iterable[IndexArc], what: str) -> None:
        """Raise an error for opinions in favor of an arc that another opinion excludes."""
        for u, v in arcs:
            if (u, v) in self.excluded:
                raise ValueError(
                    f"The arc {self._arc(u, v)} {what}, but {self.excluded[u, v]}. Leave out one."
                )

    def _arc(self, u: int, v: int) -> str:
        return f"{self.names[u]} -> {self.names[v]}"


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_list(value: object) -> bool:
    """Return whether the value is a sequence, a set, or some of a table's columns, but not text."""
    if isinstance(value, pd.Index | np.ndarray):
        return value.ndim == 1
    return isinstance(value, Sequence | Set) and not isinstance(value, str)


def _listed(members: Collection[Any]) -> list[Any]:
    """Return the members in order. Those of a set have an order that does not vary between runs."""
    return sorted(members, key=repr) if isinstance(members, Set) else list(members)


def _check_probabilities(name: str, given: object, what: str, certain: str) -> None:
    if not isinstance(given, Mapping):
        pairs = "arcs" if name == "weights" else "pairs"
        raise ValueError(f"{name} must be a mapping of {pairs} to probabilities, but was {given!r}.")
    for pair, p in given.items():
        if not _is_number(p) or not 0 < p < 1:
            raise ValueError(
                f"The {what} of {pair!r} must lie between 0 and 1, but was {p!r}. Use {certain} for "
                "certainties."
            )


def _by_index(given: Mapping[Arc, float], names: tuple[str, ...], what: str) -> dict[IndexArc, float]:
    pairs = _indices(given, names, what)
    for k, (u, v) in enumerate(pairs):
        if (u, v) in pairs[:k]:
            raise ValueError(
                f"{what} ({names[u]!r}, {names[v]!r}) is given twice, by name and by index. Give it once."
            )
    return dict(zip(pairs, given.values(), strict=True))


def _places(order: Sequence[int | str], names: tuple[str, ...]) -> list[int]:
    found = [column_index(name, names, "The order's variable") for name in order]
    if len(set(found)) < len(found):
        twice = next(u for u in found if found.count(u) > 1)
        raise ValueError(f"The order names {names[twice]!r} twice. Name each variable once.")
    return found


def _indices(arcs: Collection[Arc], names: tuple[str, ...], what: str) -> list[IndexArc]:
    found = []
    for arc in _listed(arcs):
        if isinstance(arc, str) or not isinstance(arc, Sequence) or len(arc) != 2:
            raise ValueError(f"{what} must be a pair (from, to), but was {arc!r}.")
        u, v = (column_index(end, names, f"{what}'s end") for end in arc)
        if u == v:
            raise ValueError(f"{what} {arc!r} joins a variable with itself. Leave it out.")
        found.append((u, v))
    return found
