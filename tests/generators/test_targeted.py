"""Truths of a requested difficulty."""

import pytest

from generators import draw_with, random_gaussian_naive_bayes, random_naive_bayes, random_tan
from generators.facts import bayes_error, ceiling, class_entropy
from generators.targeted import NoSuchTruth


@pytest.mark.parametrize(
    ("target", "bounds", "measure"),
    [
        ("bayes_error", (0.1, 0.2), bayes_error),
        ("ceiling", (0.3, 0.4), ceiling),
        ("class_entropy", (0.5, 0.9), class_entropy),
    ],
)
def test_the_truth_is_the_first_that_fits(target, bounds, measure):
    options = {"n_attributes": 3, "n_classes": 2}
    drawn = draw_with(random_tan, **{target: bounds}, **options, random_state=7)
    found = measure(drawn.truth)
    value = getattr(found, "value", found)
    assert bounds[0] <= value <= bounds[1]
    assert drawn.found == {target: value}
    # counted again: those before it do not fit
    import numpy as np

    rng = np.random.Generator(np.random.PCG64(7))
    for number in range(1, drawn.tries + 1):
        truth = random_tan(**options, random_state=rng)
        value = getattr(measure(truth), "value", measure(truth))
        assert (bounds[0] <= value <= bounds[1]) == (number == drawn.tries)
    assert truth == drawn.truth


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
    assert "widen the bounds, raise tries, or let the generator draw other truths" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"bayes_error": 0.1}, "bayes_error is 0.1"),
        ({"bayes_error": (0.2, 0.1)}, "low not above high"),
        ({"ceiling": ("a", "b")}, "ceiling is .*give a pair"),
        ({"bayes_error": (0.1, float("nan"))}, "give a pair"),
        ({"tries": 0}, "tries is 0"),
    ],
)
def test_bounds_that_are_none_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        draw_with(random_tan, random_state=1, **wrong)
