"""The class distribution, learned or known, by hand."""

import math

import numpy as np
import pytest

from learners.counts._kernels.dirichlet import log_evidence, log_rising
from learners.counts.class_distribution import ClassDistribution


def test_it_is_learned_row_by_row() -> None:
    learned = ClassDistribution.of(np.array([2.0, 1.0, 0.0]), 0.5)
    np.testing.assert_allclose(learned.probabilities, np.array([2.5, 1.5, 0.5]) / 4.5, rtol=1e-15)
    want = math.log(0.5 / 1.5 * 1.5 / 2.5 * 0.5 / 3.5)  # the first class, again, the second
    assert learned.log_evidence == pytest.approx(want, rel=1e-14)


def test_half_a_row_counts_half() -> None:
    learned = ClassDistribution.of(np.array([0.5, 0.5]), 1.0)
    np.testing.assert_array_equal(learned.probabilities, [0.5, 0.5])
    assert learned.log_evidence == pytest.approx(math.log(math.gamma(1.5) ** 2 / math.gamma(3)), rel=1e-14)


def test_before_the_first_row_nothing_was_seen() -> None:
    learned = ClassDistribution.of(np.zeros(4), 2.0)
    np.testing.assert_array_equal(learned.probabilities, [0.25] * 4)
    assert learned.log_evidence == 0.0


def test_a_known_one_stays() -> None:
    known = np.array([0.8, 0.2, 0.0])
    told = ClassDistribution.of(np.array([2.0, 1.0, 0.0]), 1.0, known=known)
    np.testing.assert_array_equal(told.probabilities, known)
    assert told.log_evidence == pytest.approx(math.log(0.8 * 0.8 * 0.2), rel=1e-14)
    assert ClassDistribution.of(np.array([2.0, 1.0, 1.0]), 1.0, known=known).log_evidence == -math.inf


def test_sequences_have_probabilities_of_their_own() -> None:
    counts = np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
    want = math.log(1 / 2 * 2 / 3) + math.log(1 / 2 * 1 / 3)
    for layout in (counts, np.asfortranarray(counts)):
        assert log_evidence(layout, 1.0) == pytest.approx(want, rel=1e-14)


def test_the_rising_product() -> None:
    assert log_rising(3.0, 0.5) == pytest.approx(math.log(0.5 * 1.5 * 2.5), rel=1e-14)
    assert log_rising(0.0, 0.5) == 0.0
