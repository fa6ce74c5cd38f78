"""Forecasts and evidence equal the sum over all hidden components; chains that do not agree are noticed."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators import random_aode
from learners.bayes._kernels.rooted_trees import posterior_of_joints
from workbench.optimal.aode_mixture import AODEMixtureOptimum


def posterior_by(optimum, codes):
    return posterior_of_joints(optimum.log_joint(codes))


def posterior_error(optimum, codes):
    """Monte Carlo standard error of each probability, from how the chains differ: a ratio, linearized."""
    chains = optimum.chains(codes)
    joint, of_all = chains.mean(axis=0), chains.sum(axis=2, keepdims=True)
    weight = joint.sum(axis=1, keepdims=True)
    return ((chains - joint / weight * of_all) / weight).std(axis=0, ddof=1) / math.sqrt(len(chains))


def log_dirichlet(counts, arity, alpha):
    """Log probability of a sequence with these counts."""
    total = math.lgamma(alpha * arity) - math.lgamma(alpha * arity + sum(counts))
    return total + sum(math.lgamma(alpha + n) - math.lgamma(alpha) for n in counts)


def log_columns(child, above, arity, alpha):
    """Log probability of a column given those above it."""
    lines = {}
    for line, value in zip(zip(*above, strict=True) if above else [()] * len(child), child, strict=True):
        lines.setdefault(line, Counter())[value] += 1
    return sum(log_dirichlet(list(counts.values()), arity, alpha) for counts in lines.values())


def log_component(i, rows, arities, n_classes, alpha, own):
    """Log probability of rows, all from component i, without the classes unless they are its own."""
    if not rows:
        return 0.0
    *columns, y = zip(*rows, strict=True)
    total = log_columns(y, [], n_classes, alpha) if own else 0.0
    for j, arity in enumerate(arities):
        total += log_columns(columns[j], [y] if j == i else [y, columns[i]], arity, alpha)
    return total


def exact_evidence(rows, arities, n_classes, alpha, *, shared=False, marginal=None):
    """Sum over all ways in which the rows can be divided among the components."""
    own = not shared and marginal is None
    y = [row[-1] for row in rows]
    classes = 0.0
    if marginal is not None:
        classes = sum(math.log(marginal[c]) for c in y)
    elif shared:
        classes = log_columns(y, [], n_classes, alpha)
    every = (1 << len(rows)) - 1
    parts = [[row for k, row in enumerate(rows) if mask >> k & 1] for mask in range(every + 1)]
    sums = [1.0] + [0.0] * every  # by the set of rows that the components so far have
    for i in range(len(arities)):
        of = [math.exp(log_component(i, part, arities, n_classes, alpha, own)) for part in parts]
        sums = [
            sum(sums[mask ^ part] * of[part] for part in range(mask + 1) if part & mask == part)
            for mask in range(every + 1)
        ]
    return math.exp(classes) * sums[every] / len(arities) ** len(rows)


def space(arities):
    """All combinations of states, of shape (n_attributes, n_cells)."""
    return np.array(list(itertools.product(*map(range, arities)))).T


def random_rows(rng, arities, n_classes, n_rows):
    codes = np.array([rng.integers(0, arity, n_rows) for arity in arities])
    return codes, rng.integers(0, n_classes, n_rows)


def optimum_of(rows, arities, n_classes, alpha, *, shared=False, marginal=None, **options):
    table = np.array(rows)
    return AODEMixtureOptimum.of(
        table[:, :-1].T, arities, table[:, -1], n_classes, alpha=alpha, shared_class_prior=shared,
        class_marginal=marginal, **options,
    )  # fmt: skip


def check_against_sums(arities, n_classes, n_rows, alpha, law):
    codes, y = random_rows(np.random.default_rng(n_rows), arities, n_classes, n_rows)
    rows = [tuple(row) for row in np.vstack([codes, y]).T.tolist()]
    optimum = optimum_of(rows, arities, n_classes, alpha, **law, n_chains=16, n_sweeps=600, seed=3)
    evidence = exact_evidence(rows, arities, n_classes, alpha, **law)
    assert abs(optimum.log_evidence - math.log(evidence)) <= 4 * optimum.log_evidence_error + 1e-9
    assert optimum.log_evidence_error < 0.1
    cells = space(arities)[:, :: max(1, math.prod(arities) // 4)]
    joint = np.array([
        [exact_evidence([*rows, (*cell, c)], arities, n_classes, alpha, **law) for c in range(n_classes)]
        for cell in cells.T.tolist()
    ])  # fmt: skip
    np.testing.assert_allclose(np.exp(optimum.log_joint(cells)), joint / evidence, atol=0.01)
    posterior = joint / joint.sum(axis=1, keepdims=True)
    error = np.abs(posterior_by(optimum, cells) - posterior)
    assert error.max() < 0.01
    assert (error <= 4 * posterior_error(optimum, cells) + 1e-9).all()


LAWS = pytest.mark.parametrize(
    "law", [{}, {"shared": True}, {"marginal": [0.2, 0.8]}], ids=["own", "shared", "known"]
)


@pytest.mark.parametrize("alpha", [0.3, 3.0])
@LAWS
def test_equals_the_sum_over_all_components(alpha, law):
    check_against_sums((2, 3), 2, 4, alpha, law)


@pytest.mark.slow
@LAWS
def test_equals_the_sum_over_all_components_of_eight_rows(law):
    check_against_sums((2, 3, 2), 2, 8, 1.0, law)


@given(
    arities=st.lists(st.integers(1, 4), min_size=1, max_size=4),
    n_classes=st.integers(1, 3),
    n_rows=st.integers(0, 12),
    alpha=st.sampled_from([0.3, 1.0, 3.0]),
    shared=st.booleans(),
    seed=st.integers(0, 5),
)
@settings(max_examples=10)
def test_each_chain_forecasts_a_proper_joint(arities, n_classes, n_rows, alpha, shared, seed):
    codes, y = random_rows(np.random.default_rng(seed), arities, n_classes, n_rows)
    optimum = AODEMixtureOptimum.of(
        codes, arities, y, n_classes, alpha=alpha, shared_class_prior=shared, n_sweeps=20, seed=seed
    )
    cells = space(arities)
    np.testing.assert_allclose(optimum.chains(cells).sum(axis=(1, 2)), 1.0, rtol=1e-12)
    alone = optimum.chains(cells[:, -1:])  # in other blocks
    np.testing.assert_allclose(optimum.chains(cells)[:, -1:], alone, rtol=1e-12)


@pytest.mark.parametrize("marginal", [None, [0.2, 0.5, 0.3]])
def test_one_attribute_is_naive_bayes(marginal):
    codes, y = random_rows(np.random.default_rng(0), (4,), 3, 30)
    optimum = AODEMixtureOptimum.of(codes, [4], y, 3, alpha=0.5, class_marginal=marginal, n_sweeps=8, seed=0)
    counts = np.zeros((4, 3))
    np.add.at(counts, (codes[0], y), 1)
    prior = (counts.sum(axis=0) + 0.5) / 31.5 if marginal is None else np.array(marginal)
    joint = prior * (counts + 0.5) / (counts.sum(axis=0) + 2)
    np.testing.assert_allclose(optimum.log_joint(space([4])), np.log(joint), rtol=1e-12)
    assert posterior_error(optimum, space([4])).max() < 1e-12
    rows = np.vstack([codes, y]).T.tolist()
    classes = log_columns(y, [], 3, 0.5) if marginal is None else np.log(marginal)[y].sum()
    exact = classes + log_component(0, rows, [4], 3, 0.5, False)
    assert optimum.log_evidence == pytest.approx(exact, rel=1e-12)
    assert optimum.log_evidence_error < 1e-9
    assert optimum.r_hat <= 1


def test_without_rows_every_cell_is_equally_probable():
    optimum = AODEMixtureOptimum.of(
        np.empty((2, 0), np.uint8), [2, 3], np.empty(0, np.uint8), 2, alpha=0.3, n_sweeps=8, seed=0
    )
    np.testing.assert_allclose(np.exp(optimum.log_joint(space([2, 3]))), 1 / 12)
    assert optimum.log_evidence == pytest.approx(0, abs=1e-12)


def test_one_class_is_certain():
    codes, _ = random_rows(np.random.default_rng(1), (2, 3), 1, 20)
    optimum = AODEMixtureOptimum.of(codes, [2, 3], np.zeros(20, int), 1, alpha=1.0, n_sweeps=20, seed=0)
    np.testing.assert_array_equal(posterior_by(optimum, space([2, 3])), 1.0)


def test_a_constant_and_a_duplicate_column_are_no_trouble():
    rng = np.random.default_rng(2)
    x, y = rng.integers(0, 3, 300), rng.integers(0, 2, 300)
    codes = np.array([x, x, np.zeros_like(x), rng.integers(0, 2, 300)])
    optimum = AODEMixtureOptimum.of(codes, [3, 3, 2, 2], y, 2, alpha=1.0, n_sweeps=200, seed=0)
    cells = space([3, 3, 2, 2])
    joint = optimum.chains(cells).mean(axis=0)
    assert joint[(cells[0] == cells[1]) & (cells[2] == 0)].sum() > 0.8
    assert np.isfinite(optimum.log_joint(cells)).all()


@pytest.fixture(scope="module")
def table():
    truth = random_aode(n_attributes=4, arity=3, n_classes=2, random_state=1)
    rows = truth.sample_codes(300, 2).T
    return rows[:-1], [3] * 4, rows[-1], 2


def test_the_same_seed_gives_the_same_bits_and_another_does_not(table):
    codes, arities, y, n_classes = table
    few = codes[:, :20], arities, y[:20], n_classes
    first, again, other = (
        AODEMixtureOptimum.of(*few, alpha=1.0, n_sweeps=40, seed=seed) for seed in (5, 5, 6)
    )
    np.testing.assert_array_equal(first.states, again.states)
    assert first.log_evidence == again.log_evidence
    assert (first.states != other.states).any()


def test_the_log_joint_is_kept_up_through_the_sweeps(table):
    """The log joint of the last state, summed up from the start, equals that computed afresh."""
    codes, arities, y, n_classes = table
    optimum = AODEMixtureOptimum.of(*table, alpha=1.0, n_sweeps=40, seed=0)
    rows = np.vstack([codes, y]).T
    for chain in range(4):
        components = optimum.states[chain, -1]
        afresh = sum(
            log_component(i, rows[components == i].tolist(), arities, n_classes, 1.0, True) for i in range(4)
        )
        assert optimum.log_joints[chain, -1] == pytest.approx(afresh, rel=1e-9)


def test_chains_that_are_stopped_at_once_disagree(table):
    assert AODEMixtureOptimum.of(*table, alpha=1.0, n_sweeps=8, seed=0).r_hat > 1.1


@pytest.mark.slow
def test_chains_that_are_long_enough_agree(table):
    assert AODEMixtureOptimum.of(*table, alpha=1.0, seed=0).r_hat < 1.05


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"codes": np.array([[0, 2], [0, 1]])}, "attribute 0 has the code 2 in row 1, missing"),
        ({"codes": np.array([[0.0, 1.0], [0, 1]])}, "give integers, a line for each of 2 attributes"),
        ({"arities": [2, 0]}, "arities is"),
        ({"y": np.array([0, 2])}, "give 2 integers from 0 to 1"),
        ({"class_marginal": [1.0, 0.5]}, "probabilities of the 2 classes that sum to one"),
        ({"n_chains": 1}, "n_chains is 1: give a whole number of at least 2"),
        ({"n_sweeps": 7}, "n_sweeps is 7: give a whole number of at least 8"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(change, sentence):
    given_ = {"codes": np.array([[0, 1], [0, 1]]), "arities": [2, 2], "y": np.array([0, 1]), "n_classes": 2}
    with pytest.raises(ValueError, match=sentence):
        AODEMixtureOptimum.of(**{**given_, "alpha": 1.0, "seed": 0, **change})


def test_more_attributes_than_products_can_hold_are_refused():
    with pytest.raises(ValueError, match="give at most 995 attributes"):
        AODEMixtureOptimum.of(
            np.zeros((1000, 0), int), [2] * 1000, np.empty(0, int), 2, alpha=1.0, seed=0, n_sweeps=8
        )
