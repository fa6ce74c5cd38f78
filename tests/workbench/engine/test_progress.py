"""Progress in a log: when a line is due, and what it says of the time left."""

import pytest

from workbench.engine import progress
from workbench.engine.progress import PlainProgress


@pytest.fixture
def clock(monkeypatch):
    """Return a time that passes only when set."""
    now = [1000.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_the_time_left_is_that_of_the_cells_left_at_the_speed_after_the_first(clock, capsys):
    shown = PlainProgress()
    shown.start(to_do=100, found=40)
    clock[0] += 9.0
    shown.advance(1, 0)
    clock[0] += 18.0
    shown.advance(9, 2)  # 9 more in 18 s, so the 90 left in 180 s
    clock[0] += 3.0
    shown.advance(10, 0)
    clock[0] += 3879.0
    shown.advance(20, 0)  # 39 in 3900 s, so 60 in 6000 s
    assert capsys.readouterr().err.splitlines() == [
        "100 cells to compute, 40 already there",
        "10 of 100 cells, 2 failed, about 0:03:00 left",
        "40 of 100 cells, 2 failed, about 1:40:00 left",
    ]


def test_there_is_no_estimate_before_the_speed_says_something(clock, capsys):
    shown = PlainProgress()
    shown.start(to_do=1000, found=0)
    clock[0] += 11.0
    shown.advance(9, 0)
    clock[0] += 11.0
    shown.advance(2, 0)
    clock[0] += 11.0
    shown.advance(1, 0)
    lines = capsys.readouterr().err.splitlines()
    assert lines[1] == "9 of 1000 cells"
    assert lines[2] == "11 of 1000 cells"
    assert lines[3] == "12 of 1000 cells, about 3:01:08 left"


def test_compiling_in_the_first_cells_is_not_taken_for_their_speed(clock, capsys):
    shown = PlainProgress()
    shown.start(to_do=101, found=0)
    clock[0] += 60.0
    shown.advance(2, 0)
    for _ in range(22):
        clock[0] += 0.5
        shown.advance(1, 0)
    assert capsys.readouterr().err.splitlines()[-1] == "22 of 101 cells, about 0:00:40 left"


def test_a_second_round_has_a_speed_of_its_own(clock, capsys):
    shown = PlainProgress()
    shown.start(to_do=10, found=0)
    clock[0] += 1.0
    shown.advance(10, 0)
    shown.start(to_do=4, found=10)
    clock[0] += 5.0
    shown.advance(1, 0)
    clock[0] += 30.0
    shown.advance(1, 0)  # 1 of 4 in 30 s, so 2 in 60 s
    assert capsys.readouterr().err.splitlines()[-1] == "12 of 14 cells, about 0:01:00 left"
    assert (shown.computed, shown.found) == (12, 10)
