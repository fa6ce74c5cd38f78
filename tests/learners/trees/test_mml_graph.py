"""The graph of the shortest message: concepts with joins, its message re-encoded, the tree without joins."""

import os

import matplotlib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import MMLGraphClassifier, MMLTreeClassifier
from learners.code_lengths.graph import JoinRound, bits_of_rounds
from learners.code_lengths.tree import (
    MessageParts,
    attribute_bits,
    category_bits,
    root_bits,
    structure_bits,
)
from learners.trees._kernels.graph import forecast_graph
from learners.trees.display.graph_drawing import plot_graph
from learners.trees.display.mml_text import graph_message_text
from learners.trees.display.text import TreeNames
from learners.trees.mml.costed_graph import JoinCode, MessageGraph, Region, WeightedRows
from learners.trees.mml.costed_tree import MessageCode, single_leaf
from learners.trees.nodes.node_graph import JUMP, NodeGraph
from learners.trees.nodes.node_table import CUT, LEAF, VALUES
from workbench.datasets import datasets_of, load_dataset

matplotlib.use("Agg")


def boolean_rows(n, d, seed=0):
    return np.random.default_rng(seed).integers(0, 2, (n, d))


def disjunction(X):
    return (X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3])


def at_least_two(X):
    return (X[:, :4].sum(axis=1) >= 2).astype(int)


def three_terms(X):
    return (X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3]) | (X[:, 4] & X[:, 5])


def selected(X):
    """Which of two others counts depends on whether the first two agree with one of two patterns."""
    return np.where(X[:, 0] & X[:, 1], X[:, 2], X[:, 3] & X[:, 4])


def every_row(d):
    return (np.arange(2**d)[:, None] >> np.arange(d)) & 1


CONCEPTS = [disjunction, at_least_two, three_terms, selected]


@pytest.mark.parametrize("concept", CONCEPTS)
@pytest.mark.parametrize("joins", [True, "oliver"])
def test_concepts_with_joins(concept, joins) -> None:
    X = boolean_rows(1000, 8)
    learner = MMLGraphClassifier(joins=joins).fit(X, concept(X))
    tree = MMLTreeClassifier().fit(X, concept(X))
    assert learner.n_joins_ > 0
    assert learner.message_length_ < tree.message_length_ - 10
    new = every_row(8)
    np.testing.assert_array_equal(learner.predict(new), concept(new))


@pytest.mark.parametrize("n", [400, 5000])
def test_the_disjunction_is_asked_for_once(n) -> None:
    X = boolean_rows(n, 8)
    tree = MMLTreeClassifier().fit(X, disjunction(X)).tree_
    graph = MMLGraphClassifier().fit(X, disjunction(X)).graph_
    asked = [np.bincount(made.attribute[made.attribute >= 0], minlength=4) for made in (tree, graph)]
    assert asked[1].tolist() == [1, 1, 1, 1]
    assert sorted(asked[0].tolist()) == [1, 1, 2, 2]


@pytest.mark.parametrize("concept", CONCEPTS)
def test_joins_in_noise(concept) -> None:
    X = boolean_rows(4000, 8, seed=1)
    y = np.where(np.random.default_rng(2).random(4000) < 0.1, 1 - concept(X), concept(X))
    learner = MMLGraphClassifier().fit(X, y)
    assert learner.n_joins_ > 0
    np.testing.assert_array_equal(learner.predict(every_row(8)), concept(every_row(8)))


def test_numbers_and_values_join() -> None:
    rng = np.random.default_rng(5)
    X = pd.DataFrame(
        {
            "color": pd.Categorical.from_codes(rng.integers(0, 4, 3000), ["red", "green", "blue", "gray"]),
            "size": rng.normal(size=3000).round(2),
            "age": rng.integers(0, 90, 3000).astype(float),
        }
    )
    y = np.where(X["color"].isin(["red", "blue"]), X["size"] > 0.3, X["age"] < 30)
    learner = MMLGraphClassifier().fit(X, y)
    assert learner.n_joins_ >= 2
    assert learner.score(X, y) > 0.99
    assert learner.tree_length_ - learner.message_length_ > 20


