"""The tree of the shortest message: worked examples, lookahead, pruning, missing values, hard tables."""

from unittest import mock

import matplotlib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import MMLTreeClassifier
from learners.base import TrainingTable
from learners.code_lengths.tree import MessageParts, category_bits
from learners.tables.attributes import Schema
from learners.trees.display.mml_text import tree_message_text
from learners.trees.display.text import TreeNames
from learners.trees.growing.training_rows import rank_rows
from learners.trees.mml import growth
from learners.trees.mml.costed_tree import MessageCode
from learners.trees.mml.growth import grow_message_tree
from learners.trees.nodes.node_table import NodeTable
from workbench.datasets import load_arff

matplotlib.use("Agg")


def boolean_rows(n, d, seed=0):
    return np.random.default_rng(seed).integers(0, 2, (n, d))


def total(learner):
    parts = learner.message_parts_
    return parts.structure + parts.attributes + parts.cuts + parts.categories + parts.joins + parts.alpha


# -- worked examples ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "alpha", "what", "text"),
    [
        ("weather.nominal", 1.0, "one leaf", "yes (14/5)"),
        (
            "contact-lenses",
            1.0,
            "tear-prod-rate, then astigmatism under normal (3 leaves)",
            "tear-prod-rate saves 5.45 bits\n|   reduced: none (12)\n"
            "|   normal: astigmatism saves 1.57 bits\n"
            "|   |   no: soft (6/1)\n|   |   yes: hard (6/2)",
        ),
        (
            "contact-lenses",
            0.5,
            "tear-prod-rate, then astigmatism under normal (3 leaves)",
            "tear-prod-rate saves 7.07 bits\n|   reduced: none (12)\n"
            "|   normal: astigmatism saves 2.85 bits\n"
            "|   |   no: soft (6/1)\n|   |   yes: hard (6/2)",
        ),
    ],
)
def test_worked_examples(golden, name, alpha, what, text) -> None:
    lines = pd.read_csv(golden / "mml_worked_examples.csv", comment="#")
    its = lines[lines.example == f"{name}, alpha {alpha:g}"].set_index("quantity").value
    X, y = load_arff(golden / f"{name}.arff")[:2]
    learner = MMLTreeClassifier(alpha=alpha).fit(X, y)
    assert learner.message_length_ == pytest.approx(its[f"total bits, {what}"], abs=5e-7)
    assert learner.message_length_ == pytest.approx(its.min(), abs=5e-7)
    assert learner.export_text().split("\n", 1)[1] == text


def test_probabilities_by_hand(golden) -> None:
    X, y = load_arff(golden / "contact-lenses.arff")[:2]
    learner = MMLTreeClassifier().fit(X, y)
    order = [list(learner.classes_).index(c) for c in ("soft", "hard", "none")]
    soft = X[(X["tear-prod-rate"] == "normal") & (X["astigmatism"] == "no")].head(1)
    np.testing.assert_allclose(learner.predict_proba(soft)[0, order], [6 / 9, 1 / 9, 2 / 9])


# -- search ------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [200, 1000])
def test_parity_needs_two_steps(n) -> None:
    X = boolean_rows(n, 6)
    y = X[:, 2] ^ X[:, 4]
    one, two = MMLTreeClassifier().fit(X, y), MMLTreeClassifier(lookahead=2).fit(X, y)
    assert one.n_leaves_ != 4
    assert two.n_leaves_ == 4
    assert set(two.tree_.attribute[:3]) == {2, 4}
    assert two.message_length_ < one.message_length_
    assert (two.saved_[1:3] > 0).all()
    assert two.saved_[0] < 0


