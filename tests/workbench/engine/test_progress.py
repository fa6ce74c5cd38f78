"""Progress in a log: when a line is due, and what it says of the time left."""

import re
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from workbench.base.cell import Cell
from workbench.engine import progress
from workbench.engine.progress import BarProgress, Compiling, PlainProgress
from workbench.engine.remaining_work import WorkLeft
from workbench.store.outcome import Outcome


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


def test_the_wait_for_compilation_is_told_with_its_seconds(clock, capsys):
    shown = PlainProgress()
    shown.start(to_do=10, found=0)
    told = Compiling(shown)
    told(True)
    clock[0] += 4.0
    told(True)  # in another process
    clock[0] += 8.0
    told(False)
    clock[0] += 1.0
    told(False)
    clock[0] += 30.0
    told(True)
    clock[0] += 2.0
    told(False)
    told.end()
    lines = capsys.readouterr().err.splitlines()
    assert [re.findall(r"\d+ s\b", line) for line in lines] == [[], [], ["12 s"], ["13 s"], ["15 s"]]


def test_a_display_of_four_verbs_can_be_told_of_compilation(clock):
    verbs = dict.fromkeys(("start", "advance", "stop"), None)
    noted = []
    told = Compiling(SimpleNamespace(note=noted.append, **verbs))
    told(True)
    clock[0] += 0.9
    told(False)
    told.end()
    assert len(noted) == 1  # nothing of a wait below a second


def test_a_stage_between_units_is_told_with_the_time_left(clock, capsys):
    shown = PlainProgress("rows")
    shown.start(to_do=300, found=0)
    shown.advance(100, 0)
    clock[0] += 9.0
    shown.stage("facts of model 1 of 3")  # too early for a line
    shown.advance(100, 0)
    clock[0] += 9.0
    shown.stage("facts of model 2 of 3")
    shown.stage("facts of model 2 of 3")
    lines = capsys.readouterr().err.splitlines()
    assert lines[1:] == ["facts of model 2 of 3, about 0:00:18 left"]
    bar = BarProgress("rows")
    bar.start(to_do=300, found=0)
    bar.stage("facts of model 1 of 3")
    bar.stop()
    assert "facts of model 1 of 3" in capsys.readouterr().err


def test_the_time_left_is_that_of_the_work_where_slow_learners_come_late(clock, capsys):
    cells = [Cell("tan", i, 50, learner) for learner in ("quick", "slow") for i in range(10)]
    shown, work = PlainProgress(), WorkLeft(cells)
    shown.start(len(cells), 0)
    shown.follow(work)
    began = datetime(2000, 1, 1, tzinfo=UTC)
    for cell in [cells[0], cells[10], *cells[1:10], *cells[11:15]]:
        took = 1 if cell.learner == "quick" else 100
        clock[0] += took
        ends = (began.isoformat(), (began + timedelta(seconds=took)).isoformat())
        work.end(cell, Outcome("", "done", *ends))
        shown.advance(1, 0)
    assert capsys.readouterr().err.splitlines()[-1] == "15 of 20 cells, about 0:08:20 left"
    other = WorkLeft([Cell("tan", 0, 50, "nb"), Cell("tan", 0, 500, "nb"), Cell("tan", 0, 50, "new")])
    other.end(Cell("tan", 0, 50, "nb"), Outcome("", "done", *ends))
    assert (other.done, other.left(now=0.0)) == (100, 1000 + 100)
