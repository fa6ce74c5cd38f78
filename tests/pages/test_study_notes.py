"""Pages of studies: question, design and answer come first, and no number of the text is without a table."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXPERIMENTS, DOCS = ROOT / "experiments", ROOT / "docs"
#: Notes of another form: they lead with findings whose numbers are rounded from their tables.
OLDER = {"attainable", "assumptions", "camml_predictors", "uci_accuracy"}
PAGES = sorted(
    [
        EXPERIMENTS / "papers" / "hope2004_simulation" / "notes.md",
        *(path for path in EXPERIMENTS.glob("studies/*/notes.md") if path.parent.name not in OLDER),
    ]
)
DECIMAL = re.compile(r"(?<![\w.])\d*\.\d+(?!\.\d)")

#: Files that a page lists, and all that it links to.
LISTED = re.compile(r"^\* \[.+?\]\(tables/([^)]+)\)", re.MULTILINE)
LINKED = re.compile(r"\(tables/([^)]+)\)")

#: A number, and its half width or the ends of its interval.
WITH_INTERVAL = re.compile(r"\d*\.\d+(?:%? ± \d*\.\d+|%? [(\[][^()\[\]]{0,60}? to [^()\[\]]{0,40}?[)\]])?")


def text_and_tables(page: str) -> tuple[str, str]:
    """Return what is written by hand and what a script has written."""
    before, tables = page.split("<!-- generated -->")
    tables, after = tables.split("<!-- end -->")
    return before + after, tables


def answer_of(text: str) -> str:
    """Return the paragraph that begins with the answer."""
    (answer,) = re.findall(r"^\*\*Answer\.\*\*.*?(?=\n\n|\Z)", text, flags=re.DOTALL | re.MULTILINE)
    return answer


def test_a_page_opens_with_question_design_and_answer():
    for path in PAGES:
        text, _ = text_and_tables(path.read_text(encoding="utf-8"))
        places = [text.index(f"\n**{word}.**") for word in ("Question", "Design", "Answer")]
        assert places == sorted(places), path
        assert places[0] < 200, path


def test_every_decimal_number_of_answer_and_findings_is_in_a_table():
    for path in PAGES:
        text, tables = text_and_tables(path.read_text(encoding="utf-8"))
        cells = [set(DECIMAL.findall(cell)) for line in tables.splitlines() for cell in line.split("|")]
        cells += [set(DECIMAL.findall(" ".join(two))) for two in neighbors(path.parent / "tables")]
        said = numbers_said(text)
        assert said
        assert [one for one in said if not any(one <= cell for cell in cells)] == [], path


def neighbors(tables: Path) -> Iterator[tuple[str, str]]:
    """Return the cells of CSV files, each with the next one, which may be its half width."""
    for path in tables.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                yield from zip(row, [*row[1:], ""], strict=True)


def test_files_beside_pages_are_those_that_they_list():
    folders = [(page.parent, [page]) for page in EXPERIMENTS.glob("*/*/notes.md")]
    folders += [(folder, sorted(folder.glob("*.md"))) for folder in (DOCS, DOCS / "reference")]
    for folder, pages in folders:
        texts = [page.read_text(encoding="utf-8") for page in pages]
        listed = [name for text in texts for name in LISTED.findall(text)]
        assert len(listed) == len(set(listed)), folder
        assert {path.name for path in folder.glob("tables/*")} == set(listed), folder
        assert {name for text in texts for name in LINKED.findall(text)} == set(listed), folder


def numbers_said(text: str) -> list[set[str]]:
    """Return the decimal numbers of answer and findings; a number and its interval belong to one cell."""
    findings = re.findall(r"^## Findings\n(.*?)(?=^## |\Z)", text, flags=re.DOTALL | re.MULTILINE)
    whole = " ".join(" ".join([answer_of(text), *findings]).split())
    return [set(DECIMAL.findall(one)) for one in WITH_INTERVAL.findall(whole) if DECIMAL.search(one)]
