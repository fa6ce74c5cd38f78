"""Posteriors of differences: against integration, analytic cases, moments, and brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from workbench.analyses import Posterior
from workbench.base.errors import WorkbenchError
from workbench.comparisons import bayesian_correlated_t, bayesian_signed_rank, corrected_t
from workbench.figures import PosteriorRopeDisplay, PosteriorSimplexDisplay

seeds = st.integers(0, 2**32 - 1)
FEW = 2000


def differences(seed, n=12, center=0.01):
    return np.random.default_rng(seed).normal(center, 0.03, n)


def outcomes(found):
    return found.p_worse, found.p_equal, found.p_better


class TestCorrelated:
    @pytest.mark.parametrize("rho", [0.0, 0.1, 0.5])
    def test_the_posterior_is_that_of_correlated_normal_differences(self, rho):
        """Multiply likelihood and prior of (mean, log deviation) by hand and integrate."""
        d, rope = differences(3, n=6), 0.005
        inverse = np.linalg.inv((1 - rho) * np.eye(6) + rho)

        def joint(log_sd, mean):
            left = (d - mean) @ inverse @ (d - mean)
            return np.exp(-6 * (log_sd + 3.5) - left / (2 * np.exp(2 * log_sd)))

        def mass(low, high):
            return integrate.dblquad(joint, low, high, -7, 1, epsabs=1e-10, epsrel=1e-8)[0]

        parts = np.array([mass(-0.8, -rope), mass(-rope, rope), mass(rope, 0.8)])
        found = bayesian_correlated_t(d, rope=rope, test_share=rho / (1 - rho))
        np.testing.assert_allclose(outcomes(found), parts / parts.sum(), atol=2e-4)

    @given(seeds, st.floats(0, 0.1), st.floats(0, 2))
    def test_probabilities_are_areas_under_the_density(self, seed, rope, share):
        found = bayesian_correlated_t(differences(seed), rope=rope, test_share=share)
        posterior = stats.t(found.df, found.mean, found.scale)
        areas = posterior.cdf(-rope), posterior.cdf(rope) - posterior.cdf(-rope), posterior.sf(rope)
        np.testing.assert_allclose(outcomes(found), areas, atol=1e-12)
        x = np.linspace(-0.1, 0.1, 7)
        np.testing.assert_allclose(found.density(x), posterior.pdf(x))
        assert sum(outcomes(found)) == pytest.approx(1.0)

    @given(seeds, st.floats(0.01, 2), st.floats(0.6, 0.99))
    def test_without_a_region_it_is_one_side_of_the_corrected_t_test(self, seed, share, level):
        d = differences(seed)
        found = bayesian_correlated_t(d, rope=0, test_share=share, level=level)
        test = corrected_t(d, test_share=share, level=level)
        assert min(found.p_worse, found.p_better) == pytest.approx(test.p / 2, rel=1e-9)
        assert (found.low, found.high) == pytest.approx((test.low, test.high))

    @given(seeds, st.floats(0, 0.05))
    def test_swapping_the_learners_or_the_direction_swaps_worse_and_better(self, seed, rope):
        d, options = differences(seed), {"rope": rope, "test_share": 0.5}
        found = bayesian_correlated_t(d, **options)
        swapped = bayesian_correlated_t(-d, **options)
        lower = bayesian_correlated_t(d, direction="lower", **options)
        for other in (swapped, lower):
            assert (other.p_worse, other.p_better) == pytest.approx((found.p_better, found.p_worse))
            assert other.p_equal == pytest.approx(found.p_equal, abs=1e-12)
        assert swapped.mean == -found.mean
        assert (lower.mean, lower.low, lower.high) == (found.mean, found.low, found.high)

    @given(seeds, st.sampled_from([1e-6, 1e-3, 1e4]))
    def test_the_unit_does_not_matter(self, seed, unit):
        d = differences(seed)
        near = bayesian_correlated_t(d, rope=0.01, test_share=0.5)
        far = bayesian_correlated_t(unit * d, rope=unit * 0.01, test_share=0.5)
        np.testing.assert_allclose(outcomes(far), outcomes(near), rtol=1e-7, atol=1e-12)

    @pytest.mark.parametrize("rope", [0.0, 0.01])
    def test_equal_scores_are_surely_equal(self, rope):
        found = bayesian_correlated_t([0.0] * 5, rope=rope, test_share=0.5)
        assert (*outcomes(found), found.decision) == (0, 1, 0, "equal")
        assert (found.mean, found.scale, found.low, found.high) == (0, 0, 0, 0)
        with pytest.raises(ValueError, match="no density"):
            found.density(0.0)

    @pytest.mark.parametrize(
        "difference, rope, direction, decision",
        [
            (0.3, 0.01, "higher", "better"),
            (0.3, 0.01, "lower", "worse"),
            (0.3, 0.31, "higher", "equal"),
        ],
    )
    def test_differences_without_spread_have_the_limit_and_a_note(
        self, difference, rope, direction, decision
    ):
        rounded = [difference, difference / 3 + difference / 3 * 2, difference]
        found = bayesian_correlated_t(rounded, rope=rope, test_share=0.5, direction=direction)
        assert outcomes(found) == tuple(float(one == decision) for one in ("worse", "equal", "better"))
        assert found.decision == decision
        assert found.low == found.mean == found.high == pytest.approx(difference)
        assert f"all {difference}" in found.note
        near = bayesian_correlated_t(
            difference + 1e-9 * np.array([-1.0, 0, 1]), rope=rope, test_share=0.5, direction=direction
        )
        assert near.note == ""
        assert outcomes(near) == pytest.approx(outcomes(found), abs=1e-12)  # the limit it is

    def test_rounding_of_large_scores_is_no_spread(self):
        scores = np.array([404.1, 387.3, 421.6, 396.9, 410.2])
        d = scores - (scores - 3.0 - np.array([5e-14, 0, 0, 5e-14, 0]))
        assert bayesian_correlated_t(d, rope=0.1, test_share=0.5).scale > 0
        found = bayesian_correlated_t(d, rope=0.1, test_share=0.5, largest=421.6)
        assert (found.scale, found.decision) == (0.0, "better")
        with pytest.raises(ValueError, match="largest is -1"):
            bayesian_correlated_t(d, rope=0.1, test_share=0.5, largest=-1)

    @pytest.mark.parametrize("direction, expected", [("higher", (0, 0.5, 0.5)), ("lower", (0.5, 0.5, 0))])
    def test_differences_without_spread_on_the_edge_are_half_and_half(self, direction, expected):
        options = {"rope": 0.3, "test_share": 0.5, "direction": direction}
        found = bayesian_correlated_t([0.1 + 0.2, 0.3, 0.3], **options)
        assert (outcomes(found), found.decision) == (expected, None)
        near = bayesian_correlated_t(0.3 + 1e-9 * np.array([-1.0, 0, 1]), **options)
        assert outcomes(near) == pytest.approx(expected, abs=1e-6)

    @pytest.mark.parametrize(
        "center, direction, decision",
        [
            (1.0, "higher", "better"),
            (-1.0, "higher", "worse"),
            (1.0, "lower", "worse"),
            (0.0, "higher", "equal"),
            (0.1, "higher", None),
        ],
    )
    def test_decisions(self, center, direction, decision):
        d = center + 0.02 * np.array([-1.0, 1, -1, 1, -1, 1])
        found = bayesian_correlated_t(d, rope=0.1, test_share=0.5, direction=direction)
        assert found.decision == decision
        p = max(outcomes(found))
        assert bayesian_correlated_t(
            d, rope=0.1, test_share=0.5, direction=direction, level=0.999 * p
        ).decision

    @pytest.mark.parametrize(
        "options, message",
        [
            ({"rope": -0.1}, "rope is -0.1"),
            ({"rope": None}, "rope is None"),
            ({"test_share": np.inf}, "test_share is inf"),
            ({"direction": ["higher"]}, r"direction is \['higher'\]"),
            ({"level": 95}, "level is 95"),
            ({"differences": [0.1, np.nan]}, "NaN or infinite"),
        ],
    )
    def test_input_that_does_not_fit_is_refused(self, options, message):
        given_ = {"differences": [0.1, 0.2], "rope": 0.01, "test_share": 0.5, **options}
        with pytest.raises(ValueError, match=message):
            bayesian_correlated_t(given_.pop("differences"), **given_)


def thetas_by_hand(gains, rope, weights):
    """Add up the weights of all pairs, one at a time."""
    z = [0.0, *gains]
    found = np.zeros(3)
    for w, a in zip(weights, z, strict=True):
        for v, b in zip(weights, z, strict=True):
            found[2 if a + b > 2 * rope else 0 if a + b < -2 * rope else 1] += w * v
    return found


def mean_thetas(gains, rope, strength):
    """Expect the pairs' weights: moments of the Dirichlet distribution."""
    alpha = np.array([strength, *[1.0] * len(gains)])
    total = alpha.sum()
    second = (np.outer(alpha, alpha) + np.diag(alpha)) / (total * (total + 1))
    z = np.array([0.0, *gains])
    sums = z[:, None] + z
    better, worse = second[sums > 2 * rope].sum(), second[sums < -2 * rope].sum()
    return np.array([worse, 1 - worse - better, better])


