"""Every pair of learners on every data set."""

from collections.abc import Iterator
from dataclasses import replace

from workbench.analyses._shared.data_sets_answer import untested
from workbench.base.text import capitalized
from workbench.report.document import Part, Text
from workbench.report.findings import Findings
from workbench.report.sections._shared.section import ReportSection, without_sizes
from workbench.report.size_tables import pairs_legend, pairs_table

__all__ = ["SECTION"]


def _parts(findings: Findings) -> Iterator[Part]:
    own = [one for one in findings.tests.values() if any(len(tested.table) for tested in one)]
    if own:
        lines = (f"{capitalized(line)}." for line in pairs_legend(own[0][0]))
        yield Text(" ".join(lines))
    for tests in own:
        yield replace(pairs_table(tests), note=" ".join(untested(tests)))


SECTION = ReportSection(30, "Pairs", _parts, without_sizes)
