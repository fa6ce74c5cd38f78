"""How strongly the attributes of random trees depend on each other."""

import numpy as np
import pytest

from generators import NaiveBayesLaw, TANLaw, describe, from_json, random_tan

SHAPE = {"n_attributes": 4, "arity": 3, "n_classes": 2}
SEEDS = range(8)


def test_full_dependence_is_the_default_with_the_same_numbers():
    assert random_tan(dependence=1, random_state=3).to_json() == random_tan(random_state=3).to_json()
    rng, other = np.random.default_rng(3), np.random.default_rng(3)
    random_tan(dependence=1.0, random_state=rng)
    random_tan(random_state=other)
    assert rng.random() == other.random()


@pytest.mark.parametrize("dependence", [0.0, 0.3])
def test_less_dependence_leaves_all_other_draws_of_a_seed_as_they_are(dependence):
    full, less = (random_tan(**SHAPE, dependence=d, random_state=5) for d in (1.0, dependence))
    assert less.states == full.states
    np.testing.assert_array_equal(less.class_marginal(), full.class_marginal())
    (root,) = (v for v in full.attributes if len(full.parent_indices[v]) == 1)
    np.testing.assert_array_equal(less.cpts[root], full.cpts[root])


def test_rows_are_mixtures_with_one_row_for_each_class():
    full, none, some = (random_tan(**SHAPE, dependence=d, random_state=5) for d in (1.0, 0.0, 0.25))
    assert some.parent_indices == full.parent_indices
    for v in full.attributes:
        if len(full.parent_indices[v]) > 1:
            mixed = 0.75 * none.cpts[v][:, np.newaxis] + 0.25 * full.cpts[v]
            np.testing.assert_allclose(some.cpts[v], mixed, atol=1e-15)


def test_without_dependence_the_truth_is_a_naive_bayes_truth():
    truth = random_tan(**SHAPE, concentration=0.5, class_imbalance=3, dependence=0, random_state=2)
    assert truth.parent_indices == ((4,), (4,), (4,), (4,), ())
    assert truth.law == NaiveBayesLaw(0.5, class_imbalance=3.0)
    assert describe(truth).dependence == pytest.approx(0, abs=1e-12)


def test_more_dependence_is_more_information_between_attributes():
    levels = (0.0, 0.3, 0.6, 1.0)
    means = [
        np.mean([describe(random_tan(**SHAPE, dependence=d, random_state=s)).dependence for s in SEEDS])
        for d in levels
    ]
    assert np.all(np.diff(means) > 0.005)


def test_only_the_ends_have_an_optimum():
    assert random_tan(dependence=1.0, class_imbalance=2, random_state=1).law == TANLaw(class_imbalance=2.0)
    between = random_tan(dependence=0.5, random_state=1)
    assert "attributes depend on each other in part" in between.law.obstacle
    assert from_json(between.to_json()).to_json() == between.to_json()
    for dependence in (0, 0.5):
        other = random_tan(dependence=dependence, rows="normalized_uniform", random_state=1)
        assert "normalized_uniform" in other.law.obstacle


@pytest.mark.parametrize("wrong", [1.1, True, float("nan")])
def test_a_dependence_that_cannot_be_is_refused(wrong):
    with pytest.raises(ValueError, match=r"dependence is .*"):
        random_tan(dependence=wrong, random_state=1)
