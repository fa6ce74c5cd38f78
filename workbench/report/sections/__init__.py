"""The sections of a report, one file each: a new file that sets `SECTION` is a new section."""

import importlib
import pkgutil
from functools import cache

from workbench.report.sections._shared.section import ReportSection

__all__ = ["ReportSection", "report_sections"]


@cache
def report_sections() -> tuple[ReportSection, ...]:
    """Return all sections of a report, sorted by their attribute `order`."""
    names = (found.name for found in pkgutil.iter_modules(__path__) if not found.ispkg)
    modules = (importlib.import_module(f"{__name__}.{name}") for name in names)
    return tuple(sorted((module.SECTION for module in modules), key=lambda section: section.order))
