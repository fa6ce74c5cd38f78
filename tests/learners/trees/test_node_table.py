"""The verbs of the flat tree, and that none of them minds a chain of 1500 tests."""

import numpy as np
import pytest

from learners.tables.attributes import CodedTable, Schema
from learners.trees.display.text import C45_LAYOUT, WEKA_LAYOUT, TreeNames, tree_text
from learners.trees.growing.growth import ChosenTests, grow_tree
from learners.trees.growing.training_rows import TreeRows
from learners.trees.nodes.forecast import forecast_tree, leaf_frequencies
from learners.trees.nodes.node_table import CUT, LEAF, VALUES, NodeTable, Step
from learners.trees.pruning.error_based import c45_bound, collapsed, prune_tree

LONG = 1500


@pytest.fixture
def tree() -> NodeTable:
    """Return a tree: three values at the root, the second of which leads to a cut."""
    return NodeTable(
        kind=np.array([VALUES, LEAF, CUT, LEAF, LEAF, LEAF], np.int8),
        attribute=np.array([0, -1, 1, -1, -1, -1], np.int32),
        threshold=np.array([np.nan, np.nan, 2.5, np.nan, np.nan, np.nan]),
        first_child=np.array([1, -1, 4, -1, -1, -1], np.int32),
        n_children=np.array([3, 0, 2, 0, 0, 0], np.int32),
        class_weight=np.array([[6.0, 4], [4, 0], [2, 4], [0, 0], [2, 1], [0, 3]]),
        label=np.array([0, 0, 1, 0, 0, 1], np.int32),
        errors=np.array([1.0, 0, 1, 0, 1, 0]),
    )


def numbers_in_a_row(n: int) -> TreeRows:
    codes = np.arange(n, dtype=np.uint16)[:, None]
    y = (np.arange(n) % 2).astype(np.int32)
    return TreeRows(codes, np.array([n]), np.arange(n, dtype=float), np.array([0, n]), y, np.ones(n), 2)


def peel(rows: TreeRows, nodes) -> ChosenTests:
    """Cut off the smallest number of each node."""
    first = np.minimum.reduceat(nodes.codes[:, 0].astype(np.int64), nodes.start[:-1])
    return ChosenTests(np.zeros(len(first), np.int64), first)


@pytest.fixture(scope="module")
def chain() -> NodeTable:
    return grow_tree(numbers_in_a_row(LONG + 1), peel, min_split=2)


def test_sizes_and_depths_are_counted(tree) -> None:
    assert (tree.n_nodes, tree.n_leaves, tree.depth) == (6, 4, 2)
    assert tree.parent.tolist() == [-1, 0, 0, 0, 2, 2]
    assert tree.depths.tolist() == [0, 1, 1, 1, 2, 2]
    assert tree.weight.tolist() == [10, 4, 6, 0, 3, 3]
    assert tree.wrong.tolist() == [4, 0, 2, 0, 1, 0]


def test_leaves_are_in_reading_order_with_their_paths(tree) -> None:
    assert tree.depth_first().tolist() == [0, 1, 2, 4, 5, 3]
    assert list(tree.paths()) == [
        (1, (Step(0, 0),)),
        (4, (Step(0, 1), Step(2, 0))),
        (5, (Step(0, 1), Step(2, 1))),
        (3, (Step(0, 2),)),
    ]
    assert tree.path(0) == ()


def test_values_of_leaves_add_up_to_the_root(tree) -> None:
    assert tree.sums_below(tree.wrong).tolist() == [1, 0, 1, 0, 1, 0]
    assert tree.sums_below(np.ones(6)).tolist() == [4, 1, 2, 1, 1, 1]


def test_a_pruned_node_is_a_leaf_and_nothing_is_below_it(tree) -> None:
    small = tree.pruned([2])
    assert small.kind.tolist() == [VALUES, LEAF, LEAF, LEAF]
    assert small.class_weight.tolist() == tree.class_weight[:4].tolist()
    assert small.errors.tolist() == [1, 0, 2, 0]
    assert tree.n_nodes == 6  # is not changed
    assert tree.pruned(np.arange(6) == 0).n_nodes == 1


