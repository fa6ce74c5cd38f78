"""The page on the architecture is complete: its walks are lists when rendered, its tables name every room."""

import itertools
import pkgutil
import re
from pathlib import Path

import pytest

from tests.test_house import HOUSES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
WALKS = ["A forecast, from `predict_proba` to the report", "A study, from TOML to the store"]
PLACES = sorted(set(re.findall(r"`((?:generators|learners|workbench)(?:\.\w+)+)`", PAGE)))


def section(head: str, page: str = PAGE) -> str:
    return page.partition(f"\n## {head}\n")[2].partition("\n## ")[0]


def faults_of_walk(text: str) -> list[str]:
    """List the lines of a numbered list that do not follow, or that hold the number of another item."""
    lines, n = [line for line in text.splitlines() if line], 0
    found = []
    for line in lines:
        n += not line.startswith("   ")
        rest = line[3:] if line.startswith("   ") else line.removeprefix(f"{n}. ")
        if rest == line or re.search(r"(^|\s)\d+\. ", rest):
            found.append(line)
    return found


def rows_of_rooms(page: str) -> list[list[tuple[str, str]]]:
    """Return the rooms that each row names, as package and room; a package's own name is its `__init__`."""
    rows, package = [], "workbench"
    for cell in re.findall(r"^\| (`.+?) \|", page, flags=re.MULTILINE):
        names = re.findall(r"`(\w+(?:\.\w+)*)`", cell)
        first, _, room = names[0].partition(".")
        if first in {house.package for house in HOUSES}:
            package, names[0] = first, room
        rows.append([(package, name) for name in names])
    return rows


@pytest.mark.parametrize("head", WALKS)
def test_a_walk_is_a_numbered_list(head) -> None:
    assert len(re.findall(r"^\d+\. ", section(head), flags=re.MULTILINE)) == 8
    assert faults_of_walk(section(head)) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("1. a\n   b. 2. c", "   b. 2. c"),
        ("1. a\nb 2. c", "b 2. c"),
        ("1. a\n3. b", "3. b"),
        ("1. a\n   b.\n   2. c", "   2. c"),
    ],
)
def test_a_broken_walk_is_found(text, fault) -> None:
    assert faults_of_walk("1. a\n   b\n2. c 0.5") == []
    assert faults_of_walk(text) == [fault]


def test_the_tables_name_every_room_once() -> None:
    rooms = {(house.package, room) for house in HOUSES for floor in house.floors for room in floor}
    named = [place for row in rows_of_rooms(PAGE) for place in row]
    assert len(named) == len(set(named))
    assert set(named) == rooms


def test_the_rows_stand_in_the_order_of_the_floors() -> None:
    depth = {
        (house.package, room): i for house in HOUSES for i, floor in enumerate(house.floors) for room in floor
    }
    rows = rows_of_rooms(PAGE)
    for above, below in itertools.pairwise(rows):
        if above[0][0] == below[0][0]:
            assert max(depth[place] for place in above) < min(depth[place] for place in below), (above, below)


@pytest.mark.parametrize("place", PLACES)
def test_a_place_that_the_page_names_exists(place) -> None:
    pkgutil.resolve_name(place)


def test_places_are_found() -> None:
    assert len(PLACES) > 20