# -- the message -------------------------------------------------------------------------------


def encoded_anew(learner, arities, complete, pairs_only):
    """Encode a graph of nominal tests from its table of nodes and the formulas alone."""
    graph, d = learner.graph_, len(arities)
    region, settled, bits = {0: 0}, {0: {}}, dict.fromkeys(("structure", "attributes", "categories"), 0.0)
    arriving: dict[int, list[dict[int, int]]] = {}
    ends: dict[int, int] = {}
    leads: dict[int, list[int]] = {}
    roots = {0, *graph.joins.tolist()}
    above: dict[int, int] = {}
    for node in range(graph.kind.size):
        if node in roots and node:
            first, *others = arriving[node]
            settled[node] = {a: v for a, v in first.items() if all(o.get(a) == v for o in others)}
            region[node] = node
        kind, available = graph.kind[node], d - len(settled[node])
        is_test = kind not in (LEAF, JUMP)
        if node in roots:
            bits["structure"] += float(root_bits(is_test, available))
        else:
            bits["structure"] += float(structure_bits(is_test, above[node]))
        if is_test:
            a = int(graph.attribute[node])
            bits["attributes"] += float(attribute_bits(available))
            for branch, child in enumerate(graph.children(node)):
                region[child], above[child] = region[node], arities[a]
                settled[child] = {**settled[node], a: branch}
            continue
        ends[region[node]] = ends.get(region[node], 0) + 1
        if kind == LEAF:
            bits["categories"] += float(category_bits(graph.class_weight[node], learner.alpha_))
        else:
            to = int(graph.first_child[node])
            leads.setdefault(region[node], []).append(to)
            arriving.setdefault(to, []).append(settled[node])
    bits["joins"] = bits_of_rounds(rounds(ends, leads), complete=complete, pairs_only=pairs_only)
    return bits


def rounds(ends, leads):
    size = {}
    for to in (to for them in leads.values() for to in them):
        size[to] = size.get(to, 0) + 1
    out, waiting, opened, encoded = [], [], [0], set()
    while opened:
        new = [to for region in opened for to in leads.get(region, [])]
        n_ends = sum(ends[region] for region in opened)
        pending = waiting + new
        opened = [to for to in dict.fromkeys(pending) if pending.count(to) == size[to]]
        sizes = tuple(size[to] for to in opened)
        out.append(JoinRound(n_ends, len(new), len(waiting), sizes, tuple(new.count(to) for to in opened)))
        waiting = [to for to in pending if to not in opened]
        encoded.update(opened)
    assert encoded == set(size)
    assert not waiting
    return out


@pytest.mark.slow
@settings(max_examples=15)
@given(
    st.integers(0, 10**6),
    st.sampled_from([True, "oliver"]),
    st.sampled_from(["complete", "pattern"]),
    st.sampled_from([1.0, 0.5]),
)
def test_the_message_encoded_anew(seed, joins, join_code, alpha) -> None:
    rng = np.random.default_rng(seed)
    arities = rng.integers(2, 4, 6).tolist()
    X = np.column_stack([rng.integers(0, r, 400) for r in arities])
    for r in range(6):
        X[:2, r] = (0, 1)  # no column is constant
    y = (X[:, 0] * X[:, 1] + X[:, 2] * (X[:, 3] > 0) + (rng.random(400) < 0.05)) % 3
    learner = MMLGraphClassifier(joins=joins, join_code=join_code, alpha=alpha, arities=arities).fit(X, y)
    encoded = encoded_anew(learner, arities, join_code == "complete", joins == "oliver")
    for part, bits in encoded.items():
        assert getattr(learner.message_parts_, part) == pytest.approx(bits), part
    assert sum(encoded.values()) == pytest.approx(learner.message_length_)
    graph = learner.graph_
    whole = float(root_bits(False, 6)) + float(category_bits(graph.class_weight[0], alpha))
    saved = graph.saved.sum() + graph.merged.sum()
    assert whole - saved + learner.message_parts_.joins == pytest.approx(learner.message_length_)


