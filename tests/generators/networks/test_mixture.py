"""Mixtures: weighted sums of networks that answer like one."""

import numpy as np
import pytest

from generators import Mixture, Network, random_aode, random_tan


def coin(p, states=(0, 1), class_index=0) -> Network:
    return Network(("y",), (states,), ((),), ([1 - p, p],), class_index)


def test_everything_is_the_weighted_sum():
    parts = [random_tan(n_attributes=3, arity=3, n_classes=2, random_state=seed) for seed in (1, 2)]
    mixture = Mixture(parts, [0.25, 0.75])
    cells = [part.enumerate().joint for part in parts]
    expected = 0.25 * cells[0] + 0.75 * cells[1]
    np.testing.assert_allclose(mixture.enumerate().joint, expected, rtol=1e-14)
    codes = mixture.enumerate().codes
    np.testing.assert_allclose(np.exp(mixture.log_joint(codes)), expected.sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(mixture.class_marginal(), expected.sum(axis=0), rtol=1e-12)


def test_a_component_of_weight_zero_is_never_sampled_and_never_counts():
    mixture = Mixture((coin(1.0), coin(0.0), coin(1.0)), (0.0, 1.0, 0.0))
    assert mixture.sample_codes(500, 1).max() == 0
    assert mixture.class_marginal().tolist() == [1.0, 0.0]


def test_rows_pick_their_component_by_weight():
    mixture = Mixture((coin(0.0), coin(1.0)), (0.3, 0.7))
    uniforms = np.random.Generator(np.random.PCG64(4)).random(1000)
    assert np.array_equal(mixture.sample_codes(1000, 4)[:, 0], uniforms >= 0.3)


def test_kl_divergence_by_hand():
    fair, loaded = Mixture((coin(0.25), coin(0.75)), (0.5, 0.5)), coin(0.25)
    assert fair.kl_divergence(loaded) == pytest.approx(0.5 * np.log2(2 / 3) + 0.5 * np.log2(2))
    assert fair.kl_divergence(coin(1.0)) == np.inf


def test_kl_divergence_of_a_large_mixture_is_refused():
    truth = random_aode(n_attributes=8, arity=5, random_state=0)
    with pytest.raises(ValueError, match="too many for an exact comparison"):
        truth.kl_divergence(truth)


@pytest.mark.parametrize(
    "components, weights, message",
    [
        ((), (), "there are no components"),
        ((coin(0.5), coin(0.5, states=(0, 2))), (0.5, 0.5), "component 1 has other names, states or class"),
        (
            (coin(0.5), coin(0.5, class_index=None)),
            (0.5, 0.5),
            "component 1 has other names, states or class",
        ),
        ((coin(0.5), coin(0.5)), (0.5, 0.6), "expected probabilities that sum to one"),
        ((coin(0.5), coin(0.5)), (np.nan, 0.5), "expected probabilities that sum to one"),
    ],
)
def test_an_unsound_mixture_is_refused_in_a_sentence(components, weights, message):
    with pytest.raises(ValueError, match=message):
        Mixture(components, weights)
