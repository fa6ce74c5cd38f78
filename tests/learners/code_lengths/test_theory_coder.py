"""Theories encoded decision by decision, and all small ones together: the codes can be read."""

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest

import learners
from learners.rules._shared.attribute_split import AttributeSplit
from learners.rules._shared.split_theory import SplitLanguage, binary_theory, value_theory
from learners.rules.sets.condition import ABOVE, EQUAL, NOT_EQUAL, Condition
from learners.rules.sets.ripple_down import RippleDownRules
from learners.rules.sets.ruleset import LearnedRule, RuleSet
from learners.rules.sets.theory import RuleLanguage, list_theory, ripple_down_theory, set_theory
from learners.tables.attributes import Schema
from learners.trees.nodes.node_graph import JUMP
from learners.trees.nodes.node_table import CUT, LEAF, VALUES, NodeTable
from learners.trees.nodes.theory import tree_theory


class Coder:
    """Laplace's law of succession, one decision after the other."""

    def __init__(self) -> None:
        self.seen: dict[str, Counter[int]] = {}
        self.bits = 0.0

    def decide(self, kind: str, taken: int, n_alternatives: int) -> None:
        assert 0 <= taken < n_alternatives
        seen = self.seen.setdefault(kind, Counter())
        self.bits -= math.log2((seen[taken] + 1) / (seen.total() + n_alternatives))
        seen[taken] += 1

    def choose(self, n_alternatives: int) -> None:
        self.bits += math.log2(n_alternatives)


def n_gaps(X: pd.DataFrame, missing: str = "fractional") -> dict[int, int]:
    return {
        j: X[name].nunique() - (0 if missing == "value" and X[name].isna().any() else 1)
        for j, name in enumerate(X)
        if X[name].dtype == float
    }


def encode_nodes(coder: Coder, nodes: Any, gaps: dict[int, int], n_features: int, may_join: bool) -> None:
    n_classes, met = nodes.class_weight.shape[1], []

    def encode(node: int) -> None:
        is_leaf = nodes.kind[node] == LEAF
        coder.decide("node", int(is_leaf), 2)
        if is_leaf:
            coder.decide("class", int(nodes.label[node]), n_classes)
            return
        coder.decide("attribute", int(nodes.attribute[node]), n_features)
        if nodes.kind[node] == CUT:
            coder.choose(gaps[int(nodes.attribute[node])])
        for child in nodes.children(node):
            joins = nodes.kind[child] == JUMP
            if may_join:
                coder.decide("join", int(joins), 2)
            if not joins:
                encode(child)
                continue
            to = int(nodes.first_child[child])
            coder.choose(len(met) + 1)
            if to not in met:
                met.append(to)
                encode(to)

    encode(0)


def encode_rule(coder: Coder, rule: LearnedRule, language: RuleLanguage) -> None:
    schema = language.schema
    for condition in rule.conditions:
        coder.decide("condition", 1, 2)
        places = schema.numeric if condition.is_numeric else schema.nominal
        coder.decide("attribute", places[condition.row], len(schema.attributes))
        if condition.is_numeric:
            coder.choose(int(language.n_cuts[condition.row]))
            coder.decide("side", int(condition.operator == ABOVE), 2)
        else:
            coder.choose(int(schema.arities[condition.row]))
            if language.negates:
                coder.decide("negation", int(condition.operator == NOT_EQUAL), 2)
    coder.decide("condition", 0, 2)
    coder.decide("class", rule.conclusion, language.n_classes)


def encode_rules(coder: Coder, rules: Any, language: RuleLanguage, default: int | None = None) -> None:
    for rule in rules:
        coder.decide("rule", 1, 2)
        encode_rule(coder, rule, language)
    coder.decide("rule", 0, 2)
    if default is not None:
        coder.decide("class", default, language.n_classes)


def encode_ripple_down(coder: Coder, rules: RippleDownRules, language: RuleLanguage) -> None:
    def encode(number: int) -> None:
        if number:
            encode_rule(coder, rules.rules.rules[number], language)
        else:
            coder.decide("class", rules.rules.rules[0].conclusion, language.n_classes)
        for kind, after in (("except", rules.exceptions[number]), ("else", rules.otherwise[number])):
            if number == 0 and kind == "else":
                continue
            coder.decide(kind, int(after >= 0), 2)
            if after >= 0:
                encode(int(after))

    encode(0)


def language_of(X: pd.DataFrame, n_classes: int, negates: bool = False) -> RuleLanguage:
    return RuleLanguage(
        Schema.fit_code(X)[0], np.array(list(n_gaps(X).values()), np.int64), n_classes, negates
    )