def test_a_subtree_is_a_tree(tree) -> None:
    below = tree.compacted(2)
    assert below.kind.tolist() == [CUT, LEAF, LEAF]
    assert below.first_child.tolist() == [1, -1, -1]
    assert below.class_weight.tolist() == [[2, 4], [2, 1], [0, 3]]


def test_classes_can_be_renumbered(tree) -> None:
    turned = tree.in_class_order(np.array([1, 0]))
    assert turned.class_weight.tolist() == tree.class_weight[:, ::-1].tolist()
    assert turned.label.tolist() == [1, 1, 0, 1, 1, 0]
    np.testing.assert_array_equal(turned.wrong, tree.wrong)


def test_text_in_both_layouts(tree) -> None:
    names = TreeNames(["sky", "wind"], [["dry", "wet", "icy"], []], ["go", "stay"])
    assert tree_text(tree, names, WEKA_LAYOUT).splitlines() == [
        "sky = dry: go (4.0)",
        "sky = wet",
        "|   wind <= 2.5: go (3.0/1.0)",
        "|   wind > 2.5: stay (3.0)",
        "sky = icy: go (0.0)",
    ]
    assert tree_text(tree, names, C45_LAYOUT).splitlines() == [
        "sky = dry: go (4.0)",
        "sky = icy: go (0.0)",
        "sky = wet:",
        "|   wind <= 2.5 : go (3.0/1.0)",
        "|   wind > 2.5 : stay (3.0)",
    ]
    assert tree_text(tree.pruned([0]), names, C45_LAYOUT) == "go (10.0/4.0)"


def test_a_wide_subtree_is_printed_below(tree) -> None:
    names = TreeNames(["sky", "wind" * 20], [["dry", "wet", "icy"], []], ["go", "stay"])
    lines = tree_text(tree, names, C45_LAYOUT).splitlines()
    assert lines[2:] == ["sky = wet:[S1]", "", "Subtree [S1]", "", *lines[6:]]
    assert lines[6].endswith("<= 2.5 : go (3.0/1.0)")


def test_a_chain_of_1500_tests_is_grown_and_read(chain) -> None:
    assert (chain.n_nodes, chain.depth) == (2 * LONG + 1, LONG)
    assert len(chain.leaves()) == LONG + 1
    assert len(chain.path(chain.n_nodes - 1)) == LONG
    assert chain.sums_below(np.ones(chain.n_nodes))[0] == LONG + 1
    assert chain.errors[0] == 0


def test_a_chain_of_1500_tests_forecasts(chain) -> None:
    schema = Schema.fit_code(np.zeros((1, 1)))[0]
    values = np.append(np.arange(LONG + 1.0), np.nan)[None, :]
    coded = CodedTable(np.empty((0, LONG + 2), np.uint8), values, LONG + 2)
    got = forecast_tree(chain, leaf_frequencies(chain, of_empty=np.zeros((chain.n_nodes, 2))), schema, coded)
    np.testing.assert_array_equal(got.y_prob[:-1].argmax(axis=1), np.arange(LONG + 1) % 2)
    np.testing.assert_allclose(got.y_prob[-1], chain.class_weight[0] / (LONG + 1), rtol=1e-9)
    assert got.met_missing.tolist() == [False] * (LONG + 1) + [True]


def test_a_chain_of_1500_tests_is_pruned(chain) -> None:
    rows = numbers_in_a_row(LONG + 1)
    assert collapsed(chain).n_nodes == chain.n_nodes
    assert prune_tree(chain, rows, c45_bound(0.25)).n_nodes == 1
    kept = prune_tree(chain, rows, c45_bound(0.999))  # a bound that adds nothing to a pure leaf
    assert kept.n_nodes > LONG


def test_a_chain_of_1500_tests_is_written_in_pieces(chain) -> None:
    text = tree_text(chain, TreeNames(["x"], [[]], ["a", "b"]), C45_LAYOUT)
    assert text.count("(1.0)") == LONG + 1
    assert max(map(len, text.splitlines())) < 120
    assert len(text) < 1_000_000
