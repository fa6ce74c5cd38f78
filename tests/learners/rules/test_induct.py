"""Induct: hand values, exhaustive search and twins, since no program of Gaines is available."""

import math
from functools import reduce
from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from learners import InductDNFClassifier, InductRDRClassifier
from learners.base import TrainingTable
from learners.rules._kernels.chance import BINOMIAL, HYPERGEOMETRIC, log_chance, log_factorials
from learners.rules._kernels.induct import LOG_CHANCE, OPERATOR, RIGHT, ROW, TOTAL, VALUE, best_condition
from learners.rules.growing.covering import RemainingRows
from learners.rules.growing.growth_rows import GrowthTable
from learners.rules.growing.induct_growth import STATISTICS, InductGrowth
from learners.rules.sets.condition import ABOVE, AT_MOST, EQUAL, Condition


def chance_of_rule(right, covered, of_class, total, *, statistic="binomial"):
    """Return the chance that as many randomly drawn rows contain at least as many of the class."""
    return math.exp(log_chance(right, covered, of_class, total, STATISTICS[statistic], np.empty(0), math.inf))


class TestChance:
    def test_has_the_worked_values(self, golden) -> None:
        lines = pd.read_csv(golden / "rules_worked_examples.csv", comment="#")
        lines = lines[lines.learner == "INDUCT"]
        assert len(lines) == 11
        for line in lines.itertuples():
            n = 14 if "14" in line.example else 11
            numbers = [
                int(text)
                for text in line.quantity.replace("(", " ").replace(")", " ").split()
                if text.isdigit()
            ]
            if numbers:
                right, covered = numbers
                of_class = 9 if "-> yes" in line.quantity else 5 if n == 14 else 2
            statistic = "hypergeometric" if "hypergeometric" in line.quantity else "binomial"
            found = chance_of_rule(right, covered, of_class, n, statistic=statistic)
            assert found == pytest.approx(line.value, abs=5e-7)

    @given(st.integers(1, 60), st.data())
    def test_agrees_with_scipy(self, n, data) -> None:
        k = data.draw(st.integers(1, n))
        s = data.draw(st.integers(1, n))
        z = data.draw(st.integers(0, s))
        binomial = stats.binom.sf(z - 1, s, k / n)
        assert chance_of_rule(z, s, k, n) == pytest.approx(binomial, rel=1e-9, abs=1e-15)
        hyper = stats.hypergeom.sf(z - 1, n, k, s)
        assert chance_of_rule(z, s, k, n, statistic="hypergeometric") == pytest.approx(
            hyper, rel=1e-8, abs=1e-15
        )

    @pytest.mark.parametrize("statistic", [BINOMIAL, HYPERGEOMETRIC])
    def test_far_below_the_smallest_number_it_is_still_there(self, statistic) -> None:
        found = log_chance(20_000.0, 20_000.0, 25_000.0, 50_000.0, statistic, np.empty(0), math.inf)
        want = (
            20_000 * math.log(0.5)
            if statistic == BINOMIAL
            else stats.hypergeom.logpmf(20_000, 50_000, 25_000, 20_000)
        )
        assert found == pytest.approx(want, rel=1e-9)

    @given(st.integers(1, 40), st.data())
    def test_looking_up_gives_the_same_bits(self, n, data) -> None:
        k, s = data.draw(st.integers(1, n)), data.draw(st.integers(1, n))
        z = data.draw(st.integers(0, s))
        for statistic in (BINOMIAL, HYPERGEOMETRIC):
            with_table = log_chance(z, s, k, n, statistic, log_factorials(n), math.inf)
            assert with_table == log_chance(z, s, k, n, statistic, np.empty(0), math.inf)

    def test_what_cannot_beat_the_best_is_given_up(self) -> None:
        assert log_chance(3.0, 5.0, 5.0, 14.0, BINOMIAL, np.empty(0), -10.0) == math.inf


