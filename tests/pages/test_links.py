"""Every relative link and image of a page leads to a file that exists."""

import re
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("docs", "experiments")
PAGES = [*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in ROOT.glob(f"{folder}/**/*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^(`{3,}).*?^\1|`[^`\n]+`", flags=re.DOTALL | re.MULTILINE)


def targets(text: str) -> list[str]:
    """Return what a page links to in the repository: outside code, no web address, no fragment."""
    found = (target.partition("#")[0] for target in LINK.findall(CODE.sub("code", text)))
    return [unquote(target) for target in found if target and not re.match(r"[a-z]+:", target)]


def test_links_lead_to_files() -> None:
    found = [(page, target) for page in PAGES for target in targets(page.read_text(encoding="utf-8"))]
    assert len(found) > 60
    assert [(page.name, target) for page, target in found if not (page.parent / target).exists()] == []


def test_links_in_code_to_the_web_and_within_the_page_are_passed_over() -> None:
    text = "[`a`](b.md#c), `[e](f.md)` [g](https://h.i) [j](#k)\n```\n[l](m.md)\n```\n![n](o%20p.png)\n"
    assert targets(text) == ["b.md", "o p.png"]
