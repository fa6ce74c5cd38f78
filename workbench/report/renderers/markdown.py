"""The report as Markdown, with its figures as SVG files next to it."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from workbench.base.errors import WorkbenchError
from workbench.base.text import printable
from workbench.report.document import FOOTER, Document, Picture, Section
from workbench.report.renderers.csv_files import with_file_beside, with_tables_beside
from workbench.report.renderers.pictures import save_pictures
from workbench.report.table import Cell, Number, Table, text_of

__all__ = ["END", "START", "between_markers", "markdown_table", "write_markdown"]

#: What Markdown would take for its own.
SPECIAL = re.compile(
    r"[\\`*|~$]|<(?=\S)|&(?=[#\w])|\](?=[(\[:])"  # "a < b" and "[0.1, 0.2]" are safe
    r"|(?<![^\W_])_|_(?![^\W_])"  # as is what stands within a word
    r"|^\s*(?:[#>+=-](?=[\s#>+=-]|$)|[0-9]{1,9}(?=[.)](?:\s|$)))"  # what begins a heading, list or quotation
)


def write_markdown(document: Document, path: Path) -> None:
    """Write a report as Markdown."""
    page = path.read_text(encoding="utf-8") if path.is_file() else ""
    regions = {name: (f"<!-- {name} -->", f"<!-- {name} end -->") for name in document.regions}
    for start, end in ((START, END), *regions.values()):
        if start in page or end in page:
            between_markers(page, "", start=start, end=end)  # refuses a page before anything is drawn
    if page.strip() and not has_markers(page) and not FOOTER.search(page):
        raise WorkbenchError(
            f"{path} is a page that was not written here, without {START} and {END}: put both where the text "
            "is to go, or name another file"
        )
    folder = save_pictures(document, path, "svg")
    lines = [f"# {_escaped(document.title)}", *map(_escaped, document.lead)]
    lines += [*map(markdown_table, document.matrices), *map(_escaped, filter(None, [document.matrix_note]))]
    lines += [_picture(picture, folder) for picture in document.pictures]
    beside = path if has_markers(page) else None
    lines += [_section(one, folder, beside) for one in document.sections if not one.region]
    lines.append(_escaped(document.footer))
    text = between_markers(page, "\n\n".join(lines[1:])) if has_markers(page) else "\n\n".join(lines) + "\n"
    for name, markers in regions.items():
        own = [_section(one, folder, beside) for one in document.sections if one.region == name]
        text = _with_region(text, "\n\n".join(own) or _between(page, *markers), *markers)
    path.write_text(text, encoding="utf-8")


def _section(section: Section, folder: str, page: Path | None) -> str:
    """Write a section; its tables that do not stay become files beside a page that is given."""
    stays = section.stays
    if page is None or stays is None:
        return "\n\n".join(_parts(section, folder))
    text = "\n\n".join(_parts(section, folder, page))
    return with_tables_beside(text, page, lambda title: title in stays, section.region)


def _parts(section: Section, folder: str, page: Path | None = None) -> Iterator[str]:
    yield f"## {_escaped(section.title)}"
    for i, part in enumerate(section.parts):
        if isinstance(part, Picture):
            yield _picture(part, folder)
        elif isinstance(part, Table):
            yield markdown_table(part)
        elif part.verbatim and page is not None:
            yield with_file_beside(part.content, page, section.title, i)
        else:
            yield _fenced(part.content) if part.verbatim else _prose(part.content)


def _between(page: str, start: str, end: str) -> str:
    """Return what stands between two markers; nothing if they are not there."""
    return page.split(start)[1].split(end)[0].strip() if start in page else ""


def _with_region(page: str, content: str, start: str, end: str) -> str:
    """Put a text between two markers, which are added to the end of a page that has none."""
    if not content:
        return page
    if start not in page:
        page = f"{page.rstrip()}\n\n{start}\n{end}\n"
    return between_markers(page, content, start=start, end=end)


def _picture(picture: Picture, folder: str) -> str:
    title = _escaped(picture.title)
    # Brackets of a title would end the words that stand for the picture.
    words = re.sub(r"(?<!\\)[\[\]]", r"\\\g<0>", title)
    return f"![{words}]({quote(folder)}/{picture.name}.svg)\n\n*{title}.* {_escaped(picture.caption)}"


def _fenced(content: str) -> str:
    """Fence text that is to be shown as it is typed, with more backquotes than it has in a row."""
    # In a fence nothing can be escaped, and a marker of a generated section must not appear.
    content = printable(content).replace("<!--", "<! --")
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", content)), default=0))
    return f"{fence}\n{content}\n{fence}"


def markdown_table(table: Table) -> str:
    """Write a table with its title and note."""
    head = " | ".join(_escaped(column) for column in table.columns)
    rule = " | ".join("---:" if table.is_numeric(i) else "---" for i in range(len(table.columns)))
    rows = [" | ".join(_cell(cell) for cell in row) for row in table.rows]
    body = "\n".join(f"| {line} |" for line in (head, rule, *rows))
    title = f"**{_escaped(table.title)}**\n\n" if table.title else ""
    return f"{title}{body}" + (f"\n\n{_escaped(table.note)}" if table.note else "")


def _cell(cell: Cell) -> str:
    text = _escaped(text_of(cell).strip())
    return f"**{text}**" if isinstance(cell, Number) and cell.strong else text


def _prose(text: str) -> str:
    """Escape a text, but for what stands between backquotes, which is code here too."""
    parts = re.split("(`[^`]+`)", text)
    # A blank line would end the code, and what follows would be the page's own.
    return "".join(" ".join(printable(p).splitlines()) if i % 2 else _escaped(p) for i, p in enumerate(parts))


def _escaped(text: str) -> str:
    line = " ".join(printable(text).splitlines())
    return SPECIAL.sub(_escape, line).replace("\\<!--", "&lt;!--")


def _escape(found: re.Match[str]) -> str:
    sign = found[0].lstrip()
    return f"{sign}\\" if sign[0].isdecimal() else f"\\{sign}"


START, END = "<!-- generated -->", "<!-- end -->"


def has_markers(text: str) -> bool:
    """Return whether a page has at least one of the markers of a generated section."""
    return START in text or END in text


def between_markers(text: str, inserted: str, *, start: str = START, end: str = END) -> str:
    r"""Replace the generated section of a page, which stands between two markers."""
    if text.count(start) != 1 or text.count(end) != 1 or text.index(start) > text.index(end):
        raise WorkbenchError(
            f"the page needs the lines {start} and {end}, once each and in this order: add them"
        )
    before, after = text.split(start)[0], text.split(end)[1]
    return f"{before}{start}\n\n{inserted.strip()}\n\n{end}{after}"
