"""The page of equality with the original programs is true, and nearly everything on it is equal."""

import re
import runpy
from functools import cache
from pathlib import Path

import pytest

from learners import C45Classifier

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = runpy.run_path(str(ROOT / "docs" / "scripts" / "equality_table.py"))
PAGE = (ROOT / "docs" / "reference" / "equality.md").read_text(encoding="utf-8")
COMPARISONS = SCRIPT["comparisons"]()


@cache
def row(comparison):
    return SCRIPT["Row"](comparison, *comparison.results())


def here():
    return [one for one in COMPARISONS if SCRIPT["find"](one.table) is not None]


@pytest.mark.parametrize("comparison", COMPARISONS, ids=lambda one: " ".join(one.key))
def test_a_line_of_the_page_is_what_is_found(comparison) -> None:
    if SCRIPT["find"](comparison.table) is None:
        pytest.skip(f"{comparison.table} is not in the data folder")
    found = row(comparison)
    assert found.line() in PAGE.splitlines(), "write it anew: python docs/scripts/equality_table.py"
    assert (comparison.key in SCRIPT["REASONS"]) != found.by_default


def test_the_page_is_what_the_script_writes() -> None:
    missing = {one.table for one in COMPARISONS} - {one.table for one in here()}
    if missing:
        pytest.skip(f"{', '.join(sorted(missing))} are not in the data folder")
    page = SCRIPT["page"](tuple(map(row, COMPARISONS)), SCRIPT["glass_nodes"]())
    assert page == PAGE, "write it anew: python docs/scripts/equality_table.py"


def test_everything_that_is_kept_of_the_programs_is_compared() -> None:
    """The numbers of what was printed, and two examples of the book."""
    programs = [one.program for one in COMPARISONS]
    counts = {program: programs.count(program) for program in dict.fromkeys(programs)}
    weka = {"J48": 18, "OneR": 8, "DecisionStump": 7}
    assert counts == {"C4.5": 14 + 1, "C4.5rules": 10 + 1, "C5.0": 8, "FOIL": 12, **weka}
    assert len({one.key for one in COMPARISONS}) == len(COMPARISONS)


def test_95_per_cent_are_equal() -> None:
    rows = [row(one) for one in here()]
    assert len(rows) > 40
    assert sum(one.equal for one in rows) / len(rows) >= 0.95


@pytest.mark.parametrize("table", SCRIPT["SACRED"])
def test_nothing_differs_by_default_where_nothing_may(table) -> None:
    own = [row(one) for one in COMPARISONS if one.table == table]
    assert len(own) >= 2
    assert all(one.by_default and one.single in (True, None) for one in own)


def test_what_is_said_of_glass_is_true() -> None:
    if SCRIPT["find"]("glass") is None:
        pytest.skip("glass is not in the data folder")
    default, single = SCRIPT["glass_nodes"]()
    assert default != single
    said = f"has {single} nodes as printed, which `single_precision=True` gives; the default gives {default}"
    assert re.sub(r"\s+", " ", PAGE).count(re.sub(r"\s+", " ", said)) == 1
    docstring = re.sub(r"\s+", " ", C45Classifier.__doc__)
    stated = f"glass has {single} nodes with this option, as the program prints, and {default} without"
    assert stated in docstring
