"""The forms that a document can be written in: the ending of the path decides."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from workbench.base.errors import WorkbenchError
from workbench.report.document import Document
from workbench.report.renderers.csv import write_csv
from workbench.report.renderers.html import write_html
from workbench.report.renderers.latex import tabular, write_latex
from workbench.report.renderers.markdown import markdown_table, write_markdown
from workbench.report.table import Table

__all__ = ["FORMS", "check_places", "write_forms", "write_tables"]

FORMS: dict[str, Callable[[Document, Path], None]] = {
    ".html": write_html,
    ".md": write_markdown,
    ".tex": write_latex,
    ".csv": write_csv,
}


def check_places(places: Sequence[str | Path]) -> list[Path]:
    """Check that documents can be written to all places, before anything is computed."""
    paths = [Path(place) for place in places]
    for place in paths:
        if place.suffix not in FORMS:
            raise WorkbenchError(f"{place} ends in {place.suffix!r}: expected {', '.join(FORMS)}")
        if place.is_dir():
            raise WorkbenchError(f"{place} is a folder: name a file, e.g. {place / 'report.html'}")
    return paths


def write_forms(compute: Callable[[], Document], *places: str | Path) -> Path:
    """Write a document in every form that is asked for, and return the first place; computes it once."""
    paths = check_places(places)
    document = compute()
    for place in paths:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            FORMS[place.suffix](document, place)
        except OSError as error:
            raise WorkbenchError(f"{place} cannot be written: {error.strerror or error}") from error
    return paths[0]


def write_tables(parts: Iterable[Table | str], place: Path) -> None:
    """Write tables and the lines between them: .tex (lines as comments), or .md."""
    if place.suffix not in (".tex", ".md"):
        raise WorkbenchError(f"{place} ends in {place.suffix!r}: expected .tex or .md")
    if place.suffix == ".tex":
        text = "\n".join(
            _commented(part) if isinstance(part, str) else f"{_commented(part.title)}\n{tabular(part)}"
            for part in parts
        )
    else:
        text = "\n\n".join(part if isinstance(part, str) else markdown_table(part) for part in parts if part)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"{text}\n", encoding="utf-8")


def _commented(text: str) -> str:
    return "\n".join(f"% {line}" for line in text.splitlines())
