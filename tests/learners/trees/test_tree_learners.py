"""C4.5 and J48 on odd tables, and what holds on all."""

import numpy as np
import pandas as pd
import pytest

from learners import C45Classifier, J48Classifier

LEARNERS = [C45Classifier, J48Classifier]
BOTH = pytest.mark.parametrize("Learner", LEARNERS)
RAW = {C45Classifier: {"prune": False}, J48Classifier: {"prune": False, "collapse": False}}


@BOTH
def test_one_row_gives_one_leaf(Learner) -> None:
    learner = Learner().fit(pd.DataFrame({"a": ["x"], "b": [1.0]}), ["yes"])
    assert (learner.n_nodes_, learner.n_leaves_, learner.export_text()) == (1, 1, learner.export_text())
    assert "yes (1.0" in learner.export_text()
    np.testing.assert_array_equal(learner.predict_proba(pd.DataFrame({"a": [None], "b": [np.nan]})), [[1.0]])


@BOTH
def test_one_class_gives_one_leaf(Learner, mixed_table) -> None:
    X, _ = mixed_table()
    learner = Learner().fit(X, ["only"] * len(X))
    assert learner.n_nodes_ == 1
    assert learner.predict_set(X).all()


@BOTH
def test_columns_that_are_missing_or_constant_are_never_tested(Learner, mixed_table) -> None:
    X, y = mixed_table()
    more = X.assign(empty=np.nan, none=pd.Categorical([None] * len(X), list("ab")), one=7.0, same="v")
    want = Learner().fit(X, y)
    got = Learner().fit(more, y)
    np.testing.assert_array_equal(got.tree_.attribute, want.tree_.attribute)
    nothing = more[["empty", "none", "one", "same"]]
    assert Learner().fit(nothing, y).n_nodes_ == 1


@BOTH
def test_rows_of_which_nothing_is_known_are_no_error(Learner, mixed_table) -> None:
    X, y = mixed_table(holes=1.0)
    learner = Learner().fit(X, y)
    assert learner.n_nodes_ == 1
    np.testing.assert_allclose(learner.predict_proba(X.head(1))[0], y.value_counts(sort=False) / len(y))


@BOTH
@pytest.mark.parametrize("holes", [False, True])
def test_an_attribute_of_many_values(Learner, holes) -> None:
    rng = np.random.default_rng(0)
    codes = rng.permutation(np.repeat(np.arange(1000), 3))
    y = (codes % 7 < 3).astype(int)
    X = pd.DataFrame({"many": pd.Categorical.from_codes(codes, range(1000)), "x": rng.normal(size=3000)})
    if holes:
        X.loc[:99, "many"] = None
    learner = Learner().fit(X[["many"]], y)
    assert learner.score(X[["many"]], y) > 0.95
    assert learner.n_leaves_ == 1000


@BOTH
def test_leaf_frequencies_of_an_unpruned_tree_add_up(Learner, mixed_table) -> None:
    X, y = mixed_table(holes=0.0)
    tree = Learner(**RAW[Learner]).fit(X, y).tree_
    counts = y.value_counts(sort=False).to_numpy()
    np.testing.assert_allclose(tree.class_weight[tree.is_leaf].sum(axis=0), counts)
    assert (tree.class_weight % 1 == 0).all()
    for node in np.flatnonzero(~tree.is_leaf):
        below = tree.class_weight[list(tree.children(node))].sum(axis=0)
        np.testing.assert_array_equal(below, tree.class_weight[node])
    forecast = Learner(**RAW[Learner]).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(forecast.sum(axis=0), counts)


@BOTH
def test_parts_of_rows_add_up_to_the_rows(Learner, mixed_table) -> None:
    X, y = mixed_table(holes=0.3)
    for options in ({}, RAW[Learner]):
        tree = Learner(**options).fit(X, y).tree_
        counts = y.value_counts(sort=False).to_numpy()
        np.testing.assert_allclose(tree.class_weight[tree.is_leaf].sum(axis=0), counts)
        np.testing.assert_allclose(tree.class_weight[0], counts)


@BOTH
@pytest.mark.parametrize(("seed", "holes"), [(0, 0.0), (1, 0.3)])
@pytest.mark.parametrize("prune", [False, True])
def test_a_whole_weight_is_the_row_repeated(Learner, mixed_table, seed, holes, prune) -> None:
    X, y = mixed_table(80, seed=seed, holes=holes)
    weight = np.random.default_rng(seed).integers(0, 4, len(X))
    weight[0] = 1
    again = np.repeat(np.arange(len(X)), weight)
    weighted = Learner(prune=prune).fit(X, y, sample_weight=weight)
    repeated = Learner(prune=prune).fit(X.iloc[again], y.iloc[again])
    np.testing.assert_array_equal(weighted.tree_.attribute, repeated.tree_.attribute)
    np.testing.assert_array_equal(weighted.tree_.threshold, repeated.tree_.threshold)
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-12)


@BOTH
def test_a_set_is_one_class_or_empty_where_a_value_is_missing(Learner, table) -> None:
    X, y = table("labor")
    learner = Learner().fit(X, y)
    sets, own = learner.predict_set(X), learner.set_params(missing_sets="predicted").predict_set(X)
    tested = X["wage-increase-first-year"].isna()
    above = X["wage-increase-first-year"] > 2.5
    missing = tested | (above & X["statutory-holidays"].isna())
    np.testing.assert_array_equal(sets.sum(axis=1), ~missing)
    np.testing.assert_array_equal(own.sum(axis=1), 1)
    np.testing.assert_array_equal(learner.classes_[own.argmax(axis=1)], learner.predict(X))
    np.testing.assert_array_equal(sets[~missing], own[~missing])


