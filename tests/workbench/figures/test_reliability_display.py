"""Whose forecasts a reliability diagram shows: bad input is reported in one sentence."""

import pytest

from workbench.figures import ReliabilityDisplay
from workbench.metrics import reliability_table

Y, FORECAST, CLASSES = [0, 1, 0, 1], [[0.8, 0.2], [0.3, 0.7], [0.6, 0.4], [0.6, 0.4]], ["bus", "van"]


@pytest.mark.parametrize("of", [["bus"], {"bus"}, "car", 3, None])
def test_what_is_no_class_is_reported_with_the_classes(of):
    with pytest.raises(ValueError, match=r"unknown class .*; expected one of 'bus', 'van'") as caught:
        ReliabilityDisplay.from_predictions([CLASSES[i] for i in Y], FORECAST, classes=CLASSES, of=of)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("of", [["bus"], "car", 3, None])
def test_the_table_tells_it_too(of):
    with pytest.raises(ValueError, match="bus") as caught:
        reliability_table([CLASSES[i] for i in Y], FORECAST, classes=CLASSES, of=of)
    assert "\n" not in str(caught.value)
