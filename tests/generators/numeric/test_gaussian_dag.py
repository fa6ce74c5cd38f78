"""Random linear-Gaussian networks."""

import numpy as np
import pytest

from generators import random_dag, random_gaussian_dag


@pytest.mark.parametrize("effects", ["normal", (0.5, 2.0)])
def test_standardized_variables_have_variance_one(effects):
    for seed in range(10):
        truth = random_gaussian_dag(n_nodes=(1, 12), max_parents=4, effects=effects, random_state=seed)
        np.testing.assert_allclose(truth.covariance.diagonal(), 1.0, rtol=1e-12)
        assert (truth.means == 0).all()


def test_without_standardizing_noise_has_variance_one_and_variances_grow():
    truth = random_gaussian_dag(n_nodes=12, standardized=False, random_state=1)
    assert (truth.deviations == 1).all()
    variances = truth.covariance.diagonal()
    assert variances[truth.order[-1]] > 1
    same = truth.standardized()
    assert same.parent_indices == random_gaussian_dag(n_nodes=12, random_state=1).parent_indices


def test_graphs_have_the_law_of_discrete_ones():
    gaussian = [random_gaussian_dag(n_nodes=5, random_state=i).parent_indices for i in range(400)]
    discrete = [random_dag(n_nodes=5, random_state=1000 + i).parent_indices for i in range(400)]
    counts = [[sum(map(len, one)) for one in many] for many in (gaussian, discrete)]
    assert np.mean(counts[0]) == pytest.approx(np.mean(counts[1]), abs=0.4)


def test_effects_relative_to_the_noise_are_what_was_asked_for():
    drawn = [random_gaussian_dag(n_nodes=10, random_state=i) for i in range(200)]
    ratios = np.concatenate(
        [w / s for one in drawn for w, s in zip(one.coefficients, one.deviations, strict=True)]
    )
    assert np.mean(ratios) == pytest.approx(0.0, abs=0.06)
    assert np.std(ratios) == pytest.approx(1.0, abs=0.06)
    drawn = [random_gaussian_dag(n_nodes=10, effects=(0.5, 2.0), random_state=i) for i in range(50)]
    ratios = np.concatenate(
        [w / s for one in drawn for w, s in zip(one.coefficients, one.deviations, strict=True)]
    )
    assert 0.5 <= np.abs(ratios).min() < 0.6
    assert 1.9 < np.abs(ratios).max() <= 2.0
    assert 0.4 < (ratios > 0).mean() < 0.6


@pytest.mark.parametrize("effects", ["uniform", (2.0, 0.5), (0.0, np.inf)])
def test_impossible_effects_are_refused(effects):
    with pytest.raises(ValueError, match=r'effects is .*expected "normal", or'):
        random_gaussian_dag(effects=effects)
