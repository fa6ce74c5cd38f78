"""Links between pages of the repository lead to pages of the site.

Pages are read on GitHub, where a link is relative to its file, and on the site, where some pages are included
from other folders: `docs/studies/korb2001.md` includes `experiments/papers/korb2001/notes.md`. A link to an
included file becomes one to the page that includes it; a link to a folder becomes its words; a link to any
other file of the repository, such as a study, becomes a download.
"""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

LINK = re.compile(r"(?P<words>!?\[[^\]]*\])\((?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")
CODE = re.compile(r"^(`{3,}).*?^\1|`[^`\n]+`", flags=re.DOTALL | re.MULTILINE)
INCLUDED = re.compile(r"^`{3}\{include\} (\S+)$", flags=re.MULTILINE)


def pages_by_file(docs: Path) -> dict[Path, Path]:
    """Return the page of the site for each file that a page includes, and for the examples."""
    gallery, built = docs / "gallery", docs / "generated" / "gallery"
    examples = {file: built / file.relative_to(gallery).with_suffix(".rst") for file in gallery.rglob("*.py")}
    found = {gallery: built / "index.rst", **examples}
    for page in docs.rglob("*.md"):
        for target in INCLUDED.findall(page.read_text(encoding="utf-8")):
            found[(page.parent / target).resolve()] = page
    return found


def with_links(text: str, *, file: Path, page: Path, pages: dict[Path, Path]) -> str:
    """Return the text of a file with its links as they have to be on a page; code is left alone."""

    def link(match: re.Match[str]) -> str:
        words, target, anchor = match["words"], match["target"], match["anchor"] or ""
        if re.match(r"[a-z]+:", target):
            return match[0]
        place = (file.parent / target).resolve()
        if place.is_dir() and place not in pages:
            return words.strip("[]")
        return f"{words}({os.path.relpath(pages.get(place, place), page.parent)}{anchor})"

    codes = (code[0] for code in CODE.finditer(text))
    return re.sub("\0", lambda _: next(codes), LINK.sub(link, CODE.sub("\0", text)))


def setup(app: "Sphinx") -> dict[str, Any]:
    """Rewrite what Sphinx reads, and what pages include."""
    docs = Path(app.srcdir).resolve()
    pages = pages_by_file(docs)

    def on_read(app: "Sphinx", name: str, source: list[str]) -> None:
        page = Path(app.env.doc2path(name))
        if page.suffix == ".md":
            source[0] = with_links(source[0], file=page, page=page, pages=pages)

    def on_include(app: "Sphinx", path: Path, name: str, content: list[str]) -> None:
        file = (docs / path).resolve()
        if file in pages:
            content[0] = with_links(content[0], file=file, page=pages[file], pages=pages)

    app.connect("source-read", on_read)
    app.connect("include-read", on_include)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
