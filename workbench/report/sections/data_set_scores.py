"""Means of learners on data sets, and what the words mean."""

from collections.abc import Iterator, Sequence

import pandas as pd

from workbench.analyses import Resampled
from workbench.analyses._shared.data_sets_answer import untested
from workbench.report.document import Part, Text
from workbench.report.findings import Findings
from workbench.report.sections._shared.pictures import data_sets_picture
from workbench.report.sections._shared.section import ReportSection, on_data_sets
from workbench.report.table import Cell, Number, Table
from workbench.report.words import legend_of

__all__ = ["SECTION"]

MEANS = (
    "Means \u00b1 standard deviations over the parts of each data set. Parts share rows, so the "
    "deviation over the square root of their number is no standard error."
)


def _parts(findings: Findings) -> Iterator[Part]:
    yield Text(MEANS)
    first = next(iter(findings.tests))
    drawn = {first.metric}
    for key, tests in findings.tests.items():
        if key.metric not in drawn:  # the first score's is on the first screen
            yield data_sets_picture(tests)
        drawn.add(key.metric)
        yield _means(tests)
    words = legend_of(findings.tests, metric=findings.results.metric)
    yield Table("Words", ("word", "meaning"), tuple(words.items()))


def _means(tests: Sequence[Resampled]) -> Table:
    key, alongside = tests[0].score, list(tests[0].alongside.index)
    learners = [*tests[0].means.index, *alongside]
    rows: list[tuple[Cell, ...]] = []
    for one in tests:
        name = "|".join(["mean", *key, one.source])
        means = pd.concat([one.means, one.alongside])
        best = one.best
        cells = [_mean(row, f"{name}|{key}", strong=key in best) for key, row in means.iterrows()]
        rows.append((one.source, *cells))
    aside = [f"In no test: {', '.join(alongside)}."] if alongside else []
    bold = "; bold: the best mean of the compared learners" if any(one.best for one in tests) else ""
    note = " ".join((f"In {tests[0].metric.measure}{bold}.", *aside, *untested(tests)))
    return Table(key.words, ("data set", *learners), tuple(rows), note, n_grey=len(alongside))


def _mean(row: pd.Series, name: str, *, strong: bool) -> Number:
    return Number(float(row["mean"]), 4, name, spread=float(row["sd"]), spread_digits=3, strong=strong)


SECTION = ReportSection(10, "Scores", _parts, on_data_sets)
