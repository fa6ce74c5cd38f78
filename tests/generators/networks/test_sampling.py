"""Samples follow the network, by a stream that is written down."""

import numpy as np
import pandas as pd
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
            probabilities = truth.cpts[child][tuple(expected[row, list(truth.parent_indices[child])])]
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


@pytest.mark.parametrize("n", [-1, 2.5, True])
def test_a_number_of_rows_that_is_none_is_refused(n):
    with pytest.raises(ValueError, match="expected the number of rows to draw"):
        random_tan(random_state=0).sample(n)


TRUTHS = pytest.mark.parametrize("make", [random_tan, random_aode])


class TestBatches:
    @TRUTHS
    def test_of_codes_are_the_same_rows(self, make):
        truth = make(n_attributes=3, random_state=1)
        codes = np.concatenate(list(truth.sample_code_batches(25, batch_rows=10, random_state=5)))
        tables = [
            truth.sample_table(size, rng)
            for rng in [np.random.Generator(np.random.PCG64(5))]
            for size in (10, 10, 5)
        ]
        labels = pd.concat(tables).apply(lambda column: column.cat.codes)
        assert np.array_equal(codes, labels)

    @TRUTHS
    def test_one_batch_is_the_sample(self, make):
        truth = make(n_attributes=3, random_state=1)
        (only,) = truth.sample_code_batches(25, batch_rows=25, random_state=5)
        assert np.array_equal(only, truth.sample_codes(25, 5))
        assert list(truth.sample_code_batches(0, random_state=5)) == []

    @pytest.mark.parametrize("batch_rows", [0, 2.5, True])
    def test_of_no_rows_are_refused_before_any_is_drawn(self, batch_rows):
        truth = random_tan(random_state=0)
        for draw in (truth.sample_batches, truth.sample_code_batches):
            with pytest.raises(ValueError, match="batch"):
                draw(10, batch_rows=batch_rows)
            with pytest.raises(ValueError, match="expected the number of rows to draw"):
                draw(-1)

    def test_need_a_class(self):
        truth = random_tan(n_attributes=2, random_state=0).with_class(None)
        with pytest.raises(ValueError, match="the truth has no class"):
            truth.sample_batches(10)
        assert len(list(truth.sample_code_batches(10))) == 1
