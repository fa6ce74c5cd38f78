"""Random trees of numbers: what is drawn, from which distributions, and what is refused."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from generators import GaussianTANLaw, random_gaussian_tan


def test_every_truth_is_one_rooted_tree_for_all_classes():
    for seed in range(30):
        truth = random_gaussian_tan(random_state=seed)
        d = len(truth.attribute_names)
        assert 3 <= d <= 7
        assert 2 <= len(truth.classes) <= 5
        assert {network.parent_indices for network in truth.networks} == {truth.networks[0].parent_indices}
        assert sorted(map(len, truth.networks[0].parent_indices)) == [0] + [1] * (d - 1)
        assert truth.law == GaussianTANLaw()
        assert truth.law.misfit(truth) is None


def test_all_nine_rooted_trees_of_three_are_equally_frequent():
    drawn = Counter(
        random_gaussian_tan(n_attributes=3, n_classes=1, random_state=s).networks[0].parent_indices
        for s in range(1800)
    )
    assert len(drawn) == 9
    assert stats.chisquare(list(drawn.values())).pvalue > 1e-3


def parameters_of(n_truths=300, **options):
    """Deviations, and intercepts and coefficients in units of them, over many truths."""
    deviations, intercepts, coefficients = [], [], []
    for seed in range(n_truths):
        truth = random_gaussian_tan(n_attributes=4, n_classes=2, random_state=seed, **options)
        for network in truth.networks:
            deviations.extend(network.deviations)
            intercepts.extend(network.intercepts / network.deviations)
            slopes = zip(network.coefficients, network.deviations, strict=True)
            coefficients.extend(own[0] / s for own, s in slopes if len(own))
    return np.array(deviations), np.array(intercepts), np.array(coefficients)


def test_parameters_have_the_distributions_of_the_law():
    deviations, intercepts, coefficients = parameters_of(separation=2.0, effect=0.5, degrees=5.0)
    assert len(coefficients) == 300 * 2 * 3
    assert stats.kstest(5.0 / deviations**2, stats.chi2(5).cdf).pvalue > 1e-3
    assert stats.kstest(intercepts / 2.0, stats.norm.cdf).pvalue > 1e-3
    assert stats.kstest(coefficients / 0.5, stats.norm.cdf).pvalue > 1e-3
    assert abs(np.corrcoef(np.abs(intercepts), deviations)[0, 1]) < 0.08


def test_at_zero_intercepts_or_coefficients_are_zero():
    assert not parameters_of(20, separation=0)[1].any()
    assert not parameters_of(20, effect=0)[2].any()


def test_one_attribute_and_one_class_are_possible():
    truth = random_gaussian_tan(n_attributes=1, n_classes=1, random_state=1)
    assert truth.networks[0].parent_indices == ((),)
    assert truth.posterior([[3.0]]).tolist() == [[1.0]]


def test_a_given_class_distribution_is_that_of_the_truth():
    truth = random_gaussian_tan(n_classes=2, class_marginal=(0.1, 0.9), random_state=1)
    np.testing.assert_allclose(truth.prior, [0.1, 0.9])
    assert truth.law == GaussianTANLaw(class_marginal=(0.1, 0.9))
    skewed = random_gaussian_tan(n_classes=3, class_imbalance=4, random_state=1)
    assert skewed.prior[0] / skewed.prior[-1] == pytest.approx(4)
    plain = random_gaussian_tan(n_classes=3, random_state=1)
    assert skewed.networks == plain.networks  # everything else is drawn as before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"separation": -1}, "separation is -1"),
        ({"separation": 1e7}, r"separation is 1e\+07"),
        ({"n_attributes": 0}, "n_attributes"),
        ({"n_classes": 3, "class_marginal": (0.5, 0.5)}, "class_marginal"),
    ],
)
def test_other_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message) as caught:
        random_gaussian_tan(**options, random_state=1)
    assert "\n" not in str(caught.value)
