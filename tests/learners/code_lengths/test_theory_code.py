"""Decisions encoded by Laplace's law: factorials, a sequential coder, and Kraft's sum."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.code_lengths.theory import (
    TheoryLength,
    choice_bits,
    decision_bits,
    order_bits,
    subset_bits,
)

counts = st.lists(st.integers(0, 12), min_size=1, max_size=6)


def probability(decisions: list[int], n_alternatives: int) -> Fraction:
    """Encode decisions one by one, each by those before it."""
    seen, product = Counter[int](), Fraction(1)
    for n, decision in enumerate(decisions):
        product *= Fraction(seen[decision] + 1, n + n_alternatives)
        seen[decision] += 1
    return product


@given(counts, st.randoms(use_true_random=False))
def test_decisions_cost_what_an_adaptive_coder_needs_in_any_order(counts, random) -> None:
    decisions = [k for k, n in enumerate(counts) for _ in range(n)]
    random.shuffle(decisions)
    assert decision_bits(counts) == pytest.approx(-math.log2(probability(decisions, len(counts))), abs=1e-9)


@given(counts, counts)
def test_kinds_of_decisions_add_up_and_none_costs_less_than_nothing(one, two) -> None:
    assert decision_bits(one, two) == pytest.approx(decision_bits(one) + decision_bits(two), abs=1e-9)
    assert decision_bits(one) >= 0
    assert decision_bits() == 0


@given(counts, st.data())
def test_one_decision_more_never_costs_less(counts, data) -> None:
    more = list(counts)
    more[data.draw(st.integers(0, len(counts) - 1))] += 1
    assert decision_bits(more) >= decision_bits(counts) - 1e-9


def test_decisions_without_a_choice_are_free() -> None:
    assert decision_bits([7]) == 0
    assert decision_bits([0, 0, 0]) == 0


def test_all_sequences_of_one_length_use_up_the_probability() -> None:
    encoded = [decision_bits([s.count(k) for k in range(3)]) for s in itertools.product(range(3), repeat=4)]
    assert math.fsum(2**-bits for bits in encoded) == pytest.approx(1)


@given(st.lists(st.integers(0, 3), max_size=6))
def test_an_order_takes_the_bits_that_distinguish_it_from_all_others(things) -> None:
    n_orders = len(set(itertools.permutations(things)))
    assert order_bits(Counter(things).values()) == pytest.approx(math.log2(n_orders), abs=1e-9)


@given(st.integers(0, 60), st.data())
def test_a_subset_is_one_of_as_many_as_there_are(n, data) -> None:
    k = data.draw(st.integers(0, n))
    assert subset_bits(n, k) == pytest.approx(math.log2(math.comb(n, k)), abs=1e-9)


def test_choices_multiply_their_alternatives() -> None:
    assert choice_bits([3, 1, 5]) == pytest.approx(math.log2(15))


def test_parts_add_up_to_the_total() -> None:
    theory = TheoryLength(1.5, 2.25, 3.0, 4.0)
    assert (theory.order, theory.total) == (0.0, 10.75)
    assert TheoryLength(1.5, 2.25, 3.0, 4.0, -3.0).total == 7.75
    with pytest.raises(AttributeError):
        theory.shape = 0.0  # type: ignore[misc]
