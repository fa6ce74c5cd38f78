"""Adaptive code lengths of 1996: a plain twin, claims of the text, and sets of any size."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.metrics import (
    analytic_significance,
    as_sets,
    class_complexity,
    constant_complexity,
    frequency_complexity,
    frequency_complexity_by_count,
    laplace_complexity,
    significance,
    significance_by_count,
)

FREQUENCY = {"share": frequency_complexity, "count": frequency_complexity_by_count}


@st.composite
def cases(draw):
    """Codes, and sets of any size, of one to five classes."""
    k = draw(st.integers(1, 5))
    n = draw(st.integers(1, 40))
    codes = draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n))
    sets = draw(st.lists(st.lists(st.booleans(), min_size=k, max_size=k), min_size=n, max_size=n))
    return np.array(codes), np.array(sets)


def plain_lengths(codes, sets, *, by_frequency, increment="share"):
    """Follow Table 1 word by word: p, then p_t over r, then the updates."""
    n = sets.shape[1]
    counts, alpha, beta = [0] * n, 1 / n, 1 / n
    for actual, row in zip(codes, sets, strict=True):
        chosen = [i for i in range(n) if row[i]]
        p = [(c + 1) / (sum(counts) + n) if by_frequency else 1 / n for c in counts]
        r, rest = sum(p[i] for i in chosen), sum(p[i] for i in range(n) if i not in chosen)
        hit = r * alpha / (r * alpha + rest * beta)
        miss = rest * beta / (r * alpha + rest * beta)
        gain = p[actual] if increment == "share" else 1.0
        if actual in chosen:
            yield -math.log2(hit * p[actual] / r)
            alpha += gain / r
        else:
            yield -math.log2(miss * p[actual] / rest)
            beta += gain / rest
        counts[actual] += 1


def plain_laplace(codes, sets):
    hits = misses = 0
    for actual, row in zip(codes, sets, strict=True):
        hit, m = row[actual], sum(row)
        chance = ((hits if hit else misses) + 1) / (hits + misses + 2)
        yield -math.log2(chance) + math.log2(m if hit else len(row) - m)
        hits, misses = hits + hit, misses + (not hit)


@given(cases())
def test_the_code_follows_table_1_with_equal_weights(case):
    expected = list(plain_lengths(*case, by_frequency=False))
    np.testing.assert_allclose(constant_complexity.code_lengths(*case), expected, atol=1e-12)


@pytest.mark.parametrize("increment", FREQUENCY)
@given(case=cases())
def test_the_code_follows_table_1_with_frequencies(increment, case):
    expected = list(plain_lengths(*case, by_frequency=True, increment=increment))
    np.testing.assert_allclose(FREQUENCY[increment].code_lengths(*case), expected, atol=1e-12)


@given(cases())
def test_the_simple_estimator_counts_hits_and_misses(case):
    np.testing.assert_allclose(laplace_complexity.code_lengths(*case), list(plain_laplace(*case)), atol=1e-12)


@pytest.mark.parametrize(
    "metric", [constant_complexity, frequency_complexity, frequency_complexity_by_count], ids=lambda m: m.name
)
@pytest.mark.parametrize("k", [1, 2, 3])
def test_each_step_is_a_code_whatever_went_before(metric, k):
    """The probabilities of the classes that may come next sum to one, for every set."""
    rng = np.random.default_rng(k)
    codes, sets = rng.integers(0, k, 20), rng.random((20, k)) < 0.5
    for row in itertools.product([False, True], repeat=k):
        lengths = [
            metric.code_lengths(np.append(codes, actual), np.vstack([sets, row]))[-1] for actual in range(k)
        ]
        assert sum(2.0**-length for length in lengths) == pytest.approx(1.0, abs=1e-12)


@given(cases())
def test_sets_that_say_nothing_cost_what_the_classes_cost_alone(case):
    codes, sets = case
    k = sets.shape[1]
    alone = class_complexity(codes, n_classes=k)
    for nothing in (np.zeros_like(sets), np.ones_like(sets)):
        for metric in FREQUENCY.values():
            assert metric(codes, nothing) == pytest.approx(alone, abs=1e-10)
        constant = class_complexity(codes, n_classes=k, weights="constant")
        assert constant_complexity(codes, nothing) == pytest.approx(constant, abs=1e-12)
        assert significance(codes, nothing) == pytest.approx(0.0, abs=1e-10)


@given(cases())
def test_significance_is_what_the_theory_saves(case):
    """S_f = I_f(D|Q) - I_f(D|T,Q), section 4."""
    codes, sets = case
    alone = class_complexity(codes, n_classes=sets.shape[1])
    for saved, metric in (
        (significance, frequency_complexity),
        (significance_by_count, frequency_complexity_by_count),
    ):
        assert saved(codes, sets) == pytest.approx(alone - metric(codes, sets), abs=1e-10)
        assert saved(codes, sets) == saved.code_lengths(codes, sets).sum()


def test_the_analytic_length_is_that_of_the_simple_estimator():
    """definitions, section 9, ambiguity 3: log2 (N + 1)!/(j! (N - j)!)."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 2, 300)
    predicted = np.where(rng.random(300) < 0.8, codes, 1 - codes)
    majority, right = np.bincount(codes).max(), int((predicted == codes).sum())
    saved = class_complexity(codes, n_classes=2) - laplace_complexity(
        codes, as_sets(predicted, classes=[0, 1])
    )
    assert analytic_significance(300, majority, right) == pytest.approx(saved, abs=1e-9)


