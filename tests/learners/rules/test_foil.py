"""FOIL against the rules, gains and bits that FOIL 6.0 prints, and against a plain twin.

| table | classes | with != | without |
|---|---|---|---|
| weather.nominal, weather.numeric | yes, no | equal | not printed |
| contact-lenses | soft, hard, none | equal | equal |
| iris | setosa, versicolor, virginica | equal | not printed |

No exception: every printed rule in the printed order of rules and of tests, every count of rows left
uncovered, every gain and bit count.
"""

import itertools
import math
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners import FOILClassifier
from learners.base import TrainingTable
from learners.rules._kernels.foil import (
    GAIN,
    LITERAL,
    N_FIELDS,
    RIGHT,
    TOTAL,
    WEAK,
    Extended,
    FoilOptions,
    examine_literals,
    exception_bits,
    information,
)
from learners.rules._kernels.foil_memory import (
    COUNTS_AT,
    N_COUNTS,
    N_RIGHT,
    N_WRONG,
    RIGHT_AT,
    WRONG_AT,
    find_clause,
    recall,
)
from learners.rules._kernels.foil_search import CLAUSE, extended_clause
from learners.rules.growing import foil_clause
from learners.rules.growing.foil_clause import ClassClauses, LeveledRows
from learners.rules.growing.foil_search import ClauseSearch, begun_search
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


class Steps:
    """A search whose literals are taken by hand."""

    def __init__(self, rows: LeveledRows, target: int, options: FoilOptions) -> None:
        self.clauses, self.options = ClassClauses(rows, target), options
        self.search, self.trail = begun_search(options), 0
        recall(rows.table, self.clauses.memory, 0)

    @property
    def clause(self) -> int:
        return int(self.search.trails[self.trail, CLAUSE])

    def take(self, condition: Condition) -> None:
        extended = self.extended()
        bits = extended.numeric_bits if condition.is_numeric else extended.nominal_bits
        literal = literal_of(self.clauses.rows, condition)
        self.clauses.make_room()
        memory = self.clauses.memory
        clause, self.trail = find_clause(memory, self.clause, literal), self.trail + 1
        self.search.trails[self.trail, CLAUSE] = clause
        self.search.trail_bits[self.trail] = self.search.trail_bits[self.trail - 1] + bits
        recall(self.clauses.rows.table, memory, clause)

    def extended(self) -> Extended:
        clauses = self.clauses
        return extended_clause(clauses.rows.table, clauses.memory, self.search, self.trail, self.options)

    def lines(self, extended: Extended | None = None) -> np.ndarray:
        return examined(self.clauses, self.clause, extended or self.extended(), self.options)

    def gains(self) -> dict[Condition, float]:
        lines = self.lines()[:-1]
        return {self.clauses.rows.condition(int(x[LITERAL])): x[GAIN] for x in lines if x[GAIN] > 0}


def examined(clauses: ClassClauses, clause: int, extended: Extended, options: FoilOptions) -> np.ndarray:
    """Return the lines that the kernel writes: the best literals, and one that ends a good clause."""
    lines = np.zeros((options.max_alternatives + 1, N_FIELDS))
    first, n = clauses.memory.clauses[clause, [COUNTS_AT, N_COUNTS]].tolist()
    examine_literals(clauses.rows.table, clauses.memory, first, first + n, extended, options, lines)
    return lines


def literal_of(rows: LeveledRows, condition: Condition) -> int:
    """Return the number of a literal."""
    attribute = condition.row + (rows.table.n_nominal if condition.is_numeric else 0)
    start, stop = rows.table.starts[attribute : attribute + 2].tolist()
    return 4 * (start + rows.values[start : stop - 1].tolist().index(condition.value)) + condition.operator


