"""The rates of one page of simulations that another page shows: from least to greatest over its worlds."""

import re
from pathlib import Path

from workbench.report.notes import table

#: Section of the page, row of its table, what the row is called elsewhere.
ROWS = (
    ("Ranks over data sets", "Friedman's chi-squared", "Friedman's chi-squared"),
    ("Ranks over data sets", "Iman and Davenport's F", "Iman and Davenport's F"),
    ("Ranks over data sets", "Nemenyi, any pair", "Nemenyi, any pair"),
    ("Ranks over data sets", "Holm on ranks, any pair", "Holm on ranks, any pair"),
    (
        "Posteriors on one data set",
        "no region, equal: better",
        "posterior on one data set, no region: better",
    ),
    (
        "Posteriors on one data set",
        "narrow region, at the edge: better",
        "posterior on one data set, at the edge of a region: better",
    ),
    ("Posteriors over data sets", "no region, equal: better", "posterior over data sets, no region: better"),
    (
        "Posteriors over data sets",
        "narrow region, at the edge: better",
        "posterior over data sets, at the edge of a narrow region: better",
    ),
    ("Intervals of correlations over splits", "coverage, pearson", "coverage of Pearson's 95% intervals"),
)


def headlines(page: Path) -> str:
    """Return a table: what was measured on the page, the least and the greatest rate over its worlds."""
    sections = re.split(r"^## ", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    by_name = {section.splitlines()[0]: section for section in sections}
    rows = []
    for section, row, name in ROWS:
        rates = _rates(by_name[section], row)
        rows.append([name, f"{min(rates):.3f}", f"{max(rates):.3f}"])
    return table(["measured there", "least", "greatest"], rows)


def _rates(section: str, row: str) -> list[float]:
    """Return the rates of a row, without their intervals."""
    (line,) = [line for line in section.splitlines() if line.startswith(f"| {row} |")]
    return [float(re.findall(r"\d\.\d+", cell)[0]) for cell in line.split("|")[2:-1]]
