"""The page of equality with the original programs is true, and nearly everything on it is equal."""

import runpy
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = runpy.run_path(str(ROOT / "docs" / "scripts" / "equality_table.py"))
PAGE = ROOT / "docs" / "reference" / "equality.md"
COMPARISONS = SCRIPT["comparisons"]()


@cache
def row(comparison):
    return SCRIPT["Row"](comparison, comparison.result())


def here():
    return [one for one in COMPARISONS if SCRIPT["find"](one.table) is not None]


@pytest.mark.slow
def test_the_page_is_what_the_script_writes(tmp_path: Path) -> None:
    missing = {one.table for one in COMPARISONS} - {one.table for one in here()}
    if missing:
        pytest.skip(f"{', '.join(sorted(missing))} are not in the data folder")
    page = tmp_path / PAGE.name
    page.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    SCRIPT["write"](page, tuple(map(row, COMPARISONS)), SCRIPT["glass_nodes"]())
    for written in (page, *tmp_path.glob("tables/*")):
        kept = PAGE.parent / written.relative_to(tmp_path)
        assert written.read_bytes() == kept.read_bytes(), (
            "write it anew: python docs/scripts/equality_table.py"
        )


@pytest.mark.slow
def test_what_differs_is_what_has_a_reason() -> None:
    rows = [row(one) for one in here()]
    assert len(rows) > 40
    differ = {one.comparison.key for one in rows if not one.equal}
    assert differ == set(SCRIPT["REASONS"]) & {one.comparison.key for one in rows}
