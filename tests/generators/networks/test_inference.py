"""Exact posteriors, against the joint written down in full."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators import Mixture, Network, random_aode, random_tan
from generators.base.probabilities import log_sum

SEEDS = st.integers(0, 10_000)


def brute_force_joint(truth, codes):
    """Return P(observed, class) for each row by summing the joint over the axes that are missing."""
    joint = truth.joint_array((*truth.attributes, truth.class_index))
    rows = [joint[tuple(slice(None) if code < 0 else slice(code, code + 1) for code in row)] for row in codes]
    return np.array([cells.reshape(-1, joint.shape[-1]).sum(axis=0) for cells in rows])


def holed_codes(truth, seed, n=12):
    rng = np.random.default_rng(seed)
    codes = truth.sample_codes(n, seed)[:, list(truth.attributes)].astype(int)
    codes[rng.random(codes.shape) < rng.random()] = -1
    return codes


def assert_agrees_with_brute_force(truth, seed):
    codes = holed_codes(truth, seed)
    joint = brute_force_joint(truth, codes)
    np.testing.assert_allclose(truth.posterior(codes), joint / joint.sum(axis=1, keepdims=True), atol=1e-12)
    y = truth.sample_codes(len(codes), seed)[:, truth.class_index]
    np.testing.assert_allclose(truth.log_joint(codes, y), np.log(joint[np.arange(len(y)), y]), atol=1e-11)
    np.testing.assert_allclose(truth.log_joint(codes), np.log(joint.sum(axis=1)), atol=1e-11)


@given(seed=SEEDS, n_variables=st.integers(1, 7))
def test_network_agrees_with_brute_force_whatever_is_missing(random_network, seed, n_variables):
    assert_agrees_with_brute_force(random_network(seed, n_variables), seed)


@given(seed=SEEDS)
def test_mixture_agrees_with_brute_force_whatever_is_missing(seed):
    assert_agrees_with_brute_force(random_aode(n_attributes=(1, 4), arity=(1, 4), random_state=seed), seed)


@given(seed=SEEDS)
def test_labels_and_codes_give_the_same_bits(random_network, seed):
    truth = random_network(seed, 5)
    X, y = truth.sample(20, seed)
    codes = truth.sample_codes(20, seed)
    assert np.array_equal(truth.posterior(X), truth.posterior(codes[:, list(truth.attributes)]))
    assert np.array_equal(truth.log_joint(X, y), truth.log_joint(codes[:, list(truth.attributes)], y))


@given(seed=SEEDS)
def test_an_absent_column_is_missing(seed):
    truth = random_tan(n_attributes=4, random_state=seed)
    X, _ = truth.sample(10, seed)
    codes = truth.sample_codes(10, seed)[:, :4].astype(int)
    codes[:, [0, 2]] = -1
    assert np.array_equal(truth.posterior(X[["x3", "x1"]]), truth.posterior(codes))


@given(seed=SEEDS)
def test_the_posterior_of_an_attribute_takes_the_class_as_evidence(seed):
    truth = random_tan(n_attributes=3, random_state=seed)
    table = truth.sample_table(10, seed)
    expected = truth.with_class("x1").posterior(table[["x0", "x2", "y"]])
    assert np.array_equal(truth.posterior(table, of="x1"), expected)


@given(seed=SEEDS)
def test_kl_divergence_by_families_equals_that_by_enumeration(random_network, seed):
    p = random_network(seed, 5)
    other = random_network(seed + 1, 5)
    uniform = [
        np.ones([len(p.states[v]) for v in (*other.parent_indices[c], c)]) / len(p.states[c])
        for c in range(5)
    ]
    mixed = [0.5 * cpt + 0.5 / cpt.shape[-1] for cpt in p.cpts]
    for q in (
        Network(p.names, p.states, p.parent_indices, mixed),
        Network(p.names, p.states, other.parent_indices, uniform),
    ):
        assert p.kl_divergence(q) == pytest.approx(p.kl_divergence(Mixture((q,), (1.0,))), abs=1e-12)
        assert p.kl_divergence(q) >= 0
    assert p.kl_divergence(p) == pytest.approx(0.0, abs=1e-12)


def test_impossible_evidence_leaves_the_class_marginal():
    truth = Network(
        ("y", "x", "z"), ((0, 1), (0, 1), (0, 1)), ((), (0,), ()), ([0.3, 0.7], [[1, 0], [1, 0]], [1, 0]), 0
    )
    np.testing.assert_allclose(truth.posterior([[1, 0], [1, -1]]), [[0.3, 0.7]] * 2)
    # what is impossible apart from the class does not disturb what is known of it
    np.testing.assert_allclose(truth.posterior([[0, 1]]), [[0.3, 0.7]])
    assert truth.log_joint([[1, 0]], [0]).tolist() == [-np.inf]
    assert truth.enumerate().posterior.tolist() == [[0.3, 0.7]] * 4


def test_a_thousand_attributes_do_not_underflow():
    n = 1000
    parents = (*(((n,),) * n), ())
    cpts = (*([[0.9, 0.1], [0.1, 0.9]] for _ in range(n)), [0.5, 0.5])
    truth = Network([f"x{j}" for j in range(n)] + ["y"], [(0, 1)] * (n + 1), parents, cpts, n)
    codes = np.tile([0, 1], n // 2)[np.newaxis]
    np.testing.assert_allclose(truth.posterior(codes), [[0.5, 0.5]], atol=1e-9)
    codes[0, :2] = (-1, 0)
    np.testing.assert_allclose(truth.posterior(codes), [[0.9, 0.1]], atol=1e-9)


def test_no_rows_give_no_posteriors(random_network):
    truth = random_network(1, 4)
    n_classes = len(truth.classes)
    assert truth.posterior(np.empty((0, 3), dtype=int)).shape == (0, n_classes)
    assert truth.log_joint(np.empty((0, 3), dtype=int)).shape == (0,)
    assert truth.posterior(truth.sample(0, 1)[0]).shape == (0, n_classes)


def test_a_large_network_with_many_holes_is_within_reach(random_network):
    truth = random_network(7, 37, max_parents=3, max_arity=3)
    codes = truth.sample_codes(100, 1)[:, list(truth.attributes)].astype(int)
    codes[np.random.default_rng(0).random(codes.shape) < 0.5] = -1
    posterior = truth.posterior(codes)
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0, atol=1e-12)
    # the same numbers from the unconditional route: log P(x, y) of each class
    by_class = np.stack([truth.log_joint(codes, np.full(100, k)) for k in range(len(truth.classes))], axis=1)
    expected = np.exp(by_class - log_sum(by_class, axis=1)[:, np.newaxis])
    np.testing.assert_allclose(posterior, expected, atol=1e-10)


def test_kl_divergence_of_large_networks_needs_no_enumeration(random_network):
    p = random_network(7, 37, max_parents=2, max_arity=3)
    q = Network(p.names, p.states, p.parent_indices, [0.5 * cpt + 0.5 / cpt.shape[-1] for cpt in p.cpts])
    assert not p.enumerable
    assert 0 < p.kl_divergence(q) < np.inf
    codes = p.sample_codes(20_000, 1)[:, list(p.attributes)]
    y = p.sample_codes(20_000, 1)[:, p.class_index]
    q = q.with_class(p.class_name)
    sampled = (p.log_joint(codes, y) - q.log_joint(codes, y)) / np.log(2)
    assert abs(sampled.mean() - p.kl_divergence(q)) < 4 * sampled.std() / np.sqrt(20_000)


def test_blocks_of_rows_change_nothing(monkeypatch):
    truth = random_aode(n_attributes=4, random_state=0)
    codes = holed_codes(truth, 3, n=200)
    expected = truth.posterior(codes)
    monkeypatch.setattr("generators.networks.inference.BLOCK_ENTRIES", 64)
    assert np.array_equal(truth.posterior(codes), expected)


def test_log_sum_takes_minus_infinity():
    values = np.array([[-np.inf, -np.inf], [0.0, -np.inf], [-1000.0, -1000.0]])
    np.testing.assert_allclose(log_sum(values, 1), [-np.inf, 0.0, -1000 + np.log(2)])
