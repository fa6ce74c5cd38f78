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
        Position in the report: sections are sorted by this number.
    title : str
        Heading of the section.
    parts : callable
        Takes the `Findings` of a study and returns tables, figures and paragraphs. If it returns none, the
        report leaves the section out.
    applies : callable
        Takes the results of a study and returns whether its report has this section.
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
