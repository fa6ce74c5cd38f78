"""The site: its sources are complete, its examples are questions, and its own checks find what is wrong."""

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
LINKS = runpy.run_path(str(DOCS / "extensions" / "repository_links.py"))
CHECK = runpy.run_path(str(DOCS / "scripts" / "check_site.py"))
PAGES = LINKS["pages_by_file"](DOCS)
EXAMPLES = sorted((DOCS / "gallery").glob("*/*.py"))
CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_every_notes_page_of_the_experiments_is_on_the_site() -> None:
    found = [page for kind in ("papers", "studies") for page in (ROOT / "experiments" / kind).glob("*/*.md")]
    assert len(found) >= 10
    assert [page for page in found if page not in PAGES] == []


def test_included_files_exist() -> None:
    assert [file for file in PAGES if not file.exists()] == []


def test_an_example_opens_with_a_question_and_ends_with_its_answer() -> None:
    assert len(EXAMPLES) >= 15
    for path in EXAMPLES:
        text = path.read_text(encoding="utf-8")
        title, underline = text.splitlines()[1:3]
        assert title.endswith("?"), path.name
        assert underline == "=" * len(title), path.name
        assert "\n# %%\n" in text, path.name
        assert (path.parent / "GALLERY_HEADER.rst").is_file()


def test_the_version_that_is_cited_is_the_version() -> None:
    (version,) = re.findall(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), flags=re.MULTILINE)
    assert f"\nversion: {version}\n" in CITATION
    assert f"version {version}," in (DOCS / "citation.md").read_text(encoding="utf-8")


def test_links_of_an_included_file_lead_to_pages(tmp_path) -> None:
    docs, notes = tmp_path / "docs", tmp_path / "experiments" / "a" / "notes.md"
    for path, text in {
        docs / "studies" / "a.md": "```{include} ../../experiments/a/notes.md\n```\n",
        docs / "guide.md": "",
        notes: "",
        notes.parent / "study.toml": "",
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    pages = LINKS["pages_by_file"](docs)
    place = {"file": notes, "page": pages[notes], "pages": pages}
    text = "[b](../../docs/guide.md#c) [`d`](study.toml) [own](notes.md) [e](.) `[f](g)` [h](https://i.j)"
    assert LINKS["with_links"](text, **place) == (
        "[b](../guide.md#c) [`d`](../../experiments/a/study.toml) [own](a.md) e `[f](g)` [h](https://i.j)"
    )


def test_what_is_wrong_with_a_site_is_found(tmp_path) -> None:
    pages = {
        "a.html": '<p id="b"><a href="c/d.html#e">1</a><a class="x" href="#b">2</a><a href="https://f.g">3</a></p>',
        "c/d.html": '<h1 id="e"><a href="../a.html#h">4</a><a href="i.html">5</a></h1>'
        '<script src="https://j.k/l.js"></script><img alt="m" src="n.png">',
    }
    for name, text in pages.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert CHECK["faults_of"](tmp_path) == [
        "c/d.html links to ../a.html#h: there is no such place",
        "c/d.html loads https://j.k/l.js, which is elsewhere",
        "c/d.html links to i.html, which is no file",
        "c/d.html links to n.png, which is no file",
    ]
    assert len(CHECK["faults_of"](tmp_path / "c" / "empty")) == 1
