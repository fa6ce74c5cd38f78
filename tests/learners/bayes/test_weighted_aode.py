"""AODE whose parts are weighted by the information of their parent attribute about the class."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from learners import AODEClassifier, TANClassifier

SEEDS = st.integers(0, 10_000)


def rows_of(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 60)
    return np.column_stack([(y * (j == 1) + rng.integers(0, 3, 60)) % 3 for j in range(3)]), y


@given(SEEDS)
def test_parts_count_by_mutual_information(seed) -> None:
    """With "friedman" a part is a network of one leader, which gives its joint by itself."""
    X, y = rows_of(seed)
    information = np.array([mutual_info_score(column, y) for column in X.T])
    want = np.zeros((60, 3))
    for leader in range(3):
        structure = [-1 if j == leader else leader for j in range(3)]
        network = TANClassifier(structure=structure, arities=(3, 3, 3)).fit(X, y).network_
        for c in range(3):
            want[:, c] += information[leader] * np.exp(network.log_joint(X, np.full(60, c)))
    aode = AODEClassifier(smoothing="friedman", arities=(3, 3, 3), weights="mutual_information").fit(X, y)
    np.testing.assert_allclose(aode.parent_weights_, information / information.sum(), atol=1e-10)
    np.testing.assert_allclose(aode.predict_proba(X), want / want.sum(axis=1, keepdims=True), atol=1e-9)


@given(SEEDS, st.sampled_from(["laplace", "m_estimate", "friedman"]))
def test_copies_of_one_attribute_weigh_the_same_and_give_plain_aode(seed, smoothing) -> None:
    X, y = rows_of(seed)
    X = X[:, [1, 1, 1]]
    plain, weighted = (
        AODEClassifier(smoothing=smoothing, weights=weights).fit(X, y).predict_proba(X)
        for weights in ("uniform", "mutual_information")
    )
    np.testing.assert_allclose(weighted, plain, atol=1e-12)


def test_an_uninformative_attribute_is_never_the_parent() -> None:
    X = np.array([[0, 0], [1, 0], [0, 1], [1, 1]] * 5)
    y = X[:, 0]
    aode = AODEClassifier(weights="mutual_information").fit(X, y)
    np.testing.assert_array_equal(aode.parent_weights_, [1, 0])
    alone = AODEClassifier(min_frequency=11).fit(X, y).predict_proba([[-1, 0]])  # naive Bayes
    np.testing.assert_array_equal(aode.predict_proba([[-1, 0]]), alone)


def test_weights_are_uniform_if_no_attribute_is_informative_alone() -> None:
    X = np.array([[0, 0], [1, 1], [0, 1], [1, 0]] * 5)
    y = X[:, 0] ^ X[:, 1]
    plain, weighted = (
        AODEClassifier(weights=weights).fit(X, y).predict_proba(X)
        for weights in ("uniform", "mutual_information")
    )
    np.testing.assert_allclose(weighted, plain, atol=1e-12)


def test_bad_weights_are_refused_in_one_sentence() -> None:
    with pytest.raises(ValueError, match=r'weights.*"uniform".*"mutual_information".*3'):
        AODEClassifier(weights=3).fit(np.eye(2, dtype=int), [0, 1])
