"""Truths of a requested difficulty."""

import numpy as np
import pytest

from generators import draw_with, random_gaussian_naive_bayes, random_naive_bayes, random_tan
from generators.facts import bayes_error, ceiling, class_entropy
from generators.targeted import NoSuchTruth


@pytest.mark.parametrize(
    ("target", "bounds", "measure"),
    [
        ("bayes_error", (0.1, 0.2), bayes_error),
        ("ceiling", (0.3, 0.4), ceiling),
    ],
)
def test_a_truth_that_does_not_fit_is_drawn_again_from_the_same_numbers(target, bounds, measure):
    options = {"n_attributes": 3, "n_classes": 2}
    drawn = [draw_with(random_tan, **{target: bounds}, **options, random_state=seed) for seed in range(10)]
    for seed, one in enumerate(drawn):
        value = getattr(measure(one.truth), "value", measure(one.truth))
        assert bounds[0] <= value <= bounds[1]
        assert one.found == {target: value}
        if target == "bayes_error":  # for the others some of these truths need other tables
            assert bool(one.solved) == (one.tries > 1)
            assert one.truth == random_tan(**options, **one.solved, random_state=seed)
    assert any(one.solved for one in drawn)


@pytest.mark.slow
def test_large_truths_fit_as_often_as_small_ones():
    options = {"n_attributes": (10, 40), "n_classes": 2}
    drawn = [
        draw_with(random_naive_bayes, bayes_error=(0.1, 0.2), **options, random_state=seed)
        for seed in range(24)
    ]
    assert all(0.1 <= one.found["bayes_error"] <= 0.2 and not one.refused for one in drawn)
    sizes = [len(one.truth.attributes) for one in drawn]
    assert sizes == [len(random_naive_bayes(**options, random_state=s).attributes) for s in range(24)]
    assert np.histogram(sizes, bins=3, range=(10, 41))[0].min() >= 5


def test_a_parameter_that_is_given_is_kept_and_so_is_the_size():
    options = {"n_attributes": (2, 5), "n_classes": 2, "concentration": 1.0, "bayes_error": (0.2, 0.25)}
    for seed in range(4):
        one = draw_with(random_tan, **options, random_state=seed)
        size = len(random_tan(n_attributes=(2, 5), n_classes=2, random_state=seed).attributes)
        assert one.solved == {}
        assert one.refused or len(one.truth.attributes) == size


def test_sizes_at_which_nothing_fits_are_refused_and_named():
    def fixed(*, n_classes=(2, 3), random_state=None):
        return random_naive_bayes(n_attributes=2, n_classes=n_classes, random_state=random_state)

    # two classes have a bit of entropy at most
    drawn = [draw_with(fixed, class_entropy=(1.2, 1.6), random_state=seed) for seed in range(8)]
    assert {len(one.truth.classes) for one in drawn} == {3}
    assert [sizes for one in drawn for sizes in one.refused]
    assert all(sizes == {"n_classes": 2} for one in drawn for sizes in one.refused)


def test_several_bounds_hold_simultaneously():
    drawn = draw_with(
        random_naive_bayes, bayes_error=(0.1, 0.3), class_entropy=(0.9, 1.0), n_classes=2, random_state=1
    )
    assert 0.1 <= drawn.found["bayes_error"] <= 0.3
    assert 0.9 <= drawn.found["class_entropy"] <= 1.0


def test_without_bounds_it_is_the_generators_own():
    drawn = draw_with(random_tan, random_state=3)
    assert (drawn.tries, drawn.found) == (1, {})
    assert drawn.truth.to_json() == random_tan(random_state=3).to_json()


def test_numeric_truths_are_measured_by_sample():
    drawn = draw_with(random_gaussian_naive_bayes, bayes_error=(0.05, 0.15), random_state=1)
    assert abs(bayes_error(drawn.truth, random_state=9).value - drawn.found["bayes_error"]) < 0.01


def test_a_failure_says_what_came_nearest():
    message = "none of 5 truths has bayes_error from 0.6 to 0.7 (the nearest has bayes_error 0."
    with pytest.raises(NoSuchTruth) as caught:
        draw_with(random_tan, bayes_error=(0.6, 0.7), tries=5, n_classes=2, random_state=1)
    assert str(caught.value).startswith(message)
    assert "Widen the bounds, raise tries, or let the generator draw other truths" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"bayes_error": 0.1}, "bayes_error is 0.1"),
        ({"bayes_error": (0.2, 0.1)}, "low not above high"),
        ({"ceiling": ("a", "b")}, "ceiling is .*expected a pair"),
        ({"bayes_error": (0.1, float("nan"))}, "expected a pair"),
        ({"tries": 0}, "tries is 0"),
    ],
)
def test_bounds_that_are_none_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        draw_with(random_tan, random_state=1, **wrong)


def test_other_tables_are_drawn_for_the_entropy_of_the_class():
    draws = [
        draw_with(random_tan, class_entropy=(0.8, 1), n_attributes=3, n_classes=2, random_state=i)
        for i in range(8)
    ]
    assert max(drawn.tries for drawn in draws) > 1
    assert not any(drawn.solved for drawn in draws)
    for drawn in draws:
        truth, rng = None, np.random.default_rng(draws.index(drawn))
        for _ in range(drawn.tries):
            truth = random_tan(n_attributes=3, n_classes=2, random_state=rng)
        assert class_entropy(truth) == drawn.found["class_entropy"]