def orders_of(rules: Any) -> float:
    """Bits of the orders of conditions, no two of a rule being the same."""
    return sum(math.log2(math.factorial(len(rule.conditions))) for rule in rules)


@pytest.mark.parametrize("seed", range(1, 3))
@pytest.mark.parametrize(
    "learner",
    [
        learners.C45Classifier(prune=False),
        learners.J48Classifier(),
        learners.C50Classifier(),
        learners.MMLTreeClassifier(alpha=0.2),
        learners.MMLTreeClassifier(missing="value"),
        learners.MMLGraphClassifier(joins=False),
        learners.MMLGraphClassifier(alpha=0.2, join_code="pattern"),
    ],
    ids=str,
)
def test_trees_and_graphs_cost_what_a_coder_needs_that_walks_them(learner, seed, mixed_table) -> None:
    X, y = mixed_table(seed=seed)
    learner.fit(X, y)
    coder, nodes = Coder(), getattr(learner, "graph_", None) or learner.tree_
    may_join = bool(getattr(learner, "joins", False))
    gaps = n_gaps(X, getattr(learner, "missing", "fractional"))
    encode_nodes(coder, nodes, gaps, X.shape[1], may_join)
    assert learner.theory_complexity().total == pytest.approx(coder.bits, abs=1e-8)


@pytest.mark.parametrize(("seed", "holes"), [(0, 0.0), (1, 0.2)])
def test_rules_cost_what_a_coder_needs_that_encodes_them_one_by_one(seed, holes, mixed_table) -> None:
    X, y = mixed_table(seed=seed, n=90, holes=holes)
    for learner in (
        learners.FOILClassifier(),
        learners.FOILClassifier(negation=False),
        learners.InductDNFClassifier(),
    ):
        coder, rules = Coder(), learner.fit(X, y).rules_.rules
        encode_rules(coder, rules, language_of(X, 3, negates=getattr(learner, "negation", False)))
        back = orders_of(rules) + math.log2(math.factorial(len(rules)))
        assert learner.theory_complexity().total == pytest.approx(coder.bits - back, abs=1e-7)
    ordered = learners.C45RulesClassifier().fit(X, y)
    coder, default = Coder(), ordered.classes_.tolist().index(ordered.default_class_)
    encode_rules(coder, ordered.rules_.rules, language_of(X, 3), default)
    back = orders_of(ordered.rules_.rules)
    assert ordered.theory_complexity().total == pytest.approx(coder.bits - back, abs=1e-7)
    ripple = learners.InductRDRClassifier().fit(X, y)
    coder = Coder()
    encode_ripple_down(coder, ripple.rules_, language_of(X, 3))
    back = orders_of(ripple.rules_.rules.rules)
    assert ripple.theory_complexity().total == pytest.approx(coder.bits - back, abs=1e-7)


BITS = pd.DataFrame({"a": [0, 1], "b": [0, 1]}).astype("category")


def node_table(tests: Any) -> NodeTable:
    """Lay out nested tuples: a class, or (attribute, low branch, high branch)."""
    nodes, waiting = [], [tests]
    place = 1
    for tree in waiting:
        nodes.append((tree, place))
        if isinstance(tree, tuple):
            waiting += tree[1:]
            place += 2
    is_test = np.array([isinstance(tree, tuple) for tree, _ in nodes])
    return NodeTable(
        kind=np.where(is_test, VALUES, LEAF).astype(np.int8),
        attribute=np.array([tree[0] if isinstance(tree, tuple) else -1 for tree, _ in nodes], np.int32),
        threshold=np.full(len(nodes), np.nan),
        first_child=np.where(is_test, [place for _, place in nodes], -1).astype(np.int32),
        n_children=np.where(is_test, 2, 0).astype(np.int32),
        class_weight=np.zeros((len(nodes), 2)),
        label=np.array([-1 if isinstance(tree, tuple) else tree for tree, _ in nodes], np.int32),
        errors=np.zeros(len(nodes)),
    )


def all_trees(most_tests: int) -> list[list[Any]]:
    """List the trees over two attributes and two classes, by number of tests."""
    by_size: list[list[Any]] = [[0, 1]]
    for n in range(1, most_tests + 1):
        by_size.append(
            [
                (a, low, high)
                for a in (0, 1)
                for k in range(n)
                for low in by_size[k]
                for high in by_size[n - 1 - k]
            ]
        )
    return by_size


@pytest.mark.slow
def test_all_small_trees_together_leave_probability_for_larger_ones() -> None:
    sums = [
        math.fsum(2 ** -tree_theory(node_table(tree), np.zeros(2, np.int64)).total for tree in trees)
        for trees in all_trees(4)
    ]
    assert sums[0] == pytest.approx(1 / 2)  # a leaf
    assert sums[1] == pytest.approx(1 / 12)  # a test and two leaves: 1/2 * 1/3 * 2/4
    assert sum(sums) < 1


