"""A learner whose assumption holds approaches the truth, measured by the exact KL divergence of networks."""

import numpy as np
import pytest

from generators import random_naive_bayes, random_tan
from learners import CaMMLClassifier, NaiveBayesClassifier, TANClassifier, learn_network

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


@pytest.mark.filterwarnings("ignore::learners.networks.network_table.MissingValuesWarning")
@pytest.mark.slow
@pytest.mark.parametrize(
    "search, arities", [("exact", (2, 2)), ("exact", (3, 3)), ("exact", (4, 2)), ("fast", (3, 3))]
)
def test_holes_do_not_buy_arcs(search, arities):
    # a parent of which half is missing at random, independent of the child
    taken = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X = np.column_stack([rng.integers(0, r, 500) for r in arities])
        X[rng.random(500) < 0.5, 0] = -1
        taken += any(learn_network(X, search=search, arities=arities, random_state=0).parents.values())
    assert taken <= 6


@pytest.mark.filterwarnings("ignore::learners.networks.network_table.MissingValuesWarning")
def test_a_parent_with_holes_is_found_where_it_matters():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, 500)
    X = np.column_stack([np.where(rng.random(500) < 0.5, -1, x), x ^ (rng.random(500) < 0.2)])
    assert any(learn_network(X, arities=(2, 2)).parents.values())