def test_parity_of_numbers_needs_two_steps() -> None:
    rng = np.random.default_rng(1)
    X = rng.random((600, 3))
    y = (X[:, 0] > np.median(X[:, 0])) ^ (X[:, 2] > np.median(X[:, 2]))
    learner = MMLTreeClassifier(lookahead=2).fit(X, y)
    assert learner.n_leaves_ == 4
    assert learner.score(X, y) > 0.99


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_looking_ahead_is_never_longer(seed) -> None:
    X, y = random_table(seed)
    ahead = MMLTreeClassifier(lookahead=2).fit(X, y)
    assert ahead.message_length_ <= MMLTreeClassifier().fit(X, y).message_length_ + 1e-9


def random_table(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    X = pd.DataFrame(
        {
            "a": pd.Categorical.from_codes(rng.integers(-1, 3, n), list("pqr")),
            "b": pd.Categorical.from_codes(rng.integers(0, 2, n), list("tf")),
            "x": np.where(rng.random(n) < 0.1, np.nan, rng.integers(0, 9, n)),
            "z": rng.normal(size=n).round(2),
        }
    )
    signal = X["a"].cat.codes + (X["x"].fillna(4) > 4)
    y = np.where(rng.random(n) < 0.2, rng.integers(0, 3, n), signal.clip(0, 2))
    return X, pd.Categorical.from_codes(y.astype(int), ["k0", "k1", "k2"])


@given(
    st.integers(0, 10**6),
    st.sampled_from([1.0, 0.5, "search"]),
    st.sampled_from(["quantile", "uniform"]),
    st.sampled_from(["fractional", "value"]),
)
def test_parts_add_up_and_nothing_is_certain(seed, alpha, cut_code, missing) -> None:
    X, y = random_table(seed)
    learner = MMLTreeClassifier(alpha=alpha, cut_code=cut_code, missing=missing).fit(X, y)
    assert total(learner) == pytest.approx(learner.message_length_)
    tree = learner.tree_
    leaf = category_bits(tree.class_weight[0], learner.alpha_) + np.log2(4)
    if (X.nunique() > 1).all():
        whole = leaf - learner.saved_.sum() + learner.message_parts_.alpha
        assert whole == pytest.approx(learner.message_length_)
    forecast = learner.predict_proba(X)
    np.testing.assert_allclose(forecast.sum(axis=1), 1, atol=1e-12)
    assert ((forecast > 0) & (forecast < 1)).all()


@pytest.mark.slow
@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_a_search_for_alpha_keeps_the_shortest(seed) -> None:
    X, y = random_table(seed)
    each = [MMLTreeClassifier(alpha=a).fit(X, y).message_length_ for a in (1.0, 0.5, 0.25)]
    found = MMLTreeClassifier(alpha="search").fit(X, y)
    assert found.message_length_ == pytest.approx(min(each) + np.log2(3))
    assert found.alpha_ == (1.0, 0.5, 0.25)[int(np.argmin(each))]


@given(st.integers(0, 10**6))
def test_tests_that_cannot_shorten_the_message_are_skipped_without_harm(seed) -> None:
    """The tree grown to the end, whatever it takes, is not shorter when it is pruned."""
    X, y = random_table(seed)
    learner = MMLTreeClassifier().fit(X, y)

    def everything(self, nodes):
        return np.full(len(nodes.node), np.inf)

    with mock.patch.object(growth._MessageSearch, "_worth_beating", everything):
        full = MMLTreeClassifier().fit(X, y)
    # a test that cannot help may prevent one that can, never the reverse
    assert learner.message_length_ <= full.message_length_ + 1e-9


def test_a_constant_column_changes_nothing() -> None:
    X, y = random_table(3)
    wider = X.assign(same="v", empty=np.nan, one=1.0)
    one, other = MMLTreeClassifier().fit(X, y), MMLTreeClassifier().fit(wider, y)
    assert one.message_length_ == other.message_length_


# -- missing values ----------------------------------------------------------------------------


def holed_rows(n=300):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, n)
    code = pd.Categorical.from_codes(np.where(y == 1, -1, rng.integers(0, 2, n)), ["p", "q"])
    number = np.where(y == 1, np.nan, rng.normal(size=n))
    return code, number, y


