"""The script about rows that belong together, on few data sets; its page has 400 simulations."""

import importlib
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[3] / "docs" / "scripts"


@pytest.mark.slow
def test_folds_of_patients_keep_the_level_and_splits_of_rows_do_not(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    script = importlib.import_module("groups_under_the_null")
    monkeypatch.setattr(script, "LEARNERS", {"nearest neighbor": script.nearest})
    by_rows, by_patients = (script.alarms("equal", way, 100, seed=11) for way in script.WAYS)
    assert by_rows["t of 10 random splits", "nearest neighbor"].low > 0.1
    assert by_patients["t of 5 folds", "nearest neighbor"].value < 0.13
