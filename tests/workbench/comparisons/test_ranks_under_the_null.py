"""The script about ranks and posteriors of equal learners, on small worlds; its page has 2000 simulations."""

import importlib
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[3] / "docs" / "scripts"


@pytest.mark.slow
def test_ranks_and_posteriors_of_equal_learners_err_as_often_as_promised(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    script = importlib.import_module("ranks_under_the_null")
    alarms = script.rank_alarms(script.RANK_WORLDS[0], 200, seed=11)
    assert len(alarms) == 6
    for test, found in alarms.items():
        assert len(found) == 200
        assert 0.01 < found.mean() < 0.1, test
    decided = {name: one.mean() for name, one in script.signed_decisions(14, False, 30, seed=11).items()}
    assert decided["no region, equal: better or worse"] < 0.25
    assert decided["wide region, equal: better or worse"] < 0.1
    assert decided["wide region, equal: practically equal (right)"] > 0.5
