"""What is said of faults is checked: a row that is not so, and a soak that loses something, are failures."""

import io
import json
import random
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks.soak import Lost, Soak
from benchmarks.victim import NOTHING, look
from tests.faults import rows_of, table
from workbench.base.cell import Cell
from workbench.base.score_key import ScoreKey
from workbench.store.outcome import Outcome, Score
from workbench.store.writing import Store
from workbench.study.record import DesignRecord, ScoresRecord, StudyRecord

SCORES = ScoresRecord(("ir_b",), ("training",), ("test",), ("none",))
RECORD = StudyRecord("tiny", 1, (), (), DesignRecord("fresh_samples", {}), SCORES)


@pytest.fixture
def store(tmp_path) -> Path:
    """Return a store with one cell that is done and one that is in flight."""
    place = tmp_path / "s.db"
    score = Score(ScoreKey("ir_b", "training", "test", "none"), 0.5, 0)
    with Store.open(place, "tiny", 1) as opened:
        number = opened.begin_run(RECORD, None, {})
        opened.plan([(name, Cell("tan", 0, 50, name)) for name in "ab"])
        opened.hand_out("ab")
        opened.record(number, [Outcome("a", "done", "t0", "t1", scores=(score,))])
    return place


@pytest.mark.parametrize(
    "wrong",
    [
        {"times": 0},
        {"times": 1, "lost": 1},
        {"times": 1, "lost": 2, "in_flight": 1},
        {"times": 1, "scores": {"a": "1"}, "undisturbed": {"a": "2"}},
    ],
    ids=str,
)
def test_a_row_that_is_not_so_fails_its_test(tried: Callable[..., None], wrong):
    with pytest.raises(AssertionError):
        tried("something", **wrong)


def test_a_store_that_is_not_whole_fails_its_test(tried, store):
    content = store.read_bytes()
    store.write_bytes(content[:8192] + bytes(4096) + content[12288:])
    with pytest.raises((AssertionError, sqlite3.DatabaseError)):
        tried("something", times=1, stores=[store])


def test_rows_of_tests_that_passed_are_added_up_in_the_order_of_the_files():
    def report(line, **row):
        return SimpleNamespace(
            when="call", location=("f.py", line, "t"), user_properties=[("fault", json.dumps(row))]
        )

    reports = [
        report(9, what="last", times=3, lost=0),
        report(1, what="first", times=1, lost=2, in_flight=4, integrity="ok", scores="-"),
        report(5, what="first", times=1, lost=1, in_flight=2, integrity="ok", scores="-"),
    ]
    assert table(rows_of(reports)).splitlines()[2:] == [
        "| first | 2 | 6 | 3 | ok | - |",
        "| last | 3 | - | 0 | - | - |",
    ]


SPOILT = {
    "a cell that was done is pending": "UPDATE cells SET state = 'pending' WHERE identity = 'a'",
    "it has another stamp": "UPDATE cells SET finished = 't2' WHERE identity = 'a'",
    "a score is gone": "DELETE FROM scores",
    "a score has another last bit": "UPDATE scores SET value = 0.5000000000000001",
}


@pytest.mark.parametrize(("what", "live"), list(zip(SPOILT, (True, False) * 2, strict=True)))
def test_a_soak_sees_what_was_lost(store, what, live):
    work = Soak(1, io.StringIO(), time.monotonic(), random.Random(1))
    before = work.check(store, NOTHING, "something", live=live)
    assert (set(before.done), before.in_flight) == ({"a"}, {"b"})
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute(SPOILT[what])
    with pytest.raises(Lost, match=r"cells.*changed"):
        work.check(store, before, "something", live=live)
    assert "something: " in work.log.getvalue()


def test_a_store_that_is_not_there_yet_holds_nothing(tmp_path):
    (tmp_path / "empty.db").touch()
    assert look(tmp_path / "none.db") == look(tmp_path / "empty.db") == NOTHING
