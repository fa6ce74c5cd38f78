"""Figures that no other section draws, also those of installed packages."""

from collections.abc import Iterator

from workbench.base import catalogue
from workbench.report.document import Part
from workbench.report.findings import Findings
from workbench.report.sections._shared.pictures import pictures, study_figures
from workbench.report.sections._shared.section import ReportSection, with_sizes

__all__ = ["SECTION"]

#: Figures of the other sections and of the first screen.
ELSEWHERE = ("reward_by_size", "paired_differences", "interaction")


def _parts(findings: Findings) -> Iterator[Part]:
    for key in catalogue.keys("figures"):
        if key not in (*ELSEWHERE, *study_figures()):
            yield from pictures(findings.results, findings.experiments, key)


SECTION = ReportSection(50, "Other figures", _parts, with_sizes)
