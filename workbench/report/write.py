"""Write the report of a study."""

from pathlib import Path
from typing import TYPE_CHECKING

from workbench.base.score_key import ScoreKey
from workbench.report.content import gather
from workbench.report.renderers.forms import check_places, write_document

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["write_report"]


def write_report(
    results: "StudyResults",
    path: str | Path,
    *more: str | Path,
    score: ScoreKey | str | None = None,
) -> Path:
    """Write the report of a study."""
    places = check_places((path, *more))
    write_document(gather(results, score), places)
    return places[0]