def random_table(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 150))
    X = pd.DataFrame(
        {
            "a": pd.Categorical.from_codes(rng.integers(-1, 3, n), list("pqr")),
            "b": pd.Categorical.from_codes(rng.integers(0, 2, n), list("tf")),
            "c": pd.Categorical.from_codes(rng.integers(0, 2, n), list("tf")),
            "x": np.where(rng.random(n) < 0.1, np.nan, rng.integers(0, 9, n)),
        }
    )
    rule = ((X["a"].cat.codes > 0) & (X["b"] == "t")) | ((X["c"] == "t") & (X["x"].fillna(4) > 4))
    y = np.where(rng.random(n) < 0.05, rng.integers(0, 2, n), rule)
    return X, pd.Categorical.from_codes(y.astype(int), ["no", "yes"])


@pytest.mark.slow
@settings(max_examples=25)
@given(
    st.integers(0, 10**6),
    st.sampled_from([True, "oliver"]),
    st.sampled_from(["complete", "pattern"]),
    st.sampled_from(["fractional", "value"]),
)
def test_never_longer_than_the_tree_which_it_is_without_joins(seed, joins, join_code, missing) -> None:
    X, y = random_table(seed)
    tree = MMLTreeClassifier(missing=missing).fit(X, y)
    without = MMLGraphClassifier(joins=False, missing=missing).fit(X, y)
    learner = MMLGraphClassifier(joins=joins, join_code=join_code, missing=missing).fit(X, y)
    assert without.message_parts_ == tree.message_parts_
    assert without.n_joins_ == 0
    assert without.export_text() == tree.export_text()
    np.testing.assert_allclose(without.predict_proba(X), tree.predict_proba(X), atol=1e-12)
    np.testing.assert_array_equal(without.predict_set(X), tree.predict_set(X))
    assert learner.tree_length_ == pytest.approx(tree.message_length_)
    assert learner.message_length_ <= tree.message_length_ + 1e-9
    parts = learner.message_parts_
    if join_code == "complete":
        assert (parts.joins > 0) == (learner.n_joins_ > 0)
    forecast = learner.predict_proba(X)
    np.testing.assert_allclose(forecast.sum(axis=1), 1, atol=1e-12)
    assert ((forecast > 0) & (forecast < 1)).all()


def test_pairs_only_join_pairs() -> None:
    X = boolean_rows(3000, 8)
    for concept in CONCEPTS:
        graph = MMLGraphClassifier(joins="oliver").fit(X, concept(X)).graph_
        jumps = graph.first_child[graph.kind == JUMP]
        assert (np.bincount(jumps)[graph.joins] == 2).all()


def test_a_nominal_attribute_is_available_again_below_a_join() -> None:
    """Rows with different values meet: one may have to ask again; where all have the same, not."""
    code = MessageCode(1.0, 2, False, 1, np.zeros(3, bool))
    rows = WeightedRows(np.arange(4), np.ones(4))
    leaf = single_leaf(np.array([2.0, 2.0]), code, np.array([False, True, False]))
    assert leaf.n_available[0] == 2
    assert leaf.structure[0] == 1.0
    region = Region(leaf, rows, np.array([-1, 1, -1]), {})
    graph = MessageGraph((region,), JoinCode(complete=True, pairs_only=False), region.parts.total)
    assert graph.bits == pytest.approx(1.0 + np.log2(30))
    assert graph.order == [0]


# -- forecasts ---------------------------------------------------------------------------------


def by_hand(graph, of_leaf, row):
    """Walk a row of codes, -1 missing, through a graph of nominal tests."""
    out, waiting = np.zeros(of_leaf.shape[1]), [(0, 1.0)]
    while waiting:
        node, weight = waiting.pop()
        children = list(graph.children(node))
        if graph.kind[node] == LEAF:
            out += weight * of_leaf[node]
        elif graph.kind[node] == JUMP:
            waiting.append((children[0], weight))
        elif row[graph.attribute[node]] >= 0:
            waiting.append((children[row[graph.attribute[node]]], weight))
        else:
            shares = graph.weight[children] / graph.weight[children].sum()
            waiting += [(c, weight * s) for c, s in zip(children, shares, strict=True)]
    return out


