"""What a section of a report declares."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from workbench.report.document import Part
from workbench.report.findings import Findings
from workbench.store.results import StudyResults

__all__ = ["ReportSection", "on_every_study", "with_sizes", "without_sizes"]


@dataclass(frozen=True)
class ReportSection:
    """One section of a report.

    Parameters
    ----------
    order : int
        Sections come in this order.
    title : str
        Its heading.
    parts : callable
        Takes the `Findings` of a study and returns tables, pictures and paragraphs; a section without any is
        left out.
    applies : callable
        Takes results and returns whether the section is of such studies.
    """

    order: int
    title: str
    parts: Callable[[Findings], Iterable[Part]]
    applies: Callable[[StudyResults], bool]


def with_sizes(results: StudyResults) -> bool:
    """Return whether sources are learned from at several sizes."""
    return results.design.blocks.has_sizes


def without_sizes(results: StudyResults) -> bool:
    """Return whether each source is one setting, as data sets are."""
    return not results.design.blocks.has_sizes


def on_every_study(results: StudyResults) -> bool:
    """Return True: the section is of all studies."""
    return True