class TestWeatherByTheStep:
    """The figures that FOIL 6.0 prints for the class no of weather.nominal, and their 1990 forms."""

    @pytest.fixture
    def search(self, reference_table):
        X, y = reference_table("weather.nominal")
        learner = FOILClassifier().fit(X, y)
        names = list(X)

        def start(label: str, options: FoilOptions) -> tuple[Steps, list[str]]:
            codes = np.array([X[name].cat.codes for name in X], dtype=np.uint8)
            arities = np.array([len(X[name].cat.categories) for name in X])
            labels = np.array([learner.classes_.tolist().index(v) for v in y])
            table = GrowthTable.of(TrainingTable(codes, np.empty((0, 14)), arities, labels, 2, None))
            return Steps(LeveledRows.of(table), learner.classes_.tolist().index(label), options), names

        return start

    @pytest.fixture
    def worked(self, golden) -> pd.DataFrame:
        lines = pd.read_csv(golden / "rules_worked_examples.csv", comment="#")
        return lines[lines.learner == "FOIL"].set_index("quantity")["value"].astype(float)

    @pytest.mark.parametrize(
        ("options", "form"), [(OPTIONS, "FOIL 6 form (P+1)/(T+1)"), (RAW, "1990 form")], ids=["6", "1990"]
    )
    def test_gains(self, search, worked, options, form) -> None:
        found, names = search("no", options)
        outlook, humidity = names.index("outlook"), names.index("humidity")
        high, sunny = Condition(EQUAL, humidity, 0), Condition(EQUAL, outlook, 0)
        not_overcast = Condition(NOT_EQUAL, outlook, 1)
        gains = found.gains()
        for condition, text in (
            (sunny, "outlook=sunny (3 of 5)"),
            (high, "humidity=high (4 of 7)"),
            (not_overcast, "outlook not overcast (5 of 10)"),
        ):
            assert gains[condition] == pytest.approx(worked[f"no: gain of {text}, {form}"], abs=5e-7)
        assert next(iter(gains)) == high
        found.take(high)
        assert found.gains()[sunny] == pytest.approx(
            worked[f"no: gain of outlook=sunny after humidity=high (3 of 3, was 4 of 7), {form}"], abs=5e-7
        )

    def test_gains_for_yes_in_the_form_of_1990(self, search, worked) -> None:
        found, names = search("yes", RAW)
        for name, code, text in (
            ("outlook", 1, "outlook=overcast (4 of 4)"),
            ("humidity", 1, "humidity=normal (6 of 7)"),
        ):
            gain = found.gains()[Condition(EQUAL, names.index(name), code)]
            assert gain == pytest.approx(worked[f"yes: gain of {text}, 1990 form"], abs=5e-7)

    def test_bits_of_a_literal_and_bits_left(self, search) -> None:
        found, _ = search("no", OPTIONS)
        start = found.extended()
        assert (start.bits, round(start.nominal_bits, 1), round(start.available, 2)) == (0, 4.3, 16.25)
        found.take(next(iter(found.gains())))
        after = found.extended()
        assert (round(after.bits, 1), round(after.nominal_bits, 1), round(after.available, 1)) == (
            4.3,
            3.3,
            10.8,
        )

    def test_bits_at_the_start_of_a_class(self, worked) -> None:
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
        for v in np.unique(column[column != arity]).tolist():
            add(Condition(EQUAL, j, float(v)), column == v)
            add(Condition(NOT_EQUAL, j, float(v)), (column != v) & (column != arity))
    for j, x in enumerate(table.values):
        start, best = len(found), None
        known = np.unique(x[inside & ~np.isnan(x)])
        for cut, following in itertools.pairwise(known):
            if np.unique(of_class[inside & ((x == cut) | (x == following))]).size == 1:
                continue  # cuts lie where the class changes
            gain = max(add(Condition(ABOVE, j, cut), x > cut), add(Condition(AT_MOST, j, cut), x <= cut))
            if best is None or gain > best[0] + 1e-9:
                best = (gain, found[-2:])
        found[start:] = best[1] if best else []
    return found


@st.composite
def small_tables(draw) -> GrowthTable:
    """Draw two nominal and two numeric attributes, one of them with as many values as rows."""
    n = draw(st.integers(4, 90))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    arities = np.array([2, 3])
    codes = np.array([rng.integers(0, a + 1, n) for a in arities], dtype=np.uint8)
    values = np.array([rng.integers(0, 6, n), rng.normal(size=n).round(2)])
    values[rng.random(values.shape) < 0.15] = np.nan
    kind = draw(st.sampled_from(["none", "whole", "real"]))
    weight = {"none": None, "whole": rng.integers(1, 4, n).astype(float), "real": rng.random(n) + 0.1}[kind]
    y = rng.random(n) < draw(st.sampled_from([0.1, 0.5, 0.9]))
    return GrowthTable.of(TrainingTable(codes, values, arities, y.astype(np.intp), 2, weight))


