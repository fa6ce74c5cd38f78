"""Theories of the symbolic learners, worked by hand in factorials."""

import math

import numpy as np
import pandas as pd
import pytest

import learners
from learners.trees.nodes.node_graph import JUMP, NodeGraph
from learners.trees.nodes.node_table import LEAF, VALUES
from learners.trees.nodes.theory import graph_theory

WEATHER = pd.DataFrame(
    {"sky": list("ssrrssrr") * 3, "wind": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0] * 3}
)  # 2 values; 8 numbers, 7 gaps
THREE = list("aabbaacc") * 3
WALK = pd.DataFrame({"sky": ["sun", "sun", "rain", "rain"] * 5, "wind": [1.0, 9.0, 1.0, 9.0] * 5})
GO = ["go", "stay", "stay", "stay"] * 5


def ways(theory) -> tuple[float, ...]:
    """Two to the bits of each part: whole numbers, for theories worked by hand."""
    parts = (theory.shape, theory.attributes, theory.values, theory.classes, -theory.order)
    return tuple(round(2**bits, 6) for bits in parts)


f = math.factorial


@pytest.mark.parametrize("name", ["C45Classifier", "J48Classifier", "C50Classifier"])
def test_a_tree_by_hand(name) -> None:
    """sky = s: a; sky = r: wind <= 5: b, wind > 5: c."""
    theory = getattr(learners, name)().fit(WEATHER, THREE).theory_complexity()
    shape = f(6) / (f(2) * f(3))  # 2 tests, 3 leaves
    attributes = f(3)  # each of both once
    classes = f(5) / f(2)  # each of three once
    assert ways(theory) == (shape, attributes, 7, classes, 1)
    assert theory.total == pytest.approx(math.log2(shape * attributes * 7 * classes))


def test_an_mml_tree_by_hand() -> None:
    """sky = r: in; sky = s: out."""
    X = pd.DataFrame({"sky": list("sr") * 20, "wind": list("lhhl") * 10})
    learner = learners.MMLTreeClassifier().fit(X, ["out" if sky == "s" else "in" for sky in X["sky"]])
    assert ways(learner.theory_complexity()) == (f(4) / f(2), 2, 1, f(3), 1)


def test_a_missing_value_that_is_a_value_is_one_more_number() -> None:
    """height <= -inf: gone; height > -inf: here. 4 numbers and none: 4 gaps."""
    X = pd.DataFrame({"height": [np.nan, 1.0, 2.0, np.nan, 3.0, 4.0] * 10})
    y = np.where(X["height"].isna(), "gone", "here")
    learner = learners.MMLTreeClassifier(missing="value").fit(X, y)
    assert learner.n_nodes_ == 3
    assert ways(learner.theory_complexity()) == (f(4) / f(2), 1, 4, f(3), 1)


def test_a_graph_by_hand() -> None:
    """(x0 and x1) or (x2 and x3): two of eight branches lead to x2, first as a new node, then as a known."""
    X = np.random.default_rng(0).integers(0, 2, (200, 4))
    y = (X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3])
    learner = learners.MMLGraphClassifier().fit(X, y)
    assert (learner.n_joins_, learner.n_nodes_, learner.n_leaves_) == (1, 8, 4)
    shape = f(9) / (f(4) * f(4)) * f(9) / (f(6) * f(2)) * (1 * 2)
    assert ways(learner.theory_complexity()) == (shape, f(7) / f(3), 1, f(5) / (f(2) * f(2)), 1)


def test_a_rule_list_by_hand() -> None:
    """sky = s: a; sky = r and wind <= 5: b; sky = r and wind > 5: c; else a."""
    theory = learners.C45RulesClassifier().fit(WEATHER, THREE).theory_complexity()
    shape = f(9) / (f(5) * f(3)) * f(5) / f(3)  # 5 conditions, 3 ends; 3 rules, 1 end
    attributes = f(6) / (f(3) * f(2))
    values = 2**3 * 7**2 * f(3)  # three values, two cuts, both sides once
    classes = f(6) / (f(2) * f(2))  # a twice, b, c
    assert ways(theory) == (shape, attributes, values, classes, f(2) * f(2))