class TestSignedRank:
    @settings(max_examples=15)
    @given(seeds, st.floats(0, 0.05), st.sampled_from([0.1, 0.5, 3.0]))
    def test_samples_have_the_exact_mean(self, seed, rope, strength):
        d = differences(seed, n=7)
        found = bayesian_signed_rank(d, rope=rope, prior_strength=strength, n_samples=20_000)
        np.testing.assert_allclose(found.samples.mean(axis=0), mean_thetas(d, rope, strength), atol=0.01)
        np.testing.assert_allclose(found.samples.sum(axis=1), 1.0)
        assert (found.samples >= 0).all()

    @pytest.mark.slow
    @pytest.mark.parametrize("rope", [0.0, 0.01, 0.03])
    def test_probabilities_are_those_of_brute_force(self, rope):
        d = differences(5, n=6)
        weights = np.random.default_rng(9).dirichlet([0.5, *[1.0] * 6], size=4000)
        samples = np.array([thetas_by_hand(d, rope, w) for w in weights])
        expected = np.bincount(samples.argmax(axis=1), minlength=3) / len(samples)
        found = bayesian_signed_rank(d, rope=rope)
        np.testing.assert_allclose(outcomes(found), expected, atol=4 * 0.5 / np.sqrt(4000))
        np.testing.assert_allclose(found.samples.std(axis=0), samples.std(axis=0), atol=0.01)

    @pytest.mark.parametrize("n", [2, 5, 20])
    def test_equal_differences_beyond_twice_the_region(self, n):
        """Only the prior with itself is equal: better where its weight, squared, is below one half."""
        found = bayesian_signed_rank([0.05] * n, rope=0.02)
        expected = stats.beta(0.5, n).cdf(np.sqrt(0.5))
        assert found.p_better == pytest.approx(expected, abs=4 * np.sqrt(0.25 / 50_000))
        assert found.p_worse == 0

    @pytest.mark.parametrize("d", [[0.0] * 6, [0.01] * 6, [-0.01, 0.01, 0.01], [0.1 + 0.2 - 0.29] * 4])
    def test_what_lies_in_the_closed_region_is_surely_equal(self, d):
        found = bayesian_signed_rank(d, rope=0.01, n_samples=FEW)
        assert (*outcomes(found), found.decision) == (0, 1, 0, "equal")

    @given(seeds, st.floats(0, 0.05))
    def test_swapping_the_learners_or_the_direction_swaps_worse_and_better(self, seed, rope):
        d = differences(seed)
        found = bayesian_signed_rank(d, rope=rope, n_samples=FEW)
        for other in (
            bayesian_signed_rank(-d, rope=rope, n_samples=FEW),
            bayesian_signed_rank(d, rope=rope, n_samples=FEW, direction="lower"),
        ):
            assert outcomes(other) == pytest.approx(outcomes(found)[::-1], abs=2 / FEW)

    def test_the_same_seed_gives_the_same_draws_and_a_generator_moves_on(self):
        d = differences(1)
        one, same = (bayesian_signed_rank(d, rope=0.01, n_samples=FEW) for _ in range(2))
        np.testing.assert_array_equal(one.samples, same.samples)
        rng = np.random.default_rng(0)
        first, second = (
            bayesian_signed_rank(d, rope=0.01, n_samples=FEW, random_state=rng) for _ in range(2)
        )
        np.testing.assert_array_equal(first.samples, one.samples)
        assert (second.samples != first.samples).any()

    @pytest.mark.parametrize(
        "options, message",
        [
            ({"prior_strength": 0}, "prior_strength is 0"),
            ({"n_samples": 10.0}, "n_samples is 10.0"),
            ({"level": 0}, "level is 0"),
        ],
    )
    def test_input_that_does_not_fit_is_refused(self, options, message):
        with pytest.raises(ValueError, match=message):
            bayesian_signed_rank([0.1, 0.2], **{"rope": 0.01, **options})


