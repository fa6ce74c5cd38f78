"""The page of joins says what is found."""

import os
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
SCRIPT = runpy.run_path(str(DOCS / "scripts" / "joins.py"))
PAGE = (DOCS / "reference" / "joins.md").read_text(encoding="utf-8")


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_concepts_are_as_the_page_says() -> None:
    found = list(SCRIPT["concept_lines"]())
    assert len(found) == 4
    for line in found:
        assert line in PAGE.splitlines(), "write it anew: python docs/scripts/joins.py"


def test_joins_shorten_the_message_of_every_concept_by_both_codes() -> None:
    for line in SCRIPT["concept_lines"]():
        _, _, _, _, joins, saved, _, of_pattern, pattern, right = cells(line)
        assert min(int(joins), int(of_pattern)) > 0
        assert float(pattern) >= float(saved) > 10
        assert right.split(", ")[1:] == ["256", "256"]


@pytest.mark.slow
def test_tables_are_as_the_page_says(shared) -> None:
    folder = None if "WORKBENCH_DATA" in os.environ else shared / "datasets"
    page = SCRIPT["page"](SCRIPT["table_lines"](folder), SCRIPT["concept_lines"]())
    assert page == PAGE, "write it anew: python docs/scripts/joins.py"
