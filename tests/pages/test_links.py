"""Every relative link and image of a page leads to a file that exists."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("docs", "experiments")
PAGES = [*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in ROOT.glob(f"{folder}/**/*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^(`{3,}).*?^\1|`[^`\n]+`", flags=re.DOTALL | re.MULTILINE)


def targets(text: str) -> list[str]:
    """Return what a page links to in the repository: outside code, no web address, no fragment."""
    found = (target.partition("#")[0] for target in LINK.findall(CODE.sub("code", text)))
    return [unquote(target) for target in found if target and not re.match(r"[a-z]+:", target)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files(page) -> None:
    found = targets(page.read_text(encoding="utf-8"))
    assert [target for target in found if not (page.parent / target).exists()] == []


def test_links_in_code_to_the_web_and_within_the_page_are_passed_over() -> None:
    text = "[`a`](b.md#c), `[e](f.md)` [g](https://h.i) [j](#k)\n```\n[l](m.md)\n```\n![n](o%20p.png)\n"
    assert targets(text) == ["b.md", "o p.png"]


def test_pages_are_found() -> None:
    assert len(PAGES) >= 30
    assert sum(len(targets(page.read_text(encoding="utf-8"))) for page in PAGES) > 60
