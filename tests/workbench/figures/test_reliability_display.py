"""Whose forecasts a reliability diagram shows: bad input is reported in one sentence."""

import numpy as np
import pytest

from workbench.figures import ReliabilityDisplay
from workbench.metrics import reliability_table

Y, FORECAST, CLASSES = [0, 1, 0, 1], [[0.8, 0.2], [0.3, 0.7], [0.6, 0.4], [0.6, 0.4]], ["bus", "van"]


@pytest.mark.parametrize("positive", [["bus"], "car"])
def test_what_is_no_class_is_reported_with_the_classes(positive):
    with pytest.raises(ValueError, match=r"'bus', 'van'") as caught:
        ReliabilityDisplay.from_predictions(
            [CLASSES[i] for i in Y], FORECAST, classes=CLASSES, positive=positive
        )
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("of", [["bus"], None])
def test_the_table_tells_it_too(of):
    with pytest.raises(ValueError, match="bus") as caught:
        reliability_table([CLASSES[i] for i in Y], FORECAST, classes=CLASSES, of=of)
    assert "\n" not in str(caught.value)


def shown(forecast, **options):
    display = ReliabilityDisplay.from_predictions([0, 1, 0, 1], forecast, n_bins=4, **options)
    (table,) = display.tables.values()
    return display.whose, table


def test_of_two_classes_the_positive_one_is_shown_which_is_the_second():
    whose, table = shown(FORECAST)
    assert whose == "class 1"
    expected = reliability_table(Y, FORECAST, of=1, n_bins=4)
    assert table.n.tolist() == expected.n.tolist()
    assert table.mean_forecast[0] < 0.5  # the predicted class has at least one half


def test_another_class_is_shown_on_demand():
    whose, table = shown(FORECAST, positive=0)
    assert whose == "class 0"
    assert table.n.tolist() == reliability_table(Y, FORECAST, of=0, n_bins=4).n.tolist()


def test_of_more_classes_the_predicted_one_is_shown():
    rows = [[*row, 0.0] for row in FORECAST]
    assert shown(rows)[0] == "the predicted class"
    assert shown(rows, positive=2)[0] == "class 2"
    assert shown(FORECAST, of="predicted")[0] == "the predicted class"


def test_bars_and_markers_stay_in_the_rows_of_their_learners():
    display = ReliabilityDisplay.from_predictions(Y, {"a": FORECAST, "b": FORECAST}, n_bins=4)
    ax = display.plot().ax_
    tops = [bar.get_y() + bar.get_height() for bar in ax.patches]
    bases = sorted({bar.get_y() for bar in ax.patches})
    assert len(bases) == 2
    markers = [line.get_ydata()[0] for line in ax.lines if line.get_xdata()[0] < 0]
    assert len(markers) == 2
    step = bases[1] - bases[0]
    for y in (*tops, *markers):
        assert any(base < y < base + step for base in bases)


def rare():
    """Outcomes and calibrated forecasts of a class of 3%."""
    rng = np.random.default_rng(0)
    p = rng.beta(0.6, 19.0, 20_000)
    return (rng.random(p.size) < p).astype(int), np.column_stack([1.0 - p, p])


def places(ax):
    (points, *_) = ax.containers[0]
    return points.get_xydata()


def test_a_rare_class_fills_the_axes_which_say_where_they_end():
    display = ReliabilityDisplay.from_predictions(*rare(), strategy="quantile")
    ax = display.plot().ax_
    assert ax.get_xlim()[1] < 0.2
    assert places(ax).max() > 0.85 * ax.get_xlim()[1]
    assert ax.get_yticks().min() == 0.0
    assert "Both axes end at 0.1" in display.caption
    whole = ReliabilityDisplay.from_predictions(Y, FORECAST)
    assert whole.plot().ax_.get_xlim() == (-0.06, 1.02)
    assert "end at" not in whole.caption


def test_log_odds_spread_a_rare_class_and_the_diagonal_stays():
    y, rows = rare()
    display = ReliabilityDisplay.from_predictions(y, rows, strategy="quantile", scale="log_odds")
    ax = display.plot().ax_
    x = places(ax)[:, 0]
    expected = reliability_table(y, rows, of=1, strategy="quantile").mean_forecast
    assert 1.0 / (1.0 + np.exp(-x)) == pytest.approx(expected)
    diagonal = ax.lines[0].get_xydata()
    assert (diagonal[:, 0] == diagonal[:, 1]).all()
    assert [tick.get_text() for tick in ax.get_xticklabels()] == [
        tick.get_text() for tick in ax.get_yticklabels()
    ]
    assert ".01" in [tick.get_text() for tick in ax.get_xticklabels()]


def test_frequencies_of_0_and_1_stand_open_at_the_ends_of_log_odds():
    rows = np.repeat([[0.9, 0.1], [0.3, 0.7], [0.1, 0.9]], 4, axis=0)
    y = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]
    display = ReliabilityDisplay.from_predictions(y, rows, scale="log_odds")
    ax = display.plot().ax_
    assert np.isfinite(places(ax)[:, 1]).tolist() == [False, True, False]
    at_ends = ax.containers[1][0]
    assert at_ends.get_ydata() == pytest.approx(display._limits)
    assert at_ends.get_markerfacecolor() == "none"
    assert "at the ends" in display.caption


@pytest.mark.parametrize("far", [1e-4, 1e-9, 1e-40, 1e-250])
def test_log_odds_have_a_few_ticks_however_far_they_reach(far):
    rows = [[1.0 - far, far], [0.5, 0.5], [0.5, 0.5], [1.0 - far, far]]
    display = ReliabilityDisplay.from_predictions([0, 0, 1, 0], rows, scale="log_odds")
    words = [tick.get_text() for tick in display.plot().ax_.get_xticklabels()]
    assert 2 <= len(words) <= 7
    assert len(set(words)) == len(words)