def meeting(table: GrowthTable, conditions) -> np.ndarray:
    """Return whether each row meets all conditions."""
    meets = np.ones(table.y.size, dtype=bool)
    for c in conditions:
        x = table.values[c.row] if c.is_numeric else table.codes[c.row]
        known = ~np.isnan(x) if c.is_numeric else x != table.arities[c.row]
        with np.errstate(invalid="ignore"):
            meets &= known & [x == c.value, x != c.value, x <= c.value, x > c.value][c.operator]
    return meets


@given(small_tables(), st.booleans())
def test_the_best_literal_is_that_of_a_plain_twin(table, raw) -> None:
    of_class = table.y == 1
    if of_class.all() or not of_class.any():
        return
    options = (RAW if raw else OPTIONS)._replace(allowance=100.0)
    steps = Steps(LeveledRows.of(table), 1, options)
    everything_can_be_paid_for = {"nominal_bits": 0.0, "numeric_bits": 0.0, "available": 1.0}
    lines = steps.lines(steps.extended()._replace(**everything_can_be_paid_for))[:-1]
    plain = plain_literals(table, table.all_rows(), of_class, options)
    best = max(gain for gain, *_ in plain)
    if best <= 1e-6:
        assert not lines[:, GAIN].any()
        return
    assert lines[0, GAIN] == pytest.approx(best, abs=1e-9)
    for line in lines[lines[:, GAIN] > 0]:
        condition = steps.clauses.rows.condition(int(line[LITERAL]))
        assert any(
            condition == other
            and line[GAIN] == pytest.approx(gain, abs=1e-9)
            and line[[RIGHT, TOTAL]] == pytest.approx([p, t])
            for gain, other, p, t in plain
        )
    assert (np.diff(lines[:, GAIN]) <= 1e-6).all()


def forgetful(monkeypatch) -> None:
    """Let there be room for the empty clause and one other."""
    monkeypatch.setattr(foil_clause, "ROOM", 0)
    monkeypatch.setattr(foil_clause, "N_BUCKETS", 2)
    monkeypatch.setattr(foil_clause, "N_CLAUSES", 4)


@given(small_tables(), st.integers(0, 10**6), st.booleans())
def test_rows_and_counts_of_clauses_are_those_of_a_plain_twin(table, seed, with_room) -> None:
    rng = np.random.default_rng(seed)
    with pytest.MonkeyPatch.context() as patch:
        if not with_room:
            forgetful(patch)
        rows = LeveledRows.of(table)
        clauses = ClassClauses(rows, 1)
    every = [Condition(o, j, float(v)) for o in (EQUAL, NOT_EQUAL) for j in (0, 1) for v in (0, 1)]
    every += [
        Condition(o, j, v) for o in (AT_MOST, ABOVE) for j in (0, 1) for v in np.unique(table.values[j])[:5]
    ]
    every = [c for c in every if is_shown(table, c)]
    left = table.y == 1
    for _ in range(30):
        conditions = [every[i] for i in rng.choice(len(every), rng.integers(0, 4), replace=False)]
        clause = 0
        for condition in conditions:
            clauses.make_room()
            clause = find_clause(clauses.memory, clause, literal_of(rows, condition))
        recall(rows.table, clauses.memory, clause)
        check_clause(
            clauses, clause, left & meeting(table, conditions), (table.y != 1) & meeting(table, conditions)
        )
        covered = np.flatnonzero(left & (rng.random(left.size) < 0.1)).astype(np.int32)
        clauses.cover(covered)
        left[covered] = False


def is_shown(table: GrowthTable, condition: Condition) -> bool:
    """Return whether training shows the value of a condition."""
    return condition.value in (table.values if condition.is_numeric else table.codes)[condition.row]


