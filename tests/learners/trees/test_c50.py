"""C5.0: its prunings and its boosting against plain twins, odd tables, and what holds on all."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from learners import C50Classifier
from learners.base import TrainingTable
from learners.trees._shared.boosting import ACCURATE, INACCURATE, Trial, boost
from learners.trees.display.c50_text import c50_tree_text
from learners.trees.display.text import TreeNames
from learners.trees.growing.gain_ratio import GainRules
from learners.trees.growing.growth import ChosenTests, OpenNodes
from learners.trees.growing.threshold_gain import ThresholdGain
from learners.trees.growing.training_rows import TreeRows, rank_rows
from learners.trees.nodes.node_table import NodeTable
from learners.trees.pruning.c50_pruning import MergedLeaves, grow_collapsed, prune_globally, prune_locally
from learners.trees.pruning.error_based import c45_bound

BOUND = c45_bound(0.25)
# the fixture makes tables
ANY_TABLE = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
RULES = GainRules(min_weight=2.0, cut_share=0.1, cut_most=25.0, gap=0.0, tie=1e-9, boundaries=False)


def ranked(X: pd.DataFrame, y: pd.Series) -> TreeRows:
    learner = C50Classifier()
    table: TrainingTable = learner._read_training(X, y)
    return rank_rows(table, learner._schema, class_order=learner._declared_order)


# -- the plain twin of local pruning ----------------------------------------------------------------


class Plain:
    """A node with its branches, as one would write it down."""

    def __init__(self, tree: NodeTable, node: int, cut: np.ndarray) -> None:
        self.attribute, self.cut = int(tree.attribute[node]), int(cut[node])
        self.branches = [Plain(tree, child, cut) for child in tree.children(node)]
        self.counts, self.errors = tree.class_weight[node], 0.0


def cuts_of(tree: NodeTable, rows: TreeRows) -> np.ndarray:
    out = np.zeros(tree.n_nodes, int)
    for node in np.flatnonzero(tree.kind == 2):
        a = tree.attribute[node]
        numbers = rows.values[rows.value_start[a] : rows.value_start[a + 1]]
        out[node] = np.searchsorted(numbers, tree.threshold[node], side="right") - 1
    return out


Part = list[tuple[int, float]]  # rows with their weights


def parts_of(rows: TreeRows, part: Part, node: Plain) -> list[Part]:
    """Send rows down the branches of a node."""
    a, m = node.attribute, len(node.branches)
    codes = [int(rows.codes[i, a]) for i, _ in part]
    known: list[Part] = [[] for _ in range(m)]
    missing = [row for row, code in zip(part, codes, strict=True) if code == rows.sizes[a]]
    for row, code in zip(part, codes, strict=True):
        if code < rows.sizes[a]:
            known[int(code > node.cut) if rows.is_number[a] else code].append(row)
    total = sum(w for branch in known for _, w in branch)
    shares = [sum(w for _, w in branch) / total if total else 0.0 for branch in known]
    return [
        branch + [(i, w * share) for i, w in missing] if share else []
        for branch, share in zip(known, shares, strict=True)
    ]


def counted(rows: TreeRows, part: Part) -> np.ndarray:
    out = np.zeros(rows.n_classes)
    for i, w in part:
        out[rows.y[i]] += w
    return out


def expected(counts: np.ndarray) -> float:
    if not counts.sum():
        return 0.0
    wrong = counts.sum() - counts.max()
    return wrong + float(BOUND.added(counts.sum(), wrong))


def estimate(rows: TreeRows, part: Part, node: Plain) -> float:
    """Add up the expected errors of a subtree, light branches taken together."""
    if not node.branches:
        return expected(counted(rows, part))
    total, pool = 0.0, np.zeros(rows.n_classes)
    for branch, below in zip(parts_of(rows, part, node), node.branches, strict=True):
        weight = sum(w for _, w in branch)
        if weight >= 2 - 1e-6:
            total += estimate(rows, branch, below)
        elif weight >= 0.05 - 1e-6:
            pool += counted(rows, branch)
    return total + expected(pool)


def plain_pruned(rows: TreeRows, part: Part, node: Plain, search: Any, regrow: bool) -> None:
    node.counts = counted(rows, part)
    node.errors = as_leaf = expected(node.counts)
    if not node.branches:
        return
    total, pool, best = 0.0, np.zeros(rows.n_classes), None
    for branch, below in zip(parts_of(rows, part, node), node.branches, strict=True):
        weight = sum(w for _, w in branch)
        if weight < 0.05 - 1e-6:
            continue
        plain_pruned(rows, branch, below, search, regrow)
        if weight < 2 - 1e-6:
            pool += below.counts
        else:
            total += below.errors
        twice = rows.is_number[node.attribute] and below.attribute == node.attribute
        if below.branches and not twice and weight >= 0.1 * node.counts.sum() - 1e-6:
            best = below if best is None or weight > best.counts.sum() + 1e-6 else best
    as_tree = total + expected(pool)
    as_branch = np.inf if best is None else estimate(rows, part, best)
    if as_leaf <= min(as_tree, as_branch) + 0.1 + 1e-6:
        node.branches = []
    elif as_branch <= as_tree + 0.1 + 1e-6:
        anew = regrow and best.counts.sum() < 0.95 * node.counts.sum()
        node.attribute, node.cut, node.branches = best.attribute, best.cut, best.branches
        if anew:
            grow_branches(rows, part, node, search)
        plain_pruned(rows, part, node, search, False)
    else:
        node.errors = as_tree


def grow_branches(rows: TreeRows, part: Part, node: Plain, search: Any) -> None:
    which, weight = np.array([i for i, _ in part]), np.array([w for _, w in part])
    here = rows._replace(codes=rows.codes[which], y=rows.y[which], weight=weight)

    def choose(rows: TreeRows, nodes: OpenNodes) -> ChosenTests:
        forced = ChosenTests(np.array([node.attribute]), np.array([node.cut]))
        return search(rows, nodes) if nodes.node[0] else forced

    tree = grow_collapsed(here, choose, min_split=4.0, keep_root=True)
    if tree.n_nodes > 1:
        node.branches = Plain(tree, 0, cuts_of(tree, rows)).branches


def same(tree: NodeTable, node: int, cut: np.ndarray, plain: Plain) -> None:
    assert len(tree.children(node)) == len(plain.branches)
    np.testing.assert_allclose(tree.class_weight[node], plain.counts, atol=1e-9)
    if plain.branches:
        assert (tree.attribute[node], cut[node]) == (plain.attribute, plain.cut)
    if plain.counts.any():
        np.testing.assert_allclose(tree.errors[node], plain.errors, atol=1e-9)
    for child, below in zip(tree.children(node), plain.branches, strict=True):
        same(tree, child, cut, below)


@ANY_TABLE
@given(seed=st.integers(0, 10_000), holes=st.sampled_from([0.0, 0.1, 0.4]), regrow=st.booleans())
def test_local_pruning_is_that_of_the_plain_twin(mixed_table, seed, holes, regrow) -> None:
    rows = ranked(*mixed_table(70, seed=seed, holes=holes))
    search = ThresholdGain(RULES, 1e9)  # no attribute has too many values; any gain will do
    tree = grow_collapsed(rows, search, min_split=4.0)
    plain = Plain(tree, 0, cuts_of(tree, rows))
    plain_pruned(rows, [(i, 1.0) for i in range(len(rows.y))], plain, search, regrow)
    ours = prune_locally(tree, rows, search, BOUND, min_weight=2.0, regrow=regrow)
    same(ours, 0, cuts_of(ours, rows), plain)


def test_branches_are_regrown_somewhere(mixed_table) -> None:
    search, differs = ThresholdGain(RULES, 1e9), 0
    for seed in range(20):
        rows = ranked(*mixed_table(120, seed=seed, holes=0.1))
        tree = grow_collapsed(rows, search, min_split=4.0)
        anew, not_anew = (
            prune_locally(tree, rows, search, BOUND, min_weight=2.0, regrow=regrow)
            for regrow in (True, False)
        )
        differs += anew.n_nodes != not_anew.n_nodes or not np.array_equal(anew.attribute, not_anew.attribute)
    assert differs > 0


# -- global pruning -----------------------------------------------------------------------------------


def plain_costs(tree: NodeTable, node: int) -> tuple[float, int, dict[int, tuple[float, float]]]:
    """Return training errors, leaves with rows, and cost and extra errors of each inner node."""
    if tree.is_leaf[node]:
        there = tree.weight[node] > 1e-3
        return (float(tree.wrong[node]), 1, {}) if there else (0.0, 0, {})
    errors, leaves, found = 0.0, 0, {}
    for child in tree.children(node):
        more = plain_costs(tree, child)
        errors, leaves, found = errors + more[0], leaves + more[1], {**found, **more[2]}
    if leaves > 1:
        extra = float(tree.wrong[node]) - errors
        found[node] = (round(extra / (leaves - 1), 12), extra)
    return errors, leaves, found


@ANY_TABLE
@given(seed=st.integers(0, 10_000), n=st.integers(20, 200))
def test_global_pruning_takes_the_cheapest_subtrees_within_one_standard_error(mixed_table, seed, n) -> None:
    rows = ranked(*mixed_table(n, seed=seed, holes=0.0))
    tree = grow_collapsed(rows, ThresholdGain(RULES, 1e9), min_split=4.0)
    errors = plain_costs(tree, 0)[0]
    ours = prune_globally(tree, errors=errors, n_samples=n)
    allowance = np.sqrt(errors * (1 - errors / n))
    while allowance > 0:
        costs = {k: v for k, v in plain_costs(tree, 0)[2].items() if v[1] <= allowance}
        least = min((cost for cost, _ in costs.values()), default=None)
        chosen = {k for k, v in costs.items() if v[0] == least}
        chosen = {k for k in chosen if not chosen & {step.node for step in tree.path(k)}}
        spent = sum(costs[k][1] for k in chosen)
        if not chosen or spent > allowance:
            break
        tree, allowance = tree.pruned(sorted(chosen)), allowance - spent
    np.testing.assert_array_equal(ours.attribute, tree.attribute)
    np.testing.assert_array_equal(ours.class_weight, tree.class_weight)
    assert plain_costs(ours, 0)[0] <= errors + np.sqrt(errors * (1 - errors / n)) + 1e-9


# -- boosting -------------------------------------------------------------------------------------------

STUMP = NodeTable(
    kind=np.array([2, 0, 0], np.int8),
    attribute=np.array([0, -1, -1], np.int32),
    threshold=np.array([0.0, np.nan, np.nan]),
    first_child=np.array([1, -1, -1], np.int32),
    n_children=np.array([2, 0, 0], np.int32),
    class_weight=np.array([[2.0, 2.0], [2.0, 0.0], [0.0, 2.0]]),
    label=np.array([0, 0, 1], np.int32),
    errors=np.zeros(3),
)


@given(
    y=st.lists(st.integers(0, 1), min_size=10, max_size=40),
    seed=st.integers(0, 1000),
    rate=st.floats(0.1, 0.45),
)
def test_wrong_rows_get_half_way_to_half_of_the_weight(y, seed, rate) -> None:
    rng = np.random.default_rng(seed)
    codes, times = np.array(y, np.int32), rng.integers(1, 4, len(y)).astype(float)
    trials: list[Trial] = []
    wrong: list[np.ndarray] = []

    def learn(trial: Trial) -> NodeTable:
        trials.append(trial)
        return STUMP

    def classify(_: NodeTable) -> np.ndarray:
        wrong.append(rng.random(len(y)) < rate)
        predicted = np.where(wrong[-1], 1 - codes, codes)
        return np.where(predicted[:, None] == [0, 1], 0.9, 0.1)

    found = boost(codes, times, 10, learn, classify)
    for before, after, misses in zip(trials, trials[1:], wrong, strict=False):
        dropped = after.weight == 0
        left = times[~dropped].sum()
        np.testing.assert_allclose(after.weight.sum(), left, rtol=1e-6)
        weight = np.where(dropped, 0.0, before.weight)
        share = weight[misses].sum() / weight.sum()
        np.testing.assert_allclose(after.weight[misses].sum() / left, (share + 0.5) / 2, rtol=1e-3)
        added = (after.weight * weight.sum() / left - weight)[misses & ~dropped] / times[misses & ~dropped]
        np.testing.assert_allclose(added, added[:1].repeat(added.size), atol=1e-9)  # the same for each row
        kept = (after.weight[~misses & ~dropped] / before.weight[~misses & ~dropped]).round(6)
        assert np.unique(kept[after.weight[~misses & ~dropped] > 2e-3]).size <= 1  # the same part of each row
    assert trials[0].leaf_ratio is None
    assert all(trial.leaf_ratio == 1.1 * 2 / times.sum() for trial in trials[1:])
    assert len(found.trees) == 1 or len(found.trees) >= 3
    if not found.ended:
        assert len(found.trees) == 10


def test_boosting_ends_where_it_is_of_no_use() -> None:
    y, times = np.array([0, 1] * 10, np.int32), np.ones(20)

    def of(right: float, after: int = 0):
        n_asked = [0]

        def classify(_: NodeTable) -> np.ndarray:
            n_asked[0] += 1
            n_right = 12 if n_asked[0] <= after else int(20 * right)
            predicted = np.where(np.roll(np.arange(20), n_asked[0]) < n_right, y, 1 - y)
            return np.where(predicted[:, None] == [0, 1], 0.6, 0.4)

        return boost(y, times, 10, lambda trial: STUMP, classify)

    accurate = of(1.0)
    assert (accurate.ended, len(accurate.trees), len(accurate.rejected)) == (ACCURATE, 1, 0)
    inaccurate = of(0.5)
    assert (inaccurate.ended, len(inaccurate.trees), len(inaccurate.rejected)) == (INACCURATE, 1, 0)
    late = of(0.0, after=4)
    assert (late.ended, len(late.trees), len(late.rejected)) == (INACCURATE, 4, 1)
    early = of(0.0, after=2)
    assert (early.ended, len(early.trees), len(early.rejected)) == (INACCURATE, 1, 2)


def test_the_lightest_of_many_rows_are_left_out_of_growing() -> None:
    rng = np.random.default_rng(0)
    for n, trims in ((4000, False), (4001, True)):
        y, trials = rng.integers(0, 2, n).astype(np.int32), []

        def learn(trial: Trial, trials: list[Trial] = trials) -> NodeTable:
            trials.append(trial)
            return STUMP

        def classify(_: NodeTable, y: np.ndarray = y) -> np.ndarray:
            predicted = np.where(rng.random(len(y)) < 0.02, 1 - y, y)
            return np.where(predicted[:, None] == [0, 1], 0.9, 0.1)

        boost(y, np.ones(n), 10, learn, classify)
        assert any(not trial.grown_from.all() and (trial.weight > 0).all() for trial in trials) == trims


# -- the learner ----------------------------------------------------------------------------------------

OPTIONS = pytest.mark.parametrize("options", [{}, {"trials": 5}, {"probabilities": "leaf"}], ids=str)


@OPTIONS
def test_one_row_one_class_and_nothing_known_give_one_leaf(options, mixed_table) -> None:
    one = C50Classifier(**options).fit(pd.DataFrame({"a": ["x"], "b": [1.0]}), ["yes"])
    assert one.export_text().splitlines()[-1] in {"yes (1)", "*** boosting abandoned (too few classifiers)"}
    np.testing.assert_array_equal(one.predict_proba(pd.DataFrame({"a": [None], "b": [np.nan]})), [[1.0]])
    X, y = mixed_table()
    assert C50Classifier(**options).fit(X, ["only"] * len(X)).tree_.n_nodes == 1
    X, y = mixed_table(holes=1.0)
    nothing = C50Classifier(**options).fit(X, y)
    np.testing.assert_allclose(nothing.predict_proba(X.head(1))[0], y.value_counts(sort=False) / len(y))


@OPTIONS
def test_columns_that_are_missing_or_constant_change_nothing(options, mixed_table) -> None:
    X, y = mixed_table()
    more = X.assign(empty=np.nan, none=pd.Categorical([None] * len(X), list("ab")), one=7.0, same="v")
    want, got = C50Classifier(**options).fit(X, y), C50Classifier(**options).fit(more, y)
    for ours, theirs in zip(got.trees_, want.trees_, strict=True):
        np.testing.assert_array_equal(ours.attribute, theirs.attribute)
    nothing = more[["empty", "none", "one", "same"]]
    assert C50Classifier(**options).fit(nothing, y).tree_.n_nodes == 1


@pytest.mark.parametrize(("trials", "holes"), [(1, False), (5, True)])
def test_an_attribute_of_many_values(trials, holes) -> None:
    rng = np.random.default_rng(0)
    codes = rng.permutation(np.repeat(np.arange(1000), 4))
    y = (codes % 7 < 3).astype(int)
    y[:400] = 1 - y[:400]
    X = pd.DataFrame({"many": pd.Categorical.from_codes(codes, range(1000)), "x": rng.normal(size=4000)})
    if holes:
        X.loc[:19, "many"] = None
    learner = C50Classifier(trials=trials).fit(X[["many"]], y)
    assert learner.score(X[["many"]], y) > 0.85
    assert "many in {" in learner.export_text()


def chain(n: int) -> tuple[TreeRows, NodeTable]:
    """Return a tree that cuts one number off at each of n nodes, three rows each."""
    x = np.repeat(np.arange(n + 1.0), 3)
    rows = ranked(pd.DataFrame({"x": x}), pd.Series((x % 2).astype(int)))

    def choose(rows: TreeRows, nodes: OpenNodes) -> ChosenTests:
        lowest = np.minimum.reduceat(nodes.codes[:, 0], nodes.start[:-1])
        return ChosenTests(np.zeros(lowest.size, np.int64), lowest.astype(np.int64))

    return rows, grow_collapsed(rows, choose, min_split=4.0)


@pytest.mark.slow
def test_a_chain_of_1500_nodes_needs_no_recursion() -> None:
    rows, tree = chain(1500)
    assert tree.depth == 1500
    pruned = prune_locally(tree, rows, ThresholdGain(RULES, 1e9), BOUND, min_weight=2.0, regrow=True)
    assert pruned.depth > 1200
    assert prune_globally(tree, errors=0.0, n_samples=rows.y.size) is tree
    small = prune_globally(tree, errors=900.0, n_samples=rows.y.size)
    assert 0 < small.depth < tree.depth
    text = c50_tree_text(tree, MergedLeaves.of(tree, empty_only=False), TreeNames(["x"], [[]], ["a", "b"]))
    assert text.count("\n") > 3000
    assert max(map(len, text.splitlines())) < 100


@ANY_TABLE
@given(seed=st.integers(0, 10_000), holes=st.sampled_from([0.0, 0.3]), trials=st.sampled_from([1, 6]))
def test_a_whole_weight_is_the_row_repeated(mixed_table, seed, holes, trials) -> None:
    X, y = mixed_table(80, seed=seed, holes=holes)
    weight = np.random.default_rng(seed).integers(0, 4, len(X))
    weight[0] = 1
    again = np.repeat(np.arange(len(X)), weight)
    weighted = C50Classifier(trials=trials).fit(X, y, sample_weight=weight)
    repeated = C50Classifier(trials=trials).fit(X.iloc[again], y.iloc[again])
    assert weighted.ended_ == repeated.ended_
    for ours, theirs in zip(weighted.trees_, repeated.trees_, strict=True):
        np.testing.assert_array_equal(ours.attribute, theirs.attribute)
        np.testing.assert_array_equal(ours.threshold, theirs.threshold)
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-9)


@pytest.mark.slow
@ANY_TABLE
@given(seed=st.integers(0, 10_000), trials=st.sampled_from([1, 6]), holes=st.sampled_from([0.0, 0.2]))
def test_sets_and_forecasts_agree(mixed_table, seed, trials, holes) -> None:
    X, y = mixed_table(100, seed=seed, holes=holes)
    learner = C50Classifier(trials=trials).fit(X, y)
    forecast, sets = learner.predict_proba(X), learner.predict_set(X)
    np.testing.assert_allclose(forecast.sum(axis=1), 1)
    own = learner.set_params(missing_sets="predicted").predict_set(X)
    np.testing.assert_array_equal(own.sum(axis=1), 1)
    np.testing.assert_array_equal(learner.classes_[own.argmax(axis=1)], learner.predict(X))
    full = X.notna().all(axis=1).to_numpy()
    np.testing.assert_array_equal(sets[full], own[full])
    assert not (sets & ~own).any()
    nothing = X.head(1).mask(X.head(1).notna())
    tested = any(tree.n_nodes > 1 for tree in learner.trees_)
    assert learner.set_params(missing_sets="empty").predict_set(nothing).any() != tested


def test_leaves_of_one_class_below_a_test_are_one(mixed_table) -> None:
    X = pd.DataFrame({"a": pd.Categorical(list("uvwx") * 10, list("uvwxyz"))})
    y = pd.Series(["p", "q", "q", "p"] * 10)
    learner = C50Classifier(probabilities="leaf").fit(X, y)
    assert learner.export_text().splitlines() == [
        "a in {y,z}: p (0)",
        "a in {u,x}: p (20)",
        "a in {v,w}: q (20)",
    ]
    assert (learner.n_leaves_, learner.n_nodes_) == (2, 7)
    smoothed = C50Classifier().fit(X, y)
    np.testing.assert_allclose(smoothed.predict_proba(X.head(1)), [[20.5 / 21, 0.5 / 21]])
    empty = pd.DataFrame({"a": pd.Categorical(["y"], list("uvwxyz"))})
    np.testing.assert_allclose(smoothed.predict_proba(empty), [[0.5, 0.5]])


def test_less_confidence_and_global_pruning_make_smaller_trees(mixed_table) -> None:
    X, y = mixed_table(600, holes=0.0)
    sizes = [C50Classifier(confidence=c).fit(X, y).n_nodes_ for c in (0.01, 0.25, 0.9)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[2]
    grown = [C50Classifier(confidence=0.9, global_pruning=g).fit(X, y).n_nodes_ for g in (True, False)]
    assert grown[0] < grown[1]


def test_options_out_of_range_are_refused_in_one_sentence() -> None:
    for options, sentence in [
        ({"trials": 0}, r"trials.*1.*0"),
        ({"trials": 1.5}, r"trials.*1.*1.5"),
        ({"trials": True}, r"trials.*1.*True"),
        ({"probabilities": "raw"}, r"probabilities.*'raw'"),
        ({"confidence": 1}, r"confidence.*0.*1"),
        ({"min_weight": 0}, r"min_weight.*0"),
        ({"missing_sets": "none"}, "missing_sets"),
    ]:
        with pytest.raises(ValueError, match=sentence) as caught:
            C50Classifier(**options).fit(pd.DataFrame({"a": ["x", "y"]}), ["p", "q"])
        assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_a_tree_of_the_sequence_is_drawn(mixed_table) -> None:
    learner = C50Classifier(trials=5).fit(*mixed_table())
    import matplotlib.pyplot as plt

    n_trees = len(learner.trees_)
    for trial in range(n_trees):
        assert learner.plot(trial=trial).has_data() or learner.trees_[trial].n_nodes == 1
    for trial in (n_trees, -1, 0.5, True, "1"):
        with pytest.raises(
            ValueError, match=f"trial, .* must be a whole number from 0 to {n_trees - 1}, but was"
        ):
            learner.plot(trial=trial)
    with pytest.raises(ValueError, match=r"trial.*0.*1"):
        C50Classifier().fit(*mixed_table()).plot(trial=1)
    plt.close("all")
