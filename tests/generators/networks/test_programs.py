"""Compiled eliminations of many patterns of missing values have the bits of those by numpy."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators import Network, random_kdb, random_naive_bayes, random_tan
from generators.networks import inference, programs


def with_zeros(network):
    """Replace small probabilities by 0, in some CPTs all but one."""
    cpts = [np.where(cpt < (0.2, 1.0)[j % 2] * cpt.max(axis=-1, keepdims=True), 0.0, cpt)
            for j, cpt in enumerate(network.cpts)]  # fmt: skip
    cpts = [cpt / cpt.sum(axis=-1, keepdims=True) for cpt in cpts]
    return Network(network.names, network.states, network.parent_indices, cpts, network.class_index)


def holed_columns(truth, rng, share):
    """Draw codes, in half of the rows of the truth and in the others any, and leave some out."""
    table = truth.sample_codes(60, rng).astype(np.intp)
    table[::2] = [[rng.integers(arity) for arity in truth.arities] for _ in table[::2]]
    table[rng.random(table.shape) < share] = -1
    return np.ascontiguousarray(table.T)


def answers(truth, columns, soft, few_patterns):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inference, "FEW_PATTERNS", few_patterns)
        yield inference.log_joint_table(truth, columns, None)
        yield inference.log_joint_table(truth, columns, None, soft)
        for target in range(truth.n_variables):
            yield inference.log_joint_table(truth, columns, target)
            yield inference.log_joint_table(truth, columns, target, soft)
            yield inference.log_posterior_table(truth, columns, target)


def assert_same_bits(truth, seed, share):
    rng = np.random.default_rng(seed)
    columns = holed_columns(truth, rng, share)
    variables = rng.permutation(truth.n_variables)[:3].tolist()
    soft = {variable: np.log(rng.random((60, int(truth.arities[variable])))) for variable in variables}
    by_kernel, by_numpy = (answers(truth, columns, soft, few) for few in (0, 60))
    for one, other in zip(by_kernel, by_numpy, strict=True):
        assert np.array_equal(one, other)


@given(seed=st.integers(0, 10_000), n_variables=st.integers(1, 9), share=st.floats(0, 1))
def test_any_network_has_the_same_bits(random_network, seed, n_variables, share):
    truth = random_network(seed, n_variables)
    assert_same_bits(with_zeros(truth) if seed % 2 else truth, seed, share)


@pytest.mark.slow
@pytest.mark.parametrize("draw", [random_naive_bayes, random_tan, random_kdb])
def test_a_network_of_more_than_64_variables_has_the_same_bits(draw):
    assert_same_bits(draw(n_attributes=66, arity=(1, 3), n_classes=3, random_state=0), 0, 0.1)


def test_a_row_has_the_same_bits_alone_and_in_any_batch(random_network, monkeypatch):
    truth = random_network(3, 12)
    columns = holed_columns(truth, np.random.default_rng(0), 0.4)
    target = truth.class_index
    expected = truth._log_posterior_table(columns, target)
    alone = [truth._log_posterior_table(columns[:, [row]], target) for row in range(columns.shape[1])]
    assert np.array_equal(np.concatenate(alone), expected)
    monkeypatch.setattr(programs, "MOST_ROWS", 7)
    assert np.array_equal(truth._log_posterior_table(columns, target), expected)
    monkeypatch.setattr(programs, "MOST_ENTRIES", 1)
    assert np.array_equal(truth._log_posterior_table(columns, target), expected)


@given(seed=st.integers(0, 10_000), n_variables=st.integers(4, 8), place=st.integers(0, 7))
def test_tables_of_pairs_of_a_tree_are_those_of_eliminations(seed, n_variables, place):
    rng = np.random.default_rng(seed)
    names, target = [f"x{j}" for j in range(n_variables)], place % n_variables
    order = [target, *(v for v in rng.permutation(n_variables).tolist() if v != target)]
    arities, parents = rng.integers(1, 4, n_variables), [()] * n_variables
    for k, v in enumerate(order[1:], 1):
        own = [order[rng.integers(1, k)]] if k > 1 and rng.random() < 0.7 else []
        parents[v] = tuple(rng.permutation([target] * (rng.random() < 0.7) + own).tolist())
    cpts = [rng.dirichlet(np.ones(arities[v]), arities[list(own)]) for v, own in enumerate(parents)]
    truth = Network(names, [tuple(range(r)) for r in arities.tolist()], parents, cpts, target)
    scopes = [(*pair, target) for pair in itertools.permutations(truth.attributes, 2)]
    for found, scope in zip(truth._marginal_tables(scopes), scopes, strict=True):
        np.testing.assert_allclose(found, truth.marginal_table(scope), rtol=1e-12)


@pytest.mark.parametrize("n_rows", [1, 20])
def test_a_table_that_does_not_fit_in_memory_is_refused(n_rows):
    # each pair of 15 attributes of four states has a child, so that all are in one table, of 4**15 entries
    pairs = [(i, j) for j in range(15) for i in range(j)]
    parents = [(), *[(0,)] * 15, *((1 + i, 1 + j) for i, j in pairs)]
    cpts = [np.full((4,) * (1 + len(own)), 0.25) for own in parents]
    names = [f"x{j}" for j in range(len(parents))]
    network = Network(names, [tuple(range(4))] * len(parents), parents, cpts, class_index=0)
    rows = np.zeros((n_rows, len(parents) - 1), dtype=int)
    rows[:, :15] = -1
    rows[np.arange(n_rows), -1 - np.arange(n_rows)] = -1  # a pattern for each row
    with pytest.raises(ValueError, match=r"Summing out the 16 missing values.* GiB"):
        network.posterior(rows)