@pytest.fixture(scope="module")
def pair(made_up):
    rng = np.random.default_rng(6)
    a = rng.normal(size=(8, 2))
    return made_up({"tan": {"a": a, "b": a + [0.5, 0.0] + 0.1 * rng.normal(size=(8, 2))}})


class TestPosterior:
    def test_truths_are_independent_and_each_size_has_its_posterior(self, pair):
        found = Posterior.of(pair, "b", "a", rope=0.2)
        frame = pair.scores(found.score).pivot_table(
            index=["n_train", "replicate"], columns="learner", values="value", observed=True
        )
        for (source, size), own in found.places.items():
            d = (frame["b"] - frame["a"]).loc[size].to_numpy()
            assert source == "tan"
            assert own == bayesian_correlated_t(d, rope=0.2, test_share=0.0)
        assert found.table["decision"].tolist() == ["better", "equal"]
        assert found.table["n"].tolist() == [8, 8]
        assert found.overall is None

    def test_the_direction_is_that_of_the_metric(self, made_up):
        keys = (("kl_divergence", "none", "exact", "none"),)
        low = np.random.default_rng(1).random((6, 1))
        results = made_up({"tan": {"a": low, "b": low + 1 + 0.1 * low**2}}, sizes=(50,), keys=keys)
        assert Posterior.of(results, "a", "b", rope=0.1).table["decision"].tolist() == ["better"]
        assert Posterior.of(results, "b", "a", rope=0.1).table["decision"].tolist() == ["worse"]

    def test_truths_without_finite_scores_of_both_are_left_out_and_reported(self, made_up):
        a = np.random.default_rng(2).normal(size=(5, 2))
        b = a + np.random.default_rng(3).normal(size=(5, 2))
        b[0, 0], b[1, 0], b[1:, 1] = np.nan, -np.inf, np.nan
        found = Posterior.of(made_up({"tan": {"a": a, "b": b}}), "a", "b", rope=0.1)
        assert found.table["n"].tolist() == [3]
        few, left_out = found.notes
        assert "50 rows" in few
        assert "2 truths" in few
        assert "tan with 500 rows" in left_out
        assert "1 of 5 truths" in left_out

    def test_a_place_without_spread_is_noted(self, made_up):
        a = np.zeros((4, 2))
        a[:, 1] = [1, 2, 3, 4]
        found = Posterior.of(made_up({"tan": {"a": a + 0.5, "b": np.zeros((4, 2))}}), "a", "b", rope=0.1)
        assert found.table["decision"].tolist() == ["better", "better"]
        (note,) = found.notes
        assert "on tan with 50 rows the 4 differences are all 0.5" in note

    def test_figures(self, pair):
        found = Posterior.of(pair, "b", "a", rope=0.2)
        display = PosteriorRopeDisplay.from_posterior(found, n_train=500)
        assert display.posterior is found.places["tan", 500]
        assert display.unit == "bits"
        with pytest.raises(WorkbenchError, match=r"2 posteriors: .*tan at 50 rows; tan at 500"):
            PosteriorRopeDisplay.from_posterior(found)
        with pytest.raises(WorkbenchError, match="two data sets"):
            PosteriorSimplexDisplay.from_posterior(found)

    def test_what_is_not_there_is_reported(self, pair):
        with pytest.raises(WorkbenchError, match="unknown learner 'c'"):
            Posterior.of(pair, "a", "c", rope=0.1)
        with pytest.raises(WorkbenchError, match="both learners are 'a'"):
            Posterior.of(pair, "a", "a", rope=0.1)
        with pytest.raises(ValueError, match="rope is 'a'"):
            Posterior.of(pair, "a", "b", rope="a")
        with pytest.raises(WorkbenchError, match="unknown source 'tam'"):
            Posterior.of(pair, "a", "b", rope=0.1, source="tam")

    def test_too_few_scores_are_reported(self, made_up):
        results = made_up({"tan": {"a": [[1.0]], "b": [[2.0]]}}, sizes=(50,))
        with pytest.raises(WorkbenchError, match="tan with 50 rows"):
            Posterior.of(results, "a", "b", rope=0.1)


