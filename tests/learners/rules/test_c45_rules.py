"""C4.5rules: its steps against plain twins, odd tables, and what holds on all."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from learners import C45RulesClassifier
from learners.rules._kernels.subset import best_climb, best_of_all, exception_bits
from learners.rules.sets.condition import ABOVE, AT_MOST, Condition
from learners.rules.sets.path_rules import rules_of_paths
from learners.rules.sets.rule_choice import Coverage, RuleBits, choose_rules
from learners.rules.sets.rule_list import make_rule_list
from learners.rules.sets.ruleset import LearnedRule
from learners.tables.attributes import CodedTable, Schema
from learners.trees.growing.gain_ratio import GainRatio, GainRules
from learners.trees.growing.growth import ChosenTests, OpenNodes, grow_tree
from learners.trees.growing.training_rows import TreeRows, rank_rows
from learners.trees.nodes.node_table import NodeTable
from learners.trees.pruning.error_based import c45_bound, collapsed

# the fixture makes tables
ANY_TABLE = settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
BOUND = c45_bound(0.25)


def ranked(
    X: pd.DataFrame, y: pd.Series, weight: np.ndarray | None = None
) -> tuple[TreeRows, Schema, CodedTable]:
    learner = C45RulesClassifier()
    table = learner._read_training(X, y, weight)
    rows = rank_rows(table, learner._schema, class_order=learner._declared_order)
    return rows, learner._schema, CodedTable(table.codes, table.values, table.y.size)


def grown(rows: TreeRows) -> NodeTable:
    rules = GainRules(min_weight=2.0, cut_share=0.1, cut_most=25.0, gap=1e-5, tie=1e-9, boundaries=False)
    return collapsed(grow_tree(rows, GainRatio(rules, least_info=1e-3, least_ratio=-1e-3), min_split=4.0))


# -- generalizing ---------------------------------------------------------------------------------------


def holds(X: pd.DataFrame, condition: Condition, schema: Schema) -> np.ndarray:
    """Return where a condition holds, by the labels of the table."""
    if condition.is_numeric:
        x = X[schema.attributes[schema.numeric[condition.row]].name].to_numpy(float)
        return x <= condition.value if condition.operator == AT_MOST else x > condition.value
    attribute = schema.attributes[schema.nominal[condition.row]]
    return (X[attribute.name] == attribute.states[int(condition.value)]).to_numpy(bool)


def plain_rule(
    X: pd.DataFrame, is_class: np.ndarray, weight: np.ndarray, conditions: list[Condition], schema: Schema
) -> tuple[set[Condition], float, float, float] | None:
    """Generalize one path, as the book describes it."""
    guess = 1 - (weight[is_class].sum() + 1) / (weight.sum() + 2)
    met = {c: holds(X, c, schema) for c in conditions}

    def figures(some: list[Condition]) -> tuple[float, float, float, float]:
        fires = np.all([met[c] for c in some], axis=0) if some else np.ones(len(X), dtype=bool)
        n, e = weight[fires].sum(), weight[fires & ~is_class].sum()
        return n, e, (e + float(BOUND.added(n, e))) / n if n else guess, e / n if n else 0.0

    left = list(conditions)
    while left:
        base = figures(left)
        without = [figures([c for c in left if c is not other]) for other in left]
        if not any(f[2] <= base[2] or f[3] <= base[3] for f in without):
            break
        least = min(f[2] for f in without)
        left.pop(max(j for j, f in enumerate(without) if f[2] <= least))
    n, e, rate, _ = figures(left)
    return None if not left or not n or rate >= guess else (set(left), n, e, rate)


def conditions_of(tree: NodeTable, steps: tuple, schema: Schema) -> list[Condition]:
    out = []
    for node, branch in steps:
        a = int(tree.attribute[node])
        if tree.kind[node] == 2:
            out.append(
                Condition((AT_MOST, ABOVE)[branch], schema.numeric.index(a), float(tree.threshold[node]))
            )
        else:
            out.append(Condition(0, schema.nominal.index(a), branch))
    return out


@ANY_TABLE
@given(seed=st.integers(0, 10_000), holes=st.sampled_from([0.0, 0.2]), weighted=st.booleans())
def test_generalizing_is_that_of_the_plain_twin(mixed_table, seed, holes, weighted) -> None:
    X, y = mixed_table(70, seed=seed, holes=holes)
    weight = np.random.default_rng(seed).integers(1, 4, len(X)).astype(float) if weighted else np.ones(len(X))
    rows, schema, _ = ranked(X, y, weight)
    tree = grown(rows)
    want = []
    for leaf, steps in tree.paths():
        if tree.weight[leaf] < 1 - 1e-6 or not steps:
            continue
        is_class = rows.y == tree.label[leaf]
        found = plain_rule(X, is_class, weight, conditions_of(tree, steps, schema), schema)
        if found and (int(tree.label[leaf]), found[0]) not in [w[:2] for w in want]:
            want.append((int(tree.label[leaf]), *found))
    ours = rules_of_paths(tree, rows, BOUND, schema)
    assert [(rule.conclusion, set(rule.conditions)) for rule in ours] == [w[:2] for w in want]
    for rule, (_, _, n, e, rate) in zip(ours, want, strict=True):
        np.testing.assert_allclose([rule.covered, rule.covered - rule.right, 1 - rule.quality], [n, e, rate])


# -- choosing -------------------------------------------------------------------------------------------


class Problem:
    """Rules of one class as random sets of rows."""

    def __init__(self, seed: int, n_rules: int) -> None:
        rng = np.random.default_rng(seed)
        self.fires = rng.random((n_rules, 40)) < rng.random((n_rules, 1)) * 0.6
        self.in_class, self.weight = rng.random(40) < 0.4, rng.integers(1, 3, 40).astype(float)
        self.bits = rng.uniform(1, 12, n_rules)
        starts, rows = np.concatenate([[0], np.cumsum(self.fires.sum(axis=1))]), np.nonzero(self.fires)[1]
        row_starts = np.concatenate([[0], np.cumsum(self.fires.sum(axis=0))])
        row_rules = np.nonzero(self.fires.T)[1]
        self.coverage = Coverage(starts, rows.astype(np.int32), row_starts, row_rules.astype(np.int32))

    def arguments(self) -> tuple:
        log_factorial = np.array([math.log2(math.factorial(k)) for k in range(self.bits.size + 2)])
        return *self.coverage, self.in_class, self.weight, self.bits, log_factorial

    def length(self, chosen: tuple[bool, ...]) -> float:
        is_in = np.array(chosen, dtype=bool)
        covered, w = self.fires[is_in].any(axis=0), self.weight
        wrong, left_out = w[covered & ~self.in_class].sum(), w[~covered & self.in_class].sum()
        rules = self.bits[is_in].sum() - math.log2(math.factorial(int(is_in.sum())))
        return 0.5 * rules + exceptions(w.sum(), w[covered].sum(), wrong, left_out)


def exceptions(n: float, fires: float, wrong: float, left_out: float) -> float:
    middle, many = (wrong + left_out) / 2, fires > n / 2
    return (
        math.log2(n)
        + biased(fires, wrong, middle if many else wrong)
        + biased(n - fires, left_out, left_out if many else middle)
    )


def biased(n: float, errors: float, expected: float) -> float:
    if expected <= 1e-6:
        return 0.0 if errors == 0 else 1e6
    if expected >= n - 1e-6:
        return 0.0 if errors == n else 1e6
    return -errors * math.log2(expected / n) - (n - errors) * math.log2(1 - expected / n)


@given(n=st.integers(1, 200), fires=st.floats(0, 1), wrong=st.floats(0, 1), left_out=st.floats(0, 1))
def test_exceptions_cost_what_the_paper_says(n, fires, wrong, left_out) -> None:
    f = round(fires * n)
    e, u = round(wrong * f), round(left_out * (n - f))
    np.testing.assert_allclose(exception_bits(n, f, e, u), exceptions(n, f, e, u), atol=1e-9)


@given(seed=st.integers(0, 10_000), n_rules=st.integers(1, 7))
def test_up_to_ten_rules_the_best_set_of_all_is_found(seed, n_rules) -> None:
    problem = Problem(seed, n_rules)
    every = list(itertools.product([False, True], repeat=n_rules))
    found = best_of_all(*problem.arguments())
    least = min(map(problem.length, every))
    np.testing.assert_allclose(problem.length(tuple(found)), least, atol=1e-5)
    rng = np.random.default_rng(0)
    chosen = choose_rules(problem.bits, problem.coverage, problem.in_class, problem.weight, rng)
    np.testing.assert_array_equal(chosen, found)


@given(seed=st.integers(0, 10_000), n_rules=st.integers(1, 20), n_starts=st.integers(1, 4))
def test_a_climb_takes_the_best_turn_each_time(seed, n_rules, n_starts) -> None:
    problem = Problem(seed, n_rules)
    begin = np.random.default_rng(seed).random((n_starts, n_rules)) < 0.5
    best, least = None, np.inf
    for line in begin:
        now = line.tolist()
        while True:
            if problem.length(now) < least - 1e-6:
                best, least = list(now), problem.length(now)
            turned = [[x ^ (j == r) for j, x in enumerate(now)] for r in range(n_rules)]
            lengths = [problem.length(t) for t in turned]
            if min(lengths) >= problem.length(now) - 1e-6:
                break
            now = turned[int(np.argmin(np.round(lengths, 9)))]
    found = best_climb(*problem.arguments(), begin)
    np.testing.assert_allclose(problem.length(tuple(found)), problem.length(best), atol=1e-5)


def test_more_than_ten_rules_depend_on_the_random_state(mixed_table) -> None:
    X, y = mixed_table(900, holes=0.0)
    rows, schema, _ = ranked(X, y)
    rules = rules_of_paths(grown(rows), rows, BOUND, schema)
    of_class = [rule for rule in rules if rule.conclusion == 0]
    assert len(of_class) > 10
    texts = [
        C45RulesClassifier(random_state=s).fit(X, y).export_text() for s in (0, 0, np.random.default_rng(0))
    ]
    assert texts[0] == texts[1] == texts[2]
    chosen = C45RulesClassifier().fit(X, y)
    assert 0 < len(chosen.rules_) < len(rules)


def test_bits_of_a_rule() -> None:
    X = pd.DataFrame({"a": list("xxyy"), "b": [1.0, 2.0, 3.0, 4.0], "c": ["v"] * 4})
    _, schema, coded = ranked(X, pd.Series(list("pqpq")))
    bits = RuleBits.of(coded, np.ones(4), schema.arities)
    np.testing.assert_allclose(bits.of_codes, [1.0, 0.0])
    np.testing.assert_allclose(bits.of_values, [2.0])
    name = -(1 / 3 * math.log2(1 / 3) + 2 / 3 * math.log2(2 / 3))
    np.testing.assert_allclose(bits.name, name)
    rule = [Condition(0, 0, 1), Condition(AT_MOST, 0, 2.0)]
    np.testing.assert_allclose(bits.rule(rule), 1 + 2 + 2 * name + 1 - 1)


# -- the order ------------------------------------------------------------------------------------------


def plain_worth(
    rules: list[LearnedRule], met: list[np.ndarray], default: int, y: np.ndarray
) -> list[list[int]]:
    out = [[0, 0, 0, 0] for _ in rules]
    for i, label in enumerate(y):
        firing = [r for r in range(len(rules)) if met[r][i]]
        if not firing:
            continue
        first = rules[firing[0]].conclusion
        second = rules[firing[1]].conclusion if len(firing) > 1 else default
        line = out[firing[0]]
        line[0] += 1
        line[1] += first != label
        line[2] += first != second and first == label
        line[3] += first != second and second == label
    return out


@ANY_TABLE
@given(seed=st.integers(0, 10_000), holes=st.sampled_from([0.0, 0.2]))
def test_the_order_is_that_of_the_plain_twin(mixed_table, seed, holes) -> None:
    X, y = mixed_table(90, seed=seed, holes=holes)
    rows, schema, coded = ranked(X, y)
    rules = rules_of_paths(grown(rows), rows, BOUND, schema)
    found = make_rule_list(rules, range(len(rules)), coded, schema.arities, rows.y, rows.weight, 3)
    met = [np.all([holds(X, c, schema) for c in rule.conditions], axis=0) for rule in rules]
    left, covered, order = [0, 1, 2], np.zeros(len(X), dtype=bool), []
    while left:
        of_class = {c: [r for r in range(len(rules)) if rules[r].conclusion == c] for c in left}
        any_met = {
            c: np.any([met[r] for r in of_class[c]], axis=0) if of_class[c] else covered * 0 for c in left
        }
        false = {c: int(np.sum(any_met[c] * (rows.y != c) * ~covered)) for c in left}
        best = min(left, key=lambda c: (false[c], c))
        order += sorted(of_class[best], key=lambda r: -rules[r].quality)
        covered = covered | (any_met[best] > 0)
        left.remove(best)
    default = max(range(3), key=lambda c: (np.sum(rows.y[~covered] == c), np.sum(rows.y == c), -c))
    assert (list(found.before), found.default) == (order, default)
    dropped = []
    while True:
        worth = plain_worth([rules[r] for r in order], [met[r] for r in order], default, rows.y)
        harmful = [r for r, line in zip(order, worth, strict=True) if line[3] > line[2]]
        if not harmful:
            break
        dropped.append(harmful[0])
        order.remove(harmful[0])
    assert list(found.dropped) == dropped
    assert found.number.tolist() == order
    np.testing.assert_array_equal(found.worth, np.array(worth).reshape(-1, 4))


# -- the learner ----------------------------------------------------------------------------------------


@ANY_TABLE
@given(seed=st.integers(0, 10_000), holes=st.sampled_from([0.0, 0.2]))
def test_rules_fire_as_their_conditions_say_and_the_first_answers(mixed_table, seed, holes) -> None:
    X, y = mixed_table(120, seed=seed, holes=holes)
    learner = C45RulesClassifier().fit(X, y)
    met = [np.all([holds(X, c, learner._schema) for c in r.conditions], axis=0) for r in learner.rules_.rules]
    first = [next((r for r, m in enumerate(met) if m[i]), -1) for i in range(len(X))]
    conclusions = [learner.classes_[r.conclusion] for r in learner.rules_.rules] + [learner.default_class_]
    np.testing.assert_array_equal(learner.predict(X), [conclusions[r] for r in first])
    sets = learner.predict_set(X)
    np.testing.assert_array_equal(sets.sum(axis=1), 1)
    np.testing.assert_array_equal(learner.classes_[sets.argmax(axis=1)], learner.predict(X))
    forecast = learner.predict_proba(X)
    for r in set(first):
        here = np.array(first) == r
        want = [np.mean(y[here] == label) for label in learner.classes_]
        np.testing.assert_allclose(forecast[here], np.tile(want, (here.sum(), 1)))
    table = learner.rules_table()
    assert table["number"].is_unique
    np.testing.assert_array_equal(table["used"], [first.count(r) for r in range(len(met))])
    assert not (table["worse"] > table["better"]).any()


def test_without_a_known_value_the_default_answers(mixed_table) -> None:
    X, y = mixed_table(holes=0.05)
    learner = C45RulesClassifier().fit(X, y)
    nothing = X.head(1).mask(X.head(1).notna())
    assert learner.predict(nothing)[0] == learner.default_class_
    uncovered = ~learner.rules_.fires(learner._code(X)).any(axis=1)
    want = (
        [np.mean(y[uncovered] == label) for label in learner.classes_]
        if uncovered.any()
        else learner.class_prior_
    )
    np.testing.assert_allclose(learner.predict_proba(nothing), [want])


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (pd.DataFrame({"a": ["x"], "b": [1.0]}), ["p"]),
        (pd.DataFrame({"a": list("xy") * 5, "b": range(10)}).astype({"b": float}), ["p"] * 10),
        (
            pd.DataFrame({"a": [None] * 10, "b": [np.nan] * 10}, dtype=object).astype({"b": float}),
            list("ppq") * 3 + ["p"],
        ),
        (pd.DataFrame({"a": ["x"] * 9, "b": [1.0] * 9}), list("ppq") * 3),
    ],
    ids=["one row", "one class", "all missing", "constant"],
)
def test_where_there_is_nothing_to_learn_the_default_is_left(X, y) -> None:
    learner = C45RulesClassifier().fit(X, y)
    assert learner.export_text() == "Default class: p"
    assert learner.rules_table().empty
    np.testing.assert_array_equal(learner.predict(X), ["p"] * len(X))
    np.testing.assert_allclose(learner.predict_proba(X), [learner.class_prior_] * len(X))


@pytest.mark.slow
def test_a_chain_of_1500_nodes_needs_no_recursion() -> None:
    n = 1500
    x = np.repeat(np.arange(n + 1.0), 2)
    rows, schema, _ = ranked(pd.DataFrame({"x": x}), pd.Series((x % 2).astype(int)))

    def choose(rows: TreeRows, nodes: OpenNodes) -> ChosenTests:
        lowest = np.minimum.reduceat(nodes.codes[:, 0], nodes.start[:-1])
        return ChosenTests(np.zeros(lowest.size, np.int64), lowest.astype(np.int64))

    tree = grow_tree(rows, choose, min_split=2.0)
    assert tree.depth == n
    rules = rules_of_paths(tree, rows, BOUND, schema)
    assert len(rules) == n // 2  # the rows of one class; for the other no rule is better than a guess


def test_options_out_of_range_are_refused_in_one_sentence() -> None:
    for options, sentence in [
        ({"confidence": 0}, r"confidence.*0"),
        ({"min_weight": -1}, r"min_weight.*0"),
        (
            {"random_state": "now"},
            r"random_state.*None.*0",
        ),
    ]:
        with pytest.raises(ValueError, match=sentence) as caught:
            C45RulesClassifier(**options).fit(pd.DataFrame({"a": ["x", "y"]}), ["p", "q"])
        assert "\n" not in str(caught.value)
