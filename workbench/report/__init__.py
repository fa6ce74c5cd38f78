"""Reports: the answer of a study first, then figures, tables, tests, settings and provenance."""

from workbench.report.content import write_report

__all__ = ["write_report"]
