"""Friedman's test and what follows it: against scipy, published numbers, and properties of ranks."""

from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from workbench.analyses import Ranks
from workbench.base.errors import WorkbenchError
from workbench.comparisons import friedman, holm, rm_anova
from workbench.figures import CriticalDifferenceDisplay

#: AUC of C4.5, with m tuned, with cf tuned, with both, on 14 data sets (Demsar 2006, table 6). In the row of
#: voting the paper ranks two scores that it prints alike; the third decimal of one is raised accordingly.
DEMSAR = """
0.763 0.768 0.771 0.798    0.599 0.591 0.590 0.569    0.954 0.971 0.968 0.967    0.628 0.661 0.654 0.657
0.882 0.888 0.886 0.898    0.936 0.931 0.916 0.931    0.661 0.668 0.609 0.685    0.583 0.583 0.563 0.625
0.775 0.838 0.866 0.875    1.000 1.000 1.000 1.000    0.940 0.962 0.965 0.962    0.619 0.666 0.614 0.669
0.972 0.981 0.9751 0.975   0.957 0.978 0.946 0.970
"""
VARIANTS = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
#: Critical values over sqrt(2) for two to ten learners (Demsar 2006, table 5a).
Q_05 = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
Q_10 = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]


@st.composite
def scores(draw, min_learners=2, ties=None):
    """Scores (n_datasets, n_learners), on a lattice where many tie or all differ."""
    n, k = draw(st.integers(2, 12)), draw(st.integers(min_learners, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    lattice = draw(st.booleans()) if ties is None else ties
    values = rng.normal(size=(n, k)) + rng.normal(size=k)
    return np.round(2 * values) / 2 if lattice else values


def ranked(values, **options):
    return friedman(values, learners=[f"l{i}" for i in range(np.shape(values)[1])], **options)


def ranks_of(values):
    return stats.rankdata(-np.asarray(values), axis=1)


class TestPublished:
    VALUES = np.array(DEMSAR.split(), dtype=float).reshape(14, 4)

    def test_mean_ranks_and_critical_difference_of_the_worked_example(self):
        found = friedman(self.VALUES, learners=VARIANTS)
        assert [round(rank, 3) for rank in found.ranks] == [3.143, 2.000, 2.893, 1.964]
        assert round(found.critical_difference, 2) == 1.25
        assert (found.df, found.df_error) == (3, 39)

    def test_chi2_and_F_of_the_worked_example_which_has_no_correction_for_ties(self):
        found = friedman(self.VALUES, learners=VARIANTS)
        # One data set on which all four tie and three with one pair: sum of t^3 - t over n k (k^2 - 1).
        uncorrected = found.chi2 * (1 - (60 + 3 * 6) / (14 * 60))
        assert round(uncorrected, 2) == 9.28
        assert round(13 * uncorrected / (14 * 3 - uncorrected), 2) == 3.69

    def test_nemenyi_finds_no_difference_at_5_percent_in_the_worked_example(self):
        found = friedman(self.VALUES, learners=VARIANTS)
        assert found.groups == (("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"),)
        # At 10% the critical difference is 1.12, and C4.5 is worse than both variants with tuned m.
        at_ten = friedman(self.VALUES, learners=VARIANTS, alpha=0.1)
        assert round(at_ten.critical_difference, 2) == 1.12
        assert at_ten.groups == (("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5"))

    @pytest.mark.parametrize("alpha, published", [(0.05, Q_05), (0.10, Q_10)])
    def test_critical_values(self, alpha, published):
        for k, q in enumerate(published, start=2):
            found = ranked(np.tile(np.arange(k), (6, 1)) * 1.0, alpha=alpha)
            assert found.critical_difference / np.sqrt(k * (k + 1) / 36) == pytest.approx(q, abs=0.0015)


class TestOracles:
    @given(scores(min_learners=3))
    def test_chi2_and_p_are_scipys(self, values):
        found = ranked(values)
        if len(np.unique(ranks_of(values))) == 1:
            assert (found.chi2, found.p) == (0, 1)
            return
        expected = stats.friedmanchisquare(*values.T)
        assert (found.chi2, found.p) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)

    @given(scores())
    def test_F_is_that_of_the_analysis_of_variance_of_ranks(self, values):
        found = ranked(values)
        effect = rm_anova(ranks_of(values), factors=["learner"]).effects[0]
        assert pytest.approx(effect.F, rel=1e-9) == found.F
        if np.isfinite(found.F):
            assert found.p_F == pytest.approx(effect.p, rel=1e-9)

    @pytest.mark.parametrize("k", [2, 7])
    def test_nemenyis_p_is_that_of_the_range_of_normal_variables(self, k):
        found = ranked(np.random.default_rng(k).normal(size=(9, k)) + np.linspace(0, 1, k))
        for pair in found.pairs[:5]:
            q = abs(pair.z) * np.sqrt(2)

            def below(x, q=q):
                return k * stats.norm.pdf(x) * (stats.norm.cdf(x + q) - stats.norm.cdf(x)) ** (k - 1)

            expected = 1 - integrate.quad(below, -12, 12, epsabs=1e-12)[0]
            assert pair.p_nemenyi == pytest.approx(expected, abs=1e-6)

    @given(scores())
    def test_pairs_have_normal_z_and_holms_procedure_over_all(self, values):
        found, means = ranked(values), ranks_of(values).mean(axis=0)
        n, k = values.shape
        z = [(means[a] - means[b]) / np.sqrt(k * (k + 1) / (6 * n)) for a, b in combinations(range(k), 2)]
        p = 2 * stats.norm.sf(np.abs(z))
        np.testing.assert_allclose([pair.z for pair in found.pairs], z, atol=1e-12)
        np.testing.assert_allclose([pair.p for pair in found.pairs], p, rtol=1e-9)
        np.testing.assert_allclose([pair.p_holm for pair in found.pairs], holm(p), rtol=1e-9)


class TestProperties:
    @given(scores(), st.data())
    def test_order_of_learners_only_reorders_and_flips(self, values, data):
        order = data.draw(st.permutations(range(values.shape[1])))
        found = ranked(values)
        other = friedman(values[:, order], learners=[f"l{i}" for i in order])
        assert (other.chi2, other.F) == pytest.approx((found.chi2, found.F))
        by_name = {frozenset((pair.learner, pair.other)): pair for pair in found.pairs}
        for pair in other.pairs:
            twin = by_name[frozenset((pair.learner, pair.other))]
            sign = 1 if twin.learner == pair.learner else -1
            assert pair.z == pytest.approx(sign * twin.z, abs=1e-12)
            assert (pair.p, pair.p_nemenyi) == pytest.approx((twin.p, twin.p_nemenyi), rel=1e-9)

    @given(scores(ties=True))
    def test_only_the_order_within_a_data_set_matters(self, values):
        stretched = np.exp(values) * np.arange(1, len(values) + 1)[:, None]
        assert ranked(stretched).pairs == ranked(values).pairs

    @given(scores())
    def test_losses_are_ranked_the_other_way_round(self, values):
        assert ranked(-values, direction="lower").ranks == ranked(values).ranks
        k = values.shape[1]
        np.testing.assert_allclose(
            ranked(values, direction="lower").ranks, k + 1 - np.array(ranked(values).ranks)
        )

    @given(scores(), st.floats(0.001, 0.5))
    def test_groups_hold_exactly_the_pairs_that_nemenyi_does_not_tell_apart(self, values, alpha):
        found = ranked(values, alpha=alpha)
        together = {frozenset(pair) for group in found.groups for pair in combinations(group, 2)}
        for pair in found.pairs:
            close = abs(pair.difference) < found.critical_difference
            assert (frozenset((pair.learner, pair.other)) in together) == close
            if abs(pair.p_nemenyi - alpha) > 1e-6:
                assert (pair.p_nemenyi > alpha) == close
        for one, other in combinations(found.groups, 2):
            assert not set(one) <= set(other)
            assert not set(other) <= set(one)

    @given(scores(min_learners=3))
    def test_against_a_control_holms_procedure_is_over_fewer(self, values):
        found = ranked(values)
        own = found.against("l1")
        assert [(pair.learner, pair.other) for pair in own] == [
            ("l1", f"l{i}") for i in range(values.shape[1]) if i != 1
        ]
        assert [pair.p_holm for pair in own] == holm([pair.p for pair in own]).tolist()
        means = dict(zip(found.learners, found.ranks, strict=True))
        for pair in own:
            assert pair.difference == pytest.approx(means["l1"] - means[pair.other], abs=1e-12)
            full = next(one for one in found.pairs if {one.learner, one.other} == {"l1", pair.other})
            assert pair.p_holm <= full.p_holm + 1e-15

    def test_tables_are_sorted_best_first_and_hold_every_pair(self):
        found = ranked(np.array([[1.0, 3, 2], [1, 2, 3], [1, 3, 2]]))
        assert found.table()["learner"].tolist() == ["l1", "l2", "l0"]
        assert found.table()["rank"].tolist() == pytest.approx([4 / 3, 5 / 3, 3])
        assert found.pair_table()["learner"].tolist() == ["l0", "l0", "l1"]
        assert list(found.pair_table()) == ["learner", "other", "difference", "z", "p", "p_holm", "p_nemenyi"]


class TestEdges:
    def test_learners_that_tie_everywhere_do_not_differ(self):
        found = ranked(np.ones((5, 3)))
        assert (found.chi2, found.p, found.F, found.p_F) == (0, 1, 0, 1)
        assert found.ranks == (2, 2, 2)
        assert {(pair.z, pair.p, pair.p_holm) for pair in found.pairs} == {(0, 1, 1)}
        assert found.groups == (("l0", "l1", "l2"),)

    @pytest.mark.slow
    def test_one_order_everywhere_has_an_infinite_F_and_the_exact_p(self):
        found = ranked(np.tile([1.0, 2, 3], (3, 1)))
        assert (found.chi2, found.F) == (6, np.inf)
        assert found.p == pytest.approx(stats.chi2.sf(6, 2))
        orders = list(permutations([1.0, 2, 3]))
        infinite = [np.isinf(ranked(np.array(rows)).F) for rows in product(orders, repeat=3)]
        assert found.p_F == pytest.approx(np.mean(infinite))

    def test_one_order_with_a_tie_counts_the_orders_that_tie_so(self):
        assert ranked(np.tile([1.0, 2, 2, 0], (3, 1))).p_F == pytest.approx(12**-2)

    def test_what_differs_by_rounding_ties(self):
        values = np.array([[0.1 + 0.2, 0.3, 0.5], [0.7, 0.1 * 7, 0.2]])
        assert (values[:, 0] != values[:, 1]).all()
        assert ranked(values).ranks == (2.0, 2.0, 2.0)

    def test_a_small_difference_is_not_taken_for_rounding(self):
        assert ranked([[1.0, 1.0 + 1e-13], [1.0, 1.0 + 1e-13]]).ranks == (2, 1)

    def test_infinite_scores_are_ranked_and_tie_with_each_other(self):
        values = [[-np.inf, 0.1, -np.inf], [0.3, 0.2, -np.inf], [np.inf, 1e308, -1e308]]
        assert ranked(values).ranks == pytest.approx([(2.5 + 1 + 1) / 3, (1 + 2 + 2) / 3, (2.5 + 3 + 3) / 3])

    @pytest.mark.parametrize(
        "values, options, message",
        [
            ([[1.0, np.nan], [1, 2]], {}, r"1 NaN entries, the first at \(0, 1\)"),
            ([[1.0], [2]], {}, "at least two to rank"),
            ([[1.0, 2], [2, 1]], {"direction": "up"}, "direction is 'up'"),
        ],
    )
    def test_input_that_does_not_fit_is_refused(self, values, options, message):
        with pytest.raises(ValueError, match=message):
            friedman(values, learners=["l0", "l1"], **options)

    def test_names_and_controls_that_do_not_fit_are_refused(self):
        with pytest.raises(ValueError, match="learners has 1 names"):
            friedman([[1.0, 2], [2, 1]], learners=["a"])
        with pytest.raises(ValueError, match="'c' was not ranked"):
            ranked([[1.0, 2], [2, 1]]).against("c")


SCORES = {
    "a": [[1.0, 2.0], [1.0, 4.0], [1.0, 6.0]],
    "b": [[2.0, 1.0], [2.0, 5.0], [2.0, 9.0]],
    "c": [[3.0, 0.0], [3.0, 0.0], [3.0, 1.0]],
}


class TestRanks:
    def test_truths_of_all_sources_are_ranked_together_size_by_size(self, made_up):
        found = Ranks.of(made_up({"tan": SCORES, "aode": SCORES}))
        assert list(found.tests) == [50, 500]
        assert found.tests[50].n_datasets == 6
        assert found.tests[50].ranks == (3, 2, 1)
        assert found.tests[500].ranks == pytest.approx((5 / 3, 4 / 3, 3))
        assert found.table["n_train"].tolist() == [50] * 3 + [500] * 3
        assert found.table["learner"].tolist() == ["c", "b", "a", "b", "a", "c"]
        assert len(found.pairs) == 6
        assert (found.over, found.notes) == ("truths", ())

    def test_one_source_can_be_named(self, made_up):
        other = {key: np.array(values) * (1 if key == "a" else -1) for key, values in SCORES.items()}
        results = made_up({"tan": SCORES, "aode": other})
        assert Ranks.of(results, source="aode").tests[50].ranks == (1, 2, 3)
        assert Ranks.of(results, source="aode").over == "truths of aode"
        assert Ranks.of(results, source="tan").tests[50].ranks == (3, 2, 1)

    def test_losses_are_ranked_by_the_direction_of_the_metric(self, made_up):
        keys = (("kl_divergence", "none", "exact", "none"),)
        assert Ranks.of(made_up({"tan": SCORES}, keys=keys)).tests[50].ranks == (1, 2, 3)

    def test_a_truth_that_lacks_a_score_is_left_out_for_all_and_reported(self, made_up):
        lacking = {**SCORES, "b": [[2.0, 1.0], [np.nan, 5.0], [2.0, 9.0]]}
        found = Ranks.of(made_up({"tan": lacking}))
        assert (found.tests[50].n_datasets, found.tests[500].n_datasets) == (2, 3)
        assert "tan 1" in found.notes[0]

    def test_a_learner_without_scores_is_left_out_and_reported(self, made_up):
        found = Ranks.of(made_up({"tan": {**SCORES, "b": np.full((3, 2), np.nan)}}))
        assert found.tests[50].learners == ("a", "c")
        assert "b" in found.notes[0].split()

    def test_an_infinite_score_is_ranked_last_and_reported(self, made_up):
        found = Ranks.of(made_up({"tan": {**SCORES, "c": [[-np.inf, 0.0], [3.0, 0.0], [3.0, 0.0]]}}))
        assert found.tests[50].ranks == pytest.approx((8 / 3, 5 / 3, 5 / 3))
        assert found.notes[0].endswith(" c")

    def test_prior_and_truth_are_ranked_only_if_they_are_named(self, made_up):
        results = made_up({"tan": {**SCORES, "prior": SCORES["a"], "truth": SCORES["b"]}})
        assert Ranks.of(results).tests[50].learners == ("a", "b", "c")
        assert Ranks.of(results, learners=["prior", "a"]).tests[50].learners == ("prior", "a")

    def test_a_figure_of_one_size(self, made_up):
        found = Ranks.of(made_up({"tan": SCORES}))
        display = CriticalDifferenceDisplay.from_ranks(found, n_train=500).plot()
        assert display.test is found.tests[500]
        assert "at 500 rows" in display.caption
        assert "3 truths" in display.ax_.get_title(loc="left")
        with pytest.raises(WorkbenchError, match=r"n_train is None: .*50, 500"):
            CriticalDifferenceDisplay.from_ranks(found)

    def test_what_is_not_there_is_reported(self, made_up):
        results = made_up({"tan": SCORES})
        with pytest.raises(WorkbenchError, match="unknown learner 'd'"):
            Ranks.of(results, learners=["a", "d"])
        with pytest.raises(WorkbenchError, match="1 learner"):
            Ranks.of(results, learners=["a"])
        with pytest.raises(WorkbenchError, match="learners is 'ab'"):
            Ranks.of(results, learners="ab")
