"""What tests did to runs, how often, and what was lost: checked when it is noted, and shown in the end."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from workbench.report.renderers.markdown import between_markers

PROPERTY = "fault"
HEADINGS = ("what was tried", "times", "cells in flight", "cells lost", "store", "final scores")
EQUAL = "equal to the bit"


@pytest.fixture
def tried(record_property) -> Callable[..., None]:
    """Return a function that checks and notes a row of the table of faults.

    The test fails if more cells were lost than were in flight, a store is not whole, or a score differs.
    """

    def note(
        what: str,
        *,
        times: int,
        lost: int = 0,
        in_flight: int | None = None,
        stores: Iterable[Path] = (),
        scores: Mapping[Any, str] | None = None,
        undisturbed: Mapping[Any, str] | None = None,
    ) -> None:
        assert times > 0, f"never tried: {what}"
        assert 0 <= lost <= (in_flight or 0), f"{lost} cells lost, {in_flight} in flight: {what}"
        found = {whole(store) for store in stores}
        assert found <= {"ok"}, f"a store is not whole: {what}"
        assert (scores is None) == (undisturbed is None)
        assert scores == undisturbed, f"scores differ: {what}"
        row = {"what": what, "times": times, "in_flight": in_flight, "lost": lost,
               "integrity": "ok" if found else "-", "scores": EQUAL if scores else "-"}  # fmt: skip
        record_property(PROPERTY, json.dumps(row))

    return note


def whole(store: Path) -> str:
    """Return what SQLite says of a store's integrity, "ok" or what is wrong."""
    with closing(sqlite3.connect(store, timeout=10)) as connection:
        return "\n".join(line for (line,) in connection.execute("PRAGMA integrity_check"))


def rows_of(reports: Iterable[Any]) -> list[dict[str, Any]]:
    """Gather the rows of tests that passed, in the order of the files; the same words are added up."""
    rows: dict[str, dict[str, Any]] = {}
    for report in sorted(reports, key=lambda report: report.location):
        for name, text in report.user_properties if report.when == "call" else ():
            if name != PROPERTY:
                continue
            row = json.loads(text)
            first = rows.setdefault(row["what"], {**row, "times": 0, "lost": 0, "in_flight": None})
            for count in ("times", "lost", "in_flight"):
                if row.get(count) is not None:
                    first[count] = (first[count] or 0) + row[count]
    return list(rows.values())


def table(rows: Iterable[Mapping[str, Any]]) -> str:
    """Write rows as a table of Markdown.

    Examples
    --------
    >>> print(table([{"what": "kill -9", "times": 2, "lost": 0}]).splitlines()[-1])
    | kill -9 | 2 | - | 0 | - | - |
    """
    lines = [f"| {' | '.join(HEADINGS)} |", "| --- | ---: | ---: | ---: | --- | --- |"]
    for row in rows:
        in_flight = row.get("in_flight")
        cells = (row["what"], row["times"], "-" if in_flight is None else in_flight, row["lost"],
                 row.get("integrity", "-"), row.get("scores", "-"))  # fmt: skip
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def pytest_addoption(parser):
    parser.addoption(
        "--faults", type=Path, metavar="PAGE", help="write the table of faults between the marks of a page"
    )


def pytest_terminal_summary(terminalreporter, config):
    rows = rows_of(terminalreporter.getreports("passed"))
    if not rows:
        return
    terminalreporter.section("faults")
    terminalreporter.write_line(table(rows))
    page = config.getoption("--faults")
    if page:
        text = page.read_text(encoding="utf-8")
        page.write_text(between_markers(text, table(rows)), encoding="utf-8")
