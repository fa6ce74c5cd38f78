"""Learner comparisons against statsmodels (F, p, Holm, power) and pingouin (epsilon, its p, eta squared).

No outside oracle was found for the epsilons of an analysis of three factors: pingouin stops at two. There the
second implementation below, which goes another way, stands in.
"""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from workbench.comparisons import detectable_difference, holm, rm_anova

SEEDS = range(3)
# pandas 3 warns of a keyword that pingouin's tables are tidied with.
pingouin_warns = pytest.mark.filterwarnings(
    "ignore:The inplace keyword in DataFrame.dropna:DeprecationWarning"
)


def random_design(seed, n_factors):
    """Scores with unequal variances and correlated cells, and some true effects."""
    rng = np.random.default_rng([seed, n_factors])
    levels = rng.integers(2, 5 if n_factors < 3 else 4, n_factors)
    n, cells = int(rng.integers(6, 15)), int(np.prod(levels))
    mixing = rng.normal(size=(cells, cells)) * np.exp(rng.normal(size=cells))
    scores = rng.normal(size=(n, cells)) @ mixing + 2 * rng.normal(size=cells) + 3 * rng.normal(size=(n, 1))
    return scores.reshape(n, *levels), list("abc"[:n_factors])


def long_table(scores, factors):
    codes = np.indices(scores.shape).reshape(scores.ndim, -1)
    return pd.DataFrame(dict(zip(["subject", *factors], codes, strict=True))).assign(score=scores.ravel())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_factors", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_F_and_uncorrected_p_are_those_of_statsmodels(seed, n_factors):
    anova = pytest.importorskip("statsmodels.stats.anova")
    scores, factors = random_design(seed, n_factors)
    theirs = anova.AnovaRM(long_table(scores, factors), "score", "subject", within=factors).fit().anova_table
    ours = rm_anova(scores, factors=factors)
    assert len(theirs) == len(ours.effects) == 2**n_factors - 1
    for name, row in theirs.iterrows():
        effect = ours.effect(name)
        assert (effect.df, effect.df_error) == (row["Num DF"], row["Den DF"])
        assert row["F Value"] == pytest.approx(effect.F, rel=1e-9)
        assert row["Pr > F"] == pytest.approx(effect.p, rel=1e-9)


@pytest.mark.slow  # to import it takes seconds
@pingouin_warns
class TestSameAsPingouin:
    @pytest.fixture
    def pingouin(self):
        return pytest.importorskip("pingouin", minversion="0.7")

    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("n_factors", [1, 2])
    def test_epsilon_corrected_p_and_generalized_eta_squared(self, pingouin, seed, n_factors):
        scores, factors = random_design(seed, n_factors)
        theirs = pingouin.rm_anova(
            long_table(scores, factors),
            dv="score",
            within=factors if n_factors > 1 else factors[0],
            subject="subject",
            correction=True,
            detailed=True,
            effsize="ng2",
        ).set_index("Source")
        for effect in rm_anova(scores, factors=factors).effects:
            row = theirs.loc[effect.name.replace(":", " * ")]
            assert row["SS"] == pytest.approx(effect.ss, rel=1e-9)
            assert row["F"] == pytest.approx(effect.F, rel=1e-9)
            assert row["eps"] == pytest.approx(effect.epsilon_gg, rel=1e-9)
            assert row["ng2"] == pytest.approx(effect.eta2_g, rel=1e-9)
            # In one-way tables of two levels pingouin leaves the corrected p out.
            assert row.get("p_GG_corr", effect.p) == pytest.approx(effect.p_gg, rel=1e-9)

    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("within", ["a", "b", ["a", "b"]])
    def test_huynh_and_feldts_epsilon_of_two_factors_and_their_interaction(self, pingouin, seed, within):
        scores, factors = random_design(seed, 2)
        theirs = pingouin.epsilon(
            long_table(scores, factors), dv="score", within=within, subject="subject", correction="hf"
        )
        assert rm_anova(scores, factors=factors).effect(":".join(within)).epsilon_hf == pytest.approx(
            theirs, rel=1e-9
        )


def epsilons_from_cells(scores, chosen):
    """Greenhouse-Geisser and Huynh-Feldt epsilon from the covariance matrix of the cells, without contrasts.

    The matrix is centered along each axis of the effect and averaged along the others, on both sides; its
    eigenvalues are those of the contrasts' covariance, and zeros.
    """
    n, levels = len(scores), scores.shape[1:]
    covariance = np.cov(scores.reshape(n, -1), rowvar=False).reshape(*levels, *levels)
    for axis in range(2 * len(levels)):
        mean = covariance.mean(axis=axis, keepdims=True)
        factor = axis % len(levels)
        covariance = covariance - mean if factor in chosen else np.broadcast_to(mean, covariance.shape)
    eigenvalues = np.linalg.eigvalsh(covariance.reshape(np.prod(levels), -1))
    df = int(np.prod([levels[factor] - 1 for factor in chosen]))
    if df == 1:
        return 1.0, 1.0
    gg = eigenvalues.sum() ** 2 / (df * np.square(eigenvalues).sum())
    return gg, min(1.0, (n * df * gg - 2) / (df * (n - 1 - df * gg)))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_factors", [2, 3])
def test_epsilons_and_corrected_p_are_those_from_the_covariance_of_cells(seed, n_factors):
    scores, factors = random_design(seed, n_factors)
    found = rm_anova(scores, factors=factors)
    for size in range(1, n_factors + 1):
        for chosen in combinations(range(n_factors), size):
            effect = found.effect(":".join(factors[i] for i in chosen))
            gg, hf = epsilons_from_cells(scores, chosen)
            assert (effect.epsilon_gg, effect.epsilon_hf) == pytest.approx((gg, hf), rel=1e-9)
            for epsilon, p in ((gg, effect.p_gg), (hf, effect.p_hf)):
                expected = stats.f.sf(effect.F, epsilon * effect.df, epsilon * effect.df_error)
                assert p == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_holm_is_that_of_statsmodels(seed):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    p = np.random.default_rng(seed).random(18) ** 3
    p[5] = p[4]
    np.testing.assert_allclose(holm(p), multitest.multipletests(p, method="holm")[1], rtol=1e-12)


@pytest.mark.parametrize(("n", "power", "alpha"), [(3, 0.8, 0.05), (10, 0.9, 0.05 / 18), (200, 0.3, 0.01)])
def test_statsmodels_finds_the_power_at_the_detectable_difference(n, power, alpha):
    oracle = pytest.importorskip("statsmodels.stats.power").TTestPower()
    found = detectable_difference(1.7, n, power=power, alpha=alpha)
    assert oracle.power(found / 1.7, n, alpha) == pytest.approx(power, rel=1e-9)


# With 3 pairs its root finder stops elsewhere, at differences that its own power function denies.
@pytest.mark.parametrize(("n", "power", "alpha"), [(10, 0.8, 0.05), (40, 0.9, 0.05 / 18), (200, 0.5, 0.01)])
def test_detectable_difference_is_that_which_statsmodels_solves_for(n, power, alpha):
    oracle = pytest.importorskip("statsmodels.stats.power").TTestPower()
    solved = oracle.solve_power(nobs=n, power=power, alpha=alpha, alternative="two-sided")
    assert detectable_difference(1.7, n, power=power, alpha=alpha) == pytest.approx(1.7 * solved, rel=1e-5)
