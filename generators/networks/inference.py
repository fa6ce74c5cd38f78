"""Exact marginals of a network, for many rows of evidence.

Rows with the same missing attributes share one variable elimination, whose tables have the row as first axis.
Where many missing-value patterns have few rows each, compiled code eliminates row by row, with bitwise equal
results. All computations are in logs, and no result depends on the other rows of the batch.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generators.base.factorization import Factorization
from generators.base.probabilities import log_sum
from generators.networks.patterns import markov_blanket
from generators.networks.programs import SoftEvidence, check_memory, run_programs

__all__ = [
    "family_marginal",
    "log_joint_table",
    "log_posterior_table",
    "most_probable_codes",
]

# entries of the largest table of one elimination; more rows are taken in blocks
BLOCK_ENTRIES = 2**20

# tables of the size of the largest that numpy holds at a time
COPIES = 4

# a pattern of so many rows is faster by numpy; for so few patterns nobody waits for compiled code
MANY_ROWS, FEW_PATTERNS = 100, 8

Families = Sequence[int]


def log_joint_table(
    network: Factorization, columns: NDArray[np.intp], target: int | None, soft: SoftEvidence | None = None
) -> NDArray[np.float64]:
    """Return log P(evidence, target) for each row and state of the target, missing variables summed out."""
    keep = () if target is None else (target,)
    table = _summed_out(network, columns, columns < 0, keep, soft or {}, connected=False)
    return table if keep else table[:, np.newaxis]


def log_posterior_table(
    network: Factorization, columns: NDArray[np.intp], target: int
) -> NDArray[np.float64]:
    """Return log P(target | evidence) for each row, up to a constant of the row."""
    # Families that the evidence separates from the target are left out: a row that is complete on the
    # target's Markov blanket costs one lookup for the target and for each of its children.
    missing = columns < 0
    if missing.any():
        missing[:, ~missing[list(markov_blanket(network.parent_indices, target))].any(axis=0)] = False
    return _summed_out(network, columns, missing, (target,), {}, connected=True)


def family_marginal(network: Factorization, variables: tuple[int, ...]) -> NDArray[np.float64]:
    """Return the joint distribution of a few variables, one axis each in the order given."""
    nothing_seen = np.full((network.n_variables, 1), -1, dtype=np.intp)
    return np.exp(_summed_out(network, nothing_seen, nothing_seen < 0, variables, {}, connected=False)[0])


def most_probable_codes(network: Factorization, seen: Mapping[int, int]) -> tuple[list[int], float]:
    """Return the most probable codes of all variables given the evidence, and their log-probability."""
    # by max-product elimination; of equal ones, the variable eliminated last takes its first state, and so on
    columns = np.full((network.n_variables, 1), -1, dtype=np.intp)
    columns[list(seen), 0] = list(seen.values())
    families, hidden = range(network.n_variables), frozenset(range(network.n_variables)) - seen.keys()
    plan = _elimination_plan(network, families, (), hidden)
    factors = [_evidence_factor(network, child, columns, hidden) for child in families]
    best = []
    for variable in plan.order:
        factors, scope, table = _joined(factors, variable)
        factors.append(_Factor(scope[1:], table.max(axis=1)))
        best.append((variable, scope[1:], table.argmax(axis=1)[0]))
    codes = dict(seen)
    for variable, others, choice in reversed(best):
        codes[variable] = int(choice[tuple(codes[other] for other in others)])
    return [codes[variable] for variable in range(network.n_variables)], float(_product(factors, ())[0])


def _summed_out(
    network: Factorization,
    columns: NDArray[np.intp],
    missing: NDArray[np.bool_],
    keep: tuple[int, ...],
    soft: SoftEvidence,
    *,
    connected: bool,
) -> NDArray[np.float64]:
    """Fill the table of each row. With `connected`, it is up to a constant of the row."""
    out = np.empty((columns.shape[1], *(int(network.arities[variable]) for variable in keep)))
    missing[list(keep)] = True
    order, bounds = _by_pattern(missing)
    large = list(range(len(bounds) - 1))
    if len(large) > FEW_PATTERNS:
        sizes = np.diff(bounds)
        small = np.flatnonzero(sizes < MANY_ROWS)
        if len(small) > FEW_PATTERNS:
            rows = order[np.repeat(sizes < MANY_ROWS, sizes)]
            pattern = np.repeat(np.arange(len(small)), sizes[small])
            holes = np.ascontiguousarray(missing[:, order[bounds[small]]].T)
            likely = {variable: values[rows] for variable, values in soft.items()}
            out[rows] = run_programs(
                network, columns[:, rows], holes, pattern, keep, likely, connected=connected
            )
            large = np.flatnonzero(sizes >= MANY_ROWS).tolist()
    choose = _connected_families if connected else _needed_families
    for group in large:
        rows = order[bounds[group] : bounds[group + 1]]
        hidden = frozenset(np.flatnonzero(missing[:, rows[0]]).tolist())
        families = choose(network, keep, hidden, soft)
        plan = _elimination_plan(network, families, keep, hidden)
        check_memory(COPIES * 8 * plan.peak, len(hidden) - len(keep))
        # an array of rows already, so that blocks of it select copies of few columns
        for block in np.array_split(rows, max(1, math.ceil(len(rows) * plan.peak / BLOCK_ENTRIES))):
            likelihoods = [_Factor((v,), soft[v][block]) for v in soft if v in hidden]
            out[block] = _eliminate(network, families, columns[:, block], keep, plan, likelihoods)
    return out


def _by_pattern(missing: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows sorted by missing-value pattern, and the bounds of the patterns."""
    n_rows = missing.shape[1]
    if n_rows == 0 or (missing == missing[:, :1]).all():
        return np.arange(n_rows), np.array([0, n_rows][: n_rows + 1])
    words = np.zeros((n_rows, -(-len(missing) // 64)), dtype=np.uint64)
    packed = np.packbits(missing.T, axis=1)
    words.view(np.uint8)[:, : packed.shape[1]] = packed
    order = np.lexsort(words.T)
    words = words[order]
    return order, np.flatnonzero(np.r_[True, (words[1:] != words[:-1]).any(axis=1), True])


def _needed_families(
    network: Factorization, keep: tuple[int, ...], hidden: frozenset[int], soft: SoftEvidence
) -> list[int]:
    """Leave out barren variables: hidden ones without an observed or kept descendant sum to one."""
    needed = {variable for variable in network.order if variable not in hidden} | set(keep) | set(soft)
    for variable in reversed(network.order):
        if variable in needed:
            needed.update(network.parent_indices[variable])
    return sorted(needed)


def _connected_families(
    network: Factorization, keep: tuple[int, ...], hidden: frozenset[int], soft: SoftEvidence
) -> list[int]:
    """Return the needed families that hidden variables link to the target."""
    needed = _needed_families(network, keep, hidden, soft)
    scopes = {child: hidden.intersection((*network.parent_indices[child], child)) for child in needed}
    reached, waiting = set(keep), list(keep)
    while waiting:
        variable = waiting.pop()
        touched = [scope for scope in scopes.values() if variable in scope]
        fresh = {other for scope in touched for other in scope} - reached
        reached |= fresh
        waiting.extend(fresh)
    return [child for child, scope in scopes.items() if scope & reached]


@dataclass(frozen=True)
class _Plan:
    """The elimination order of the hidden variables, and the size of the largest table."""

    hidden: frozenset[int]
    order: tuple[int, ...]
    peak: int


def _elimination_plan(
    network: Factorization, families: Families, keep: tuple[int, ...], hidden: frozenset[int]
) -> _Plan:
    """Order the eliminations greedily by smallest table, ties by index."""
    cliques = [hidden.intersection((*network.parent_indices[child], child)) for child in families]
    neighbors: dict[int, set[int]] = {}
    for clique in cliques:
        for variable in clique:
            neighbors.setdefault(variable, set()).update(clique)
    arity = network.arities.tolist()
    sizes = {v: math.prod(arity[u] for u in neighbors[v]) for v in neighbors if v not in keep}
    peak = max([math.prod(arity[u] for u in clique) for clique in [*cliques, frozenset(keep)]])
    order = []
    while sizes:
        variable = min(sizes, key=lambda v: (sizes[v], v))
        peak = max(peak, sizes.pop(variable))
        order.append(variable)
        linked = neighbors.pop(variable) - {variable}
        for other in linked:
            neighbors[other] |= linked
            neighbors[other].discard(variable)
            if other in sizes:
                sizes[other] = math.prod(arity[u] for u in neighbors[other])
    return _Plan(hidden, tuple(order), peak)


@dataclass(frozen=True)
class _Factor:
    """A log table over hidden variables. Axes are rows (or 1 for all), then the scope."""

    scope: tuple[int, ...]
    log_values: NDArray[np.float64]


def _eliminate(
    network: Factorization,
    families: Families,
    columns: NDArray[np.intp],
    keep: tuple[int, ...],
    plan: _Plan,
    likelihoods: list[_Factor],
) -> NDArray[np.float64]:
    factors = [_evidence_factor(network, child, columns, plan.hidden) for child in families] + likelihoods
    for variable in plan.order:
        factors, scope, table = _joined(factors, variable)
        factors.append(_Factor(scope[1:], log_sum(table, axis=1)))
    return _product(factors, keep)


def _joined(
    factors: Sequence[_Factor], variable: int
) -> tuple[list[_Factor], tuple[int, ...], NDArray[np.float64]]:
    """Return the factors without a variable, and the product of the factors with it, whose scope it leads."""
    touched = [factor for factor in factors if variable in factor.scope]
    rest = [factor for factor in factors if variable not in factor.scope]
    scope = (variable, *sorted({other for factor in touched for other in factor.scope} - {variable}))
    return rest, scope, _product(touched, scope)


def _evidence_factor(
    network: Factorization, child: int, columns: NDArray[np.intp], hidden: frozenset[int]
) -> _Factor:
    """Look up the child's CPT at the observed codes of each row."""
    family = (*network.parent_indices[child], child)
    table = network.log_cpts[child]
    seen = [axis for axis, variable in enumerate(family) if variable not in hidden]
    unseen = [axis for axis, variable in enumerate(family) if variable in hidden]
    scope = tuple(family[axis] for axis in unseen)
    flat = table.transpose(seen + unseen).reshape(-1, *(table.shape[axis] for axis in unseen))
    if not seen:
        return _Factor(scope, flat)
    index = columns[family[seen[0]]]
    for axis in seen[1:]:
        index = index * table.shape[axis] + columns[family[axis]]
    return _Factor(scope, flat.take(index, axis=0))


def _product(factors: Sequence[_Factor], scope: tuple[int, ...]) -> NDArray[np.float64]:
    """Add log tables over a common scope, which names the axes of the result after the rows."""
    if not factors:
        return np.zeros((1,) * (len(scope) + 1))
    return functools.reduce(np.add, (_spread(factor, scope) for factor in factors))


def _spread(factor: _Factor, scope: tuple[int, ...]) -> NDArray[np.float64]:
    axes = [1 + factor.scope.index(variable) for variable in scope if variable in factor.scope]
    absent = tuple(1 + axis for axis, variable in enumerate(scope) if variable not in factor.scope)
    return np.expand_dims(factor.log_values.transpose(0, *axes), absent)