def rules_over_bits(most_conditions: int) -> list[LearnedRule]:
    conditions = [Condition(EQUAL, row, value) for row in (0, 1) for value in (0, 1)]
    return [
        LearnedRule(chosen, conclusion)
        for n in range(most_conditions + 1)
        for chosen in itertools.product(conditions, repeat=n)
        for conclusion in (0, 1)
    ]


def same(rule: LearnedRule) -> Any:
    return rule.conclusion, frozenset(Counter(rule.conditions).items())


def test_a_set_of_rules_has_the_probability_of_all_its_orders() -> None:
    """Repeated conditions and repeated rules among them; so no set costs less than nothing."""
    schema = Schema.fit_code(BITS)[0]
    language = RuleLanguage(schema, np.zeros(0, np.int64), 2)
    rules = rules_over_bits(2)
    of_set: dict[Any, float] = Counter()
    one_of: dict[Any, tuple[LearnedRule, ...]] = {}
    for n in range(3):
        for sequence in itertools.product(rules, repeat=n):
            coder = Coder()
            encode_rules(coder, sequence, language)
            key = frozenset(Counter(same(rule) for rule in sequence).items())
            of_set[key] += 2**-coder.bits
            one_of[key] = sequence
    for key, probability in of_set.items():
        encoded = set_theory(RuleSet.of(one_of[key], schema.arities), language)
        assert encoded.total == pytest.approx(-math.log2(probability), abs=1e-9)
        assert encoded.total > 0
    assert 0.5 < sum(of_set.values()) < 1


@pytest.mark.slow
def test_all_small_lists_and_ripple_down_rules_leave_probability_for_larger_ones() -> None:
    schema = Schema.fit_code(BITS)[0]
    language = RuleLanguage(schema, np.zeros(0, np.int64), 2)
    different = list({same(rule): rule for rule in rules_over_bits(2)}.values())
    lists = [sequence for n in range(3) for sequence in itertools.product(different, repeat=n)]
    encoded = [
        list_theory(RuleSet.of(rules, schema.arities), default, language).total
        for rules in lists
        for default in (0, 1)
    ]
    assert 0.5 < math.fsum(2**-bits for bits in encoded) < 1
    links = {0: [([-1], [-1])], 1: [([1, -1], [-1, -1])], 2: [([1, 2, -1],) * 1 + ([-1] * 3,)]}
    links[2].append(([1, -1, -1], [-1, 2, -1]))
    encoded = [
        ripple_down_theory(
            RippleDownRules.of([LearnedRule((), default), *rules], *link, schema.arities), language
        ).total
        for rules in lists
        for default in (0, 1)
        for link in links[len(rules)]
    ]
    assert 0.5 < math.fsum(2**-bits for bits in encoded) < 1


def split_of(*, values: int = 0, cuts: int = 0) -> AttributeSplit:
    group_of = np.arange(values + 1) if values else np.empty(0, np.intp)
    labels = tuple(map(str, range(values or cuts + 1)))
    return AttributeSplit(0, group_of, np.arange(float(cuts)), False, labels, np.zeros((len(labels) + 1, 2)))


def total_probability(encode: Any, split: AttributeSplit, language: SplitLanguage) -> float:
    """Add up over all classes of the groups."""
    answers = itertools.product(range(2), repeat=len(split.labels) + 1)
    return math.fsum(2 ** -encode(split, np.array(each), language).total for each in answers)


def test_all_splits_use_up_the_probability_but_for_more_intervals_than_there_are() -> None:
    """Two attributes: one of three values, one of three numbers."""
    language = SplitLanguage(n_features=2, n_cuts=2, n_classes=2)
    none = 2 * 2 ** -language.constant_complexity().total
    nominal = total_probability(value_theory, split_of(values=3), language)
    numeric = [
        math.comb(2, n) * total_probability(value_theory, split_of(cuts=n), language) for n in range(3)
    ]
    assert none == pytest.approx(1 / 2)
    assert nominal == pytest.approx(1 / 4)
    assert sum(numeric) == pytest.approx((1 / 2 + 1 / 6 + 1 / 12) / 4)
    binary = split_of(values=3)
    binary = AttributeSplit(0, np.array([0, 1, 1, 2]), binary.cuts, False, ("a", "b"), binary.by_group[:3])
    encoded = 3 * total_probability(binary_theory, binary, language)
    encoded += 2 * total_probability(binary_theory, split_of(cuts=1), language)
    assert none + encoded == pytest.approx(1)