def test_stirlings_form_is_near_the_factorials_and_refuses_to_divide_by_zero():
    for right in (600, 750, 900):
        exact = analytic_significance(1000, 700, right)
        assert analytic_significance(1000, 700, right, form="stirling") == pytest.approx(exact, abs=0.01)
    assert analytic_significance(1000, 700, 700, form="stirling") == 0.0
    with pytest.raises(ValueError, match="1000 right predictions and 700"):
        analytic_significance(1000, 700, 1000, form="stirling")
    with pytest.raises(ValueError, match="right is 1001 of 1000 cases"):
        analytic_significance(1000, 700, 1001)
    with pytest.raises(ValueError, match="form is 'gamma'"):
        analytic_significance(1000, 700, 800, form="gamma")


@pytest.mark.parametrize("n", [3, 4, 8])
def test_alternating_sets_cost_more_than_no_theory_by_the_simple_estimator_alone(n):
    """Section 3: n - 1 classes with the true one, then one wrong class: 1 + log2(n - 1) > log2 n."""
    rng = np.random.default_rng(n)
    codes = rng.integers(0, n, 4000)
    sets = as_sets([(actual + 1) % n for actual in codes], classes=range(n))
    sets[::2] = ~sets[::2]
    late = {
        metric.name: metric.code_lengths(codes, sets)[2000:].mean()
        for metric in (laplace_complexity, constant_complexity)
    }
    assert late["laplace_complexity"] == pytest.approx(1 + math.log2(n - 1), abs=0.01)
    assert late["laplace_complexity"] > math.log2(n)
    assert late["constant_complexity"] == pytest.approx(math.log2(n), abs=0.001)


def test_shuffled_cases_keep_their_places_and_a_seed_its_order():
    rng = np.random.default_rng(3)
    codes, sets = rng.integers(0, 3, 50), rng.random((50, 3)) < 0.5
    given_order = frequency_complexity.code_lengths(codes, sets)
    shuffled = frequency_complexity.code_lengths(codes, sets, random_state=7)
    assert not np.array_equal(given_order, shuffled)
    np.testing.assert_array_equal(shuffled, frequency_complexity.code_lengths(codes, sets, random_state=7))
    order = np.random.default_rng(7).random(50).argsort(kind="stable")
    np.testing.assert_array_equal(
        shuffled[order], frequency_complexity.code_lengths(codes[order], sets[order])
    )
    assert frequency_complexity(codes, sets, random_state=7) == shuffled.sum()


def test_labels_are_read_in_the_order_of_the_columns():
    labels = ["no", "yes", "maybe"]
    predictions = ["yes", {"no", "maybe"}, [], ("yes", "no", "maybe"), np.array(["no"])]
    sets = as_sets(predictions, classes=labels)
    assert sets.tolist() == [
        [False, True, False],
        [True, False, True],
        [False, False, False],
        [True, True, True],
        [True, False, False],
    ]
    y = ["yes", "maybe", "no", "no", "no"]
    turned = as_sets(predictions, classes=labels[::-1])
    codes = [labels.index(label) for label in y]
    assert significance(y, sets, classes=labels) == significance(codes, sets)
    assert significance(y, turned, classes=labels[::-1]) == pytest.approx(
        significance(codes, sets), abs=1e-12
    )


def test_what_cannot_be_scored_is_reported_in_one_sentence():
    sets = as_sets([0, 1], classes=[0, 1])
    with pytest.raises(ValueError, match=r"y_set has shape \(2,\)"):
        laplace_complexity([0, 1], [0, 1])
    with pytest.raises(ValueError, match=r"y_true has shape \(3,\) and y_set has 2 rows"):
        laplace_complexity([0, 1, 1], sets)
    with pytest.raises(ValueError, match="y_true has code 2 and y_set has 2 columns"):
        laplace_complexity([0, 2], sets)
    with pytest.raises(ValueError, match="classes names 3 classes and y_set has 2 columns"):
        laplace_complexity([0, 1], sets, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="label 'perhaps' is not among the classes"):
        as_sets([["yes", "perhaps"]], classes=["no", "yes"])
    with pytest.raises(ValueError, match="y_true has codes from 0 to 2"):
        class_complexity([0, 2], n_classes=2)
    with pytest.raises(ValueError, match="weights is 'none'"):
        class_complexity([0], n_classes=2, weights="none")
