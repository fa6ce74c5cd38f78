"""The forms that a document can be written in: the ending of the path decides."""

from collections.abc import Callable, Sequence
from pathlib import Path

from workbench.base.errors import WorkbenchError
from workbench.report.document import Document
from workbench.report.renderers.csv import write_csv
from workbench.report.renderers.html import write_html
from workbench.report.renderers.latex import write_latex
from workbench.report.renderers.markdown import write_markdown

__all__ = ["FORMS", "check_places", "write_document"]

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


def write_document(document: Document, places: Sequence[Path]) -> None:
    """Write a document, once computed, in every form that is asked for."""
    for place in places:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            FORMS[place.suffix](document, place)
        except OSError as error:
            raise WorkbenchError(f"{place} cannot be written: {error.strerror or error}") from error
