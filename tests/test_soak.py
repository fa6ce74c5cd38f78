"""A soak that loses something, or finds another score, is a failure."""

import io
import random
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.interruptible_run import NOTHING, look
from benchmarks.soak import Lost, Soak
from tests.documents import document
from workbench.base.cell import Cell
from workbench.base.score_key import ScoreKey
from workbench.store.outcome import Outcome, Score
from workbench.store.writing import Store

RECORD = document({}, {}, {"kind": "fresh_samples"}, {"metrics": ["ir_b"]}, name="tiny")


@pytest.fixture
def store(tmp_path) -> Path:
    """Return a store with one cell that is done and one that is in flight."""
    place = tmp_path / "s.db"
    score = Score(ScoreKey("ir_b", "training", "test", "none"), 0.5, 0)
    with Store.open(place, "tiny", 1) as opened:
        number = opened.begin_run(RECORD, {})
        opened.plan([(name, Cell("tan", 0, 50, name)) for name in "ab"])
        opened.hand_out("ab")
        opened.record(number, [Outcome("a", "done", "t0", "t1", scores=(score,))])
    return place


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
