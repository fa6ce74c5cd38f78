"""Rules as columns: firing against a plain twin, text, tables, and sets as keys."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.base import TrainingTable
from learners.rules._shared.unordered import SetFrequencies
from learners.rules.growing.growth_rows import GrowthTable
from learners.rules.sets.condition import ABOVE, AT_MOST, EQUAL, NOT_EQUAL, Condition
from learners.rules.sets.ruleset import LearnedRule, RuleSet
from learners.shown_text import number_text
from learners.tables.attributes import CodedTable, Schema

ARITIES = np.array([2, 3])
CONDITIONS = st.one_of(
    st.builds(Condition, st.sampled_from([EQUAL, NOT_EQUAL]), st.just(0), st.integers(0, 1).map(float)),
    st.builds(Condition, st.sampled_from([EQUAL, NOT_EQUAL]), st.just(1), st.integers(0, 2).map(float)),
    st.builds(Condition, st.sampled_from([AT_MOST, ABOVE]), st.integers(0, 1), st.integers(0, 5).map(float)),
)
RULES = st.lists(
    st.builds(LearnedRule, st.lists(CONDITIONS, max_size=4).map(tuple), st.integers(0, 2)),
    min_size=0,
    max_size=8,
)


def rows_with_holes(n: int, seed: int) -> CodedTable:
    rng = np.random.default_rng(seed)
    codes = np.array([rng.integers(0, a + 1, n) for a in ARITIES], dtype=np.uint8)
    values = rng.integers(0, 6, (2, n)).astype(float)
    values[rng.random(values.shape) < 0.2] = np.nan
    return CodedTable(codes, values, n)


def plain_fires(rule: LearnedRule, table: CodedTable, i: int) -> bool:
    for c in rule.conditions:
        if c.operator in (EQUAL, NOT_EQUAL):
            code = table.codes[c.row, i]
            if code == ARITIES[c.row] or (code == c.value) != (c.operator == EQUAL):
                return False
        else:
            x = table.values[c.row, i]
            if np.isnan(x) or (x <= c.value) != (c.operator == AT_MOST):
                return False
    return True


@given(RULES, st.integers(0, 30), st.integers(0, 10**6))
def test_firing_agrees_with_a_plain_twin(rules, n, seed) -> None:
    table, columns = rows_with_holes(n, seed), RuleSet.of(rules, ARITIES)
    want = np.array([[plain_fires(rule, table, i) for rule in rules] for i in range(n)], dtype=bool)
    want = want.reshape(n, len(rules))
    np.testing.assert_array_equal(columns.fires(table), want)
    first = [next((r for r in range(len(rules)) if want[i, r]), -1) for i in range(n)]
    assert columns.first_firing(table).tolist() == first
    strength = np.arange(1.0, len(rules) + 1)
    support = np.zeros((n, 3))
    for r, rule in enumerate(rules):
        support[:, rule.conclusion] += want[:, r] * strength[r]
    np.testing.assert_allclose(columns.support(table, strength, 3), support)


@given(st.integers(1, 40), st.integers(0, 10**6), st.booleans(), st.booleans())
def test_counts_agree_with_a_plain_twin(n, seed, weighted, few) -> None:
    coded, rng = rows_with_holes(n, seed), np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    weight = rng.random(n) if weighted else None
    table = GrowthTable.of(TrainingTable(coded.codes, coded.values, ARITIES, y, 2, weight))
    rows = np.flatnonzero(rng.random(n) < (0.05 if few else 0.8)).astype(np.int32)
    w = np.ones(n) if weight is None else weight
    counts = table.count(rows, y == 1)
    for j, arity in enumerate(ARITIES):
        for code in range(arity + 1):
            for side, label in enumerate((1, 0)):
                here = rows[(coded.codes[j, rows] == code) & (y[rows] == label)]
                assert counts.nominal[table.offsets[j] + code, side] == pytest.approx(w[here].sum())
    for j, x in enumerate(coded.values):
        shown = np.unique(x[rows][~np.isnan(x[rows])])
        part = slice(counts.starts[j], counts.starts[j + 1])
        levels = table.levels[table.level_starts[j] + counts.ranks[part]]
        np.testing.assert_array_equal(levels, shown)
        for level, line in zip(shown, counts.numeric[part], strict=True):
            for side, label in enumerate((1, 0)):
                here = rows[(x[rows] == level) & (y[rows] == label)]
                assert line[side] == pytest.approx(w[here].sum())


def test_few_rows_and_many_levels_are_counted_alike() -> None:
    x = np.random.default_rng(0).permutation(1000).astype(float)
    x[::7] = np.nan
    y = np.arange(1000) % 2
    table = GrowthTable.of(TrainingTable(np.empty((0, 1000), np.uint8), x[None], np.array([]), y, 2, None))
    few = np.arange(30, dtype=np.int32)  # sorted, not counted
    counts = table.count(few, y == 1)
    known = np.sort(x[:30][~np.isnan(x[:30])])
    np.testing.assert_array_equal(table.levels[counts.ranks], known)
    sides = dict(zip(x[:30], y[:30], strict=True))
    assert counts.numeric[:, 0].tolist() == [sides[value] for value in known]


class TestText:
    @pytest.fixture
    def schema(self) -> Schema:
        return Schema.fit_code(pd.DataFrame({"wind": [1.5, 3.0], "sky": ["sun", "rain"], "age": [1.0, 2.0]}))[
            0
        ]

    def test_rules_name_attributes_and_values(self, schema) -> None:
        conditions = (Condition(NOT_EQUAL, 0, 1), Condition(ABOVE, 1, 1.5), Condition(AT_MOST, 0, 2.25))
        rules = RuleSet.of([LearnedRule(conditions, 1, 5.0, 4.0, 0.75), LearnedRule((), 0)], np.array([2]))
        classes = np.array(["go", "stay"])
        assert rules.text(schema, classes) == [
            "if sky != sun and age > 1.5 and wind <= 2.25 then stay",
            "if true then go",
        ]
        frame = rules.frame(schema, classes, quality="gain")
        assert list(frame) == ["rule", "class", "covered", "right", "gain"]
        assert frame.iloc[0].tolist() == ["sky != sun and age > 1.5 and wind <= 2.25", "stay", 5.0, 4.0, 0.75]

    def test_no_rules_are_a_table_without_lines(self, schema) -> None:
        assert RuleSet.of([], np.array([2])).frame(schema, np.array(["a"]), quality="q").shape == (0, 5)

    @pytest.mark.parametrize(
        ("x", "text"),
        [
            (75.0, "75"),
            (0.1 + 0.2, "0.3"),
            (1.1150000000000002, "1.115"),
            (1234567.25, "1234567.25"),
            (0.36485722486725036, "0.3648572249"),
            (-0.5, "-0.5"),
        ],
    )
    def test_numbers_have_the_digits_that_they_need(self, x, text) -> None:
        assert number_text(x) == text

    def test_a_threshold_is_shown_shorter_than_it_is(self, schema) -> None:
        condition = Condition(AT_MOST, 0, 0.36485722486725036)
        assert condition.text(schema) == "wind <= 0.3648572249"
        assert RuleSet.of([LearnedRule((condition,), 0)], np.array([2])).thresholds[0] == 0.36485722486725036


class TestSetFrequencies:
    @pytest.mark.parametrize("n_classes", [2, 64, 65, 200])
    def test_agree_with_a_plain_twin(self, n_classes) -> None:
        rng = np.random.default_rng(n_classes)
        kinds = rng.random((5, n_classes)) < 0.3
        y_set, y = kinds[rng.integers(0, 4, 100)], rng.integers(0, n_classes, 100)
        weight = rng.random(100)
        found = SetFrequencies.of(y_set, y, weight).forecast(kinds)
        for kind, line in zip(kinds, found, strict=True):
            same = (y_set == kind).all(axis=1)
            same = same if same.any() else np.ones(100, dtype=bool)
            counts = np.bincount(y[same], weight[same], n_classes) + 1
            np.testing.assert_allclose(line, counts / counts.sum())
