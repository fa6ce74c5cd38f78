"""FOIL against the rules, gains and bits that FOIL 6.0 prints, and against a plain twin.

| table | classes | with != | without |
|---|---|---|---|
| weather.nominal, weather.numeric | yes, no | equal | not printed |
| contact-lenses | soft, hard, none | equal | equal |
| iris | setosa, versicolor, virginica | equal | not printed |

No exception: every printed rule in the printed order of rules and of tests, every count of rows left
uncovered, every gain and bit count.
"""

import math
import re
from functools import reduce
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners import FOILClassifier
from learners.base import TrainingTable
from learners.rules._kernels.firing import needless_conditions
from learners.rules._kernels.foil import GAIN, OPERATOR, RIGHT, ROW, TOTAL, VALUE, examine_literals
from learners.rules.foil import shown_values
from learners.rules.growing.covering import RemainingRows
from learners.rules.growing.foil_clause import Clause, FoilOptions, Trail
from learners.rules.growing.foil_search import ClauseSearch
from learners.rules.growing.growth_rows import GrowthTable
from learners.rules.sets.condition import ABOVE, AT_MOST, EQUAL, NOT_EQUAL, Condition

SHORT = {"tear": "tear-prod-rate", "prescription": "spectacle-prescrip"}
OPTIONS = FoilOptions(True, False, 0.8, 1.1, 0.8, 5, 20, 10_000)
RAW = FoilOptions(True, True, 0.8, 1.1, 0.8, 5, 20, 10_000)


def printed_rules() -> list[tuple[str, str, bool, list[list[str]], int, int]]:
    """Read table, class, whether != was allowed, the rules, and the rows left uncovered of all."""
    text = (Path(__file__).parents[2] / "golden" / "foil6_rules.md").read_text()
    found = []
    for what, rules, left in re.findall(r"^\| (\S.*?) \| (\[.*?) \| (.*?) \|$", text, flags=re.M):
        table, label = re.match(r"(\S+) (\w+)", what).groups()
        label = f"Iris-{label}" if table == "iris" else label
        tests = [[test_text(test) for test in rule.split(", ")] for rule in re.findall(r"\[(.*?)\]", rules)]
        uncovered, of_all = map(int, left.split(" of "))
        for negation in {"-n": (False,), "(both)": (True, False)}.get(what.split()[-1], (True,)):
            found.append((table, label, negation, tests, uncovered, of_all))
    return found


def test_text(test: str) -> str:
    """Write a printed test as we write it."""
    name, operator, value = re.match(r"(\S+?)(<=|>|=| not )(\S+)$", test).groups()
    return f"{SHORT.get(name, name)} {'!=' if operator == ' not ' else operator} {value}"


test_text.__test__ = False
PRINTED = printed_rules()


@pytest.mark.parametrize(
    ("table", "label", "negation", "rules", "uncovered", "of_all"),
    PRINTED,
    ids=[f"{p[0]}-{p[1]}{'' if p[2] else '-n'}" for p in PRINTED],
)
def test_rules_are_those_that_foil_prints(
    table, label, negation, rules, uncovered, of_all, reference_table
) -> None:
    X, y = reference_table(table)
    learner = FOILClassifier(negation=negation).fit(X, y)
    assert rules_of_class(learner, X, y, label) == (rules, uncovered, of_all)


def rules_of_class(
    learner: FOILClassifier, X: pd.DataFrame, y: pd.Series, label: str
) -> tuple[list[list[str]], int, int]:
    """Return what FOIL prints of a class: its rules, and the rows left uncovered of all."""
    ours = learner.rules_table()
    ours = ours[ours["class"] == label]
    of_class = (y == label).to_numpy()
    fired = learner.predict_set(X)[:, learner.classes_.tolist().index(label)]
    rules = [rule.split(" and ") for rule in ours["rule"]]
    return rules, int((of_class & ~fired).sum()), int(of_class.sum())


def test_all_twelve_lines_are_compared() -> None:
    assert len(PRINTED) == 13  # one line covers both ways
    assert sum(len(rules) for *_, rules, _, _ in PRINTED) == 24


