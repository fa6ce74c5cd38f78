"""Random one-dependence mixtures of numbers: their components, and what is refused."""

import numpy as np
import pytest
from scipy import stats

from generators import random_gaussian_aode
from workbench.optimal.optima import obstacle


def test_each_attribute_leads_one_component():
    for seed in range(15):
        truth = random_gaussian_aode(random_state=seed)
        d = len(truth.attribute_names)
        assert 3 <= d <= 7
        np.testing.assert_array_equal(truth.weights, np.full(d, 1 / d))
        for center, component in enumerate(truth.components):
            np.testing.assert_array_equal(component.prior, truth.components[0].prior)
            for network in component.networks:
                assert network.parent_indices == tuple(() if j == center else (center,) for j in range(d))


def test_components_have_parameters_of_their_own():
    drawn = [
        random_gaussian_aode(
            n_attributes=3, n_classes=2, separation=2.0, effect=0.5, degrees=5.0, random_state=s
        )
        for s in range(100)
    ]
    networks = [n for truth in drawn for component in truth.components for n in component.networks]
    deviations = np.concatenate([network.deviations for network in networks])
    intercepts = np.concatenate([network.intercepts / network.deviations for network in networks])
    slopes = np.array(
        [
            own[0] / s
            for network in networks
            for own, s in zip(network.coefficients, network.deviations, strict=True)
            if len(own)
        ]
    )
    assert len(np.unique(deviations)) == len(deviations) == 100 * 3 * 2 * 3
    assert stats.kstest(5.0 / deviations**2, stats.chi2(5).cdf).pvalue > 1e-3
    assert stats.kstest(intercepts / 2.0, stats.norm.cdf).pvalue > 1e-3
    assert stats.kstest(slopes / 0.5, stats.norm.cdf).pvalue > 1e-3


def test_the_class_distribution_is_shared_or_given():
    truth = random_gaussian_aode(n_classes=2, class_marginal=(0.1, 0.9), random_state=1)
    np.testing.assert_allclose(truth.class_marginal(), [0.1, 0.9])
    skewed = random_gaussian_aode(n_classes=3, class_imbalance=4, random_state=1)
    assert skewed.class_marginal()[0] / skewed.class_marginal()[-1] == pytest.approx(4)


def test_one_attribute_is_one_component():
    truth = random_gaussian_aode(n_attributes=1, n_classes=2, random_state=1)
    assert len(truth.components) == 1
    X, _ = truth.sample(5, 1)
    np.testing.assert_allclose(truth.posterior(X), truth.components[0].posterior(X))


def test_its_law_has_no_optimum():
    truth = random_gaussian_aode(random_state=1)
    assert "which attribute leads a row is hidden" in obstacle(truth.law, 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"separation": -1}, "separation is -1"),
        ({"degrees": 0}, "degrees is 0"),
        ({"concentration": -1}, "concentration"),
    ],
)
def test_other_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message) as caught:
        random_gaussian_aode(**options, random_state=1)
    assert "\n" not in str(caught.value)