@st.composite
def small_tables(draw, *, n_classes: int = 2) -> GrowthTable:
    n = draw(st.integers(3, 25))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    arities = np.array([2, 3])
    codes = np.array([rng.integers(0, a + 1, n) for a in arities], dtype=np.uint8)
    values = rng.integers(0, 5, (2, n)).astype(float)
    values[rng.random(values.shape) < 0.15] = np.nan
    weight = rng.integers(1, 4, n).astype(float) if draw(st.booleans()) else None
    y = rng.integers(0, n_classes, n)
    return GrowthTable.of(TrainingTable(codes, values, arities, y, n_classes, weight))


def every_condition(table: GrowthTable, rows, of_class) -> list[Condition]:
    """List all conditions; thresholds lie midway between neighboring values where the class changes."""
    found = [Condition(EQUAL, j, float(v)) for j in range(len(table.codes)) for v in range(table.arities[j])]
    for j, x in enumerate(table.values[:, rows]):
        classes = {v: set(of_class[rows][x == v]) for v in np.unique(x[~np.isnan(x)]).tolist()}
        for low, high in pairwise(classes):
            if len(classes[low] | classes[high]) == 2:
                found += [Condition(operator, j, (low + high) / 2) for operator in (AT_MOST, ABOVE)]
    return found


def chance_of(table: GrowthTable, node, rows, of_class, statistic: str) -> float:
    """Return the chance of the rule that covers these rows; 1 unless it beats the share of the class."""
    met = table.weigh(rows, of_class)
    if not met.total or met.right * node.total <= node.right * met.total:
        return 1.0
    return chance_of_rule(met.right, met.total, node.right, node.total, statistic=statistic)


def growth_of(table: GrowthTable, statistic: int) -> InductGrowth:
    factorials = np.empty(0) if table.weight.size else log_factorials(table.y.size)
    return InductGrowth(table, np.array([0, 1, -1, -2]), statistic, 0.0, factorials)


@pytest.mark.parametrize("statistic", ["binomial", "hypergeometric"])
class TestGrowth:
    @given(table=small_tables())
    def test_the_best_condition_is_that_of_exhaustive_search(self, statistic, table) -> None:
        of_class, rows = table.y == 1, table.all_rows()
        node = table.weigh(rows, of_class)
        if not node.right or not node.n_wrong:
            return
        counts = table.count(rows, of_class)
        found = best_condition(
            np.array([0, 1, -1, -2]),
            counts.nominal,
            table.offsets,
            counts.starts,
            counts.ranks,
            counts.numeric,
            table.levels,
            table.level_starts,
            (node.right, node.total),
            0.0,
            BINOMIAL if statistic == "binomial" else HYPERGEOMETRIC,
            np.empty(0),
        )
        chances = {
            c: chance_of(table, node, table.that_meet(rows, c), of_class, statistic)
            for c in every_condition(table, rows, of_class)
        }
        best = min(chances.values(), default=1.0)
        if found[OPERATOR] < 0:
            assert best == 1.0
            return
        condition = Condition(int(found[OPERATOR]), int(found[ROW]), float(found[VALUE]))
        assert math.exp(found[LOG_CHANCE]) == pytest.approx(best, rel=1e-9)
        assert chances[condition] == pytest.approx(best, rel=1e-9)
        met = table.weigh(table.that_meet(rows, condition), of_class)
        assert (found[RIGHT], found[TOTAL]) == (met.right, met.total)

    @given(table=small_tables())
    def test_a_rule_grows_by_the_best_condition_as_long_as_the_chance_falls(self, statistic, table) -> None:
        of_class, rows = table.y == 1, table.all_rows()
        node = table.weigh(rows, of_class)
        grown = growth_of(table, BINOMIAL if statistic == "binomial" else HYPERGEOMETRIC).grow(rows, of_class)
        before = 1.0
        for condition in () if grown is None else grown.conditions:
            chances = [
                chance_of(table, node, table.that_meet(rows, c), of_class, statistic)
                for c in every_condition(table, rows, of_class)
            ]
            rows = table.that_meet(rows, condition)
            now = chance_of(table, node, rows, of_class, statistic)
            assert now < before
            assert now == pytest.approx(min(chances), rel=1e-9)
            before = now
        if node.right and node.n_wrong and table.weigh(rows, of_class).n_wrong:
            further = [
                chance_of(table, node, table.that_meet(rows, c), of_class, statistic)
                for c in every_condition(table, rows, of_class)
            ]
            assert min(further, default=1.0) >= before * (1 - 1e-9)
        if grown is not None:
            assert grown.rows.tolist() == rows.tolist()
            assert math.exp(grown.log_chance) == pytest.approx(before, rel=1e-9)

    def test_greedy_growth_rarely_misses_the_best_of_all_rules(self, statistic) -> None:
        """All conjunctions of values are tried; half of the tables follow a rule of two conditions."""
        found = []
        for seed in range(100):
            rng = np.random.default_rng(seed)
            codes = rng.integers(0, 3, (3, 40)).astype(np.uint8)
            y = (codes[0] == 1) & (codes[2] == 2) if seed % 2 else rng.random(40) < 0.4
            y = y ^ (rng.random(40) < 0.05)
            table = GrowthTable.of(TrainingTable(codes, np.empty((0, 40)), np.full(3, 3), 1 * y, 2, None))
            rows = table.all_rows()
            node = table.weigh(rows, y)
            values = [[None, *(Condition(EQUAL, j, float(v)) for v in range(3))] for j in range(3)]
            rules = [[c for c in rule if c] for rule in product(*values)]
            best = min(
                chance_of(table, node, reduce(table.that_meet, rule, rows), y, statistic)
                for rule in rules
                if rule
            )
            number = BINOMIAL if statistic == "binomial" else HYPERGEOMETRIC
            grown = InductGrowth(table, np.arange(3), number, 0.0, log_factorials(40)).grow(rows, y)
            found.append(math.exp(grown.log_chance) / best)
        assert min(found) > 1 - 1e-9
        assert np.mean(np.array(found) < 1 + 1e-9) >= 0.8