def test_missing_as_a_value_can_be_asked_for() -> None:
    code, number, y = holed_rows()
    for column, shown in ((code, "missing: 1"), (number, "missing: 1")):
        X = pd.DataFrame({"x": column, "noise": np.random.default_rng(3).normal(size=len(y))})
        fractional = MMLTreeClassifier().fit(X, y)
        as_value = MMLTreeClassifier(missing="value").fit(X, y)
        assert as_value.message_length_ < fractional.message_length_ - 100
        assert as_value.score(X, y) == 1.0
        assert shown in as_value.export_text()
        assert as_value.predict_set(X).any(axis=1).all()  # a value leads to one leaf


def test_rows_without_a_tested_value_get_the_empty_set_or_the_class() -> None:
    X = pd.DataFrame({"x": ["p", "q"] * 20})
    y = np.array(["a", "b"] * 20)
    holed = pd.DataFrame({"x": ["p", None]})
    empty, filled = MMLTreeClassifier().fit(X, y), MMLTreeClassifier(missing_sets="predicted").fit(X, y)
    assert empty.predict_set(holed).tolist() == [[True, False], [False, False]]
    assert filled.predict_set(holed).sum(axis=1).tolist() == [1, 1]
    np.testing.assert_allclose(empty.predict_proba(holed)[1], [0.5, 0.5])


# -- hard tables -------------------------------------------------------------------------------


@pytest.mark.parametrize("lookahead", [1, 2])
@pytest.mark.parametrize("missing", ["fractional", "value"])
def test_edges(lookahead, missing) -> None:
    make = MMLTreeClassifier(lookahead=lookahead, missing=missing)
    one = make.fit(pd.DataFrame({"x": [1.0], "s": ["p"]}), ["a"])
    assert one.message_length_ == 0.0
    assert one.predict_proba(pd.DataFrame({"x": [2.0], "s": ["q"]})) == 1.0
    same = make.fit(pd.DataFrame({"x": [1.0] * 4}), pd.Categorical(["a"] * 4, ["a", "b"]))
    assert same.message_length_ == pytest.approx(np.log2(5))
    nothing = pd.DataFrame({"x": [np.nan] * 6, "s": pd.Categorical([None] * 6, ["p", "q"])})
    empty = make.fit(nothing, list("aabbbb"))
    np.testing.assert_allclose(empty.predict_proba(nothing)[0], [3 / 8, 5 / 8])
    separate = make.fit(pd.DataFrame({"x": [0.0, 1.0]}), list("ab"))
    assert separate.n_leaves_ == 1


def test_one_attribute() -> None:
    """The root's rule would exclude a test; it costs a bit."""
    X = pd.DataFrame({"x": pd.Categorical(list("pq") * 50)})
    learner = MMLTreeClassifier().fit(X, ["a", "b"] * 50)
    assert learner.n_leaves_ == 2
    assert learner.message_parts_.structure == pytest.approx(3.0)


def test_a_nominal_of_10000_values_is_left_alone() -> None:
    rng = np.random.default_rng(0)
    n = 20_000
    X = pd.DataFrame(
        {
            "id": pd.Categorical.from_codes(rng.integers(0, 10_000, n), [f"v{k}" for k in range(10_000)]),
            "x": rng.normal(size=n).round(2),
            "s": pd.Categorical.from_codes(rng.integers(0, 3, n), list("pqr")),
        }
    )
    y = np.where(rng.random(n) < 0.2, rng.integers(0, 2, n), (X["x"] > 0).astype(int))
    learner = MMLTreeClassifier().fit(X, y)
    assert learner.n_leaves_ < 100
    assert set(learner.tree_.attribute) <= {-1, 1, 2}


