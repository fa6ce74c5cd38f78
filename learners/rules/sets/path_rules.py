"""Rules from the paths of a tree, without the conditions that do not help."""

import numpy as np
from numpy.typing import NDArray

from learners.rules._kernels.generalizing import fill_paths, generalize_paths
from learners.rules.sets.condition import ABOVE, AT_MOST, EQUAL, Condition
from learners.rules.sets.ruleset import LearnedRule
from learners.tables.attributes import Schema
from learners.trees.growing.training_rows import TreeRows
from learners.trees.nodes.node_table import CUT, NodeTable
from learners.trees.pruning.error_based import ErrorBound, cut_codes

__all__ = ["rules_of_paths"]

LEAST_LEAF = 1.0 - 1e-6  # least weight of a leaf that becomes a rule


def rules_of_paths(tree: NodeTable, rows: TreeRows, bound: ErrorBound, schema: Schema) -> list[LearnedRule]:
    """Make a rule of each path, and generalize it."""
    # Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann 1993, section 5.2. As long as the
    # expected or the observed error rate is not higher without some condition, the one without which the
    # expected rate is lowest is dropped (the last of ties); a row that misses a value fails the condition.
    # Costs O(rows) for each attribute of a path, and each condition dropped.
    leaves = tree.leaves()
    leaves = leaves[(tree.weight[leaves] >= LEAST_LEAF) & (leaves > 0)]
    if not leaves.size:
        return []
    starts = np.concatenate([[0], np.cumsum(tree.depths[leaves])]).astype(np.int64)
    conditions, conclusions = np.empty(starts[-1], np.int64), tree.label[leaves].astype(np.int64)
    fill_paths(tree.parent, leaves, starts, conditions)
    kept, counts = np.empty(conditions.size, dtype=bool), np.empty((leaves.size, 3))
    default_error = _default_errors(rows)
    generalize_paths(
        np.ascontiguousarray(rows.codes.T),
        rows.sizes,
        rows.is_number,
        _as_bits(np.ones(rows.y.size, dtype=bool)),
        _as_bits(rows.y != np.arange(rows.n_classes)[:, None]),
        rows.weight if (rows.weight != 1).any() else np.empty(0),
        *_entering(tree, rows),
        starts,
        conditions,
        conclusions,
        default_error,
        bound.confidence,
        bound.deviate,
        bound.tail,
        kept,
        counts,
    )
    rules: dict[tuple[int, tuple[Condition, ...]], LearnedRule] = {}
    for r, (covered, wrong, rate) in enumerate(counts.tolist()):
        path, conclusion = slice(starts[r], starts[r + 1]), int(conclusions[r])
        places = np.flatnonzero(kept[path])
        if covered <= 0 or not places.size or rate >= default_error[conclusion]:
            continue
        nodes = _sorted_as_printed(tree, places.tolist(), conditions[path][places].tolist())
        made = tuple(_condition(tree, schema, node) for node in nodes)
        rule = LearnedRule(made, conclusion, covered, covered - wrong, 1.0 - rate)
        rules.setdefault((conclusion, made), rule)
    return list(rules.values())


def _as_bits(rows: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Pack the last axis into words, row i as bit i % 64 of word i // 64."""
    beyond = [(0, 0)] * (rows.ndim - 1) + [(0, -rows.shape[-1] % 64)]
    return np.packbits(np.pad(rows, beyond), axis=-1, bitorder="little").view("<u8")


def _entering(
    tree: NodeTable, rows: TreeRows
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the attribute, the largest code of the low side, and the branch that lead to each node."""
    parent = np.maximum(tree.parent, 0)
    attribute = tree.attribute[parent].astype(np.int64)
    cut = cut_codes(tree, rows)[parent]
    return attribute, cut, (np.arange(tree.n_nodes) - tree.first_child[parent]).astype(np.int64)


def _default_errors(rows: TreeRows) -> NDArray[np.float64]:
    """Return, for each class, the error rate of always predicting it, by Laplace's estimate."""
    of_class = np.bincount(rows.y, weights=rows.weight, minlength=rows.n_classes)
    return 1.0 - (of_class + 1.0) / (of_class.sum() + 2.0)


def _condition(tree: NodeTable, schema: Schema, node: int) -> Condition:
    above = int(tree.parent[node])
    attribute, branch = int(tree.attribute[above]), node - int(tree.first_child[above])
    if tree.kind[above] == CUT:
        operator = AT_MOST if branch == 0 else ABOVE
        return Condition(operator, schema.numeric.index(attribute), float(tree.threshold[above]))
    return Condition(EQUAL, schema.nominal.index(attribute), branch)


def _sorted_as_printed(tree: NodeTable, places: list[int], nodes: list[int]) -> list[int]:
    """Return the nodes whose conditions stay in the order in which the program prints them."""
    # It selects by attribute, but prefers values to cuts, which is not a total order: the result depends on
    # the places of the conditions on the path, and on which ones change places.
    left, out = list(zip(places, nodes, strict=True)), []
    for place in range(len(nodes)):
        best = 0
        for other in range(1, len(left)):
            if _before(tree, left[other][1], left[best][1]):
                best = other
        out.append(left[best][1])
        if left[0][0] == place and best:  # it changes places with the one taken
            left[best] = left[best][0], left[0][1]
            best = 0
        del left[best]
    return out


def _before(tree: NodeTable, node: int, other: int) -> bool:
    one, two = int(tree.parent[node]), int(tree.parent[other])
    if tree.attribute[one] < tree.attribute[two] or tree.kind[one] < tree.kind[two]:
        return True
    return bool(tree.attribute[one] == tree.attribute[two] and tree.threshold[one] < tree.threshold[two])
