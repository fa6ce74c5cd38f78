"""Means of learners on data sets, and what the words mean."""

from collections.abc import Iterator, Sequence

import pandas as pd

from workbench.analyses import Resampled
from workbench.analyses._shared.data_sets_answer import untested
from workbench.report.document import Part, Text
from workbench.report.findings import Findings
from workbench.report.sections._shared.section import ReportSection, on_data_sets
from workbench.report.table import Cell, Number, Table
from workbench.report.words import legend_of, title_of

__all__ = ["SECTION"]

MEANS = (
    "Means \u00b1 standard deviations over the parts of each data set. Parts share rows, so the "
    "deviation over the square root of their number is no standard error."
)


def _parts(findings: Findings) -> Iterator[Part]:
    yield Text(MEANS)
    yield from map(_means, findings.tests.values())
    words = legend_of(findings.tests, facts=findings.results.metric)
    yield Table("Words", ("word", "meaning"), tuple(words.items()))


def _means(tests: Sequence[Resampled]) -> Table:
    key, alongside = tests[0].score, list(tests[0].alongside.index)
    learners = [*tests[0].means.index, *alongside]
    rows: list[tuple[Cell, ...]] = []
    for one in tests:
        name = "|".join(["mean", *key, one.source])
        means = pd.concat([one.means, one.alongside])
        rows.append((one.source, *[_mean(row, f"{name}|{learner}") for learner, row in means.iterrows()]))
    aside = [f"In no test: {', '.join(alongside)}."] if alongside else []
    note = " ".join((f"In {tests[0].metric.measure}.", *aside, *untested(tests)))
    return Table(title_of(key), ("data set", *learners), tuple(rows), note, n_grey=len(alongside))


def _mean(row: pd.Series, name: str) -> Number:
    return Number(float(row["mean"]), 4, name, spread=float(row["sd"]), spread_digits=3)


SECTION = ReportSection(10, "Scores", _parts, on_data_sets)