class TestWeatherByTheStep:
    """The figures that FOIL 6.0 prints for the class no of weather.nominal, and their 1990 forms."""

    @pytest.fixture
    def search(self, reference_table):
        X, y = reference_table("weather.nominal")
        learner = FOILClassifier().fit(X, y)
        names = list(X)

        def start(label: str, options: FoilOptions) -> tuple[ClauseSearch, list[str]]:
            code = learner.classes_.tolist().index(label)
            codes = np.array([X[name].cat.codes for name in X], dtype=np.uint8)
            arities = np.array([len(X[name].cat.categories) for name in X])
            labels = np.array([learner.classes_.tolist().index(v) for v in y])
            table = GrowthTable.of(TrainingTable(codes, np.empty((0, 14)), arities, labels, 2, None))
            left = RemainingRows.of(table, code)
            empty = Clause((), left.rows, left.weighed())
            found = ClauseSearch(table, left.of_class, options, shown_values(table), empty, left.counts())
            return found, names

        return start

    @pytest.fixture
    def worked(self, golden) -> pd.DataFrame:
        lines = pd.read_csv(golden / "rules_worked_examples.csv", comment="#")
        return lines[lines.learner == "FOIL"].set_index("quantity")["value"].astype(float)

    @staticmethod
    def gain_of(search: ClauseSearch, trail: Trail, condition: Condition) -> float:
        literals, _ = search.examine(trail, trail.clause)
        return {literal.condition: literal.gain for literal in literals}[condition]

    @pytest.mark.parametrize(
        ("options", "form"), [(OPTIONS, "FOIL 6 form (P+1)/(T+1)"), (RAW, "1990 form")], ids=["6", "1990"]
    )
    def test_gains(self, search, worked, options, form) -> None:
        found, names = search("no", options)
        outlook, humidity = names.index("outlook"), names.index("humidity")
        high, sunny = Condition(EQUAL, humidity, 0), Condition(EQUAL, outlook, 0)
        not_overcast = Condition(NOT_EQUAL, outlook, 1)
        for condition, text in (
            (sunny, "outlook=sunny (3 of 5)"),
            (high, "humidity=high (4 of 7)"),
            (not_overcast, "outlook not overcast (5 of 10)"),
        ):
            assert self.gain_of(found, found.start, condition) == pytest.approx(
                worked[f"no: gain of {text}, {form}"], abs=5e-7
            )
        literals, _ = found.examine(found.start, found.empty)
        after = found._longer(found.start, literals[0])
        assert literals[0].condition == high
        assert self.gain_of(found, after, sunny) == pytest.approx(
            worked[f"no: gain of outlook=sunny after humidity=high (3 of 3, was 4 of 7), {form}"], abs=5e-7
        )

    def test_gains_for_yes_in_the_form_of_1990(self, search, worked) -> None:
        found, names = search("yes", RAW)
        for name, code, text in (
            ("outlook", 1, "outlook=overcast (4 of 4)"),
            ("humidity", 1, "humidity=normal (6 of 7)"),
        ):
            gain = self.gain_of(found, found.start, Condition(EQUAL, names.index(name), code))
            assert gain == pytest.approx(worked[f"yes: gain of {text}, 1990 form"], abs=5e-7)

    def test_bits_of_a_literal_and_bits_left(self, search) -> None:
        found, _ = search("no", OPTIONS)
        spent, nominal, _, available = found._bits(found.start, found.empty)
        assert (spent, round(nominal, 1), round(available, 2)) == (0, 4.3, 16.25)
        after = found._longer(found.start, found.examine(found.start, found.empty)[0][0])
        spent, nominal, _, available = found._bits(after, after.clause)
        assert (round(spent, 1), round(nominal, 1), round(available, 1)) == (4.3, 3.3, 10.8)

    def test_bits_at_the_start_of_a_class(self, worked) -> None:
        from learners.rules._kernels.foil import exception_bits

        for quantity, value in worked.items():
            if found := re.search(r"n=(\d+), e=(\d+)", str(quantity)):
                assert exception_bits(*map(float, found.groups()), 1.1) == pytest.approx(value, abs=5e-4)

    def test_rows_four_and_eleven_get_no_class_and_none_gets_two(self, reference_table) -> None:
        X, y = reference_table("weather.nominal")
        sets = FOILClassifier().fit(X, y).predict_set(X)
        assert np.flatnonzero(~sets.any(axis=1)).tolist() == [3, 10]
        assert sets.sum(axis=1).max() == 1


