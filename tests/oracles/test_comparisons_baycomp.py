"""Bayesian comparisons against baycomp, the program of the authors of both methods."""

import numpy as np
import pytest

from workbench.comparisons import bayesian_correlated_t, bayesian_signed_rank

SEEDS = range(3)
N_SAMPLES = 20_000


@pytest.fixture
def baycomp():
    # Not in the dev group: it installs a package named `tests`, which hides ours from worker processes.
    return pytest.importorskip("baycomp", reason="baycomp is to be installed by hand, in another environment")


def scores(seed, n):
    """Two learners' scores, the second a little better."""
    rng = np.random.default_rng(seed)
    first = rng.normal(0.8, 0.05, n)
    return first, first + rng.normal(0.01, 0.02, n)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rope", [0.0, 0.005, 0.02])
def test_probabilities_after_repeated_folds_are_theirs(baycomp, seed, rope):
    first, second = scores(seed, 50)  # ten folds, five times: 1/9 of the training rows are tested on
    found = bayesian_correlated_t(second - first, rope=rope, test_share=1 / 9)
    theirs = baycomp.two_on_single(first, second, rope=rope, runs=5)
    ours = (found.p_worse, found.p_equal, found.p_better) if rope else (found.p_worse, found.p_better)
    assert ours == pytest.approx(theirs, abs=1e-12)


def test_differences_without_spread_have_their_limits(baycomp):
    for difference in (-0.25, -0.01, 0.0, 0.01, 0.25):
        first = np.zeros(10)
        found = bayesian_correlated_t(np.full(10, difference), rope=0.1, test_share=1 / 9)
        theirs = baycomp.two_on_single(first, first + difference, rope=0.1)
        assert (found.p_worse, found.p_equal, found.p_better) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rope", [0.005, 0.02])
def test_probabilities_over_data_sets_are_theirs_but_for_the_draws(baycomp, seed, rope):
    first, second = scores(seed, 12)
    found = bayesian_signed_rank(second - first, rope=rope, n_samples=N_SAMPLES)
    theirs = baycomp.SignedRankTest(first, second, rope, nsamples=N_SAMPLES, random_state=seed)
    error = np.sqrt(found.samples.var(axis=0) * 2 / N_SAMPLES)
    assert (np.abs(found.samples.mean(axis=0) - theirs.sample.mean(axis=0)) <= 5 * error + 1e-12).all()
    shares = np.array([found.p_worse, found.p_equal, found.p_better])
    assert shares == pytest.approx(theirs.probs(), abs=5 * np.sqrt(0.5 / N_SAMPLES))
