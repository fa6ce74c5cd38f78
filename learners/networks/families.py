"""The probabilities of one family, and the code length of the rows under them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.code_lengths.multinomial import adaptive_code_length, negative_log_likelihood
from learners.networks._kernels.family_counts import family_counts
from learners.networks._kernels.local_cost import SHORTER, TABLE
from learners.networks._kernels.tree_cost import grow_tree, tree_cost
from learners.networks.search.search_problem import SearchProblem

__all__ = ["LearnedFamily", "family_table", "learn_family", "count_family"]


@dataclass(frozen=True, eq=False)
class LearnedFamily:
    """What was learned about one node, given its parents.

    Attributes
    ----------
    cpt : ndarray
        Probabilities (n + 1/2) / (N + r/2); axes = parents in order, child last.
    data : float
        Nats that encode the child's values with them.
    n_leaves : int or None
        Leaves of the decision tree whose probabilities the table repeats; None for a plain table.
    """

    cpt: NDArray[np.float64]
    data: float
    n_leaves: int | None = None


def learn_family(
    problem: SearchProblem, child: int, parents: Sequence[int], names: Sequence[str] | None = None
) -> LearnedFamily:
    """Fill the table of one node under the problem's local model."""
    counts, leaf = _counts_and_leaves(problem, child, parents, names)
    r = counts.shape[-1]
    rows = counts.reshape(-1, r)
    known = np.bincount(problem.codes[child], minlength=r + 1)[:r]
    # rows incomplete in the family are encoded by the child's own adaptive code
    outside = float(adaptive_code_length(known) - adaptive_code_length(rows.sum(axis=0)))
    cpt = _estimated(counts, leaf, 0.5)
    data = float(negative_log_likelihood(rows, cpt.reshape(-1, r)).sum())
    return LearnedFamily(cpt, data + outside, None if leaf is None else int(leaf.max()) + 1)


def family_table(
    problem: SearchProblem,
    child: int,
    parents: Sequence[int],
    names: Sequence[str] | None = None,
    pseudo_count: float = 0.5,
) -> NDArray[np.float64]:
    """Return the probabilities of one node alone."""
    return _estimated(*_counts_and_leaves(problem, child, parents, names), pseudo_count)


def _counts_and_leaves(
    problem: SearchProblem, child: int, parents: Sequence[int], names: Sequence[str] | None
) -> tuple[NDArray[np.int64], NDArray[np.intp] | None]:
    counts = count_family(problem.codes, problem.arities, child, parents, names)
    return counts, _leaves(problem, child, parents) if _is_tree(problem, child, parents) else None


def _estimated(
    counts: NDArray[np.int64], leaf: NDArray[np.intp] | None, pseudo_count: float
) -> NDArray[np.float64]:
    r = counts.shape[-1]
    if leaf is None:
        return (counts + pseudo_count) / (counts.sum(axis=-1, keepdims=True) + pseudo_count * r)
    pooled = np.zeros((int(leaf.max()) + 1, r), dtype=np.int64)
    np.add.at(pooled, leaf, counts.reshape(-1, r))
    estimate = (pooled + pseudo_count) / (pooled.sum(axis=-1, keepdims=True) + pseudo_count * r)
    return np.asarray(estimate[leaf].reshape(counts.shape))


def _is_tree(problem: SearchProblem, child: int, parents: Sequence[int]) -> bool:
    if problem.local_model == TABLE or not parents:
        return False
    if problem.local_model != SHORTER:
        return True
    members = np.array(parents, dtype=np.int64)
    arguments = (
        problem.codes,
        problem.arities,
        problem.ln_factorials,
        problem.parameter_cost,
        child,
        members,
    )
    return (
        len(parents) > 1 and tree_cost(*arguments) + np.log(2) <= problem.family_cost(child, parents) + 1e-9
    )


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
            f"{math.prod(shape):,} cells, more than {LARGEST_TABLE:,}; give it fewer parents."
        )
    counts = np.zeros(shape, dtype=np.int64)
    family_counts(codes, arities, members, counts.reshape(-1))
    return counts
