"""Tables with backoff to fewer parents: by leave-one-out, or by hierarchical Dirichlet processes.

Several learners have such tables. The levels of an attribute are P(value), P(value | class), and one more for
each parent. Counts of the levels after the first are stored one after another, each (context, value, class).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.base import TrainingTable
from learners.bayes._kernels.backed_off_parents import (
    back_off_one_parent,
    back_off_two_parents,
    backed_off_values,
    joint_of_pairs,
    set_parents,
)
from learners.bayes._kernels.backing_off import back_off, count_levels
from learners.bayes._kernels.dirichlet_process import sampled_tables
from learners.bayes._kernels.factors import marginal_pseudo_counts
from learners.counts.slots import N0, impossible_values
from learners.options import is_whole

__all__ = [
    "BACKED_OFF",
    "LevelCounts",
    "back_off_pairs",
    "back_off_triples",
    "check_seed",
    "deepest_table",
    "sampler",
    "tree_of_levels",
    "unseen_values",
    "value_factors",
]

#: Smoothings of this kind.
BACKED_OFF = ("backoff", "hdp")
#: Draws of the tables that are averaged with "hdp", after so many that are not.
N_SAMPLES, N_BURNED = 500, 100


def check_seed(random_state: Any) -> None:
    """Raise an error for a value that is not a seed."""
    if not is_whole(random_state) or random_state < 0:
        raise ValueError(f"random_state must be a whole number of at least 0, but was {random_state!r}.")


def sampler(smoothing: str, random_state: int) -> np.random.Generator | None:
    """Return the source of the draws of "hdp", or None for "backoff", which draws nothing."""
    return np.random.default_rng(random_state) if smoothing == "hdp" else None


def unseen_values(
    values: NDArray[np.float64], offsets: NDArray[np.int64], arities: NDArray[np.int64]
) -> NDArray[np.bool_] | None:
    """Return the slots of declared values that do not occur in the (slot, class) counts, or None."""
    return impossible_values(marginal_pseudo_counts(values, N0, offsets, arities))


def deepest_table(
    counts: NDArray[np.float64],
    arity: int,
    n_classes: int,
    wider: NDArray[np.int64],
    rng: np.random.Generator | None,
) -> NDArray[np.float64]:
    """Return P(value | class, all parents) as (context, value, class), from the counts of all levels."""
    # `wider`: the parents' numbers of values; without `rng` the table is backed off, else sampled
    out = np.empty_like(counts)
    if rng is None:
        chosen, totals = np.zeros(wider.size + 1), np.empty(counts.size // arity)
        back_off(counts, arity, n_classes, wider, chosen, out, totals)
    else:
        if (counts != np.floor(counts)).any():
            raise ValueError(
                'smoothing="hdp" counts rows one by one, so sample_weight must be whole numbers. For other '
                'weights use smoothing="backoff".'
            )
        sampled_tables(counts, arity, n_classes, wider, N_SAMPLES, N_BURNED, rng, out)
    shape = (math.prod(wider.tolist()), arity, n_classes)
    return out[-math.prod(shape) :].reshape(shape)


def value_factors(
    values: NDArray[np.float64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
    rng: np.random.Generator | None,
) -> NDArray[np.float64]:
    """Return P(value | class) for each slot from the (slot, class) counts, 1 in the slots for missing."""
    if rng is None:
        factors: NDArray[np.float64] = backed_off_values(values, offsets, arities)[0]
        return factors
    out = np.ones(values.shape)
    for first, arity in zip(offsets.tolist(), arities.tolist(), strict=False):
        own = slice(first, first + arity)
        out[own] = deepest_table(values[own].ravel(), arity, values.shape[1], _NO_PARENTS, rng)[0]
    return out


def tree_of_levels(
    pairs: NDArray[np.float64],
    parents: NDArray[np.int64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
    rng: np.random.Generator | None,
) -> NDArray[np.float64]:
    """Return P(child | parent, class) laid out as [slot of child, code of parent, class]. A root uses 0."""
    n_slots, _, n_classes = pairs.shape
    out = np.ones((n_slots, max(1, int(arities.max())), n_classes))
    values = pairs.diagonal().T
    for j, p in enumerate(parents.tolist()):
        child = slice(offsets[j], offsets[j] + arities[j])
        levels, wider = [values[child].ravel()], _NO_PARENTS
        if p >= 0:
            levels.append(pairs[offsets[p] : offsets[p] + arities[p], child].ravel())
            wider = arities[p : p + 1]
        table = deepest_table(np.concatenate(levels), int(arities[j]), n_classes, wider, rng)
        out[child, : len(table)] = table.transpose(1, 0, 2)
    return out


def back_off_pairs(
    pairs: NDArray[np.float64],
    joint: NDArray[np.float64],
    min_frequency: float,
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
    rng: np.random.Generator | None,
) -> NDArray[np.float64]:
    """Convert counts to AODE's tables in place, laid out as by `one_dependence_tables`."""
    values = pairs.diagonal().T[:, : joint.shape[1]].copy()
    if rng is None:
        back_off_one_parent(pairs, *backed_off_values(values, offsets, arities), offsets, arities, _NOTHING)
    else:
        _sample_one_parent(pairs, values, offsets, arities, rng)
    set_parents(pairs, values.sum(axis=1) >= min_frequency, joint, offsets, arities)
    return pairs


