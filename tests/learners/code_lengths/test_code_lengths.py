"""Code lengths against closed forms and against encoding the data one by one."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.code_lengths.multinomial import (
    adaptive_code_length,
    ln_factorials,
    mml_estimate,
    negative_log_likelihood,
    parameter_constant,
)
from learners.code_lengths.network import (
    arc_cost,
    check_arc_probability,
    estimated_arc_probability,
    structure_length,
)

draws = st.integers(1, 5).flatmap(
    lambda r: st.tuples(st.just(r), st.lists(st.integers(0, r - 1), max_size=60))
)


@given(draws)
def test_adaptive_code_encodes_each_draw_by_the_draws_before_it(case):
    r, values = case
    counts = np.zeros(r, dtype=np.int64)
    length = 0.0
    for n, value in enumerate(values):
        length -= math.log((counts[value] + 1) / (n + r))
        counts[value] += 1
    assert adaptive_code_length(counts) == pytest.approx(length, abs=1e-9)


@given(draws)
def test_adaptive_code_is_the_k2_score_in_factorials(case):
    r, values = case
    counts = np.bincount(np.array(values, dtype=np.int64), minlength=r)
    k2 = math.factorial(r - 1) * math.prod(math.factorial(int(n)) for n in counts)
    assert adaptive_code_length(counts) == pytest.approx(
        math.log(math.factorial(len(values) + r - 1)) - math.log(k2), abs=1e-9
    )


def test_adaptive_code_of_all_sequences_uses_up_the_probability():
    sequences = itertools.product(range(3), repeat=4)
    lengths = [adaptive_code_length(np.bincount(s, minlength=3)) for s in sequences]
    assert np.exp(-np.array(lengths)).sum() == pytest.approx(1)


def test_parameters_cost_what_the_lattice_constant_says():
    assert parameter_constant("exact") == pytest.approx(0.5 * (1 + math.log(2 * math.pi / 12)), abs=1e-15)
    assert parameter_constant("rounded") == 0.17649


def test_structure_of_the_asia_optimum_takes_15_75_nats():
    assert structure_length(7, 8, 7.5 / 29) == pytest.approx(15.75, abs=1e-3)


def test_structure_counts_joined_and_free_pairs():
    p = 0.3
    assert structure_length(2, 4, p) == pytest.approx(-2 * math.log(p) - 4 * math.log(1 - p))
    assert arc_cost(p) == pytest.approx(structure_length(3, 4, p) - structure_length(2, 4, p))


def test_estimated_arc_probability_stays_inside_0_and_1():
    assert estimated_arc_probability(0, 0) == 0.5
    assert 0 < estimated_arc_probability(0, 28) < estimated_arc_probability(28, 28) < 1


def test_mml_estimate_adds_half_a_draw_to_each_value():
    np.testing.assert_allclose(mml_estimate(np.array([[4, 0, 1]])), [[4.5 / 6.5, 0.5 / 6.5, 1.5 / 6.5]])


def test_likelihood_allows_zero_where_nothing_was_drawn():
    assert negative_log_likelihood(np.array([3, 0]), np.array([1.0, 0.0])) == 0
    assert negative_log_likelihood(np.array([3, 1]), np.array([1.0, 0.0])) == np.inf


def test_ln_factorials_are_exact_and_kept():
    table = ln_factorials(30)
    np.testing.assert_allclose(table[:25], [math.log(math.factorial(k)) for k in range(25)], rtol=1e-15)
    assert ln_factorials(25) is table
    assert ln_factorials(5000).size >= 5000


@pytest.mark.parametrize("wrong", [0, 1, 0.0, 1.0, -0.1, float("nan"), "estimated", None, True])
def test_arc_probability_must_be_joint_or_between_0_and_1(wrong):
    with pytest.raises(ValueError, match=r'"joint".*"fixed_point".*0.*1'):
        check_arc_probability(wrong)


def test_an_unknown_constant_is_refused():
    with pytest.raises(ValueError, match=r'constant.*"exact".*"rounded".*"none"'):
        parameter_constant("about")
