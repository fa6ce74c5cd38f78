"""Means of learners on data sets, and what the words mean."""

from collections.abc import Iterator
from dataclasses import replace

from workbench.analyses._shared.data_sets_answer import untested
from workbench.base.names import learner_list
from workbench.report.document import Part, Text
from workbench.report.findings import Findings
from workbench.report.sections._shared.pictures import data_sets_picture
from workbench.report.sections._shared.section import ReportSection, without_sizes
from workbench.report.size_tables import means_tables
from workbench.report.table import Table
from workbench.report.words import legend_of

__all__ = ["SECTION"]

MEANS = (
    "Means \u00b1 standard deviations over the {by.many} of each {by.source}. An infinite mean is followed "
    "by the number of {by.many} with an infinite score."
)
SHARED = (
    " The {by.many} of a {by.source} share rows, so the deviation divided by the square root of their number "
    "is not a standard error."
)


def _parts(findings: Findings) -> Iterator[Part]:
    by = findings.results.design.blocks
    yield Text(f"{MEANS}{'' if by.independent else SHARED}".format(by=by))
    first = next(iter(findings.tests))
    drawn = {first.metric}
    for key, tests in findings.tests.items():
        if key.metric not in drawn:  # the first score's is on the first screen
            yield data_sets_picture(tests)
        drawn.add(key.metric)
    yield from _means(findings)
    words = legend_of(findings.tests, metric=findings.results.metric)
    yield Table("Words", ("word", "meaning"), tuple(words.items()))


def _means(findings: Findings) -> Iterator[Table]:
    """Return the means with notes: who stands in no test, and why, under the table that shows it."""
    every = list(findings.tests.values())
    tables = means_tables(findings.tests)
    shown = [[one] for one in every] if len(tables) == len(every) else [every]
    for table, own in zip(tables, shown, strict=True):
        alongside = own[0][0].scores.others
        bold = "Bold: the best mean of the compared learners." if any(one.best for one in own[0]) else ""
        aside = f"In no test: {learner_list(alongside)}." if alongside else ""
        left_out = dict.fromkeys(line for tests in own for line in untested(tests))
        yield replace(table, note=" ".join(filter(None, (table.note, bold, aside, *left_out))))


SECTION = ReportSection(10, "Scores", _parts, without_sizes)
