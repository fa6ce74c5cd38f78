"""The budget of the tests: what is counted, what is told, and how a run over it ends."""

from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from tests import budget
from tests.budget import Budget

TIMES = {"tests/a.py::cheap": 2.0, "tests/a.py::dear": 30.0}  # seconds; a unit is two


@pytest.fixture
def clock(monkeypatch):
    """Return the processor time, which tests spend at will."""
    found = SimpleNamespace(seconds=0.0)
    monkeypatch.setattr(budget, "spent", lambda: found.seconds)
    monkeypatch.setattr(budget, "unit", lambda: 2.0)
    monkeypatch.setattr(budget, "Compilation", lambda: SimpleNamespace(seconds=0.0))
    return found


def ran(clock, limit, compiled=0.0):
    """Run two tests by the hooks, and return the exit code and the lines in the end."""
    options = {"--seconds-to": None, "--budget": limit}
    plugin = Budget(SimpleNamespace(getoption=options.get))
    for name, seconds in TIMES.items():
        item = SimpleNamespace(nodeid=name, get_closest_marker=lambda mark: None)
        protocol = plugin.pytest_runtest_protocol(item)
        next(protocol)
        clock.seconds += seconds + compiled
        plugin._compilation.seconds += compiled
        report = SimpleNamespace(when="teardown", user_properties=[])
        made = plugin.pytest_runtest_makereport(item, SimpleNamespace(when="teardown"))
        next(made)
        with pytest.raises(StopIteration):
            made.send(report)
        plugin.pytest_runtest_logreport(report)
    session, lines = SimpleNamespace(exitstatus=pytest.ExitCode.OK), []
    plugin.pytest_sessionfinish(session)
    plugin.pytest_terminal_summary(SimpleNamespace(write_line=lambda line, **options: lines.append(line)))
    return session.exitstatus, lines


def test_over_the_budget_the_run_fails_and_lists_the_dearest_tests(clock):
    code, lines = ran(clock, 15.9)
    assert code == 1
    listed = [line.split() for line in lines[-2:]]
    assert listed == [["15.0", "tests/a.py::dear"], ["1.0", "tests/a.py::cheap"]]


def test_at_the_budget_the_run_passes_and_compilation_is_not_counted(clock):
    code, lines = ran(clock, 16.0, compiled=100.0)
    assert code == 0
    assert len(lines) == 1
    assert "16 units of 16" in lines[0]


def test_seconds_of_compilation_are_added_up(monkeypatch):
    monkeypatch.setattr("generators.base.compiled.when_compiling", lambda tell: nullcontext())
    found, moments = budget.Compilation(), iter([1.0, 4.0, 10.0, 10.5])
    monkeypatch.setattr(budget, "time", SimpleNamespace(process_time=lambda: next(moments)))
    for begins in (True, False, True, False):
        found._told(begins)
    assert found.seconds == 3.5
