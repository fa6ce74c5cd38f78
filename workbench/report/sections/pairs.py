"""Every pair of learners on every data set."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from workbench.analyses import Resampled
from workbench.analyses._shared.data_sets_answer import untested
from workbench.report.document import Part, Text
from workbench.report.findings import Findings
from workbench.report.sections._shared.section import ReportSection, on_data_sets
from workbench.report.table import Cell, Table, number, p_value
from workbench.report.words import title_of

__all__ = ["SECTION"]

#: What the columns of the pairs mean.
COLUMNS = {
    "five_by_two": (
        "t and its p are Dietterich's, for 5x2cv; F and p of F are Alpaydin's combined test of the same ten "
        "differences, which decides. p (Holm): p of F, corrected over the pairs; p (Bonferroni): "
        "the same p times their number, a simpler and weaker correction."
    ),
    "corrected": (
        "t and p are those of Nadeau and Bengio's corrected resampled test. p (Holm): p, corrected over the "
        "pairs of the data set; p (Bonferroni): p times their number, a simpler and weaker correction."
    ),
}


def _parts(findings: Findings) -> Iterator[Part]:
    own = [one for one in findings.tests.values() if any(len(tested.table) for tested in one)]
    if own:
        yield Text(
            f"Difference: mean over parts of the first minus the second. {COLUMNS[own[0][0].test]} Better: "
            "who is significantly better by that, at 5%."
        )
    yield from map(_pairs_table, own)


def _pairs_table(tests: Sequence[Resampled]) -> Table:
    key = tests[0].score
    rows = tuple(
        _pair(one, row, winner)
        for one in tests
        for row, winner in zip(one.table.to_dict("records"), one.winners(), strict=True)
    )
    names = ("t", "p", "F", "p of F") if tests[0].test == "five_by_two" else ("t", "p")
    unit = tests[0].metric.unit
    columns = ("pair", "data set", f"difference [{unit}]", *names, "p (Holm)", "p (Bonferroni)", "better")
    note = " ".join((f"In {tests[0].metric.measure}.", *untested(tests)))
    return Table(title_of(key), columns, rows, note)


def _pair(one: Resampled, row: dict[Hashable, Any], winner: str | None) -> tuple[Cell, ...]:
    place = "|".join([*one.score, one.source, row["learner"], row["other"]])
    statistics = [number(row["t"], 2), p_value(row["p"])]
    if one.test == "five_by_two":
        statistics += [number(row["F"], 2), p_value(row["p_F"])]
    return (
        f"{row['learner']} \u2212 {row['other']}",
        one.source,
        number(row["difference"], 4, f"difference|{place}"),
        *statistics,
        p_value(row["p_holm"], f"p_holm|{place}"),
        p_value(row["p_bonferroni"]),
        winner or "",
    )


SECTION = ReportSection(30, "Pairs", _parts, on_data_sets)