class TestPosteriorOnTables:
    def test_parts_share_rows_by_the_design_and_tables_are_compared_by_their_means(self, on_datasets):
        found = Posterior.of(on_datasets, "nb", "tree", rope=0.01, score="accuracy")
        frame = on_datasets.scores(found.score).pivot_table(
            index=["source", "replicate", "fold"], columns="learner", values="value", observed=True
        )
        d = frame["nb"] - frame["tree"]
        shares = {"iris": 50 / 100, "wine": 60 / 118}
        for (source, _), own in found.places.items():
            test_share = shares.pop(source)
            assert own == bayesian_correlated_t(d.loc[source].to_numpy(), rope=0.01, test_share=test_share)
        means = d.groupby("source", sort=False, observed=True).mean().loc[list(found.table["source"])]
        expected = bayesian_signed_rank(means.to_numpy(), rope=0.01)
        assert found.overall is not None
        assert outcomes(found.overall) == outcomes(expected)
        assert PosteriorSimplexDisplay.from_posterior(found).posterior is found.overall
        assert PosteriorRopeDisplay.from_posterior(found, source="iris").where == "iris"

    def test_a_table_with_an_infinite_score_is_left_out(self, on_datasets):
        with pytest.raises(WorkbenchError, match=r"iris is left out: \d of 6 parts with finite scores"):
            Posterior.of(on_datasets, "nb", "tree", rope=0.01, score="log_loss///none", source="iris")
