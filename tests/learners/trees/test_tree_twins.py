"""The kernels against a few lines of plain, recursive Python on small tables with everything in them."""

import itertools
import math
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import C45Classifier
from learners.base import TrainingTable
from learners.tables.attributes import Schema
from learners.trees.growing.gain_ratio import GainRatio, GainRules
from learners.trees.growing.growth import grow_tree
from learners.trees.growing.training_rows import TreeRows, rank_rows
from learners.trees.nodes.forecast import forecast_tree, leaf_frequencies
from learners.trees.nodes.node_table import CUT, VALUES, NodeTable
from learners.trees.pruning.error_based import ErrorBound, c45_bound, collapsed, prune_tree, weka_bound
from tests.marks import mostly_slow

TIE = 1e-9
LEAST = 2.0
RULES = GainRules(min_weight=LEAST, cut_share=0.1, cut_most=25.0, gap=1e-5, tie=TIE)
SEARCH = GainRatio(RULES, least_info=1e-3, least_ratio=-1e-3)


@dataclass
class Rows:
    """A small table: nominal columns as codes, then numbers; None is missing."""

    cells: list[list[float | None]]
    y: list[int]
    weight: list[float]
    arities: list[int]  # 0 for a number
    n_classes: int

    def frame(self) -> pd.DataFrame:
        columns = {}
        for a, arity in enumerate(self.arities):
            cells = [row[a] for row in self.cells]
            codes = [-1 if c is None else int(c) for c in cells]
            numbers = np.array([np.nan if c is None else c for c in cells])
            columns[f"a{a}"] = pd.Categorical.from_codes(codes, range(arity)) if arity else numbers
        return pd.DataFrame(columns)

    def coded(self) -> tuple[Schema, TrainingTable]:
        schema, coded = Schema.fit_code(self.frame())
        y, weight = np.array(self.y, dtype=np.intp), np.array(self.weight)
        return schema, TrainingTable(coded.codes, coded.values, schema.arities, y, self.n_classes, weight)

    def ranked(self) -> TreeRows:
        schema, table = self.coded()
        return rank_rows(table, schema)


