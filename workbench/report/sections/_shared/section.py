"""What a section of a report declares."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from workbench.report.document import Part
from workbench.report.findings import Findings
from workbench.store.results import StudyResults

__all__ = ["ReportSection", "on_data_sets", "on_generating_models", "on_every_study"]


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


def on_data_sets(results: StudyResults) -> bool:
    """Return whether a study is on data sets."""
    return results.on_datasets


def on_generating_models(results: StudyResults) -> bool:
    """Return whether a study is on generating models."""
    return not results.on_datasets


def on_every_study(results: StudyResults) -> bool:
    """Return True: the section is of all studies."""
    return True
