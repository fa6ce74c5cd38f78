"""The report as Markdown, with its figures as SVG files beside it."""

from pathlib import Path

from workbench.report.document import Cell, Document, Number, Picture, Table
from workbench.report.pictures import save_pictures

__all__ = ["write_markdown"]


def write_markdown(document: Document, path: Path) -> None:
    """Write a report as Markdown.

    Parameters
    ----------
    document : Document
    path : Path
        Figures go to a folder beside it.
    """
    folder = save_pictures(document, path, "svg")
    answer = f"{document.opening}, {'; '.join(document.parts)}; {document.surety}." if document.surety else ""
    lines = [f"# {document.title}", document.subtitle, answer or " ".join(document.parts)]
    lines += [_picture(picture, folder) for picture in document.pictures]
    for section in document.sections:
        lines.append(f"## {section.title}")
        for part in section.parts:
            if isinstance(part, Picture):
                lines.append(_picture(part, folder))
            elif isinstance(part, Table):
                lines.append(_table(part))
            else:
                lines.append(f"```\n{part.content}\n```" if part.verbatim else part.content)
    path.write_text("\n\n".join([*lines, document.footer]) + "\n", encoding="utf-8")


def _picture(picture: Picture, folder: str) -> str:
    return f"![{picture.title}]({folder}/{picture.name}.svg)\n\n*{picture.title}.* {picture.caption}"


def _table(table: Table) -> str:
    head = " | ".join(_escaped(column) for column in table.columns)
    rule = " | ".join("---:" if table.is_numeric(i) else "---" for i in range(len(table.columns)))
    rows = [" | ".join(_cell(cell) for cell in row) for row in table.rows]
    body = "\n".join(f"| {line} |" for line in (head, rule, *rows))
    return f"**{table.title}**\n\n{body}" + (f"\n\n{table.note}" if table.note else "")


def _cell(cell: Cell) -> str:
    return _escaped(cell.text.strip() if isinstance(cell, Number) else cell)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("*", "\\*").replace("\n", " ")