def plain_literals(table: GrowthTable, rows, of_class, options: FoilOptions) -> list[tuple]:
    """List (gain, condition, right, total) of every literal that gains, without limits on bits."""

    def information(p: float, t: float) -> float:
        return math.log2(t / p) if options.raw else math.log2((t + 1) / (p + 1))

    weight = table.weight if table.weight.size else np.ones(table.y.size)
    inside = np.zeros(table.y.size, dtype=bool)
    inside[rows] = True
    before = information(weight[inside & of_class].sum(), weight[inside].sum())
    found = []

    def add(condition: Condition, meets) -> float:
        p, t = weight[inside & meets & of_class].sum(), weight[inside & meets].sum()
        gain = p * (before - information(p, t)) if p else 0.0
        found.append((gain, condition, p, t))
        return gain

    for j, (column, arity) in enumerate(zip(table.codes, table.arities.tolist(), strict=True)):
        for v in range(arity):
            add(Condition(EQUAL, j, float(v)), column == v)
            add(Condition(NOT_EQUAL, j, float(v)), (column != v) & (column != arity))
    for j, x in enumerate(table.values):
        start, best = len(found), None
        for cut in np.unique(x[inside & ~np.isnan(x)])[:-1]:
            gain = max(add(Condition(ABOVE, j, cut), x > cut), add(Condition(AT_MOST, j, cut), x <= cut))
            if best is None or gain > best[0] + 1e-9:
                best = (gain, found[-2:])
        found[start:] = best[1] if best else []
    return found


class Forgetful(dict):
    """A memory that never recognizes a clause."""

    def __contains__(self, key) -> bool:
        return False


