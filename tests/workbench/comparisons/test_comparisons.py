"""Statistics of learner comparisons: properties that hold for any scores, degenerate cases, and refusals."""

import importlib.util
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from workbench.comparisons import (
    bonferroni,
    corrected_t,
    detectable_difference,
    five_by_two_t,
    holm,
    mean_intervals,
    paired_differences,
    rm_anova,
)

LEARNERS = ("NB", "TAN", "AODE", "CaMML")
SIZES = (50, 500, 5000)
NUMBERS = ["F", "p", "p_gg", "p_hf", "epsilon_gg", "epsilon_hf", "eta2_g", "ss", "ss_error"]


@st.composite
def designs(draw, max_factors=3):
    """Scores with unequal variances and correlated cells; the numbers come from a drawn seed."""
    levels = draw(st.lists(st.integers(2, 4), min_size=1, max_size=max_factors))
    n = draw(st.integers(3, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    cells = int(np.prod(levels))
    scores = rng.normal(size=(n, cells)) @ rng.normal(size=(cells, cells)) + rng.normal(size=cells)
    return scores.reshape(n, *levels)


def names_of(scores):
    return [f"f{i}" for i in range(scores.ndim - 1)]


def analyze(scores):
    return rm_anova(scores, factors=names_of(scores))


def pairs_of(scores, **options):
    return paired_differences(scores, learners=LEARNERS, settings=SIZES, **options)


def scores_2004(seed, n=40):
    """As in the 2004 simulation: 40 truths, 4 learners, 3 sizes."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 4, 3)) + rng.normal(size=(n, 1, 1)) + 0.2 * np.arange(4)[:, None]


def assert_same(found, expected, columns=NUMBERS, rtol=1e-7):
    np.testing.assert_allclose(found.table()[columns], expected.table()[columns], rtol=rtol, atol=1e-10)


class TestAnovaInvariances:
    @given(designs(), st.data())
    def test_order_of_levels_does_not_matter(self, scores, data):
        axis = data.draw(st.integers(1, scores.ndim - 1))
        order = data.draw(st.permutations(range(scores.shape[axis])))
        assert_same(analyze(np.take(scores, order, axis=axis)), analyze(scores))

    @given(designs(), st.floats(1.0, 1e4))
    def test_adding_a_constant_of_each_subject_changes_nothing_but_eta_squared(self, scores, scale):
        own = scale * np.arange(len(scores)).reshape(-1, *[1] * (scores.ndim - 1))
        columns = [name for name in NUMBERS if name != "eta2_g"]
        assert_same(analyze(scores + own), analyze(scores), columns)

    @given(designs(), st.sampled_from([1e-60, 1e-6, 1e6, 1e60]))
    def test_the_unit_of_the_scores_does_not_matter(self, scores, unit):
        assert_same(analyze(scores * unit), analyze(scores), NUMBERS[:-2])


class TestAnovaIdentities:
    @given(designs(max_factors=1).filter(lambda scores: scores.shape[1] == 2))
    def test_with_two_levels_F_is_t_squared(self, scores):
        effect = analyze(scores).effects[0]
        t = stats.ttest_rel(scores[:, 0], scores[:, 1])
        assert pytest.approx(t.statistic**2, rel=1e-9) == effect.F
        assert effect.p == pytest.approx(t.pvalue, rel=1e-9)
        assert effect.epsilon_gg == effect.epsilon_hf == 1
        assert effect.p == effect.p_gg == effect.p_hf

    @given(designs())
    def test_sums_of_squares_add_up_to_the_total(self, scores):
        parts = sum(effect.ss + effect.ss_error for effect in analyze(scores).effects)
        means = scores.reshape(len(scores), -1).mean(axis=1)
        subjects = scores[0].size * np.square(means - means.mean()).sum()
        assert parts + subjects == pytest.approx(np.square(scores - scores.mean()).sum(), rel=1e-9)

    @given(designs())
    def test_epsilons_and_eta_squared_stay_within_their_bounds(self, scores):
        for effect in analyze(scores).effects:
            assert 1 / effect.df - 1e-12 <= effect.epsilon_gg <= effect.epsilon_hf <= 1
            assert 0 <= effect.eta2_g <= 1
            assert 0 <= effect.p <= 1

    @given(designs(max_factors=2).filter(lambda scores: scores.ndim == 3))
    def test_a_main_effect_is_that_of_the_means_over_the_other_factor(self, scores):
        alone = rm_anova(scores.mean(axis=2), factors=["f0"]).effects[0]
        within = analyze(scores).effect("f0")
        for number in ("F", "p", "p_gg", "p_hf"):
            assert getattr(alone, number) == pytest.approx(getattr(within, number), rel=1e-7)

    def test_effects_come_main_effects_first_and_are_found_in_any_order_of_factors(self):
        found = rm_anova(np.random.default_rng(0).normal(size=(5, 2, 3, 2)), factors=("a", "b", "c"))
        assert [e.name for e in found.effects] == ["a", "b", "c", "a:b", "a:c", "b:c", "a:b:c"]
        assert found.effect("c:a") is found.effect("a:c")
        assert list(found.table().index) == [e.name for e in found.effects]
        assert found.table().index.name == "effect"


class TestAnovaWithoutError:
    def test_equal_scores_have_F_zero_and_p_one(self):
        for effect in rm_anova(np.full((5, 3, 2), 0.1), factors=("a", "b")).effects:
            assert (effect.F, effect.p, effect.p_gg, effect.p_hf, effect.ss, effect.eta2_g) == (
                0,
                1,
                1,
                1,
                0,
                0,
            )

    @given(designs())
    def test_scores_that_are_each_subjects_own_constant_have_F_zero_and_p_one(self, scores):
        own = np.broadcast_to(scores[(...,) + (slice(1),) * (scores.ndim - 1)], scores.shape)
        assert [(e.F, e.p, e.p_gg) for e in analyze(own).effects] == [(0, 1, 1)] * (
            2 ** (scores.ndim - 1) - 1
        )

    @given(designs(max_factors=2).filter(lambda scores: scores.ndim == 3))
    def test_an_effect_without_error_is_infinite_and_an_absent_one_is_zero(self, scores):
        own = scores[:, :1, :1]
        found = analyze(own + 0.1 * np.arange(scores.shape[1])[:, None] + np.zeros(scores.shape))
        assert (found.effect("f0").F, found.effect("f0").p, found.effect("f0").p_hf) == (np.inf, 0, 0)
        assert (found.effect("f1").F, found.effect("f1").p) == (0, 1)
        assert (found.effect("f0:f1").F, found.effect("f0:f1").p) == (0, 1)

    def test_a_missing_interaction_is_not_made_of_rounding(self):
        rng = np.random.default_rng(3)
        additive = rng.normal(size=(10, 4, 1)) + rng.normal(size=(10, 1, 3))
        interaction = rm_anova(additive, factors=("a", "b")).effect("a:b")
        assert (interaction.F, interaction.p, interaction.ss_error) == (0, 1, 0)

    @pytest.mark.parametrize("size", [1e-3, 1e-11])
    def test_a_small_effect_on_a_large_level_is_not_taken_for_rounding(self, size):
        rng = np.random.default_rng(4)
        signal = rng.normal(size=(12, 3)) + np.arange(3)
        near, far = (rm_anova(x, factors=["a"]).effects[0] for x in (signal, 1 + size * signal))
        assert pytest.approx(near.F, rel=1e-14 / size * 100 + 1e-9) == far.F

    def test_one_subject_that_differs_is_enough_to_be_error(self):
        scores = np.zeros((6, 3))
        scores[0, 0] = 1e-9
        effect = rm_anova(scores, factors=["a"]).effects[0]
        assert pytest.approx(1.0) == effect.F
        assert effect.epsilon_gg == pytest.approx(0.5)


class TestAnovaRefusals:
    @pytest.mark.parametrize("bad", [np.nan, -np.inf])
    def test_values_that_are_not_finite(self, bad):
        scores = np.zeros((4, 3))
        scores[2, 1] = bad
        with pytest.raises(ValueError, match=r"1 NaN or infinite .*\(2, 1\)"):
            rm_anova(scores, factors=["a"])

    @pytest.mark.parametrize(
        "shape, factors, message",
        [
            ((1, 3), ["a"], "1 subject.*add replicates"),
            ((4, 1), ["size"], "'size' has 1 level"),
            ((4, 3, 2), ["a", "a"], "names must differ"),
            ((4, 3), "a", "is the string 'a'"),
            ((4,), [], "at least one axis of factor levels"),
        ],
    )
    def test_shapes_and_names_that_do_not_fit(self, shape, factors, message):
        with pytest.raises(ValueError, match=message):
            rm_anova(np.zeros(shape), factors=factors)

    def test_an_unknown_effect_names_those_there_are(self):
        with pytest.raises(ValueError, match=r"'learnr' is not an effect.*\['learner'\]"):
            rm_anova([[1, 2], [2, 5]], factors=["learner"]).effect("learnr")


class TestPairedDifferences:
    @given(st.integers(0, 10**6))
    def test_swapping_two_learners_flips_the_sign_and_keeps_p(self, seed):
        scores = scores_2004(seed, n=6)
        swapped = pairs_of(scores[:, [1, 0, 2, 3]]).rows[0]
        row = pairs_of(scores).rows[0]
        assert (swapped.difference, swapped.t, swapped.d_z) == (-row.difference, -row.t, -row.d_z)
        assert (swapped.low, swapped.high) == (-row.high, -row.low)
        assert (swapped.p, swapped.p_holm, swapped.sd) == (row.p, row.p_holm, row.sd)

    @given(st.integers(0, 10**6))
    def test_identical_learners_do_not_differ(self, seed):
        scores = scores_2004(seed, n=6)
        scores[:, 1] = scores[:, 0]
        for size in SIZES:
            row = pairs_of(scores).between("NB", "TAN", size)
            assert (row.difference, row.low, row.high, row.sd, row.d_z) == (0, 0, 0, 0, 0)
            assert (row.t, row.p, row.p_holm) == (0, 1, 1)

    def test_learners_that_differ_by_rounding_do_not_differ(self):
        scores = scores_2004(1)
        scores[:, 1] = (scores[:, 0] / 3 + 0.7) * 3 - 2.1
        assert (scores[:, 1] != scores[:, 0]).any()
        scores[:, :2] += 10
        assert pairs_of(scores).between("NB", "TAN", 50).p == 1

    @pytest.mark.parametrize("sign", [1, -1])
    def test_a_constant_difference_is_infinitely_clear(self, sign):
        scores = scores_2004(2)
        scores[:, 0] = scores[:, 1] + sign * 0.1
        row = pairs_of(scores).between("NB", "TAN", 500)
        assert (row.t, row.p, row.p_holm, row.sd, row.d_z) == (sign * np.inf, 0, 0, 0, sign * np.inf)
        assert row.low == row.high == row.difference == pytest.approx(sign * 0.1)

    @given(st.integers(0, 10**6))
    def test_t_and_p_are_those_of_the_paired_t_test(self, seed):
        scores = scores_2004(seed, n=7)
        for row in pairs_of(scores).rows:
            a, b, s = LEARNERS.index(row.learner), LEARNERS.index(row.other), SIZES.index(row.setting)
            expected = stats.ttest_rel(scores[:, a, s], scores[:, b, s])
            assert (row.t, row.p) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)
            assert row.df == expected.df == 6

    @given(st.integers(0, 10**6), st.floats(0.5, 0.999))
    def test_an_interval_excludes_zero_where_18_times_p_is_below_one_minus_the_level(self, seed, level):
        for row in pairs_of(scores_2004(seed), level=level).rows:
            assert (row.low > 0 or row.high < 0) == (18 * row.p < 1 - level)
            assert (row.low + row.high) / 2 == pytest.approx(row.difference)

    def test_the_study_of_2004_makes_18_comparisons_adjusted_together(self):
        table = pairs_of(scores_2004(5)).table()
        assert list(table) == (
            [
                "setting",
                "learner",
                "other",
                "difference",
                "low",
                "high",
                "sd",
                "t",
                "df",
                "p",
                "p_holm",
                "d_z",
            ]
        )
        assert len(table) == 18
        assert table["setting"].tolist() == [50] * 6 + [500] * 6 + [5000] * 6
        assert table["p_holm"].tolist() == holm(table["p"]).tolist()
        np.testing.assert_allclose(table["d_z"], table["t"] / np.sqrt(40))

    @pytest.mark.parametrize(
        "asked, message",
        [
            (("NB", "C5", 50), "'C5' was not compared"),
            (("NB", "NB", 50), "named twice"),
            (("NB", "TAN", 51), "51 is not a setting"),
        ],
    )
    def test_asking_for_what_was_not_compared_is_refused(self, asked, message):
        with pytest.raises(ValueError, match=message):
            pairs_of(scores_2004(0)).between(*asked)

    @pytest.mark.parametrize(
        "shape, learners, settings, options, message",
        [
            ((1, 2, 1), ["a", "b"], [1], {}, "1 subject"),
            ((5, 2, 1), ["a", "a"], [1], {}, "learners is .* names must differ"),
            ((5, 2, 2), ["a", "b"], [1], {}, "settings has 1 names"),
            ((5, 2, 1), ["a", "b"], [1], {"level": 95}, "level is 95"),
        ],
    )
    def test_input_that_does_not_fit_is_refused(self, shape, learners, settings, options, message):
        with pytest.raises(ValueError, match=message):
            paired_differences(np.zeros(shape), learners=learners, settings=settings, **options)


class TestMeanIntervals:
    @given(designs())
    def test_one_interval_is_students(self, scores):
        found = mean_intervals(scores, n_intervals=1, level=0.9)
        expected = stats.ttest_1samp(scores, 0.0, axis=0).confidence_interval(0.9)
        np.testing.assert_allclose(found.low, expected.low, rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(found.high, expected.high, rtol=1e-7, atol=1e-9)
        assert found.mean.shape == found.half_width.shape == scores.shape[1:]

    @given(designs())
    def test_the_error_is_shared_among_all_means_of_the_call(self, scores):
        means = scores[0].size
        found, alone = mean_intervals(scores), mean_intervals(scores, level=1 - 0.05 / means, n_intervals=1)
        assert found.n_intervals == means
        np.testing.assert_allclose(found.half_width, alone.half_width, rtol=1e-9)

    def test_a_single_mean_has_no_axes(self):
        found = mean_intervals([1.0, 2.0, 6.0])
        assert found.mean.shape == ()
        assert (float(found.mean), found.n, found.n_intervals) == (3.0, 3, 1)

    def test_a_constant_has_an_interval_of_no_width(self):
        assert mean_intervals(np.full((7, 2), 0.1)).half_width.tolist() == [0, 0]

    @pytest.mark.parametrize("options", [{"level": 0}, {"level": np.nan}])
    def test_a_level_beyond_0_and_1_is_refused(self, options):
        with pytest.raises(ValueError, match="between 0 and 1"):
            mean_intervals(np.zeros((3, 2)), **options)

    @pytest.mark.parametrize("n_intervals", [0, 2.0])
    def test_a_number_of_intervals_that_is_no_positive_integer_is_refused(self, n_intervals):
        with pytest.raises(ValueError, match=r"n_intervals is .* integer"):
            mean_intervals(np.zeros((3, 2)), n_intervals=n_intervals)

    def test_missing_scores_are_refused(self):
        with pytest.raises(ValueError, match="NaN or infinite"):
            mean_intervals([[1.0, np.nan], [2.0, 3.0]])


class TestHolm:
    P_VALUES = st.lists(st.floats(0, 1), max_size=20)

    @given(P_VALUES)
    def test_between_the_given_value_and_bonferronis(self, p):
        adjusted = holm(p)
        assert (adjusted >= p).all()
        assert (adjusted <= np.minimum(1, len(p) * np.array(p))).all()

    @given(P_VALUES, st.randoms(use_true_random=False))
    def test_order_does_not_matter(self, p, shuffle):
        order = list(range(len(p)))
        shuffle.shuffle(order)
        np.testing.assert_array_equal(holm(np.array(p)[order]), holm(p)[order])

    def test_keeps_the_shape_and_leaves_one_test_alone(self):
        assert holm([[0.01, 0.02], [0.03, 0.5]]).shape == (2, 2)
        assert holm(0.3) == 0.3
        assert holm([]).shape == (0,)

    @pytest.mark.parametrize("bad", [np.nan, 1.1])
    def test_what_is_no_p_value_is_refused(self, bad):
        with pytest.raises(ValueError, match="numbers from 0 to 1"):
            holm([0.1, bad])


class TestBonferroni:
    @given(TestHolm.P_VALUES)
    def test_times_their_number_and_never_below_holms(self, p):
        adjusted = bonferroni(p)
        np.testing.assert_array_equal(adjusted, [min(1.0, len(p) * one) for one in p])
        assert (adjusted >= holm(p)).all()

    def test_keeps_the_shape_and_refuses_what_is_no_p_value(self):
        assert bonferroni([[0.01, 0.02], [0.03, 0.5]]).tolist() == [[0.04, 0.08], [0.12, 1.0]]
        with pytest.raises(ValueError, match="numbers from 0 to 1"):
            bonferroni([0.1, np.nan])


class TestDetectableDifference:
    @pytest.mark.parametrize("n", [2, 12, 400])
    @pytest.mark.parametrize("power, alpha", [(0.8, 0.05), (0.95, 0.05 / 18)])
    def test_the_test_has_that_power_at_that_difference(self, n, power, alpha):
        delta = detectable_difference(2.0, n, power=power, alpha=alpha)
        assert power_by_quadrature(delta / 2.0 * np.sqrt(n), n - 1, alpha) == pytest.approx(power, rel=1e-6)

    def test_broadcasts_and_is_proportional_to_the_deviation(self):
        found = detectable_difference([[1.0], [3.0]], [10, 20, 40])
        assert found.shape == (2, 3)
        np.testing.assert_allclose(found[1], 3 * found[0])
        assert (np.diff(found, axis=1) < 0).all()
        assert found[0, 2] == detectable_difference(1.0, 40)

    def test_no_spread_needs_no_difference(self):
        found = detectable_difference(0.0, 10)
        assert found == 0
        assert isinstance(found, float)

    @pytest.mark.parametrize(
        "sd, n, options, message",
        [
            (-1.0, 10, {}, "sd is"),
            (1.0, 1, {}, "at least 2"),
            (1.0, 10, {"power": 1.0}, "power is"),
            (1.0, 10, {"power": 0.04}, "not above alpha"),
        ],
    )
    def test_input_out_of_range_is_refused(self, sd, n, options, message):
        with pytest.raises(ValueError, match=message):
            detectable_difference(sd, n, **options)


def power_by_quadrature(noncentrality, df, alpha):
    """Two-sided power without the noncentral t: normal tails averaged over the estimated deviation."""
    critical = stats.t.isf(alpha / 2, df)

    def rejected(s):
        tails = stats.norm.sf(critical * s - noncentrality) + stats.norm.cdf(-critical * s - noncentrality)
        return tails * stats.chi.pdf(s * np.sqrt(df), df) * np.sqrt(df)

    # The tails move fast where the critical value meets the noncentrality.
    edge = noncentrality / critical
    points = sorted({edge * (1 + step) for step in (-0.5, -0.1, 0.0, 0.1, 0.5)} | {0.0, 1.0, 10.0})
    return sum(
        integrate.quad(rejected, a, b, epsabs=1e-12, epsrel=1e-10, limit=200)[0] for a, b in pairwise(points)
    )


@pytest.fixture(scope="module")
def script():
    """Load the script that writes the page."""
    path = Path(__file__).resolve().parents[3] / "docs" / "scripts" / "tests_under_the_null.py"
    spec = importlib.util.spec_from_file_location("tests_under_the_null", path)
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(path.parent))  # for the module next to it
        # Dataclasses look their module up.
        patch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
    return module


@pytest.mark.slow
class TestUnderTheNull:
    """200 simulations of some worlds of the page; the page itself has 2000 of each."""

    BOUND = 0.07 + 3 * np.sqrt(0.07 * 0.93 / 200)

    def test_corrected_tests_keep_their_level(self, script):
        alarms = script.simulate(script.WORLDS[1], 200, seed=11)
        promised = [name for name in alarms if "Holm" in name or "Greenhouse" in name]
        assert len(promised) == 4
        for name in promised:
            assert alarms[name].mean() < self.BOUND, name

    def test_tests_on_tables_keep_their_level_and_the_uncorrected_one_does_not(self, script):
        alarms = script.tables.false_alarms(script.tables.TABLES[0], 200, seed=11)
        tests = [name for name in alarms if name.endswith(("each of 15", "Holm"))]
        assert len(tests) == 8
        for name in tests:
            bound = 0.1 if "not corrected" in name else self.BOUND
            assert (alarms[name].mean() < bound) == ("not corrected" not in name), name

    @given(seed=st.integers(0, 10_000), lattice=st.booleans())
    def test_the_tests_of_many_pairs_are_those_of_one(self, script, seed, lattice):
        rng = np.random.default_rng(seed)
        d = rng.integers(-1, 2, (6, 5, 2)) / 28 if lattice else rng.normal(size=(6, 5, 2))
        d[0], d[1] = 0.0, np.repeat(d[1, :, :1], 2, axis=1)  # nothing, and no spread
        t, F = script.tables.five_by_two_p(d)
        corrected = script.tables.corrected_p(d.reshape(6, 10), 0.5)
        for i, own in enumerate(d):
            one = five_by_two_t(own)
            assert [t[i], F[i]] == pytest.approx(np.nan_to_num([one.p, one.p_F], nan=1.0), rel=1e-9)
            found = corrected_t(own.ravel(), test_share=0.5).p
            assert corrected[i] == pytest.approx(1.0 if np.isnan(found) else found, rel=1e-9)
