"""How far fitted networks are from each other, family by family, so that what they share costs nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

import numpy as np
from numpy.typing import NDArray

__all__ = ["FittedNetwork", "TooLarge", "divergence"]

LARGEST = 1 << 22
"""Most entries of a table in exact inference: 32 MB."""


class TooLarge(Exception):
    """An exact marginal needs a table of more than `LARGEST` entries."""


@dataclass(frozen=True, eq=False)
class FittedNetwork:
    """Parents and tables of each node, and the marginals asked for so far.

    Attributes
    ----------
    parents : tuple of tuple of int
    cpts : tuple of ndarray
        P(node | parents), axes = parents in order, node last; all positive.
    """

    parents: tuple[tuple[int, ...], ...]
    cpts: tuple[NDArray[np.float64], ...]
    _marginals: dict[tuple[int, ...], NDArray[np.float64] | None] = field(default_factory=dict, init=False)

    def marginal(self, nodes: Sequence[int]) -> NDArray[np.float64]:
        """Give the joint distribution of a few nodes, one axis each in ascending order.

        Raises
        ------
        TooLarge
            If variable elimination needs too large a table.
        """
        key = tuple(sorted(nodes))
        if key not in self._marginals:
            try:
                self._marginals[key] = _eliminated(self, key)
            except TooLarge:
                self._marginals[key] = None
        found = self._marginals[key]
        if found is None:
            raise TooLarge
        return found

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


def divergence(p: FittedNetwork, q: FittedNetwork, *, n_draws: int, seed: int) -> float:
    """Give KL(p || q) in nats: how much longer a row of p is when told by q.

    Parameters
    ----------
    p, q : FittedNetwork
        Over the same nodes.
    n_draws, seed : int
        Rows drawn from p, and where they come from, if p is too large for exact inference.

    Returns
    -------
    float
        Not negative.

    Notes
    -----
    The mean under p of ln p(x) - ln q(x) is a sum over nodes. Where both have the same parents and table it
    is 0, so only the families in which the graphs differ need a marginal of p: variable elimination among
    their ancestors, the node with the smallest table next.

    Examples
    --------
    >>> p = FittedNetwork(((),), (np.array([0.5, 0.5]),))
    >>> q = FittedNetwork(((),), (np.array([0.75, 0.25]),))
    >>> round(divergence(p, q, n_draws=1, seed=0), 4)
    0.1438
    """
    differing = [
        v
        for v in range(len(p.parents))
        if p.parents[v] != q.parents[v] or not np.array_equal(p.cpts[v], q.cpts[v])
    ]
    try:
        total = sum(_mean_log(p, p, v) - _mean_log(p, q, v) for v in differing)
    except TooLarge:
        rows = p.sampled(n_draws, np.random.default_rng(seed))
        total = sum(float((_log_at(p, v, rows) - _log_at(q, v, rows)).mean()) for v in differing)
    return max(total, 0.0)  # rounding, or the draws, may leave a little less than nothing


def _mean_log(p: FittedNetwork, q: FittedNetwork, v: int) -> float:
    family = (*q.parents[v], v)
    table = q.cpts[v].transpose(np.argsort(family))
    return float((p.marginal(family) * np.log(table)).sum())


def _log_at(network: FittedNetwork, v: int, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    logs: NDArray[np.float64] = np.log(network.cpts[v][tuple(rows[[*network.parents[v], v]])])
    return logs


def _eliminated(network: FittedNetwork, keep: tuple[int, ...]) -> NDArray[np.float64]:
    needed = set(keep)
    waiting = list(keep)
    while waiting:
        fresh = set(network.parents[waiting.pop()]) - needed
        needed |= fresh
        waiting.extend(fresh)
    arities = {v: network.cpts[v].shape[-1] for v in needed}
    factors = []
    for v in needed:
        family = (*network.parents[v], v)
        factors.append((tuple(sorted(family)), network.cpts[v].transpose(np.argsort(family))))
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
    factors: Sequence[tuple[tuple[int, ...], NDArray[np.float64]]],
    scope: tuple[int, ...],
    arities: dict[int, int],
) -> NDArray[np.float64]:
    if np.prod([float(arities[v]) for v in scope]) > LARGEST:
        raise TooLarge
    spread = [table.reshape([arities[v] if v in members else 1 for v in scope]) for members, table in factors]
    return reduce(np.multiply, spread)
