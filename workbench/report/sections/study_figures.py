"""Figures of the whole study, with their tables."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from workbench.report.document import Part, Text
from workbench.report.findings import Findings
from workbench.report.sections._shared.pictures import study_figures, study_picture
from workbench.report.sections._shared.section import ReportSection, with_sizes
from workbench.report.size_tables import best_table, bias_table, needed_table
from workbench.report.table import Table

__all__ = ["SECTION"]

#: The tables of figures, by key; a figure without one stands alone.
TABLES: Mapping[str, Callable[[Any], Table]] = MappingProxyType(
    {
        "best_map": lambda display: best_table(display.best),
        "sample_complexity": lambda display: needed_table(display.complexity, one=bool(display.source)),
        "bias_variance": lambda display: bias_table(display.found, display.source),
    }
)

#: Figures of other sections.
ELSEWHERE = ("regret",)


def _parts(findings: Findings) -> Iterator[Part]:
    """Draw every figure of the whole study that can be made; its tables stand below."""
    for key, kind in study_figures().items():
        if key in ELSEWHERE:
            continue
        made = list(kind.reported(findings.results, findings.experiments))
        displays = [one for one in made if not isinstance(one, str)]
        for i, display in enumerate(displays):
            yield study_picture(findings.results, display, i)
        yield from (TABLES[key](display) for display in displays if key in TABLES)
        yield from (Text(one) for one in made if isinstance(one, str))


SECTION = ReportSection(30, "Across the study", _parts, with_sizes)
