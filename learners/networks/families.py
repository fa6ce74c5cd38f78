"""The probabilities of one family, and the code length of the rows under them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.code_lengths.multinomial import adaptive_code_length, negative_log_likelihood
from learners.networks._kernels.family_cost import family_cost
from learners.networks._kernels.family_counts import family_counts
from learners.networks._kernels.local_cost import AUTO, LOCAL_MODELS, LOGIT, TABLE, TREE
from learners.networks._kernels.logit_cost import (
    complete_cells,
    contrasts,
    fit_logit,
    logit_alone,
    logit_cost,
)
from learners.networks._kernels.tree_cost import grow_tree, tree_cost
from learners.networks.search.search_problem import SearchProblem

__all__ = ["LearnedFamily", "family_table", "learn_family", "count_family"]

NAMES = {number: name for name, number in LOCAL_MODELS.items()}


@dataclass(frozen=True, eq=False)
class LearnedFamily:
    """The estimated distribution of one node given its parents."""

    # axes = parents in order, child last; of a table or a leaf (n + 1/2) / (N + r/2)
    cpt: NDArray[np.float64]
    data: float  # nats that encode the child's values with them
    local_model: str
    # of the table; leaves of the tree; or effects of the logit and its parents' values on each value
    n_rows: int


def learn_family(
    problem: SearchProblem, child: int, parents: Sequence[int], names: Sequence[str] | None = None
) -> LearnedFamily:
    """Estimate the distribution of one node under the problem's local model."""
    counts = count_family(problem.codes, problem.arities, child, parents, names)
    r = counts.shape[-1]
    rows = counts.reshape(-1, r)
    known = np.bincount(problem.codes[child], minlength=r + 1)[:r]
    model = _model(problem, child, parents)
    outside = _alone(problem, model, known) - _alone(problem, model, rows.sum(axis=0))
    cpt, n_rows = _filled(problem, child, parents, counts, model, 0.5)
    data = float(negative_log_likelihood(rows, cpt.reshape(-1, r)).sum())
    return LearnedFamily(cpt, data + outside, NAMES[model], n_rows)


def _alone(problem: SearchProblem, model: int | None, counts: NDArray[np.int64]) -> float:
    """Return the nats of a child without parents, by which rows incomplete in its family are encoded."""
    if model == LOGIT:
        return float(logit_alone(counts, problem.parameter_cost))
    return float(adaptive_code_length(counts))


def family_table(
    problem: SearchProblem,
    child: int,
    parents: Sequence[int],
    names: Sequence[str] | None = None,
    pseudo_count: float = 0.5,
) -> NDArray[np.float64]:
    """Return the probabilities of one node given its parents. Those of a logit have no pseudo-count."""
    counts = count_family(problem.codes, problem.arities, child, parents, names)
    return _filled(problem, child, parents, counts, _model(problem, child, parents), pseudo_count)[0]


def _model(problem: SearchProblem, child: int, parents: Sequence[int]) -> int | None:
    """Return the encoding of a family: the shortest of several models if the problem leaves it open."""
    wanted = problem.local_model
    if wanted == LOGIT or (wanted == TREE and parents):
        return wanted
    if wanted in (TABLE, TREE) or (wanted != AUTO and len(parents) < 2):
        return TABLE
    arguments = (
        problem.codes,
        problem.arities,
        problem.ln_factorials,
        problem.parameter_cost,
        child,
        np.array(parents, dtype=np.int64),
    )
    costs: dict[int | None, float] = {TABLE: family_cost(*arguments)}
    if len(parents) > 1:
        costs[TREE] = tree_cost(*arguments)
    if wanted == AUTO:
        costs[LOGIT] = logit_cost(*arguments)
    return min(costs, key=lambda model: costs[model])


def _filled(
    problem: SearchProblem,
    child: int,
    parents: Sequence[int],
    counts: NDArray[np.int64],
    model: int | None,
    pseudo_count: float,
) -> tuple[NDArray[np.float64], int]:
    """Return the probabilities, and the number of rows of a table, leaves or effects."""
    if model == LOGIT:
        return _additive(problem, child, parents)
    r = counts.shape[-1]
    if model == TABLE:
        n_rows = counts.size // r
        return (counts + pseudo_count) / (counts.sum(axis=-1, keepdims=True) + pseudo_count * r), n_rows
    leaf = _leaves(problem, child, parents)
    pooled = np.zeros((int(leaf.max()) + 1, r), dtype=np.int64)
    np.add.at(pooled, leaf, counts.reshape(-1, r))
    estimate = (pooled + pseudo_count) / (pooled.sum(axis=-1, keepdims=True) + pseudo_count * r)
    return np.asarray(estimate[leaf].reshape(counts.shape)), len(pooled)


def _additive(problem: SearchProblem, child: int, parents: Sequence[int]) -> tuple[NDArray[np.float64], int]:
    """Return the probabilities of a logit, and its number of effects on each value."""
    members = np.array(parents, dtype=np.int64)
    sizes = problem.arities[members]
    values, counts, _ = complete_cells(problem.codes, problem.arities, child, members)
    effects, _ = fit_logit(values, counts, sizes, True)
    heights = effects[0]
    place = 1
    for size in sizes.tolist():
        own = contrasts(size) @ effects[place : place + size - 1]
        heights = heights[..., None, :] + own
        place += size - 1
    heights = heights @ contrasts(int(problem.arities[child])).T
    likely = np.exp(heights - heights.max(axis=-1, keepdims=True))
    return likely / likely.sum(axis=-1, keepdims=True), len(effects)


def _leaves(problem: SearchProblem, child: int, parents: Sequence[int]) -> NDArray[np.intp]:
    """Return the leaf of each configuration of the parents, numbered from 0."""
    members = [*parents, child]
    sizes = problem.arities[members]
    values: NDArray[Any] = problem.codes[members]
    whole = (values < sizes[:, None]).all(axis=0)
    asked, first, _ = grow_tree(
        np.ascontiguousarray(values[:, whole]), sizes, problem.ln_factorials, problem.parameter_cost
    )
    number = np.cumsum(asked < 0) - 1
    leaf = []
    for configuration in product(*(range(r) for r in sizes[:-1])):
        node = 0
        while asked[node] >= 0:
            node = int(first[node]) + configuration[asked[node]]
        leaf.append(number[node])
    return np.array(leaf)


LARGEST_TABLE = 50_000_000  # cells; a table of twice that takes a gigabyte with its counts


def count_family(
    codes: NDArray[Any],
    arities: NDArray[np.int64],
    child: int,
    parents: Sequence[int],
    names: Sequence[str] | None = None,
) -> NDArray[np.int64]:
    """Count a node's values by configuration of its parents, on the complete rows."""
    members = np.array([*parents, child], dtype=np.int64)
    shape = arities[members].tolist()
    if math.prod(shape) > LARGEST_TABLE:
        raise ValueError(
            f"The table of {names[child] if names else child!r} given its {len(parents)} parents has "
            f"{math.prod(shape):,} cells, more than {LARGEST_TABLE:,}. Give it fewer parents."
        )
    counts = np.zeros(shape, dtype=np.int64)
    family_counts(codes, arities, members, counts.reshape(-1))
    return counts
