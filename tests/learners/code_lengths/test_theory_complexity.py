"""What holds of the theories of all symbolic learners."""

import inspect
import math
import pickle
from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import learners
from learners.rules._shared.one_attribute import OneAttributeClassifier

NAMES = (
    "C45Classifier",
    "J48Classifier",
    "C45RulesClassifier",
    "C50Classifier",
    "MMLTreeClassifier",
    "MMLGraphClassifier",
    "OneRClassifier",
    "DecisionStumpClassifier",
    "FOILClassifier",
    "InductRDRClassifier",
    "InductDNFClassifier",
)
SYMBOLIC = [
    Learner
    for name in learners.__all__
    if hasattr(Learner := getattr(learners, name), "theory_complexity") and inspect.isclass(Learner)
]
VARIANTS = [
    partial(learners.C45Classifier, prune=False),
    partial(learners.J48Classifier, prune=False, collapse=False),
    partial(learners.C50Classifier, global_pruning=False),
    partial(learners.MMLTreeClassifier, missing="value"),
    partial(learners.MMLGraphClassifier, missing="value", join_code="pattern"),
    partial(learners.MMLGraphClassifier, joins=False),
    partial(learners.DecisionStumpClassifier, split="binary"),
    partial(learners.DecisionStumpClassifier, bins=4),
    partial(learners.FOILClassifier, negation=False),
]
EACH = pytest.mark.parametrize(
    "Learner", [*SYMBOLIC, *VARIANTS], ids=lambda each: getattr(each, "__name__", None) or str(each.keywords)
)
EACH_CLASS = pytest.mark.parametrize("Learner", SYMBOLIC, ids=lambda each: each.__name__)
WEATHER = pd.DataFrame(
    {"sky": list("ssrrssrr") * 3, "wind": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0] * 3}
)  # 2 values; 8 numbers, 7 gaps
THREE = list("aabbaacc") * 3


def ways(theory) -> tuple[float, ...]:
    """Two to the bits of each part: whole numbers, for theories worked by hand."""
    parts = (theory.shape, theory.attributes, theory.values, theory.classes, -theory.order)
    return tuple(round(2**bits, 6) for bits in parts)


def test_every_symbolic_learner_encodes_its_theory() -> None:
    assert [Learner.__name__ for Learner in SYMBOLIC] == list(NAMES)


@EACH
def test_parts_are_finite_and_only_an_order_is_given_back(Learner, mixed_table) -> None:
    X, y = mixed_table(seed=1, holes=0.15)
    learner = Learner().fit(X, y)
    theory = learner.theory_complexity()
    parts = (theory.shape, theory.attributes, theory.values, theory.classes)
    assert all(math.isfinite(part) and part >= 0 for part in parts)
    assert theory.order <= 0
    assert theory.total == pytest.approx(sum(parts) + theory.order)
    assert theory.total > 0
    assert all(type(part) is float for part in (*parts, theory.order, theory.total))
    assert pickle.loads(pickle.dumps(learner)).theory_complexity() == theory


def test_a_learner_that_is_not_fitted_says_so() -> None:
    for Learner in SYMBOLIC:
        with pytest.raises(NotFittedError):
            Learner().theory_complexity()


@EACH_CLASS
def test_half_rows_twice_are_the_same_theory(Learner, mixed_table) -> None:
    X, y = mixed_table(seed=2)
    once = Learner().fit(X, y).theory_complexity()
    twice = Learner().fit(
        pd.concat([X, X], ignore_index=True), pd.concat([y, y], ignore_index=True), np.full(2 * len(X), 0.5)
    )
    assert twice.theory_complexity() == once


@EACH
def test_the_order_of_the_rows_does_not_matter(Learner, mixed_table) -> None:
    X, y = mixed_table(seed=3)
    place = np.random.default_rng(0).permutation(len(X))
    once, moved = Learner().fit(X, y), Learner().fit(X.iloc[place], y.iloc[place])
    assert moved.theory_complexity().total == pytest.approx(once.theory_complexity().total, abs=1e-9)


@EACH_CLASS
def test_one_class_and_one_row_cost_a_decision_or_two(Learner, mixed_table) -> None:
    X, _ = mixed_table(seed=4)
    for rows, y in ((X, ["only"] * len(X)), (X.iloc[[0]], ["only"])):
        theory = Learner().fit(rows, y).theory_complexity()
        assert (theory.classes, theory.order) == (0, 0)
        assert theory.total > 0
        if not issubclass(Learner, OneAttributeClassifier):  # that splits all the same
            assert (theory.attributes, theory.values) == (0, 0)
            assert theory.shape <= 2


@EACH
def test_a_model_without_a_test_costs_its_class(Learner) -> None:
    X = pd.DataFrame({"a": ["same"] * 30, "b": [1.0] * 30})
    learner = Learner().fit(X, ["one", "two", "two"] * 10)
    theory = learner.theory_complexity()
    names_class = not isinstance(learner, learners.FOILClassifier | learners.InductDNFClassifier)
    assert ways(theory) == (2, 1, 1, 2 if names_class else 1, 1)


@pytest.mark.parametrize("name", ["iris", "vote", "weather.nominal"])
@pytest.mark.parametrize(
    "Learner", [learners.C45Classifier, learners.J48Classifier], ids=lambda L: L.__name__
)
def test_a_pruned_tree_costs_less_than_the_one_that_was_grown(Learner, name, reference_table) -> None:
    X, y = reference_table(name)
    grown = Learner(prune=False).fit(X, y)
    pruned = Learner().fit(X, y)
    bits = [each.theory_complexity().total for each in (pruned, grown)]
    assert bits[0] < bits[1] if pruned.n_nodes_ < grown.n_nodes_ else bits[0] == bits[1]


@pytest.mark.parametrize("seed", range(2))
def test_a_tree_cut_back_to_a_class_that_it_names_costs_less(seed, mixed_table) -> None:
    X, y = mixed_table(seed=seed)
    learner = learners.J48Classifier(prune=False, collapse=False).fit(X, y)
    tree, before = learner.tree_, learner.theory_complexity()
    for node in np.flatnonzero(~tree.is_leaf):
        below = tree.compacted(node)
        if tree.label[node] not in below.label[below.is_leaf]:
            continue
        learner.tree_ = tree.pruned([node])
        after = learner.theory_complexity()
        assert after.total < before.total
        for part in ("shape", "attributes", "values", "classes"):
            assert getattr(after, part) <= getattr(before, part) + 1e-9


def test_a_graph_that_may_not_join_costs_what_the_tree_does(mixed_table) -> None:
    X, y = mixed_table(seed=5)
    tree = learners.MMLTreeClassifier().fit(X, y).theory_complexity()
    assert learners.MMLGraphClassifier(joins=False).fit(X, y).theory_complexity() == tree


def test_votes_of_boosted_trees_are_no_theory(mixed_table) -> None:
    X, y = mixed_table(seed=6)
    learner = learners.C50Classifier(trials=10).fit(X, y)
    assert len(learner.trees_) > 1
    with pytest.raises(ValueError, match=f"but {len(learner.trees_)} boosted trees vote here"):
        learner.theory_complexity()


def test_a_vote_of_one_tree_is_one() -> None:
    one, boosted = (learners.C50Classifier(trials=n).fit(WEATHER, THREE) for n in (1, 10))
    assert len(boosted.trees_) == 1
    assert boosted.theory_complexity() == one.theory_complexity()
