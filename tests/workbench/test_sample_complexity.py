"""Sample complexity: sizes against curves that are known, and what is beyond the sizes measured."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.analyses import SampleComplexity
from workbench.comparisons import size_needed
from workbench.errors import WorkbenchError
from workbench.figures import STUDY_FIGURES
from workbench.size_lines import needed_lines

SIZES = [10, 30, 100, 300, 1000]
X = np.log(SIZES)


def rises(seed):
    """Give a rising curve from 0.05 to 0.95 at `SIZES`."""
    steps = np.random.default_rng(seed).random(4) + 0.05
    return 0.05 + 0.9 * np.concatenate([[0], steps.cumsum() / steps.sum()])


@given(st.integers(0, 2**32 - 1), st.floats(0.06, 0.94), st.floats(0.1, 100), st.floats(-5, 5))
def test_the_curve_has_the_share_at_the_size_found(seed, share, scale, floor):
    curve = rises(seed)
    values = np.tile(floor + scale * curve, (3, 1))
    found = size_needed(values, SIZES, ceiling=floor + scale, floor=floor, share=share, n_resamples=20)
    assert np.interp(math.log(found.size), X, curve) == pytest.approx(share, abs=1e-9)
    assert (found.low, found.high) == pytest.approx((found.size, found.size), rel=1e-6)
    assert found.p_reached == 1.0
    np.testing.assert_allclose(found.curve, curve, atol=1e-9)


@given(st.integers(0, 2**32 - 1), st.floats(0.1, 0.5), st.floats(0.01, 0.4))
def test_a_larger_share_needs_no_fewer_rows(seed, share, more):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(6, 5)) + X
    one, other = (
        size_needed(values, SIZES, ceiling=6.0, share=s, n_resamples=50) for s in (share, share + more)
    )
    assert one.size <= other.size
    assert one.low <= other.low
    assert one.high <= other.high


def test_a_curve_that_drops_again_has_the_share_where_it_last_comes_up_to_it():
    values = np.tile([0.2, 0.8, 0.4, 0.6, 0.9], (2, 1))
    found = size_needed(values, SIZES, ceiling=1.0, share=0.5)
    assert found.size == pytest.approx(math.sqrt(100 * 300))
    values[:, -1] = 0.3
    assert size_needed(values, SIZES, ceiling=1.0, share=0.5).size == math.inf


def test_what_is_reached_at_once_is_the_smallest_size():
    found = size_needed(np.ones((2, 3)), [10, 20, 30], ceiling=1.0, share=0.9)
    assert (found.size, found.low, found.high) == (10.0, 10.0, 10.0)
    one = size_needed([[0.5], [0.7]], [10], ceiling=1.0, share=0.55)
    assert one.size == 10.0
    assert one.high == math.inf
    assert 0 < one.p_reached < 1


def test_small_scores_can_be_the_good_ones():
    # A loss that falls from 2 to 1 with a floor of 2 and a ceiling of 0: half of the way at the end.
    values = np.tile([2.0, 1.5, 1.0], (2, 1))
    found = size_needed(values, [10, 100, 1000], ceiling=0.0, floor=2.0, share=0.25)
    assert found.size == pytest.approx(100)


def test_truths_with_little_to_learn_do_not_count_as_much_as_others():
    values, ceiling = np.array([[0.0, 0.0], [1.0, 1.5]]), np.array([[0.001], [2.0]])
    found = size_needed(values, [10, 1000], ceiling=ceiling, share=0.5)
    assert found.curve == pytest.approx((1 / 2.001, 1.5 / 2.001))


@pytest.mark.slow
def test_intervals_hold_the_true_size_as_often_as_they_say():
    """Over 300 simulations of a curve linear in log size; at 0.95 three standard errors are 0.038."""
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(300):
        ceiling = 1 + 0.3 * rng.normal(size=(20, 1))
        values = ceiling * (0.2 + 0.15 * (X - X[0])) + 0.1 * rng.normal(size=(20, 5))
        found = size_needed(values, SIZES, ceiling=ceiling, share=0.5, n_resamples=1000)
        held += found.low <= math.exp(X[0] + 2) <= found.high
    assert 0.90 < held / 300 < 0.99


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"share": 1.0}, "share is 1.0"),
        ({"ceiling": 0.0}, "not on one side of the mean floor"),
        ({"ceiling": [1.0, -1.0]}, "not on one side of the mean floor"),
        ({"ceiling": [1.0, 1.0, 1.0]}, "ceiling has shape"),
        ({"ceiling": np.nan}, "ceiling has NaN or infinite entries"),
        ({"sizes": [5, 5]}, "ascending order"),
        ({"values": [[0.0, 1.0]]}, "1 subject"),
    ],
)
def test_what_cannot_be_used_is_told_in_a_sentence(options, words):
    given = {"values": [[0.0, 1.0], [0.0, 1.0]], "sizes": [5, 50], "ceiling": 1.0, "share": 0.5, **options}
    with pytest.raises(ValueError, match=words) as caught:
        size_needed(given.pop("values"), given.pop("sizes"), **given)
    assert "\n" not in str(caught.value)


@pytest.fixture(scope="module")
def results(made_up):
    """Give a study where "quick" has 50% at 50 rows, "slow" at the root of 50 * 500, "never" nowhere."""
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


def test_a_loss_is_measured_from_the_class_frequencies(made_up):
    keys = [("log_loss", "none", "exact", "none")]
    wide = {"nb": [2.0, 1.2], "tan": [1.9, 1.05], "prior": [2.0, 2.0], "truth": [1.0, 1.0]}
    study = {"tan": {key: np.tile(values, (2, 1)) for key, values in wide.items()}}
    found = SampleComplexity.of_results(made_up(study, keys=keys), shares=[0.4])
    assert found.floor == "the class frequencies (prior)"
    assert found.needed["tan", "nb", 0.4].size == pytest.approx(math.sqrt(50 * 500))
    del study["tan"]["prior"]
    with pytest.raises(WorkbenchError, match='add "prior" to the learners'):
        SampleComplexity.of_results(made_up(study, keys=keys))


def test_what_a_study_lacks_is_told_in_a_sentence(made_up, results):
    with pytest.raises(
        WorkbenchError, match=r'tan has no score of the truth .*: add "truth" to the learners'
    ):
        SampleComplexity.of_results(made_up({"tan": {"a": np.ones((2, 2)), "b": np.ones((2, 2))}}))
    with pytest.raises(WorkbenchError, match="on tan: share is 2: give a number between 0 and 1"):
        SampleComplexity.of_results(results, shares=[2])
    with pytest.raises(WorkbenchError, match="there is no source 'tann' here: did you mean 'tan'"):
        SampleComplexity.of_results(results, source="tann")


def test_the_figure_marks_sizes_and_points_beyond_the_largest(results):
    display = STUDY_FIGURES["sample_complexity"].from_results(results).plot()
    marks = [line for line in display.ax_.lines if line.get_linestyle() == "None"]
    named = {
        line.get_label(): sorted(np.round(line.get_xdata())) for line in marks if line.get_marker() != ">"
    }
    assert named == {"50%": [50, 50, 158, 158], "90%": [360, 360]}
    arrows = [line for line in marks if line.get_marker() == ">"]
    assert sum(len(line.get_xdata()) for line in arrows) == 6
    names = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert names == ["tan", "quick", "slow", "never", "aode", "quick", "slow", "never"]
    one = STUDY_FIGURES["sample_complexity"].from_results(results, source="aode").plot()
    assert [label.get_text() for label in one.ax_.get_yticklabels()] == ["quick", "slow", "never"]
    assert one.caption.endswith("50 rows: that many or fewer.")


def test_the_figure_fits_into_its_frame(results):
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from workbench.figures.style import settings

    with mpl.rc_context(settings()):
        figure = STUDY_FIGURES["sample_complexity"].from_results(results).sketch()
        FigureCanvasAgg(figure).draw()
        whole = figure.get_tightbbox(figure.canvas.get_renderer())
        width, height = figure.get_size_inches()
        assert whole.x0 > -0.02
        assert whole.x1 < width + 0.05
        assert whole.y1 < height + 0.02


def test_lines_have_one_row_a_learner(results):
    lines = list(needed_lines(results, shares=(0.5, 0.9), source="tan"))
    assert lines[2].split()[:4] == ["tan", "quick", "<=", "50"]
    assert lines[3].split()[:3] == ["tan", "slow", "158"]
    assert len(lines) == 7
