"""Every relative link and image of a page leads to a file that exists."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "SECURITY.md",
    *ROOT.glob("docs/**/*.md"),
    *ROOT.glob("experiments/**/*.md"),
]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def targets(text: str) -> list[str]:
    """Return what a page links to in the repository, without code, web addresses and fragments."""
    prose = re.sub(r"^(`{3,}).*?^\1|`[^`\n]+`", "", text, flags=re.DOTALL | re.MULTILINE)
    found = (target.partition("#")[0] for target in LINK.findall(prose))
    return [unquote(target) for target in found if target and not re.match(r"[a-z]+:", target)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files(page) -> None:
    missing = [
        target for target in targets(page.read_text(encoding="utf-8")) if not (page.parent / target).exists()
    ]
    assert missing == []


def test_links_are_found_outside_code_alone() -> None:
    text = (
        "[a](b.md#c), ![d](<no>) `[e](f.md)` [g](https://h.i) [j](#k)\n```\n[l](m.md)\n```\n![n](o%20p.png)\n"
    )
    assert targets(text) == ["b.md", "<no>", "o p.png"]


def test_all_pages_are_looked_at() -> None:
    assert len(PAGES) > 25
