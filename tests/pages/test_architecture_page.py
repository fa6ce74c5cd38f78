"""The page on the architecture is complete: its tables name every room, and its places exist."""

import itertools
import pkgutil
import re
from pathlib import Path

from tests.test_house import HOUSES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PLACES = sorted(set(re.findall(r"`((?:generators|learners|workbench)(?:\.\w+)+)`", PAGE)))


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


def test_places_that_the_page_names_exist() -> None:
    assert len(PLACES) > 20
    for place in PLACES:
        pkgutil.resolve_name(place)
