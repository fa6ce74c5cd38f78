"""A learner whose assumption holds approaches the truth, measured by the exact KL divergence of networks."""

import pytest

from generators import random_naive_bayes, random_tan
from learners import CaMMLClassifier, NaiveBayesClassifier, TANClassifier

SIZES = (100, 1000, 30_000)


def divergences(draw, Learner, seed: int) -> list[float]:
    truth = draw(n_attributes=5, random_state=seed)
    return [truth.kl_divergence(Learner().fit(*truth.sample(n, seed)).network_) for n in SIZES]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("draw", "Learner"),
    [
        (random_naive_bayes, NaiveBayesClassifier),
        (random_naive_bayes, TANClassifier),
        (random_naive_bayes, CaMMLClassifier),
        (random_tan, TANClassifier),
        (random_tan, CaMMLClassifier),
    ],
)
def test_the_divergence_falls_toward_zero(draw, Learner, seed) -> None:
    few, more, many = divergences(draw, Learner, seed)
    assert few > more > many
    assert many < 0.005


@pytest.mark.parametrize("seed", range(3))
def test_naive_bayes_stays_away_from_a_tan_truth(seed) -> None:
    assert divergences(random_tan, NaiveBayesClassifier, seed)[-1] > 0.05
