"""The quick tests and their processor time: where it goes, and a limit that a slow machine does not reach.

A test's seconds are those of its process and of the processes that it waited for. Compilation of kernels is
left out, as it happens once on a machine. The budget counts seconds in units of a fixed piece of work, timed
anew in the same process every few seconds.

    pytest --quick               leave out slow tests, browsers and processes, as `make test` does
    pytest --seconds-to FILE     write what each test took
    pytest --budget UNITS        fail if all together took more
"""

import json
import os
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

PROPERTY = "processor_time"
MARKS = ("slow", "browser", "process")
SECONDS_BETWEEN = 5.0  # of processor time, between two timings of the unit


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out tests marked " + ", ".join(MARKS))
    parser.addoption("--seconds-to", type=Path, help="write the processor time of each test into a file")
    parser.addoption("--budget", type=float, help="fail if all tests took more units of processor time")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--quick"):
        settings.load_profile("quick")  # of tests/conftest.py
    if config.getoption("--seconds-to") or config.getoption("--budget"):
        config.pluginmanager.register(Budget(config), "budget")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--quick"):
        left_out = [item for item in items if any(map(item.get_closest_marker, MARKS))]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


def spent() -> float:
    """Return the processor time of this process and of those that it has waited for, in seconds."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def unit() -> float:
    """Return the seconds that a fixed piece of work takes: a loop, small arrays and a large one."""
    took = []
    for _ in range(3):
        before = time.process_time()
        total = 0
        for i in range(60_000):
            total += i % 7
        for _ in range(1_000):
            np.arange(40.0).reshape(8, 5).sum(axis=0)
        np.sort(np.arange(100_000.0)[::-1] % 1000.0)
        took.append(time.process_time() - before)
    return statistics.median(took)


class Compilation:
    """Adds up the processor time in which this process compiles kernels."""

    def __init__(self) -> None:
        from generators.base.compiled import when_compiling

        self.seconds, self._since = 0.0, 0.0
        self._listening = when_compiling(self._told)  # until the process ends
        self._listening.__enter__()

    def _told(self, begins: bool) -> None:
        now = time.process_time()
        if not begins:
            self.seconds += now - self._since
        self._since = now


class Budget:
    """Times the tests of this process, and adds up those of all."""

    def __init__(self, config: pytest.Config) -> None:
        self._to: Path | None = config.getoption("--seconds-to")
        self._limit: float | None = config.getoption("--budget")
        self._gathers = not hasattr(config, "workerinput")
        self._started = time.monotonic()
        self._compilation = Compilation()
        self._unit, self._timed = unit(), spent()
        self._tests: list[dict[str, Any]] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._began, self._compiled = spent(), self._compilation.seconds
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
        report: Any = yield
        if call.when == "teardown":
            compiled = self._compilation.seconds - self._compiled
            seconds = spent() - self._began - compiled
            marks = [mark for mark in MARKS if item.get_closest_marker(mark)]
            row = {"test": item.nodeid, "seconds": seconds, "compiled": compiled,
                   "units": seconds / self._unit, "marks": marks}  # fmt: skip
            report.user_properties.append((PROPERTY, row))
            if spent() - self._timed > SECONDS_BETWEEN:
                self._unit, self._timed = unit(), spent()
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self._gathers and report.when == "teardown":
            self._tests += [row for name, row in report.user_properties if name == PROPERTY]

    def _sum(self, what: str) -> float:
        return sum(row[what] for row in self._tests)

    @property
    def _is_over(self) -> bool:
        return self._limit is not None and self._sum("units") > self._limit

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not self._gathers:
            return
        if self._to:
            wall = time.monotonic() - self._started
            self._to.write_text(json.dumps({"wall": wall, "load": os.getloadavg()[1], "tests": self._tests}))
        if self._is_over and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.write_line(
            f"processor time of {len(self._tests):,} tests: {self._sum('seconds'):.0f} s, and "
            f"{self._sum('compiled'):.0f} s of compilation; {self._sum('units'):,.0f} units"
            + (f" of {self._limit:,.0f}" if self._limit else "")
        )
        if self._is_over:
            terminalreporter.write_line("over the budget; the dearest tests, in units:", red=True)
            for row in sorted(self._tests, key=lambda row: -row["units"])[:10]:
                terminalreporter.write_line(f"{row['units']:8.1f}  {row['test']}")
