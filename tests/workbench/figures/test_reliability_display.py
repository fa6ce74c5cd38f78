"""Whose forecasts a reliability diagram shows: bad input is reported in one sentence."""

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