def check_clause(clauses: ClassClauses, clause: int, right: np.ndarray, wrong: np.ndarray) -> None:
    """Compare what is remembered of a clause with its rows."""
    memory, table = clauses.memory, clauses.rows.table
    record = memory.clauses[clause]
    weight = table.weight if table.weight.size else np.ones(right.size)
    first, stop = record[COUNTS_AT], record[COUNTS_AT] + record[N_COUNTS]
    levels, counts = memory.levels[first:stop], memory.counts[first:stop]
    for side, (rows, at, n) in enumerate([(right, RIGHT_AT, N_RIGHT), (wrong, WRONG_AT, N_WRONG)]):
        assert memory.rows[record[at] : record[at] + record[n]].tolist() == np.flatnonzero(rows).tolist()
        assert memory.weights[clause, side] == sum(weight[rows].tolist())
        sums = np.zeros(table.attribute.size)
        np.add.at(sums, table.levels[rows].ravel(), np.repeat(weight[rows], table.levels.shape[1]))
        assert counts[:, side].tolist() == sums[levels].tolist()
        assert counts[:, side].sum() == pytest.approx(sums.sum())


def digits(seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw three classes that seven binary attributes and one of six values predict badly."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 250)
    shapes = rng.integers(0, 2, (3, 7))
    lit = np.where(rng.random((250, 7)) < 0.25, 1 - shapes[y], shapes[y])
    return pd.DataFrame(np.column_stack([lit, rng.integers(0, 6, 250)])).astype("category"), y


class PlainSearch:
    """A search that looks at every clause anew: nothing is remembered, not even within the search."""

    def __init__(self, table: GrowthTable, left: np.ndarray, options: FoilOptions) -> None:
        self.table, self.left, self.others, self.options = table, left, table.y != 1, options
        self.rows = LeveledRows.of(table)
        self.saved: tuple[Condition, ...] = ()
        self.figures = (0.0, 0.0)  # of the saved clause when it was found, with the rounding errors of then
        self.n_clauses = self.n_examined = 0
        self.was_cut = False

    def grow(self) -> list[Condition]:
        trail, n_weak, checkpoints = (), 0, []
        while True:
            self.n_clauses += 1
            if self.wrong(trail) == 0 or self.weights(trail)[0] <= 0:
                break
            found = self.choices(trail, n_weak)
            checkpoints = sorted(checkpoints + found[1:], key=lambda c: -c[0])[: self.options.max_checkpoints]
            if not found and not (checkpoints and self.n_clauses < self.options.max_clauses):
                self.was_cut = bool(checkpoints)
                break
            _, trail, n_weak = found[0] if found else checkpoints.pop(0)
        return self.without_needless(max(trail, self.saved, key=self.merit))

    def choices(self, trail: tuple[Condition, ...], n_weak: int) -> list[tuple]:
        steps = Steps(self.rows, 1, self.options)
        steps.clauses.cover(np.flatnonzero(~self.left & ~self.others).astype(np.int32))
        recall(self.rows.table, steps.clauses.memory, 0)
        for condition in trail:
            steps.take(condition)
        steps.search.saved[:] = self.figures
        *lines, end = steps.lines(steps.extended()._replace(refuses_weak=n_weak >= 3))
        lines = [line for line in lines if line[GAIN] > 0]
        if end[TOTAL] > 0 and not (lines and lines[0][LITERAL] == end[LITERAL]):
            self.saved = (*trail, self.rows.condition(int(end[LITERAL])))
            self.figures = (end[RIGHT] / end[TOTAL], end[RIGHT])
        base = information(*self.weights(()), self.options.raw)
        return [
            (
                line[RIGHT] * (base - information(line[RIGHT], line[TOTAL], self.options.raw)),
                (*trail, self.rows.condition(int(line[LITERAL]))),
                n_weak + 1 if line[WEAK] else 0,
            )
            for line in lines
            if line[GAIN] >= self.options.min_gain_fraction * lines[0][GAIN]
        ]

    def weights(self, conditions) -> tuple[float, float]:
        """Weigh the rows of the class and all rows, each side in the order of the rows."""
        meets = meeting(self.table, conditions)
        weight = self.table.weight if self.table.weight.size else np.ones(meets.size)
        right, wrong = (sum(weight[meets & side].tolist()) for side in (self.left, self.others))
        return right, right + wrong

    def wrong(self, conditions) -> int:
        return int((meeting(self.table, conditions) & self.others).sum())

    def merit(self, conditions) -> tuple[float, float, int]:
        right, total = self.weights(conditions)
        return (right / total if total else 0.0, right, -len(conditions)) if conditions else (0.0, 0.0, 0)

    def without_needless(self, conditions: tuple[Condition, ...]) -> list[Condition]:
        kept = list(conditions)
        for place in reversed(range(len(conditions) - 1)):  # a literal may occur twice, by rounding errors
            others = kept[:place] + kept[place + 1 :]
            if self.wrong(others) == self.wrong(kept):
                kept = others
        return kept


def compare_searches(table: GrowthTable, options: FoilOptions) -> np.ndarray:
    """Compare all searches for rules of class 1 with plain ones; return their numbers of clauses."""
    clauses, left, numbers = ClassClauses(LeveledRows.of(table), 1), table.y == 1, []
    while left.any():
        plain, search = PlainSearch(table, left.copy(), options), ClauseSearch(clauses, options)
        found, conditions = search.grow(), plain.grow()
        assert list(found.conditions) == conditions
        assert found.rows.tolist() == np.flatnonzero(left & meeting(table, conditions)).tolist()
        assert (found.right, found.total) == plain.weights(conditions)
        assert (search.n_clauses, search.was_cut) == (plain.n_clauses, plain.was_cut)
        numbers.append([search.n_clauses, search.n_examined])
        if not conditions:
            break
        clauses.cover(found.rows)
        left[found.rows] = False
    return np.array(numbers).reshape(-1, 2)


@pytest.mark.parametrize("with_room", [True, False])
def test_a_search_with_memory_finds_what_a_plain_one_finds(with_room, monkeypatch) -> None:
    if not with_room:
        forgetful(monkeypatch)
    X, y = digits(0)
    table = GrowthTable.of(FOILClassifier()._read_training(X, y, None))
    n_clauses, n_examined = compare_searches(table, OPTIONS._replace(max_clauses=100)).sum(axis=0)
    assert n_examined < n_clauses  # clauses met in another order need no second look


@given(small_tables(), st.booleans(), st.sampled_from([OPTIONS, RAW]))
def test_searches_with_numbers_and_weights_are_those_of_a_plain_twin(table, with_room, options) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if not with_room:
            forgetful(patch)
        compare_searches(table, options._replace(max_clauses=40, allowance=1.5, min_gain_fraction=0.5))


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

    def test_bad_parameters_are_refused(self) -> None:
        for parameter, value, sentence in [
            ("gain", "2000", r"gain.*foil6.*1990.*'2000'"),
            ("max_alternatives", 0, r"max_alternatives.*1"),
            ("max_clauses", 1.5, r"max_clauses.*0"),
            ("min_accuracy", -1, r"min_accuracy.*0.*1.*-1"),
            ("min_accuracy", 2, r"min_accuracy.*0.*1.*2"),
            ("min_gain_fraction", 2, r"min_gain_fraction.*0.*1.*2"),
            ("allowance", 0, r"allowance.*0"),
        ]:
            with pytest.raises(ValueError, match=sentence):
                FOILClassifier(**{parameter: value}).fit([[1.0], [2.0]], [0, 1])


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


def test_weights_that_do_not_add_up_exactly_divide_nothing_by_zero() -> None:
    """Rows of the class are left, by rounding, where none are left in all."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        missing = np.where(rng.random(12) < 0.2, None, "v")
        X = pd.DataFrame({"a": pd.Categorical(missing), "b": pd.Categorical(rng.integers(0, 2, 12))})
        y = rng.random(12) < 0.8
        if not y.all():
            foil = FOILClassifier(allowance=3.0).fit(X, y, sample_weight=rng.random(12) + 0.1)
            assert np.isfinite(foil.predict_proba(X)).all()