def chain(n_tests):
    """Return the nodes of a tree in which each test ends one branch."""
    n = 2 * n_tests + 1
    kind, first = np.zeros(n, np.int8), np.full(n, -1, np.int32)
    tests = np.concatenate([[0], np.arange(2, n - 1, 2)])[:n_tests]
    kind[tests], first[tests] = 2, np.arange(1, n, 2)
    weight = np.ones((n, 2))
    tested = kind == 2
    return NodeTable(
        kind,
        np.where(tested, 0, -1).astype(np.int32),
        np.where(tested, 0.5, np.nan),
        first,
        np.where(tested, 2, 0).astype(np.int32),
        weight,
        np.zeros(n, np.int32),
        np.zeros(n),
    )


def test_a_chain_of_1500_tests_is_no_recursion_error() -> None:
    tree = chain(1500)
    rng = np.random.default_rng(0)
    n = 3001
    blocks = growth.MessageTree(tree, *(rng.random(n) for _ in range(4)), np.ones(n, int), np.zeros(n))
    pruned = growth._pruned(blocks)
    assert 1 <= pruned.tree.n_nodes <= n
    assert tree.depth == 1500
    lines = tree_message_text(tree, np.zeros(n), MessageParts(1, 1, 1, 1), TreeNames(["x"], [()], ["a", "b"]))
    assert lines.count("\n") == n


def test_a_deep_tree_is_grown() -> None:
    """A code of values in a row, one test each: 150 attributes, one of which is true in each row."""
    n_blocks, each = 150, 60
    X = np.repeat(np.eye(n_blocks, dtype=np.int64), each, axis=0)
    y = np.repeat(np.random.default_rng(0).permutation(n_blocks), each)
    learner = MMLTreeClassifier(arities=[2] * n_blocks, alpha=0.25).fit(X, y)
    assert learner.tree_.depth > 125
    assert learner.score(X, y) > 0.95


def test_parameters_that_mean_nothing_are_refused() -> None:
    for parameters, sentence in [
        ({"alpha": 0}, r"alpha.*0.*0"),
        ({"alpha": "best"}, "alpha.*0.*\"search\".*'best'"),
        ({"cut_code": "log"}, r"cut_code.*'log'"),
        ({"lookahead": 3}, r"lookahead.*1.*2.*3"),
        ({"lookahead": np.True_}, r"lookahead.*1.*2"),
        ({"alpha": np.inf}, r"alpha.*0.*inf"),
        ({"cut_code": ["quantile"]}, r"cut_code.*\['quantile'\]"),
        ({"missing": "mean"}, r"missing.*'mean'"),
        ({"missing_sets": "all"}, r"missing_sets.*'all'"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            MMLTreeClassifier(**parameters).fit(np.eye(2), [0, 1])


def test_the_tree_is_drawn() -> None:
    X = boolean_rows(100, 3)
    ax = MMLTreeClassifier().fit(X, X[:, 0] & X[:, 1]).plot()
    assert {"x0", "x1"} <= {text.get_text() for text in ax.texts}
    matplotlib.pyplot.close(ax.figure)


def test_rows_of_half_weight_count_half() -> None:
    """The search may look up terms of whole weights; others are computed."""
    X, y = random_table(11)
    twice = pd.concat([X, X], ignore_index=True)
    whole = MMLTreeClassifier().fit(X, y)
    half = MMLTreeClassifier().fit(twice, [*y, *y], sample_weight=np.full(len(twice), 0.5))
    assert half.message_length_ == pytest.approx(whole.message_length_)


def test_settled_attributes_are_not_asked_for() -> None:
    X = boolean_rows(100, 2)
    y = X[:, 0]
    schema, coded = Schema.fit_code(X)
    rows = rank_rows(TrainingTable(coded.codes, coded.values, schema.arities, y, 2, None), schema)
    code = MessageCode(1.0, 2, False, 1, np.zeros(2, bool))
    assert grow_message_tree(rows, code).tree.attribute[0] == 0
    assert 0 not in grow_message_tree(rows, code, np.array([True, False])).tree.attribute
