"""Write the report of a study."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.report.content import gather
from workbench.report.renderers.forms import check_places, write_document

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["write_report"]


def write_report(
    results: "StudyResults",
    path: str | Path,
    *more: str | Path,
    score: Mapping[str, str | None] | None = None,
) -> Path:
    """Write the report of a study.

    Parameters
    ----------
    results : StudyResults
    path, *more : str or Path
        Each ends in .html, .md or .tex; one document, computed once.
    score : mapping of str to str, optional
        metric, prior, rows and cutoff to go by, as `Results.choose` takes them; of truths only.

    Returns
    -------
    Path
        The first path.

    Raises
    ------
    WorkbenchError
        If an ending is another, there is nothing to report yet or no such score, or a file cannot be written.
    """
    places = check_places((path, *more))
    write_document(gather(results, score), places)
    return places[0]
