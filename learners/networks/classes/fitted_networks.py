"""Networks with tables, and the divergences between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

__all__ = ["FittedNetwork", "divergences"]

LARGEST = 1 << 22
"""Most entries of a table in exact inference: 32 MB."""

SMALL = 1 << 20
"""Most entries of all joint distributions together that are written out: quicker than elimination."""

MOST_AXES = 32
"""Most nodes of a joint distribution that is written out: arrays of numpy have 64 axes at most."""


class TooLarge(Exception):
    """Error raised if an exact marginal needs a table with more than `LARGEST` entries."""


@dataclass(frozen=True, eq=False)
class FittedNetwork:
    """Parents of each node, and P(node | parents), all positive, with axes in the order parents, node."""

    parents: tuple[tuple[int, ...], ...]
    cpts: tuple[NDArray[np.float64], ...]

    @property
    def arities(self) -> list[int]:
        """Number of values of each node."""
        return [cpt.shape[-1] for cpt in self.cpts]

    def factor(self, v: int) -> "Factor":
        """Return one node's table, with the nodes of its axes in ascending order."""
        family = (*self.parents[v], v)
        return tuple(sorted(family)), self.cpts[v].transpose(np.argsort(family))

    def sampled(self, n_rows: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw rows, of shape (n_nodes, n_rows)."""
        rows = np.zeros((len(self.parents), n_rows), np.int64)
        waiting = set(range(len(self.parents)))
        while waiting:
            for v in sorted(v for v in waiting if waiting.isdisjoint(self.parents[v])):
                cumulative = np.cumsum(self.cpts[v][tuple(rows[list(self.parents[v])])], axis=-1)
                rows[v] = (rng.random((n_rows, 1)) * cumulative[..., -1:] >= cumulative).sum(axis=1)
                waiting.remove(v)
        return rows


#: Nodes in ascending order, and a table with an axis for each.
Factor = tuple[tuple[int, ...], NDArray[np.float64]]


def divergences(
    networks: Sequence[FittedNetwork], wanted: NDArray[np.bool_], *, n_draws: int, seed: int
) -> NDArray[np.float64]:
    """Return [i, j]: KL(j || i), the extra nats of a row from j when encoded by i, infinite if unwanted."""
    # The mean under j of ln p_j(x) - ln p_i(x) is a sum over nodes, and 0 for a family that both have, so
    # each network's mean of each family's log probability is computed once. Networks that need a table of
    # more than `LARGEST` entries are sampled.
    numbers: dict[tuple[int, int], int] = {}
    own = np.array(
        [[numbers.setdefault((v, id(cpt)), len(numbers)) for v, cpt in enumerate(p.cpts)] for p in networks]
    )
    first = [np.argwhere(own == number)[0] for number in range(len(numbers))]
    factors = [networks[k].factor(v) for k, v in first]
    logs = [(scope, np.log(table)) for scope, table in factors]
    arities = networks[0].arities
    if len(arities) <= MOST_AXES and len(networks) * np.prod(arities, dtype=float) <= SMALL:
        means = _from_joints(networks, logs)
    else:
        means = np.zeros((len(networks), len(logs)))
        for j, network in enumerate(networks):
            others = own[wanted[:, j]]
            differ = others != own[j]
            needed = np.union1d(others[differ], own[j, differ.any(axis=0)])
            means[j, needed] = _means(network, [logs[f] for f in needed], n_draws, seed)
    apart = np.full(wanted.shape, np.inf)
    by, of = np.nonzero(wanted)
    extra = np.take_along_axis(means[of], own[of], axis=1) - np.take_along_axis(means[of], own[by], axis=1)
    # rounding, or sampling, may leave a little less than 0
    apart[by, of] = np.maximum(extra.sum(axis=1), 0.0)
    return apart


def _from_joints(networks: Sequence[FittedNetwork], logs: Sequence[Factor]) -> NDArray[np.float64]:
    """Return the mean of each log factor under each network, by summing joint distributions."""
    arities = networks[0].arities
    nodes = tuple(range(len(arities)))
    joints = np.stack(
        [_product([p.factor(v) for v in nodes], nodes, dict(enumerate(arities))) for p in networks]
    )
    marginals: dict[tuple[int, ...], NDArray[np.float64]] = {}
    means = np.empty((len(networks), len(logs)))
    for f, (scope, log) in enumerate(logs):
        if scope not in marginals:
            others = tuple(1 + v for v in nodes if v not in scope)
            marginals[scope] = joints.sum(axis=others).reshape(len(networks), -1)
        means[:, f] = marginals[scope] @ log.ravel()
    return means


def _means(network: FittedNetwork, logs: Sequence[Factor], n_draws: int, seed: int) -> list[float]:
    """Return the mean of each log factor under one network, by sampling if it would take a large table."""
    try:
        marginals = {scope: _eliminated(network, scope) for scope in {scope for scope, _ in logs}}
        return [float((marginals[scope] * log).sum()) for scope, log in logs]
    except TooLarge:
        rows = network.sampled(n_draws, np.random.default_rng(seed))
        return [float(log[tuple(rows[list(scope)])].mean()) for scope, log in logs]


def _eliminated(network: FittedNetwork, keep: tuple[int, ...]) -> NDArray[np.float64]:
    """Return the joint distribution of a few nodes, eliminating ancestors by smallest table."""
    needed = set(keep)
    waiting = list(keep)
    while waiting:
        fresh = set(network.parents[waiting.pop()]) - needed
        needed |= fresh
        waiting.extend(fresh)
    arities = {v: network.cpts[v].shape[-1] for v in needed}
    factors = [network.factor(v) for v in needed]
    hidden = needed - set(keep)
    while hidden:
        scopes = {v: set().union(*(scope for scope, _ in factors if v in scope)) for v in hidden}
        v = min(hidden, key=lambda v: (np.prod([float(arities[u]) for u in scopes[v]]), v))
        joined = _product([f for f in factors if v in f[0]], tuple(sorted(scopes[v])), arities)
        rest = tuple(u for u in sorted(scopes[v]) if u != v)
        factors = [f for f in factors if v not in f[0]]
        factors.append((rest, joined.sum(axis=sorted(scopes[v]).index(v))))
        hidden.remove(v)
    return _product(factors, keep, arities)


def _product(
    factors: Sequence[Factor],
    scope: tuple[int, ...],
    arities: dict[int, int],
) -> NDArray[np.float64]:
    if np.prod([float(arities[v]) for v in scope]) > LARGEST:
        raise TooLarge
    spread = [table.reshape([arities[v] if v in members else 1 for v in scope]) for members, table in factors]
    return reduce(np.multiply, spread)
