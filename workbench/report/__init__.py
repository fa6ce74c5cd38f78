"""Reports: the answer of a study first, then figures, tables, tests, settings and provenance."""

from workbench.report.write import write_report

__all__ = ["write_report"]
