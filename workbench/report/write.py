"""Write the report of a study."""

from pathlib import Path
from typing import TYPE_CHECKING

from workbench.report.content import gather
from workbench.report.forms import check_places, write_document

if TYPE_CHECKING:
    from workbench.results import Results

__all__ = ["write_report"]


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
    places = check_places((path, *more))
    write_document(gather(results), places)
    return places[0]
