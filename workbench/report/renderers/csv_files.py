"""Tables of a Markdown page as CSV files beside it, with a link in their place."""

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from workbench.base.text import count_of

__all__ = ["with_file_beside", "with_tables_beside"]

FOLDER = "tables"
LINK = "* ["
HEADING = re.compile(r"(?m)^(?=#{2,4} )")
#: A caption of a table: its title, and what else stands in the paragraph.
CAPTION = re.compile(r"\*\*(?P<title>.+?)\.?\*\*(?P<more>.*)", re.DOTALL)
#: A mean with half of its interval, and a star if it is significant.
WITH_HALF = re.compile(r"(?P<mean>[+-]?[\d.]+) ± (?P<half>[\d.]+|nan)(?P<star> \*)?")
ESCAPE = re.compile(r"\\([^\w\s]|_)")


def with_tables_beside(text: str, page: Path, stays: Callable[[str], bool], part: str = "") -> str:
    """Write the tables whose title does not stay as CSV files, and return the text with links to them."""
    files = _Files(page, part)
    kept: list[str] = []
    listed: list[str] = []
    for one in HEADING.split(text):
        section = _Section(one, files, stays)
        (listed if section.is_a_list_item else kept).append(section.text)
    lines = "\n".join(listed)
    return "\n\n".join(filter(None, (*kept, f"### Tables in files\n\n{lines}" if lines else "")))


def with_file_beside(content: str, page: Path, title: str, i: int) -> str:
    """Write part `i` of a section as a text file, and return the link to it."""
    name = f"{_slug(title)}_{i}.txt"
    lines = content.strip().splitlines()
    _folder(page).joinpath(name).write_text("\n".join([*lines, ""]), encoding="utf-8")
    return f"* [{title}, text]({FOLDER}/{name}), {count_of(len(lines), 'line')}"


def _folder(page: Path) -> Path:
    folder = page.parent / FOLDER
    folder.mkdir(exist_ok=True)
    return folder


def _slug(words: str) -> str:
    return re.sub(r"[^0-9a-z]+", "_", words.lower()).strip("_")[:90].strip("_")


class _Files:
    """The tables of a page that are written as files."""

    def __init__(self, page: Path, part: str) -> None:
        self.page, self.part = page, part
        self.taken: set[str] = set()

    def write(self, table: str, title: str) -> str:
        """Write a Markdown table as CSV, and return the link to it."""
        name = first = _slug(f"{self.part} {title}")
        while name in self.taken:
            name = f"{first}_{len(self.taken)}"
        self.taken.add(name)
        rows = [_cells(line) for i, line in enumerate(table.splitlines()) if i != 1]
        columns = [column for own in zip(*rows, strict=True) for column in _columns(own)]
        with (_folder(self.page) / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(zip(*columns, strict=True))
        return f"* [{title}]({FOLDER}/{name}.csv), {count_of(len(rows) - 1, 'row')}"


class _Section:
    """A heading and what stands under it; a list item if that is no more than a table and a remark."""

    def __init__(self, text: str, files: _Files, stays: Callable[[str], bool]) -> None:
        blocks = [block for block in re.split(r"\n\s*\n", text.strip()) if block.strip()]
        self.heading = blocks.pop(0) if blocks and blocks[0].startswith("#") else ""
        self.files, self.stays = files, stays
        self.blocks = list(self._moved(blocks))

    @property
    def is_a_list_item(self) -> bool:
        links = [block for block in self.blocks if block.startswith(LINK)]
        others = ("|", "!", "- ", "* ", "`", "<")
        prose = [block for block in self.blocks if not block.startswith(LINK)]
        return bool(self.heading) and len(links) == 1 and not any(one.startswith(others) for one in prose)

    @property
    def text(self) -> str:
        if not self.is_a_list_item:
            joined = "\n\n".join(filter(None, (self.heading, *self.blocks)))
            return re.sub(r"(?m)(^\* \[.*)\n\n(?=\* \[)", r"\1\n", joined)
        (link,) = [block for block in self.blocks if block.startswith(LINK)]
        prose = [" ".join(block.split()) for block in self.blocks if not block.startswith(LINK)]
        return f"{link}. {' '.join(prose)}" if prose else link

    def _moved(self, blocks: list[str]) -> Iterator[str]:
        caption, said = None, set[str]()
        for block in blocks:
            found = CAPTION.fullmatch(block)
            if not found and not block.startswith("|"):
                if block in said:  # a remark on several tables stands once, equal tables stay two
                    continue
                said.add(block)
            title = caption["title"] if caption else self.heading.lstrip("# ")
            if block.startswith("|") and title and not self.stays(title):
                more = " ".join(caption["more"].split()) if caption else ""
                yield f"{self.files.write(block, title)}{f'. {more}' if more else ''}"
            else:
                yield from (caption[0],) if caption else ()
                yield from () if found else (block,)
            caption = found
        yield from (caption[0],) if caption else ()


def _cells(line: str) -> list[str]:
    """Return the cells of a line of a Markdown table, without what is only Markdown's."""
    cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])]
    return [ESCAPE.sub(r"\1", cell) for cell in cells]  # what is bold keeps its asterisks


def _columns(column: Sequence[str]) -> Iterator[Sequence[str]]:
    """Return a column with plain minus signs; means, half widths and stars as columns of their own."""
    head, *cells = (re.sub(r"\N{MINUS SIGN}(?=[\d.])", "-", cell) for cell in column)
    found = [WITH_HALF.fullmatch(cell) for cell in cells]
    if not any(found) or not all(match or not cell for match, cell in zip(found, cells, strict=True)):
        yield head, *cells
        return
    yield head, *(match["mean"] if match else "" for match in found)
    yield f"{head} \N{PLUS-MINUS SIGN}", *(match["half"] if match else "" for match in found)
    if any(match and match["star"] for match in found):
        yield f"{head} *", *("*" if match and match["star"] else "" for match in found)