@BOTH
def test_ties_in_a_set_go_to_the_class_declared_first(Learner) -> None:
    y = pd.Series(pd.Categorical(["b", "a"] * 10, categories=["b", "a"]))
    learner = Learner().fit(pd.DataFrame({"same": ["v"] * 20}), y)
    assert learner.classes_[learner.predict_set(pd.DataFrame({"same": ["v"]}))[0]].tolist() == ["b"]
    assert learner.export_text().lstrip(": ").startswith("b (20.0")


def test_an_empty_leaf_forecasts_the_parents_class_in_c45_and_its_frequencies_in_j48() -> None:
    X = pd.DataFrame({"a": pd.Categorical(list("xxxxyyyy"), list("xyz"))})
    y = list("ppppqqqp")
    new = pd.DataFrame({"a": pd.Categorical(["z"], list("xyz"))})
    assert C45Classifier(prune=False).fit(X, y).predict_proba(new).tolist() == [[1.0, 0.0]]
    assert J48Classifier(prune=False).fit(X, y).predict_proba(new).tolist() == [[5 / 8, 3 / 8]]
    smooth = J48Classifier(prune=False, laplace=True).fit(X, y)
    assert smooth.predict_proba(new).tolist() == [[0.6, 0.4]]
    assert smooth.predict_proba(X.head(1)).tolist() == [[5 / 6, 1 / 6]]


def test_j48_makes_no_test_without_gain_where_c45_does() -> None:
    X = pd.DataFrame({"a": list("xxyy") * 4, "b": list("xyxy") * 4})
    y = ["p" if a == b else "q" for a, b in zip(X["a"], X["b"], strict=True)]
    assert C45Classifier().fit(X, y).n_leaves_ == 4
    assert J48Classifier().fit(X, y).n_leaves_ == 1


@BOTH
def test_less_confidence_prunes_more(Learner, mixed_table) -> None:
    X, y = mixed_table(400, holes=0.05)
    sizes = [Learner(confidence=c).fit(X, y).n_nodes_ for c in (0.001, 0.25, 0.5)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1] <= Learner(prune=False).fit(X, y).n_nodes_


@BOTH
def test_a_bad_option_is_refused_in_one_sentence(Learner) -> None:
    for options, sentence in [
        ({"confidence": 0}, r"confidence.*0.*0"),
        ({"confidence": 1.0}, r"confidence must be above 0 and (below 1|at most 0\.5), but was 1\.0"),
        ({"confidence": "much"}, r"confidence.*0.*'much'"),
        ({"min_weight": -1}, r"min_weight.*0.*-1"),
        ({"missing_sets": "full"}, r"missing_sets.*'full'"),
    ]:
        with pytest.raises(ValueError, match=sentence) as caught:
            Learner(**options).fit([["x"], ["y"]], [0, 1])
        assert "\n" not in str(caught.value)


@BOTH
def test_many_rows_in_small_batches_give_the_same_tree(Learner, mixed_table, monkeypatch) -> None:
    X, y = mixed_table(300, holes=0.2)
    want = Learner(prune=False).fit(X, y)
    seen = Learner.fit.__globals__  # not by name: doctests import the module a second time
    seen = seen["grow_c45_tree"].__globals__ if "grow_c45_tree" in seen else seen
    growth = seen["grow_tree"].__globals__
    monkeypatch.setitem(growth, "MOST_BYTES", 400)
    got = Learner(prune=False).fit(X, y)
    assert got.n_nodes_ == want.n_nodes_
    assert got.export_text() == want.export_text()
    np.testing.assert_array_equal(got.predict_proba(X), want.predict_proba(X))


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("name", ["labor"])
def test_the_drawing_shows_every_test_and_every_leaf(Learner, table, name) -> None:
    learner = Learner(prune=False).fit(*table(name))
    axes = learner.plot()
    texts = [text.get_text().replace("\n", "").replace("-", "") for text in axes.texts]
    tree = learner.tree_
    for node in np.flatnonzero(~tree.is_leaf):
        attribute = learner._schema.names[tree.attribute[node]]
        assert attribute.replace("-", "") in texts
    leaves = [t for t in texts if t.split("  ")[0] in {str(c).replace("-", "") for c in learner.classes_}]
    assert len(leaves) == learner.n_leaves_
    axes.figure.canvas.draw()
    import matplotlib.pyplot as plt

    plt.close(axes.figure)


def test_a_large_tree_is_drawn_down_to_a_level() -> None:
    import matplotlib.pyplot as plt

    rng = np.random.default_rng(0)
    codes, y = rng.integers(0, 6, (2000, 4)), rng.integers(0, 2, 2000)
    learner = C45Classifier(prune=False, min_weight=1, arities=[6] * 4).fit(codes, y)
    assert learner.n_leaves_ > 500
    axes = learner.plot()
    left_out = [text.get_text() for text in axes.texts if text.get_text().endswith("branches not drawn")]
    n_drawn = sum(text.get_text() in set("012345") for text in axes.texts)
    assert sum(int(text.split()[-4]) for text in left_out) == learner.n_nodes_ - 1 - n_drawn
    assert len(axes.texts) < 400
    plt.close(axes.figure)
    one = C45Classifier().fit(codes[:3], y[:3]).plot()
    assert len(one.texts) == 1
    plt.close(one.figure)