def back_off_triples(
    triples: NDArray[np.float64],
    values: NDArray[np.float64],
    pairs: NDArray[np.float64],
    prior: NDArray[np.float64],
    min_frequency: float,
    pair_offsets: NDArray[np.int64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
) -> None:
    """Convert counts to tables in place, laid out as by `two_dependence_tables`, keeping those of pairs."""
    # `values` are the (pair slot, class) counts. P(class, values of a pair) is P(class) times the mean of
    # both orders in which the values may follow it.
    of_values = pairs.diagonal().T[:, : prior.size].copy()
    factors, factors_left_out = backed_off_values(of_values, offsets, arities)
    one_parent, left_out = pairs.copy(), np.empty_like(pairs)
    back_off_one_parent(one_parent, factors, factors_left_out, offsets, arities, left_out)
    joint = joint_of_pairs(prior, factors, one_parent, pair_offsets, offsets, arities)
    enough = values.sum(axis=1) >= min_frequency
    back_off_two_parents(triples, one_parent, left_out, enough, joint, pair_offsets, offsets, arities)


@dataclass(frozen=True, eq=False)
class LevelCounts:
    """Counts of all attributes with their first l parents, for all l."""

    arities: NDArray[np.int64]
    n_classes: int
    parents: NDArray[np.int64]  # (n_features, n_levels - 1), in their order, -1 past the last
    starts: NDArray[np.int64]  # (n_features, n_levels): where a level starts in `counts`; -1 for none
    contexts: NDArray[np.int64]  # and in their sums over the values
    counts: NDArray[np.float64]  # over the rows that have the attribute and these parents

    @classmethod
    def of(cls, table: TrainingTable, parents: Sequence[tuple[int, ...]]) -> "LevelCounts":
        """Count the rows."""
        n_levels = 1 + max((len(others) for others in parents), default=0)
        listed = np.full((len(parents), n_levels - 1), -1, dtype=np.int64)
        starts, contexts = (np.full((len(parents), n_levels), -1, dtype=np.int64) for _ in range(2))
        n_cells = n_totals = 0
        for j, others in enumerate(parents):
            listed[j, : len(others)] = others
            for level, size in enumerate(level_sizes(table, j, others)):
                starts[j, level], contexts[j, level] = n_cells, n_totals
                n_cells += size
                n_totals += size // int(table.arities[j])
        counts = np.zeros(n_cells)
        weight = table.kernel_weight
        count_levels(table.codes, table.y, weight, table.arities, listed, starts, table.n_classes, counts)
        return cls(table.arities, table.n_classes, listed, starts, contexts, counts)

    def wider(self, j: int) -> NDArray[np.int64]:
        """Return the number of values of each parent of an attribute."""
        return self.arities[self.parents[j][self.parents[j] >= 0]]

    def chain(self, j: int) -> slice:
        """Return the positions of the levels of an attribute."""
        last = j + 1 == self.arities.size
        return slice(int(self.starts[j, 0]), self.counts.size if last else int(self.starts[j + 1, 0]))

    def deepest(self, j: int, rng: np.random.Generator | None) -> NDArray[np.float64]:
        """Return P(value | class, all parents) of an attribute as (context, value, class)."""
        return deepest_table(
            self.counts[self.chain(j)], int(self.arities[j]), self.n_classes, self.wider(j), rng
        )


def level_sizes(table: TrainingTable, j: int, parents: tuple[int, ...]) -> list[int]:
    """Return the number of cells of each level of an attribute, before any is made."""
    alone = int(table.arities[j]) * table.n_classes
    sizes = [math.prod(int(table.arities[u]) for u in parents[:level]) for level in range(len(parents) + 1)]
    return [alone * size for size in sizes]


_NO_PARENTS = np.empty(0, dtype=np.int64)
_NOTHING = np.empty((0, 0, 0))


def _sample_one_parent(
    pairs: NDArray[np.float64],
    values: NDArray[np.float64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
    rng: np.random.Generator,
) -> None:
    """Replace the counts by P(child | class, parent value), with 1 in a child's slot for missing."""
    n_classes = values.shape[1]
    for i in range(arities.size):
        parent = slice(offsets[i], offsets[i] + arities[i])
        for j in range(arities.size):
            if i != j:
                child = slice(offsets[j], offsets[j] + arities[j])
                counts = np.concatenate([values[child].ravel(), pairs[parent, child, :n_classes].ravel()])
                table = deepest_table(counts, int(arities[j]), n_classes, arities[i : i + 1], rng)
                pairs[parent, child, :n_classes] = table
                pairs[parent, offsets[j] + arities[j]] = 1.0