def test_missing_values_take_all_branches() -> None:
    X = boolean_rows(2000, 6)
    learner = MMLGraphClassifier(arities=[2] * 6).fit(X, three_terms(X))
    rows = np.random.default_rng(3).integers(-1, 2, (200, 6))
    want = [by_hand(learner.graph_, learner._of_leaf, row) for row in rows]
    np.testing.assert_allclose(learner.predict_proba(rows), want, atol=1e-12)
    assert (learner.graph_.kind == VALUES).any()
    sets = learner.predict_set(rows)
    assert set(sets.sum(axis=1)) == {0, 1}
    full = learner.predict_set(np.abs(rows))
    np.testing.assert_array_equal(full.sum(axis=1), 1)


def test_a_row_without_values_takes_time_by_nodes_not_by_ways() -> None:
    """A chain of 60 diamonds has 2^60 ways to the end, more than anybody waits for."""
    n, kind, first, children = 60, [], [], []
    for k in range(n):  # test, two jumps
        kind += [VALUES, JUMP, JUMP]
        first += [3 * k + 1, 3 * k + 3, 3 * k + 3]
        children += [2, 1, 1]
    nodes = np.column_stack([[*kind, LEAF], np.zeros(3 * n + 1), [*first, -1], [*children, 0]])
    of_leaf = np.tile([0.25, 0.75], (3 * n + 1, 1))
    share = np.where(np.arange(3 * n + 1) % 3 == 0, 1.0, 0.5)
    out, met = np.empty((2, 2)), np.empty(2, bool)
    codes = np.array([[2, 1]], np.uint8)
    forecast_graph(
        nodes.astype(np.int32), np.full(3 * n + 1, np.nan), share, codes, np.empty((0, 2)), of_leaf, out, met
    )
    np.testing.assert_allclose(out, [[0.25, 0.75]] * 2)
    assert met.tolist() == [True, False]


# -- text and drawing --------------------------------------------------------------------------


def test_text_names_each_join_once() -> None:
    X = boolean_rows(1000, 6)
    learner = MMLGraphClassifier().fit(X, at_least_two(X))
    lines = learner.export_text().split("\n")
    heads = [line for line in lines if line.startswith("[")]
    assert len(heads) == learner.n_joins_
    for number, head in enumerate(heads, start=1):
        stated = int(head.split("joins ")[1].split()[0])
        assert sum(line.endswith(f"[{number}]") for line in lines) == stated >= 2
    assert lines[0].startswith(f"{learner.message_length_:.2f} bits: structure")


@pytest.mark.parametrize("concept", [disjunction, selected])
def test_drawing_shows_every_node_once(concept) -> None:
    X = boolean_rows(2000, 8)
    learner = MMLGraphClassifier().fit(X, concept(X))
    ax = learner.plot()
    graph = learner.graph_
    texts = [text.get_text() for text in ax.texts]
    assert sum(text.startswith("x") for text in texts) == graph.n_nodes - graph.n_leaves
    assert sum("  " in text for text in texts) == graph.n_leaves
    boxes = [patch for patch in ax.patches if patch.get_height() == pytest.approx(0.26)]
    assert len(boxes) == graph.n_nodes
    for k, one in enumerate(boxes):
        for other in boxes[:k]:
            assert not one.get_bbox().overlaps(other.get_bbox())
    matplotlib.pyplot.close(ax.figure)


def test_a_leaf_alone_is_drawn() -> None:
    learner = MMLGraphClassifier().fit(boolean_rows(20, 2), ["a"] * 20)
    ax = learner.plot()
    assert [text.get_text() for text in ax.texts] == ["a  20"]
    matplotlib.pyplot.close(ax.figure)