def test_rule_sets_by_hand() -> None:
    """sky = sun and wind <= t: go; sky = rain: stay; wind > t: stay. 2 numbers, 1 gap; no default."""
    shape = f(8) / (f(4) * f(3)) * f(5) / f(3)
    attributes, classes = f(5) / (f(2) * f(2)), f(4) / f(2)
    order = f(2) * f(3)  # of the first rule's conditions, and of the rules
    values = 2**2 * 1**2 * f(3)
    induct = learners.InductDNFClassifier().fit(WALK, GO).theory_complexity()
    assert ways(induct) == (shape, attributes, values, classes, order)
    assert ways(learners.FOILClassifier(negation=False).fit(WALK, GO).theory_complexity()) == ways(induct)
    negating = learners.FOILClassifier().fit(WALK, GO).theory_complexity()
    assert ways(negating) == (shape, attributes, values * f(3) / f(2), classes, order)  # twice not negated


def test_ripple_down_rules_by_hand() -> None:
    """stay, except if sky = sun and wind <= 5: go."""
    theory = learners.InductRDRClassifier().fit(WALK, GO).theory_complexity()
    shape = f(4) / f(2) * f(3) * 2  # 2 conditions, 1 end; exceptions: yes, no; another: no
    assert ways(theory) == (shape, f(3), 2 * 1 * 2, f(3), f(2))


def test_1r_on_a_number_by_hand() -> None:
    """wind < 4: go; wind >= 4: stay; missing: go. 3 numbers, 2 gaps."""
    X = pd.DataFrame({"sky": ["sun", "rain"] * 9, "wind": [1.0, 3.0, 5.0] * 6})
    learner = learners.OneRClassifier().fit(X, ["go", "go", "stay"] * 6)
    assert ways(learner.theory_complexity()) == (2 * f(3), 2, 2, f(4) / f(2), 1)


def test_1r_and_stump_on_values_by_hand() -> None:
    """sky = rain: stay; = snow: stay; = sun: go; missing: stay. Two branches: one of three values."""
    X = pd.DataFrame({"sky": ["sun", "rain", "snow"] * 6, "wind": [1.0, 3.0] * 9})
    y = ["go", "stay", "stay"] * 6
    for Learner in (learners.OneRClassifier, learners.DecisionStumpClassifier):
        assert ways(Learner().fit(X, y).theory_complexity()) == (2, 2, 1, f(5) / f(3), 1)
    binary = learners.DecisionStumpClassifier(split="binary").fit(X, y)
    assert ways(binary.theory_complexity()) == (2, 2, 3, f(4) / f(2), 1)


def test_stumps_on_numbers_by_hand() -> None:
    """0, 1, 2, 3, 8: no; 9: yes. One cut of five; or four intervals, of which the ends are known."""
    X = pd.DataFrame({"wind": [0.0, 1.0, 2.0, 3.0, 8.0, 9.0] * 10})
    y = ["no", "no", "no", "no", "no", "yes"] * 10
    binary = learners.DecisionStumpClassifier(split="binary").fit(X, y)
    assert ways(binary.theory_complexity()) == (2, 1, 5, f(4) / f(2), 1)
    X["wind"] = X["wind"].replace({8.0: 6.0})
    bins = learners.DecisionStumpClassifier(bins=4).fit(X, y)  # no, no, no, yes; missing: no
    assert ways(bins.theory_complexity()) == (2 * f(5) / f(3), 1, 1, f(6) / f(4), 1)


def test_joins_of_a_graph_are_encoded_at_its_branches() -> None:
    """a = 0: [1]; a = 1: b, whose branches are [1] and a leaf; [1] is a leaf: four branches, two join."""
    nan = np.nan
    graph = NodeGraph(
        kind=np.array([VALUES, JUMP, VALUES, JUMP, LEAF, LEAF], np.int8),
        attribute=np.array([0, -1, 1, -1, -1, -1], np.int32),
        threshold=np.full(6, nan),
        first_child=np.array([1, 5, 3, 5, -1, -1], np.int32),
        n_children=np.array([2, 1, 2, 1, 0, 0], np.int32),
        class_weight=np.ones((6, 2)),
        label=np.array([0, 0, 0, 0, 1, 0], np.int32),
        saved=np.zeros(6),
        merged=np.zeros(6),
    )
    shape = f(5) / (f(2) * f(2)) * f(5) / (f(2) * f(2)) * (1 * 2)
    gaps = np.zeros(2, np.int64)
    assert ways(graph_theory(graph, gaps, may_join=True)) == (shape, f(3), 1, f(3), 1)
