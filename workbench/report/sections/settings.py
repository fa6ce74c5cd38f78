"""What every report ends with: the study, how long it took, and where its numbers come from."""

from collections.abc import Iterator

from workbench.report.document import Part
from workbench.report.findings import Findings
from workbench.report.provenance import settings_of
from workbench.report.sections._shared.section import ReportSection, on_every_study

__all__ = ["SECTION"]


def _parts(findings: Findings) -> Iterator[Part]:
    return settings_of(findings.results)


SECTION = ReportSection(90, "Settings and provenance", _parts, on_every_study)