def chain(n_tests: int) -> NodeGraph:
    """Return a graph of which each test ends one branch, and all these branches join at the end."""
    n = 2 * n_tests + 2
    kind, first = np.full(n, JUMP, np.int8), np.full(n, n - 1, np.int32)
    tests = np.concatenate([[0], np.arange(2, n - 2, 2)])
    kind[tests], first[tests] = CUT, np.arange(1, n - 2, 2)
    kind[n - 2 :], first[n - 2 :] = LEAF, -1
    children = np.where(kind == CUT, 2, np.where(kind == JUMP, 1, 0)).astype(np.int32)
    tested = kind == CUT
    return NodeGraph(
        kind,
        np.where(tested, 0, -1).astype(np.int32),
        np.where(tested, 0.5, np.nan),
        first,
        children,
        np.ones((n, 2)),
        np.zeros(n, np.int32),
        np.zeros(n),
        np.zeros(n),
    )


NAMES = TreeNames(["x"], [()], ["a", "b"])


def test_a_chain_of_1500_tests_is_no_recursion_error() -> None:
    graph = chain(1500)
    assert (graph.n_nodes, graph.n_leaves, graph.joins.tolist()) == (1502, 2, [3001])
    text = graph_message_text(graph, MessageParts(1, 1, 1, 1), NAMES)
    assert text.count("[1]") == 1501


@pytest.mark.slow
def test_the_upper_layers_of_a_chain_are_drawn() -> None:
    ax = plot_graph(chain(1500), np.full((3002, 2), 0.5), NAMES)
    assert 50 < len(ax.texts) < 9000
    matplotlib.pyplot.close(ax.figure)


# -- hard tables, parameters, sets -------------------------------------------------------------


def test_edges() -> None:
    learner = MMLGraphClassifier()
    assert learner.fit(pd.DataFrame({"x": [1.0]}), ["a"]).message_length_ == 0.0
    nothing = pd.DataFrame({"x": [np.nan] * 6, "s": pd.Categorical([None] * 6, ["p", "q"])})
    np.testing.assert_allclose(learner.fit(nothing, list("aabbbb")).predict_proba(nothing)[0], [3 / 8, 5 / 8])


def test_parameters_that_mean_nothing_are_refused() -> None:
    for parameters, sentence in [
        ({"joins": "some"}, "joins.*True.*False.*\"oliver\".*'some'"),
        ({"joins": 1}, r'joins.*True.*False.*"oliver".*1'),
        ({"join_code": "short"}, r"join_code.*'short'"),
        ({"beam": 0}, r"beam.*1.*0"),
        ({"beam": 2.5}, r"beam.*1.*2.5"),
        ({"alpha": -1}, r"alpha.*0.*-1"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            MMLGraphClassifier(**parameters).fit(np.eye(2), [0, 1])


def data_folder(shared):
    return None if "WORKBENCH_DATA" in os.environ else shared / "datasets"


#: Joins, and bits that they save of the tree's message, where there are any.
SAVED = {
    "complete": {"CH": (5, 43.7), "MU": (3, 63.9)},
    "pattern": {
        "CH": (3, 63.5),
        "MU": (3, 89.3),
        "SE": (1, 6.9),
        "HD": (1, 5.9),
        "SO": (1, 4.8),
        "V1": (1, 4.5),
        "HY": (1, 3.1),
    },
}  # also in docs/reference/joins.md


@pytest.mark.slow
@pytest.mark.parametrize("join_code", SAVED)
def test_joins_of_holtes_sets(shared, join_code) -> None:
    """No set has a longer message than its tree, and joins save what the page of joins says."""
    found = {}
    for each in datasets_of("2001"):
        X, y = load_dataset(each.key, data=data_folder(shared))
        learner = MMLGraphClassifier(join_code=join_code).fit(X, y)
        saved = MMLTreeClassifier().fit(X, y).message_length_ - learner.message_length_
        assert saved >= -1e-9
        assert (saved > 1e-9) == (learner.n_joins_ > 0)
        found[each.code] = (learner.n_joins_, saved)
    assert {code: joins for code, (joins, _) in found.items() if joins} == {
        code: joins for code, (joins, _) in SAVED[join_code].items()
    }
    for code, (_, saved) in SAVED[join_code].items():
        assert found[code][1] == pytest.approx(saved, abs=0.06), code
