"""Tables of a page as CSV files beside it."""

import csv

import pytest

from workbench.report.notes import table, write_section

TEXT = "\n\n".join(
    [
        "Means over ten truths.",
        "### The answer",
        table(["learner", "50 rows"], [["nb", "−0.10 ± 0.02 *"]]),
        "### Details",
        table(
            ["learner", "50 rows", "note"], [["nb\\_1", "−0.10 ± 0.02 *", "a \\| b"], ["tan", "", "**c**"]]
        ),
        "A remark.",
        "### Two of them",
        "**First.** Its unit is bits.",
        table(["x"], [["1"], ["2"]]),
        "**Second**",
        table(["x"], [["3"]]),
    ]
)


@pytest.fixture
def page(tmp_path):
    place = tmp_path / "notes.md"
    place.write_text("# Title\n\n<!-- generated -->\n<!-- end -->\n", encoding="utf-8")
    return place


def rows(page, name):
    with (page.parent / "tables" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_all_tables_stay_by_default(page):
    write_section(page, TEXT)
    assert TEXT in page.read_text(encoding="utf-8")
    assert not (page.parent / "tables").exists()


def test_tables_that_do_not_stay_are_linked_to(page):
    write_section(page, TEXT, stays=["The ans"])
    assert page.read_text(encoding="utf-8").splitlines()[4:-2] == [
        "Means over ten truths.",
        "",
        "### The answer",
        "",
        "| learner | 50 rows |",
        "| --- | --- |",
        "| nb | −0.10 ± 0.02 * |",
        "",
        "### Two of them",
        "",
        "* [First](tables/first.csv), 2 rows. Its unit is bits.",
        "* [Second](tables/second.csv), 1 row",
        "",
        "### Tables in files",
        "",
        "* [Details](tables/details.csv), 2 rows. A remark.",
    ]


def test_means_half_widths_and_stars_are_columns_that_programs_read(page):
    write_section(page, TEXT, stays=["The answer"])
    assert rows(page, "details.csv") == [
        ["learner", "50 rows", "50 rows ±", "50 rows *", "note"],
        ["nb_1", "-0.10", "0.02", "*", "a | b"],
        ["tan", "", "", "", "**c**"],
    ]


def test_tables_of_one_title_are_files_of_their_own(page):
    twice = "\n\n".join(["## A", table(["x"], [["1"]]), "Then.", table(["x"], [["2"]])])
    write_section(page, twice, stays=[])
    assert [rows(page, name)[1] for name in ("a.csv", "a_1.csv")] == [["1"], ["2"]]
    assert "(tables/a_1.csv)" in page.read_text(encoding="utf-8")


def test_equal_tables_are_two_and_a_remark_on_both_is_one(page):
    same = table(["x"], [["1"]])
    text = "\n\n".join(["## A", "**First**", same, "A remark.", "**Second**", same, "A remark."])
    write_section(page, text, stays=[])
    assert [rows(page, name)[1] for name in ("first.csv", "second.csv")] == [["1"], ["1"]]
    assert page.read_text(encoding="utf-8").count("A remark.") == 1
