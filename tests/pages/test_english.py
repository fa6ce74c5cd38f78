"""The style sheet of docs/contributing.md, as far as it can be counted."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))
PAGES = [ROOT / "README.md", ROOT / "docs" / "start.md", ROOT / "docs" / "glossary.md", *GUIDES]

#: Words of a sentence on average, at most.
LONGEST_MEAN = 18.0
#: Patterns of the style sheet that no page needs.
PATTERNS = {
    "a file or table that says": r"\b(file|table|program|column|card|report|page|figure) (that )?says\b",
    "holes for missing values": r"\bholes?\b",
    "a learner that is a person": r"\b(whoever|nobody)\b",
    "told apart": r"\btold apart\b",
    "by itself": r"\bby (itself|themselves)\b",
}

#: The title and year of a paper that is cited.
CITED = re.compile(r"\"[^\"]+\",.* \d{4}|section \d")


def prose_of(page: Path) -> str:
    """Return the paragraphs and list items of a page, without code, tables, headings and link targets."""
    text = re.sub(
        r"^(```|~~~).*?^\1\s*$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    text = re.sub(r"<!--.*?-->|\{[a-z-]+\}", "", text, flags=re.DOTALL)
    lines = [line for line in text.splitlines() if not re.match(r"\s*(\||#|!\[|:|\()", line)]
    text = "\n".join(re.sub(r"^\s*([-*]|\d+\.) ", "\n", line) for line in lines)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    return re.sub(r"`[^`]*`", "code", text)


def sentences_of(prose: str) -> list[str]:
    """Split paragraphs where a sentence ends."""
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", prose)]
    parts = [one for part in paragraphs for one in re.split(r"(?<=[.!?:])[)\"*]* (?=[A-Z\[*(\d\"])", part)]
    return [part for part in parts if len(re.findall(r"\w+", part)) > 2]


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.name)
def test_sentences_of_guides_are_short(page):
    lengths = [len(re.findall(r"[\w'’.-]+", sentence)) for sentence in sentences_of(prose_of(page))]
    assert sum(lengths) / len(lengths) <= LONGEST_MEAN


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_prose_has_no_semicolons(page):
    found = [one for one in sentences_of(prose_of(page)) if ";" in one]
    assert [one for one in found if not CITED.search(one)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_patterns_of_the_style_sheet_do_not_occur(page):
    found = [(what, one) for what, at in PATTERNS.items() for one in sentences_of(prose_of(page))
             if re.search(at, one)]  # fmt: skip
    assert found == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_headings_name_their_content(page):
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert [one for one in headings if one.endswith("?")] == []