@given(small_tables(n_classes=3), st.integers(0, 2))
def test_counts_brought_up_to_date_are_those_taken_anew(table, target) -> None:
    left = RemainingRows.of(table, target)
    taken = np.flatnonzero(table.y == target)[::2].astype(np.int32)
    after = left.without(taken)
    fresh = table.count(after.rows, after.of_class)
    found = after.counts()
    np.testing.assert_allclose(found.nominal, fresh.nominal)
    for name in ("starts", "ranks"):
        np.testing.assert_array_equal(getattr(found, name), getattr(fresh, name))
    np.testing.assert_allclose(found.numeric, fresh.numeric)
    assert after.weighed() == table.weigh(after.rows, after.of_class)


class TestRippleDown:
    def test_weather_by_hand(self, reference_table) -> None:
        X, y = reference_table("weather.nominal")
        learner = InductRDRClassifier().fit(X, y)
        assert learner.export_text().splitlines() == [
            "yes by default  (9 of 14)",
            "    except if humidity = high and outlook = sunny then no  (3 of 3)",
            "    except if outlook = rainy and windy = TRUE then no  (2 of 2)",
        ]
        table = learner.rules_table()
        assert table["exception_to"].tolist() == [-1, 0, 0]
        assert table["r_value"].tolist()[1:] == pytest.approx([(5 / 14) ** 3, (2 / 11) ** 2])
        hyper = InductRDRClassifier(statistic="hypergeometric").fit(X, y).rules_table()["r_value"]
        assert hyper.tolist()[1:] == pytest.approx([0.027473, 0.018182], abs=5e-7)

    def test_every_row_gets_one_class_and_the_frequencies_of_its_last_rule(self, reference_table) -> None:
        X, y = reference_table("contact-lenses")
        learner = InductRDRClassifier().fit(X, y)
        sets = learner.predict_set(X)
        assert sets.sum(axis=1).tolist() == [1] * len(X)
        assert learner.classes_[sets.argmax(axis=1)].tolist() == learner.predict(X).tolist()
        ends = learner.rules_.last_true(learner._code(X))
        codes = np.array([learner.classes_.tolist().index(v) for v in y])
        for row, forecast in enumerate(learner.predict_proba(X)):
            counts = np.bincount(codes[ends == ends[row]], minlength=3)
            np.testing.assert_allclose(forecast, counts / counts.sum())

    def test_no_branch_is_kept_that_raises_nothing(self) -> None:
        rng = np.random.default_rng(2)
        X = rng.integers(0, 3, (200, 5))
        y = np.where(rng.random(200) < 0.3, rng.integers(0, 3, 200), X[:, 0])
        learner = InductRDRClassifier().fit(X, y)
        table, rules = learner._code(X), learner.rules_
        for links in (rules.exceptions, rules.otherwise):
            for rule in np.flatnonzero(links >= 0):
                kept, links[rule] = links[rule], -1
                without = (rules.rules.conclusions[rules.last_true(table)] == y).sum()
                links[rule] = kept
                assert (rules.rules.conclusions[rules.last_true(table)] == y).sum() > without

    def test_going_down_agrees_with_one_row_at_a_time(self) -> None:
        rng = np.random.default_rng(6)
        X = pd.DataFrame(rng.normal(size=(300, 3))).mask(rng.random((300, 3)) < 0.1)
        X.columns = list("abc")
        y = (X.fillna(0).sum(axis=1) + rng.normal(0, 0.5, 300) > 0).to_numpy()
        learner = InductRDRClassifier().fit(X, y)
        rules = learner.rules_
        assert len(rules.rules) > 10
        values = X.to_numpy()
        for row, end in enumerate(rules.last_true(learner._code(X))):
            last, at = 0, 0
            while at >= 0:
                conditions = rules.rules.rules[at].conditions
                holds = all(
                    values[row, c.row] <= c.value if c.operator == AT_MOST else values[row, c.row] > c.value
                    for c in conditions
                )
                last, at = (at, rules.exceptions[at]) if holds else (last, rules.otherwise[at])
            assert end == last

    @pytest.mark.filterwarnings("ignore::learners.tables.columns.IntegerColumnWarning")
    @pytest.mark.slow
    def test_a_chain_of_thousands_of_rules_is_no_recursion(self) -> None:
        n = 5000
        X = np.repeat(np.arange(n // 2), 2)[:, None]  # each value twice, one half of them of each class
        y = (np.arange(n) // 2) % 2
        learner = InductRDRClassifier(limit=1.0).fit(X, y)
        assert len(learner.rules_.rules) > 1200
        assert learner.score(X, y) == 1.0
        assert len(learner.export_text().splitlines()) == len(learner.rules_table())


class TestDNF:
    def test_weather_by_hand(self, reference_table) -> None:
        X, y = reference_table("weather.nominal")
        table = InductDNFClassifier().fit(X, y).rules_table()
        of_no = table[table["class"] == "no"]
        assert of_no["rule"].tolist() == [
            "humidity = high and outlook = sunny",
            "outlook = rainy and windy = TRUE",
        ]
        # the second with the 3 rows of the first taken out: 2 of 11 rows are left of the class
        assert of_no["r_value"].tolist() == pytest.approx([(5 / 14) ** 3, (2 / 11) ** 2])
        of_yes = table[table["class"] == "yes"]
        assert of_yes["rule"].iloc[0] == "outlook = overcast"
        assert of_yes["r_value"].iloc[0] == pytest.approx((9 / 14) ** 4)

    def test_a_limit_leaves_rules_out(self, reference_table) -> None:
        X, y = reference_table("weather.nominal")
        table = InductDNFClassifier(limit=0.05).fit(X, y).rules_table()
        assert table["class"].tolist() == ["no", "no"]
        assert not InductDNFClassifier(limit=0.01).fit(X, y).predict_set(X).any()

    def test_rows_may_get_several_classes(self, reference_table) -> None:
        X, y = reference_table("contact-lenses")
        learner = InductDNFClassifier().fit(X, y)
        assert np.bincount(learner.predict_set(X).sum(axis=1)).tolist() == [0, 21, 3]

    def test_bad_parameters_are_refused(self) -> None:
        for Learner in [InductDNFClassifier, InductRDRClassifier]:
            with pytest.raises(ValueError, match=r"statistic.*'normal'"):
                Learner(statistic="normal").fit([[1.0], [2.0]], [0, 1])
            with pytest.raises(ValueError, match=r"limit.*0.*1.*2"):
                Learner(limit=2).fit([[1.0], [2.0]], [0, 1])