def digits(seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw three classes that seven binary attributes and one of six values predict badly."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 250)
    shapes = rng.integers(0, 2, (3, 7))
    lit = np.where(rng.random((250, 7)) < 0.25, 1 - shapes[y], shapes[y])
    return pd.DataFrame(np.column_stack([lit, rng.integers(0, 6, 250)])).astype("category"), y


@pytest.mark.parametrize("seed", range(8))
def test_clauses_met_in_another_order_need_no_second_look(seed, monkeypatch) -> None:
    X, y = digits(seed)
    counts: list[tuple[int, int]] = []
    grow = ClauseSearch.grow

    def counted(search: ClauseSearch) -> Clause:
        found = grow(search)
        counts.append((search.n_clauses, search.n_examined))
        return found

    monkeypatch.setattr(ClauseSearch, "grow", counted)
    quick = FOILClassifier().fit(X, y)
    n_clauses, n_examined = np.array(counts).T
    counts.clear()

    def forgetting(search: ClauseSearch) -> Clause:
        search._known = Forgetful()
        return counted(search)

    monkeypatch.setattr(ClauseSearch, "grow", forgetting)
    plain = FOILClassifier().fit(X, y)
    assert quick.rules_.rules == plain.rules_.rules
    assert n_clauses.tolist() == [c for c, _ in counts]
    assert n_examined.sum() < sum(e for _, e in counts)


@st.composite
def small_tables(draw) -> GrowthTable:
    n = draw(st.integers(4, 30))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    arities = np.array([2, 3])
    codes = np.array([rng.integers(0, a + 1, n) for a in arities], dtype=np.uint8)
    values = rng.integers(0, 6, (2, n)).astype(float)
    values[rng.random(values.shape) < 0.15] = np.nan
    weight = rng.integers(1, 4, n).astype(float) if draw(st.booleans()) else None
    return GrowthTable.of(TrainingTable(codes, values, arities, rng.integers(0, 2, n), 2, weight))


@given(small_tables(), st.booleans())
def test_the_best_literal_is_that_of_a_plain_twin(table, raw) -> None:
    of_class = table.y == 1
    rows = table.all_rows()
    start = table.weigh(rows, of_class)
    if not start.right or not start.n_wrong:
        return
    options = RAW if raw else OPTIONS
    counts = table.count(rows, of_class)
    lines = examine_literals(
        counts.nominal,
        table.offsets,
        shown_values(table),
        counts.starts,
        counts.ranks,
        counts.numeric,
        table.levels,
        table.level_starts,
        (start.right, start.total, start.total),
        np.array([0.0, 0.0, 0.0, 1.0]),  # everything can be paid for
        np.zeros(2),
        np.array([100.0, 0.8, 0.8, 0, 1, raw]),
        5,
    )[:-1]
    plain = plain_literals(table, rows, of_class, options)
    best = max(gain for gain, *_ in plain)
    if best <= 1e-6:
        assert not lines[:, GAIN].any()
        return
    assert lines[0, GAIN] == pytest.approx(best, abs=1e-9)
    for line in lines[lines[:, GAIN] > 0]:
        condition = Condition(int(line[OPERATOR]), int(line[ROW]), float(line[VALUE]))
        assert any(
            condition == other
            and line[GAIN] == pytest.approx(gain, abs=1e-9)
            and line[[RIGHT, TOTAL]] == pytest.approx([p, t])
            for gain, other, p, t in plain
        )
    assert (np.diff(lines[:, GAIN]) <= 1e-6).all()


class TestAnswers:
    def test_predict_is_the_class_of_the_strongest_rules_else_the_mode(self, reference_table) -> None:
        X, y = reference_table("contact-lenses")
        learner = FOILClassifier().fit(X, y)
        sets, named = learner.predict_set(X), learner.predict(X)
        assert (sets.sum(axis=1) == 0).any()
        assert set(named[sets.sum(axis=1) == 0]) == {"none"}  # 15 of 24
        for row in np.flatnonzero(sets.sum(axis=1) == 1):
            assert named[row] == learner.classes_[sets[row].argmax()]

    def test_of_two_classes_the_one_with_more_right_rows_in_firing_rules_is_named(self) -> None:
        # 10 rows a, 6 rows b, and one row where both rules fire
        X = pd.DataFrame({"p": ["y"] * 10 + ["n"] * 6, "q": ["n"] * 10 + ["y"] * 6})
        learner = FOILClassifier(negation=False).fit(X, ["a"] * 10 + ["b"] * 6)
        conditions = learner.rules_table()["rule"].tolist()
        assert conditions == ["p = y", "p = n"]
        two = FOILClassifier(negation=False).fit(X.assign(p=["y"] * 10 + [None] * 6), ["a"] * 10 + ["b"] * 6)
        assert two.rules_table()["rule"].tolist() == ["p = y", "q = y"]
        both = pd.DataFrame({"p": ["y"], "q": ["y"]})
        assert two.predict_set(both).tolist() == [[True, True]]
        assert two.predict(both).tolist() == ["a"]
        np.testing.assert_allclose(two.predict_proba(both), [[11 / 18, 7 / 18]])  # no training row had both
        np.testing.assert_allclose(two.predict_proba(X.head(1)), [[11 / 12, 1 / 12]])

    def test_a_missing_value_fails_a_test_and_its_negation(self, reference_table) -> None:
        X, y = reference_table("contact-lenses")
        learner = FOILClassifier().fit(X, y)
        row = X[(y == "soft") & (X["age"] == "young")].head(1)
        assert learner.predict_set(row).sum() == 1  # by "age != presbyopic"
        assert learner.predict_set(row.assign(age=pd.Categorical([None], X["age"].cat.categories))).sum() == 0

    def test_probabilities_are_laplace_frequencies_of_rows_with_the_same_set(self, reference_table) -> None:
        X, y = reference_table("weather.nominal")
        learner = FOILClassifier().fit(X, y)
        sets, forecast = learner.predict_set(X), learner.predict_proba(X)
        codes = np.array([learner.classes_.tolist().index(v) for v in y])
        for row in range(14):
            same = (sets == sets[row]).all(axis=1)
            counts = np.bincount(codes[same], minlength=2)
            np.testing.assert_allclose(forecast[row], (counts + 1) / (counts.sum() + 2))

    def test_probabilities_and_classes_part_only_where_the_set_is_not_one_class(self) -> None:
        rng = np.random.default_rng(0)
        X = rng.normal(size=(400, 3))
        y = (X[:, 0] + rng.normal(0, 0.5, 400) > 0).astype(int)
        learner = FOILClassifier().fit(X, y)
        one = learner.predict_set(X).sum(axis=1) == 1
        agrees = learner.classes_[learner.predict_proba(X).argmax(axis=1)] == learner.predict(X)
        assert agrees[one].all()
        assert not one.all()

    def test_a_class_may_be_left_without_rules(self) -> None:
        X, y = np.array([[0], [0], [1], [1], [1]] * 5), np.array([0, 1, 0, 1, 1] * 5)  # 67% at best
        learner = FOILClassifier().fit(X, y)
        assert len(learner.rules_) == 0
        assert learner.export_text() == "no rules"
        assert learner.rules_table().shape == (0, 5)
        assert not learner.predict_set(X).any()
        assert set(learner.predict(X)) == {1}

    def test_rules_are_counted_on_all_training_rows(self, reference_table) -> None:
        X, y = reference_table("iris")
        learner = FOILClassifier().fit(X, y)
        fires = learner.rules_.fires(learner._code(X))
        table = learner.rules_table()
        assert table["covered"].tolist() == fires.sum(axis=0).tolist()
        labels = table["class"].to_numpy()
        assert table["right"].tolist() == [
            (fires[:, r] & (y == labels[r]).to_numpy()).sum() for r in range(len(labels))
        ]

    @pytest.mark.parametrize(
        ("parameter", "value", "sentence"),
        [
            ("gain", "2000", "gain must be one of foil6, 1990, but was '2000'"),
            ("max_alternatives", 0, "max_alternatives must be a whole number of at least 1"),
            ("max_clauses", 1.5, "max_clauses must be a whole number of at least 0"),
            ("min_accuracy", -1, "min_accuracy must be a share from 0 to 1, but was -1"),
            ("min_accuracy", 2, "min_accuracy must be a share from 0 to 1, but was 2"),
            ("min_gain_fraction", 2, "min_gain_fraction must be a share from 0 to 1, but was 2"),
            ("allowance", 0, "allowance must be a number above 0"),
        ],
    )
    def test_bad_parameters_are_refused(self, parameter, value, sentence) -> None:
        with pytest.raises(ValueError, match=sentence):
            FOILClassifier(**{parameter: value}).fit([[1.0], [2.0]], [0, 1])


@given(small_tables(), st.integers(0, 10**6))
def test_needless_conditions_are_those_of_a_plain_twin(table, seed) -> None:
    rng = np.random.default_rng(seed)
    every = [Condition(o, j, float(v)) for o in (EQUAL, NOT_EQUAL) for j in range(2) for v in range(2)]
    every += [Condition(o, j, float(v)) for o in (AT_MOST, ABOVE) for j in range(2) for v in range(5)]
    conditions = [every[i] for i in rng.choice(len(every), rng.integers(1, 7), replace=False)]
    wrong = np.flatnonzero(table.y == 0).astype(np.int32)
    kept, needless = list(range(len(conditions))), [False] * len(conditions)
    for k in reversed(range(len(conditions) - 1)):
        others = [conditions[i] for i in kept if i != k]
        now = reduce(table.that_meet, [conditions[i] for i in kept], wrong)
        if reduce(table.that_meet, others, wrong).size == now.size:
            kept.remove(k)
            needless[k] = True
    operators, attributes, operands = (
        np.array([getattr(c, name) for c in conditions]) for name in ("operator", "row", "value")
    )
    found = needless_conditions(
        table.codes, table.values, table.arities, operators, attributes, operands, wrong
    )
    assert found.tolist() == needless


class TestMostClauses:
    def test_the_user_can_see_that_it_ended_a_search(self) -> None:
        assert FOILClassifier(max_clauses=30).fit(*digits(0)).n_cut_searches_ > 0
        assert FOILClassifier(max_clauses=10**6).fit(*digits(0)).n_cut_searches_ == 0

    def test_without_any_the_search_never_goes_back_but_ends_its_first_clause(self) -> None:
        greedy = FOILClassifier(max_clauses=0).fit(*digits(0))
        assert len(greedy.rules_)
        assert greedy.rules_.rules == FOILClassifier(max_checkpoints=0).fit(*digits(0)).rules_.rules


def test_literals_are_dropped_that_keep_no_other_row_out() -> None:
    rng = np.random.default_rng(3)
    X = rng.integers(0, 3, (300, 6))
    y = ((X[:, 0] == 1) & (X[:, 3] == 2)) | ((X[:, 1] == 0) & (X[:, 4] == 0))
    learner = FOILClassifier().fit(X, y)
    table = learner._code(X)
    for rule in learner.rules_.rules:
        meets = [
            table.codes[c.row] == c.value if c.operator == EQUAL else table.codes[c.row] != c.value
            for c in rule.conditions
        ]
        wrong = (np.logical_and.reduce(meets) & (y != rule.conclusion)).sum()
        for i in range(len(meets) - 1):
            shorter = np.logical_and.reduce(meets[:i] + meets[i + 1 :])
            assert (shorter & (y != rule.conclusion)).sum() > wrong
    assert learner.score(X, y) == 1.0


def test_every_rule_is_needed_by_some_row_of_its_class() -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(500, 4)).round(1)
    y = ((X[:, 0] > 0) & (X[:, 1] > 0.3)) | (X[:, 2] > 1)
    learner = FOILClassifier().fit(X, y)
    fires = learner.rules_.fires(learner._code(X))
    for r, rule in enumerate(learner.rules_.rules):
        same = learner.rules_.conclusions == rule.conclusion
        alone = fires[:, r] & (fires[:, same].sum(axis=1) == 1)
        assert (alone & (y == rule.conclusion)).any()
