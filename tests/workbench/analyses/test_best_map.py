"""The best learner by kind and size: probabilities against known ones, and the map."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from workbench.analyses import BestMap, paired_scores
from workbench.base.errors import WorkbenchError
from workbench.comparisons import probability_best, stratified_mean
from workbench.comparisons._shared.bootstrap import expanded_interval, subject_weights
from workbench.figures import STUDY_FIGURES
from workbench.report.renderers.terminal import lines_of
from workbench.report.terminal.sizes import best_parts

WOBBLE = np.linspace(-1, 1, 10)[:, None]


def cube(seed, n_learners=3, n_settings=2):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(12, 1, 1)) + rng.normal(size=(12, n_learners, n_settings))


@given(st.integers(0, 2**32 - 1), st.permutations([0, 1, 2]), st.floats(-1e3, 1e3))
def test_probabilities_go_with_their_learners_and_what_all_share_does_not_matter(seed, order, shift):
    values = cube(seed)
    found = probability_best(values, n_resamples=500)
    np.testing.assert_allclose(found.p_best.sum(axis=0), 1.0)
    other = probability_best(values[:, order] + shift * np.arange(12)[:, None, None], n_resamples=500)
    np.testing.assert_allclose(other.p_best, found.p_best[order], atol=0.005)
    lower = probability_best(-values, direction="lower", n_resamples=500)
    np.testing.assert_array_equal(lower.p_best, found.p_best)


@pytest.mark.parametrize("n", [6, 10, 40])
def test_two_learners_have_about_the_probabilities_of_students_posterior(n):
    rng = np.random.default_rng(5)
    gaps = rng.normal(size=(n, 1, 6)) + np.linspace(-1, 1, 6) * 2 / np.sqrt(n)
    values = np.concatenate([np.zeros((n, 1, 6)), gaps], axis=1)
    found = probability_best(values, n_resamples=20_000).p_best[1]
    t = gaps[:, 0].mean(axis=0) / (gaps[:, 0].std(axis=0, ddof=1) / np.sqrt(n))
    np.testing.assert_allclose(found, stats.t.cdf(t, n - 1), atol=0.02)


def test_strata_count_alike_and_their_differences_are_no_error():
    rng = np.random.default_rng(9)
    near = rng.normal(size=(8, 1)) * 0.01
    far = near[::-1] + 5.0
    values = np.stack([np.zeros((16, 1)), np.concatenate([near - 4.9, far])], axis=1)
    strata = ["a"] * 8 + ["b"] * 8
    apart = probability_best(values, strata=strata).p_best[1, 0]
    assert apart > 0.999  # +0.05 in the mean, in each of two tight strata
    assert 0.3 < probability_best(values).p_best[1, 0] < 0.7
    found = stratified_mean(values[:, 1, 0], strata)
    error = np.sqrt(2 * near.var(ddof=1) / 8) / 2
    assert found.mean == pytest.approx(np.mean([near.mean() - 4.9, far.mean()]))
    assert found.df == pytest.approx(14)
    assert found.high - found.mean == pytest.approx(stats.t.ppf(0.975, 14) * error)
    constant = stratified_mean([0.1] * 3 + [0.3] * 6, ["a"] * 3 + ["b"] * 6)
    assert constant.low == constant.mean == constant.high == pytest.approx(0.2)
    one = stratified_mean(near[:, 0], ["a"] * 8)
    low, high = stats.t.interval(0.95, 7, near.mean(), stats.sem(near[:, 0]))
    assert (one.low, one.high) == pytest.approx((low, high))


def test_learners_that_say_the_same_share_the_probability():
    values = np.array([[[1.0], [1.0], [0.0]], [[2.0], [2.0], [1.0]]])
    np.testing.assert_allclose(probability_best(values).p_best[:, 0], [0.5, 0.5, 0.0])
    third = 0.1 + 0.2  # 0.30000000000000004
    almost = np.array([[[0.3], [third]], [[0.3], [0.3]]])
    np.testing.assert_allclose(probability_best(almost).p_best[:, 0], [0.5, 0.5])


def test_the_bootstrap_interval_of_a_mean_is_about_students():
    rng = np.random.default_rng(3)
    for n in (6, 20, 60):
        values = rng.normal(size=n)
        low, high = expanded_interval(subject_weights(n, n_resamples=20_000) @ values, n_subjects=n)
        expected = stats.t.interval(0.95, n - 1, values.mean(), stats.sem(values))
        assert low < values.mean() < high
        assert high - low == pytest.approx(expected[1] - expected[0], rel=0.15)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: probability_best(np.zeros((3, 2))), "expected an array with axes"),
        (lambda: probability_best(np.full((3, 2, 1), np.inf)), "NaN or infinite"),
        (lambda: probability_best(np.zeros((3, 2, 1)), direction="up"), "direction is 'up'"),
        (lambda: probability_best(np.zeros((3, 2, 1)), strata=["a", "b"]), "strata has shape"),
        (lambda: stratified_mean([1.0, 2.0, 3.0], ["a", "b", "b"]), "a has one subject"),
    ],
)
def test_what_cannot_be_used_is_reported_in_a_sentence(call, words):
    with pytest.raises(ValueError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.fixture(scope="module")
def two_kinds(made_up):
    """Return results where a leads and is caught up on one kind, and b is left behind by c on the other."""
    even, odd = np.hstack([WOBBLE, WOBBLE]), np.hstack([-WOBBLE, -WOBBLE])
    return made_up({
        "first": {"a": even + 1, "b": odd + np.array([0, 1]), "c": even - 5},
        "second": {"a": even - 9, "b": even, "c": np.hstack([-WOBBLE, WOBBLE + 3])},
    })  # fmt: skip


def test_the_map_has_every_kind_and_size(two_kinds):
    table = BestMap.of_results(two_kinds).table.set_index(["source", "n_train"])
    assert table["best"].to_dict() == {
        ("first", 50): "a", ("first", 500): table.loc[("first", 500), "best"],
        ("second", 50): table.loc[("second", 50), "best"], ("second", 500): "c",
    }  # fmt: skip
    assert table.loc[("first", 50), "p_best"] > 0.97
    assert table.loc[("first", 500), "p_best"] == pytest.approx(0.5, abs=0.03)
    assert {table.loc[("second", 50), "best"], table.loc[("second", 50), "second"]} == {"b", "c"}
    assert table.loc[("second", 500), "p_best"] == 1.0
    assert table.loc[("second", 500), "second"] == "b"  # neither of the others is ever best; a is far behind
    assert (table["n"] == 10).all()


def test_one_replicate_has_no_probabilities(made_up):
    with pytest.raises(WorkbenchError, match="has one replicate"):
        BestMap.of_results(made_up({"tan": {"a": [[1.0, 2.0]], "b": [[1.0, 2.0]]}}))


def test_a_source_can_be_asked_for(small):
    found = STUDY_FIGURES["best_map"].from_results(small, source="tan", learners=["nb", "tan"]).best
    assert set(found.table["source"]) == {"tan"}
    assert found.learners == ("nb", "tan")
    assert tuple(one.source for one in BestMap.of(paired_scores(small)).experiments) == (
        "naive_bayes",
        "tan",
    )


def test_lines_have_one_row_a_kind_and_size(two_kinds):
    lines = list(lines_of(best_parts(two_kinds)))
    assert lines[0] == "The best learner by IR_B (exact, marginal prior)"
    assert len(lines) == 7
    assert lines[5].split() == [
        "second",
        "500",
        "c",
        ">",
        "0.999",
        "\u2013",
        "<",
        "0.001",
        lines[5].split()[-1],
    ]