@st.composite
def small_rows(draw) -> Rows:
    arities = draw(st.lists(st.sampled_from([0, 0, 2, 3, 4]), min_size=1, max_size=4))
    n_classes = draw(st.integers(2, 3))
    n = draw(st.integers(1, 40))
    holes = draw(st.sampled_from([0.0, 0.1, 0.4]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return made_rows(rng, n, arities, n_classes, holes, draw(st.booleans()))


def made_rows(
    rng: np.random.Generator, n: int, arities: list[int], n_classes: int, holes: float, weighted: bool
) -> Rows:
    y = rng.integers(0, n_classes, n)
    cells = []
    for label in y:
        row = []
        for arity in arities:
            value = (label + rng.integers(0, 2)) % arity if arity else label * 2 + rng.integers(0, 5)
            row.append(None if rng.random() < holes else float(value))
        cells.append(row)
    weight = rng.choice([0.5, 1.0, 2.0, 1 / 3], n) if weighted else np.ones(n)
    return Rows(cells, y.tolist(), weight.tolist(), arities, n_classes)


# -- the twin ---------------------------------------------------------------------------------


@dataclass
class Plain:
    """A node of the twin."""

    counts: list[float]
    label: int
    attribute: int = -1
    threshold: float = math.nan
    children: list["Plain"] = field(default_factory=list)


Part = list[tuple[int, float]]  # rows of a node and their weights there


def entropy(weights: list[float]) -> float:
    total = sum(weights)
    return -sum(w * math.log2(w / total) for w in weights if w > 0) if total > 0 else 0.0


def class_counts(rows: Rows, part: Part) -> list[float]:
    counts = [0.0] * rows.n_classes
    for i, w in part:
        counts[rows.y[i]] += w
    return counts


def branches_of(rows: Rows, part: Part, attribute: int, threshold: float) -> tuple[list[Part], Part]:
    arity = rows.arities[attribute]
    branches: list[Part] = [[] for _ in range(arity or 2)]
    missing = []
    for i, w in part:
        x = rows.cells[i][attribute]
        if x is None:
            missing.append((i, w))
        else:
            branches[int(x) if arity else int(x > threshold)].append((i, w))
    return branches, missing


def plain_split(rows: Rows, part: Part, attribute: int, threshold: float) -> list[Part]:
    """Return the rows of each branch, those that miss the value by weight; empty branches stay empty."""
    branches, missing = branches_of(rows, part, attribute, threshold)
    known = sum(w for branch in branches for _, w in branch)
    shares = [sum(w for _, w in branch) / known for branch in branches]
    return [b + [(i, w * s) for i, w in missing] if b else [] for b, s in zip(branches, shares, strict=True)]


def gain_of(rows: Rows, part: Part, attribute: int, threshold: float) -> tuple[float, float, list[float]]:
    """Return gain and split information of a test, and the known weights of its branches."""
    branches, missing = branches_of(rows, part, attribute, threshold)
    weights = [sum(w for _, w in branch) for branch in branches]
    unknown = sum(w for _, w in missing)
    whole = sum(weights) + unknown
    before = entropy(class_counts(rows, [row for branch in branches for row in branch]))
    within = sum(entropy(class_counts(rows, branch)) for branch in branches)
    return (before - within) / whole, entropy([*weights, unknown]) / whole, weights


def best_cut(rows: Rows, part: Part, attribute: int) -> tuple[float, float, float] | None:
    """Return the corrected gain, the split information and the threshold of the best cut, if there is one."""
    numbers = sorted({rows.cells[i][attribute] for i, _ in part} - {None})
    known = sum(w for i, w in part if rows.cells[i][attribute] is not None)
    least = max(LEAST, min(0.1 * known / rows.n_classes, 25.0)) - 1e-6
    found = []
    for low, high in itertools.pairwise(numbers):
        gain, info, weights = gain_of(rows, part, attribute, low)
        if min(weights) >= least and low + 1e-5 < high:
            found.append((gain, info, (low + high) / 2))
    if not found:
        return None
    most = max(gain for gain, _, _ in found)
    gain, info, middle = next(f for f in found if f[0] >= most - TIE)
    whole = sum(w for _, w in part)
    gain -= math.log2(len(found)) / whole
    every = [row[attribute] for row in rows.cells if row[attribute] is not None]
    return (gain, info, max(x for x in every if x <= middle)) if gain > TIE else None


def plain_tree(rows: Rows, part: Part, above: tuple[int, ...] = (), label: int = 0) -> Plain:
    counts = class_counts(rows, part)
    if part:
        label = counts.index(max(counts))
    node = Plain(counts, label)
    if sum(counts) < 2 * LEAST - 1e-6 or sum(counts) - max(counts) <= 1e-6:
        return node
    tests = []
    for a, arity in enumerate(rows.arities):
        if arity and a not in above:
            gain, info, weights = gain_of(rows, part, a, math.nan)
            if sum(w >= LEAST - 1e-6 for w in weights) >= 2:
                tests.append((a, gain, info, math.nan))
        elif not arity and (cut := best_cut(rows, part, a)) is not None:
            tests.append((a, *cut))
    few = [a for a, arity in enumerate(rows.arities) if not arity or arity < 0.3 * sum(rows.weight)]
    counted = [gain for a, gain, _, _ in tests if a in few or not few]
    if not counted:
        return node
    average = sum(counted) / len(counted)
    good = [(g / info, a, t) for a, g, info, t in tests if g >= average - 1e-3 and info > 1e-3]
    if not good:
        return node
    most = max(ratio for ratio, _, _ in good)
    _, node.attribute, node.threshold = next(test for test in good if test[0] >= most - TIE)
    parts = plain_split(rows, part, node.attribute, node.threshold)
    node.children = [plain_tree(rows, p, (*above, node.attribute), label) for p in parts]
    return node


def expected(counts: list[float], bound: ErrorBound) -> float:
    total = sum(counts)
    wrong = total - max(counts)
    return wrong + float(bound.added(total, wrong)) if total > 0 else 0.0


def plain_errors(rows: Rows, part: Part, node: Plain, bound: ErrorBound) -> float:
    """Add up what the leaves below a node are expected to do wrong with some rows."""
    if not node.children:
        return expected(class_counts(rows, part), bound)
    parts = plain_split(rows, part, node.attribute, node.threshold)
    return sum(plain_errors(rows, p, c, bound) for p, c in zip(parts, node.children, strict=True) if p)


def plain_pruned(rows: Rows, part: Part, node: Plain, bound: ErrorBound, raising: bool) -> Plain:
    counts = class_counts(rows, part)
    label = node.label if not part or counts[node.label] == max(counts) else counts.index(max(counts))
    as_leaf = Plain(counts, label)
    if not node.children:
        return as_leaf
    parts = plain_split(rows, part, node.attribute, node.threshold)
    children = [
        plain_pruned(rows, p, c, bound, raising) if p else c
        for p, c in zip(parts, node.children, strict=True)
    ]
    node = Plain(counts, label, node.attribute, node.threshold, children)
    leaf, tree = expected(counts, bound), plain_errors(rows, part, node, bound)
    known = [sum(w for _, w in b) for b in branches_of(rows, part, node.attribute, node.threshold)[0]]
    largest = max(b for b, w in enumerate(known) if w >= max(known) - 1e-6)
    branch = plain_errors(rows, part, children[largest], bound) if raising else math.inf
    if leaf <= branch + 0.1 + 1e-6 and leaf <= tree + 0.1 + 1e-6:
        return as_leaf
    if branch <= tree + 0.1 + 1e-6:
        return plain_pruned(rows, part, children[largest], bound, raising)
    return node


def same(tree: NodeTable, node: int, plain: Plain) -> None:
    np.testing.assert_allclose(tree.class_weight[node], plain.counts, atol=1e-9)
    assert tree.attribute[node] == plain.attribute
    assert tree.label[node] == plain.label
    assert len(tree.children(node)) == len(plain.children)
    if plain.children:
        assert tree.kind[node] == (VALUES if math.isnan(plain.threshold) else CUT)
        np.testing.assert_equal(tree.threshold[node], plain.threshold)
    for child, twin in zip(tree.children(node), plain.children, strict=True):
        same(tree, child, twin)


# -- the tests --------------------------------------------------------------------------------


def whole(rows: Rows) -> Part:
    return list(enumerate(rows.weight))


@given(small_rows())
@settings(max_examples=40)
def test_growth_is_that_of_the_plain_twin(rows) -> None:
    tree = grow_tree(rows.ranked(), SEARCH, min_split=2 * LEAST)
    same(tree, 0, plain_tree(rows, whole(rows)))
    np.testing.assert_allclose(tree.errors[0], tree.wrong[tree.is_leaf].sum(), atol=1e-9)


@given(small_rows(), st.booleans(), st.sampled_from([c45_bound(0.25), weka_bound(0.25), weka_bound(0.5)]))
@settings(max_examples=40)
def test_pruning_is_that_of_the_plain_twin(rows, raising, bound) -> None:
    ranked = rows.ranked()
    tree = grow_tree(ranked, SEARCH, min_split=2 * LEAST)
    pruned = prune_tree(tree, ranked, bound, raising=raising)
    plain = plain_pruned(rows, whole(rows), plain_tree(rows, whole(rows)), bound, raising)
    same(pruned, 0, plain)
    np.testing.assert_allclose(pruned.errors[0], plain_errors(rows, whole(rows), plain, bound), atol=1e-9)


@pytest.mark.parametrize("seed", mostly_slow(range(24), 8))
def test_pruning_of_larger_trees_is_that_of_the_plain_twin(seed) -> None:
    """Branches are raised here, and get rows that miss the values they ask for."""
    rng = np.random.default_rng(seed)
    arities = rng.choice([0, 2, 3, 4], 6).tolist()
    rows = made_rows(rng, 120, arities, 2, (0.05, 0.2)[seed % 2], seed % 3 == 0)
    rows.y = [label if rng.random() < 0.7 else 1 - label for label in rows.y]
    ranked, part = rows.ranked(), whole(rows)
    plain = plain_tree(rows, part)
    for bound in (c45_bound(0.25), weka_bound(0.5)):
        pruned = prune_tree(grow_tree(ranked, SEARCH, min_split=2 * LEAST), ranked, bound)
        same(pruned, 0, plain_pruned(rows, part, plain, bound, True))


@given(small_rows())
def test_collapsing_leaves_no_subtree_that_saves_nothing(rows) -> None:
    tree = collapsed(grow_tree(rows.ranked(), SEARCH, min_split=2 * LEAST))
    inner = ~tree.is_leaf
    assert (tree.errors[inner] < tree.wrong[inner] - 1e-3).all()


@given(small_rows())
def test_forecasts_are_those_of_the_plain_twin(rows) -> None:
    schema, table = rows.coded()
    tree = grow_tree(rank_rows(table, schema), SEARCH, min_split=2 * LEAST)
    of_leaf = leaf_frequencies(tree, of_empty=np.eye(rows.n_classes)[tree.label])
    got = forecast_tree(tree, of_leaf, schema, schema.code(rows.frame()))
    for i, cells in enumerate(rows.cells):
        want, met = plain_forecast(tree, of_leaf, 0, cells)
        np.testing.assert_allclose(got.y_prob[i], want, atol=1e-12)
        assert got.met_missing[i] == met


def plain_forecast(
    tree: NodeTable, of_leaf: np.ndarray, node: int, cells: list[float | None]
) -> tuple[np.ndarray, bool]:
    """Return the forecast at a node, and whether a value was missing on the way."""
    if tree.is_leaf[node]:
        return of_leaf[node], False
    x = cells[tree.attribute[node]]
    children = tree.children(node)
    if x is None:
        shares = [tree.weight[child] / tree.weight[node] for child in children]
        parts = [plain_forecast(tree, of_leaf, child, cells)[0] for child in children]
        return sum(s * p for s, p in zip(shares, parts, strict=True)), True
    branch = int(x) if tree.kind[node] == VALUES else int(x > tree.threshold[node])
    return plain_forecast(tree, of_leaf, children[branch], cells)


def test_the_learner_is_made_of_these_parts(mixed_table) -> None:
    X, y = mixed_table(150, holes=0.2)
    learner = C45Classifier().fit(X, y)
    schema, coded = Schema.fit_code(X)
    codes = y.cat.codes.to_numpy().astype(np.intp)
    rows = rank_rows(TrainingTable(coded.codes, coded.values, schema.arities, codes, 3, None), schema)
    tree = prune_tree(collapsed(grow_tree(rows, SEARCH, min_split=4)), rows, c45_bound(0.25))
    np.testing.assert_array_equal(learner.tree_.attribute, tree.attribute)
    np.testing.assert_array_equal(learner.tree_.class_weight, tree.class_weight)
