"""Samples follow the network, by a stream that is written down."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from generators import Network, random_aode, random_tan


@given(seed=st.integers(0, 10_000))
def test_the_stream_is_one_uniform_per_row_and_variable_in_topological_order(random_network, seed):
    truth = random_network(seed, 5)
    rng = np.random.Generator(np.random.PCG64(seed))
    expected = np.zeros((7, 5), dtype=int)
    for child in truth.order:
        for row, uniform in enumerate(rng.random(7)):
            probabilities = truth.cpts[child][tuple(expected[row, list(truth.parents[child])])]
            expected[row, child] = np.searchsorted(np.cumsum(probabilities)[:-1], uniform, side="right")
    assert np.array_equal(truth.sample_codes(7, seed), expected)


@pytest.mark.parametrize("make", [random_tan, random_aode])
def test_cells_are_sampled_as_often_as_the_joint_says(make):
    truth = make(n_attributes=3, arity=3, n_classes=2, random_state=1)
    codes = truth.sample_codes(20_000, 2)
    cell = np.ravel_multi_index(codes.T, truth.arities)
    expected = truth.enumerate().joint.ravel() * len(codes)
    assert stats.chisquare(np.bincount(cell, minlength=len(expected)), expected).pvalue > 0.01


def test_a_state_of_probability_zero_is_never_drawn():
    class AlmostOne(np.random.Generator):
        def random(self, size=None):
            return np.full(size, np.nextafter(1.0, 0.0))

    thirds = np.array([1 / 3, 1 / 3, 1 / 3 - 1e-9, 0.0])
    truth = Network(("a",), (range(4),), ((),), (thirds,))
    assert truth.sample_codes(3, AlmostOne(np.random.PCG64(0)))[:, 0].tolist() == [2, 2, 2]


def test_a_generator_is_advanced_and_a_seed_is_not():
    truth = random_tan(random_state=1)
    rng = np.random.default_rng(1)
    assert not np.array_equal(truth.sample_codes(20, rng), truth.sample_codes(20, rng))
    assert np.array_equal(truth.sample_codes(20, 1), truth.sample_codes(20, 1))


@pytest.mark.parametrize("n", [-1, 2.5, True, "ten"])
def test_a_number_of_rows_that_is_none_is_refused(n):
    with pytest.raises(ValueError, match="give the number of rows to draw"):
        random_tan(random_state=0).sample(n)
