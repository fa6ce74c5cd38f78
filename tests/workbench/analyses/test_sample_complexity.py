"""Sample complexity: sizes against curves that are known, and what is beyond the sizes measured."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.analyses import SampleComplexity
from workbench.base.errors import WorkbenchError
from workbench.comparisons import required_sample_size
from workbench.figures import STUDY_FIGURES
from workbench.report.renderers.terminal import lines_of
from workbench.report.terminal.sizes import sample_size_parts

SIZES = [10, 30, 100, 300, 1000]
X = np.log(SIZES)


def rises(seed):
    """Return a rising curve from 0.05 to 0.95 at `SIZES`."""
    steps = np.random.default_rng(seed).random(4) + 0.05
    return 0.05 + 0.9 * np.concatenate([[0], steps.cumsum() / steps.sum()])


@given(st.integers(0, 2**32 - 1), st.floats(0.06, 0.94), st.floats(0.1, 100), st.floats(-5, 5))
def test_the_curve_has_the_share_at_the_size_found(seed, share, scale, floor):
    curve = rises(seed)
    values = np.tile(floor + scale * curve, (3, 1))
    found = required_sample_size(
        values, SIZES, ceiling=floor + scale, floor=floor, share=share, n_resamples=20
    )
    assert np.interp(math.log(found.size), X, curve) == pytest.approx(share, abs=1e-9)
    assert (found.low, found.high) == pytest.approx((found.size, found.size), rel=1e-6)
    assert found.p_reached == 1.0
    np.testing.assert_allclose(found.curve, curve, atol=1e-9)


@given(st.integers(0, 2**32 - 1), st.floats(0.1, 0.5), st.floats(0.01, 0.4))
def test_a_larger_share_needs_no_fewer_rows(seed, share, more):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(6, 5)) + X
    one, other = (
        required_sample_size(values, SIZES, ceiling=6.0, share=s, n_resamples=50)
        for s in (share, share + more)
    )
    assert one.size <= other.size
    assert one.low <= other.low
    assert one.high <= other.high


def test_a_curve_that_drops_again_has_the_share_where_it_last_comes_up_to_it():
    values = np.tile([0.2, 0.8, 0.4, 0.6, 0.9], (2, 1))
    found = required_sample_size(values, SIZES, ceiling=1.0, share=0.5)
    assert found.size == pytest.approx(math.sqrt(100 * 300))
    values[:, -1] = 0.3
    assert required_sample_size(values, SIZES, ceiling=1.0, share=0.5).size == math.inf


def test_what_is_reached_at_once_is_the_smallest_size():
    found = required_sample_size(np.ones((2, 3)), [10, 20, 30], ceiling=1.0, share=0.9)
    assert (found.size, found.low, found.high) == (10.0, 10.0, 10.0)
    one = required_sample_size([[0.5], [0.7]], [10], ceiling=1.0, share=0.55)
    assert one.size == 10.0
    assert one.high == math.inf
    assert 0 < one.p_reached < 1


def test_between_sizes_that_are_far_apart_no_number_is_known_and_the_interval_reaches_to_both():
    noise = np.array([-0.02, 0.0, 0.02])[:, None]
    values = noise + np.array([0.2, 0.8, 0.9])
    coarse = required_sample_size(values, [10, 5000, 9000], ceiling=1.0, share=0.5)
    assert (coarse.is_interval, coarse.left, coarse.right) == (True, 10.0, 5000.0)
    assert (coarse.low, coarse.high, coarse.widened) == (10.0, 5000.0, (True, True))
    fine = required_sample_size(values, [10, 100, 900], ceiling=1.0, share=0.5)
    assert (fine.is_interval, fine.left, fine.right, fine.widened) == (False, 10.0, 100.0, (False, False))
    assert 10 < fine.low < fine.size < fine.high < 100


def test_an_end_of_an_interval_between_sizes_that_are_far_apart_is_moved_out():
    # On average the share is had just after 5000 rows, on some truths before: nobody knows how long before.
    values = np.array([[0.2, 0.55, 0.9], [0.2, 0.40, 0.9], [0.2, 0.45, 0.9], [0.2, 0.50, 0.9]])
    found = required_sample_size(values, [10, 5000, 9000], ceiling=1.0, share=0.5)
    assert 5000 < found.size < 9000
    assert not found.is_interval
    assert (found.low, found.widened) == (10.0, (True, False))
    never = required_sample_size(values[:, :2], [10, 5000], ceiling=1.0, share=0.5)
    assert (never.size, never.low, never.high) == (math.inf, 10.0, math.inf)
    assert (never.left, never.right, never.is_interval) == (5000.0, math.inf, False)


@given(st.integers(0, 2**32 - 1), st.floats(0.1, 0.8))
def test_the_interval_holds_the_size_and_ends_in_no_wide_gap(seed, share):
    sizes = [5, 40, 1000, 3000, 90_000]
    values = np.random.default_rng(seed).random((4, 5)) * [0.2, 0.6, 0.9, 1.2, 1.5]
    found = required_sample_size(values, sizes, ceiling=1.0, share=share, n_resamples=100)
    assert found.left <= found.size * (1 + 1e-9)
    assert found.size <= found.right * (1 + 1e-9)
    if found.is_interval:
        assert found.low <= found.left < found.right <= found.high
    for end in (found.low, found.high):
        assert not any(a * (1 + 1e-9) < end < b * (1 - 1e-9) for a, b in ((40, 1000), (3000, 90_000)))


def test_small_scores_can_be_the_good_ones():
    # A loss that falls from 2 to 1 with a floor of 2 and a ceiling of 0: half of the way at the end.
    values = np.tile([2.0, 1.5, 1.0], (2, 1))
    found = required_sample_size(values, [10, 100, 1000], ceiling=0.0, floor=2.0, share=0.25)
    assert found.size == pytest.approx(100)


def test_truths_with_little_to_learn_do_not_count_as_much_as_others():
    values, ceiling = np.array([[0.0, 0.0], [1.0, 1.5]]), np.array([[0.001], [2.0]])
    found = required_sample_size(values, [10, 1000], ceiling=ceiling, share=0.5)
    assert found.curve == pytest.approx((1 / 2.001, 1.5 / 2.001))


@pytest.mark.slow
def test_intervals_hold_the_true_size_as_often_as_they_say():
    """Over 300 simulations of a curve linear in log size; at 0.95 three standard errors are 0.038."""
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(300):
        ceiling = 1 + 0.3 * rng.normal(size=(20, 1))
        values = ceiling * (0.2 + 0.15 * (X - X[0])) + 0.1 * rng.normal(size=(20, 5))
        found = required_sample_size(values, SIZES, ceiling=ceiling, share=0.5, n_resamples=1000)
        held += found.low <= math.exp(X[0] + 2) <= found.high
    assert 0.90 < held / 300 < 0.99


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"share": 1.0}, "share is 1.0"),
        ({"ceiling": 0.0}, "5 and 50"),
        ({"ceiling": [1.0, 1.0, 1.0]}, "ceiling has shape"),
        ({"values": [[0.0, 1.0]]}, "1 subject"),
    ],
)
def test_what_cannot_be_used_is_reported_in_a_sentence(options, words):
    given = {"values": [[0.0, 1.0], [0.0, 1.0]], "sizes": [5, 50], "ceiling": 1.0, "share": 0.5, **options}
    with pytest.raises(ValueError, match=words) as caught:
        required_sample_size(given.pop("values"), given.pop("sizes"), **given)
    assert "\n" not in str(caught.value)


@pytest.fixture(scope="module")
def results(made_up):
    """Return a study where "quick" has 50% at 50 rows, "slow" at the root of 50 * 500, "never" nowhere."""
    truths = np.array([[1.0], [2.0], [3.0]])
    curves = {"quick": [0.6, 0.95], "slow": [0.4, 0.6], "never": [0.1, 0.2], "truth": [1, 1], "prior": [0, 0]}
    of_learners = {key: truths * curve for key, curve in curves.items()}
    return made_up({"tan": of_learners, "aode": of_learners})


def test_a_study_says_which_sizes_are_needed(results):
    table = SampleComplexity.of_results(results).table.set_index(["source", "learner", "share"])
    assert table["label"].to_dict() == {
        (source, *place): label
        for source in ("tan", "aode")
        for place, label in {
            ("quick", 0.5): "<= 50", ("quick", 0.9): "360", ("slow", 0.5): "158", ("slow", 0.9): "> 500",
            ("never", 0.5): "> 500", ("never", 0.9): "> 500",
        }.items()
    }  # fmt: skip
    assert table.loc[("tan", "slow", 0.5), "n_train"] == pytest.approx(math.sqrt(50 * 500))


@pytest.fixture(scope="module")
def coarse(made_up):
    """Return a study on 10, 100 and 5000 rows: "near" has 50% at 32 rows, "far" somewhere after 100."""
    truths = np.array([[1.0], [2.0], [3.0]])
    curves = {"near": [0.3, 0.7, 0.8], "far": [0.2, 0.3, 0.8], "truth": [1, 1, 1], "prior": [0, 0, 0]}
    of_learners = {key: truths * curve for key, curve in curves.items()}
    return made_up({"tan": of_learners}, sizes=(10, 100, 5000))


def test_a_coarse_study_says_between_which_sizes(coarse):
    found = SampleComplexity.of_results(coarse, shares=[0.25, 0.5])
    table = found.table.set_index(["learner", "share"])
    assert table["label"].to_dict() == {
        ("near", 0.25): "<= 10", ("near", 0.5): "32", ("far", 0.25): "32", ("far", 0.5): "100 to 5000",
    }  # fmt: skip
    assert (table.loc[("far", 0.5), "low"], table.loc[("far", 0.5), "high"]) == (100, 5000)
    assert found.is_coarse
    assert not SampleComplexity.of_results(coarse, shares=[0.25]).is_coarse
    lines = list(lines_of(sample_size_parts(coarse, shares=(0.25, 0.5))))
    assert lines[3].endswith("100 to 5000 (100, 5000)")
    assert len(list(lines_of(sample_size_parts(coarse, shares=(0.25,))))) == len(lines) - 1


def test_the_figure_draws_a_bar_where_no_number_is_known(coarse, results):
    display = STUDY_FIGURES["sample_complexity"].from_results(coarse).plot()
    bars = [c for c in display.ax_.collections if c.get_linewidth()[0] > 4]
    assert [bar.get_segments()[0][:, 0].tolist() for bar in bars] == [[100, 5000]]
    markers = [x for line in display.ax_.lines if line.get_linestyle() == "None" for x in line.get_xdata()]
    assert len(markers) == 3
    assert "bars" not in STUDY_FIGURES["sample_complexity"].from_results(results).caption


def test_a_loss_is_measured_from_the_class_frequencies(made_up):
    keys = [("log_loss", "none", "exact", "none")]
    wide = {"nb": [2.0, 1.2], "tan": [1.9, 1.05], "prior": [2.0, 2.0], "truth": [1.0, 1.0]}
    study = {"tan": {key: np.tile(values, (2, 1)) for key, values in wide.items()}}
    found = SampleComplexity.of_results(made_up(study, keys=keys), shares=[0.4])
    assert found.floor == "the class frequencies (prior)"
    assert found.needed["tan", "nb", 0.4].size == pytest.approx(math.sqrt(50 * 500))
    del study["tan"]["prior"]
    with pytest.raises(WorkbenchError, match='"prior"'):
        SampleComplexity.of_results(made_up(study, keys=keys))


def test_what_a_study_lacks_is_reported_in_a_sentence(made_up, results):
    with pytest.raises(WorkbenchError, match=r'tan .*"truth"'):
        SampleComplexity.of_results(made_up({"tan": {"a": np.ones((2, 2)), "b": np.ones((2, 2))}}))
    with pytest.raises(WorkbenchError, match="share is 2"):
        SampleComplexity.of_results(results, shares=[2])


def test_the_figure_marks_sizes_and_points_beyond_the_largest(results):
    display = STUDY_FIGURES["sample_complexity"].from_results(results).plot()
    markers = [line for line in display.ax_.lines if line.get_linestyle() == "None"]
    named = {
        line.get_label(): sorted(np.round(line.get_xdata())) for line in markers if line.get_marker() != ">"
    }
    assert named == {"50%": [50, 50, 158, 158], "90%": [360, 360]}
    arrows = [line for line in markers if line.get_marker() == ">"]
    assert sum(len(line.get_xdata()) for line in arrows) == 6
    names = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert names == ["TAN", "quick", "slow", "never", "AODE", "quick", "slow", "never"]
    one = STUDY_FIGURES["sample_complexity"].from_results(results, source="aode").plot()
    assert [label.get_text() for label in one.ax_.get_yticklabels()] == ["quick", "slow", "never"]
