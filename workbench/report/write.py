"""Write a report: the ending of the path decides the form."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.report.content import gather
from workbench.report.document import Document
from workbench.report.html import write_html
from workbench.report.latex import write_latex
from workbench.report.markdown import write_markdown

if TYPE_CHECKING:
    from workbench.results import Results

__all__ = ["FORMS", "write_report"]

FORMS: dict[str, Callable[[Document, Path], None]] = {
    ".html": write_html,
    ".md": write_markdown,
    ".tex": write_latex,
}


def write_report(results: "Results", path: str | Path, *more: str | Path) -> Path:
    """Write the report of a study.

    Parameters
    ----------
    results : Results
    path, *more : str or Path
        Each ends in .html, .md or .tex; one document, computed once.

    Returns
    -------
    Path
        The first path.

    Raises
    ------
    WorkbenchError
        If an ending is another, there is nothing to report yet, or a file cannot be written.
    """
    places = [Path(place) for place in (path, *more)]
    for place in places:
        if place.suffix not in FORMS:
            raise WorkbenchError(f"{place} ends in {place.suffix!r}: expected {', '.join(FORMS)}")
        if place.is_dir():
            raise WorkbenchError(f"{place} is a folder: give a file, e.g. {place / 'report.html'}")
    document = gather(results)
    for place in places:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            FORMS[place.suffix](document, place)
        except OSError as error:
            raise WorkbenchError(f"{place} cannot be written: {error.strerror or error}") from error
    return places[0]
