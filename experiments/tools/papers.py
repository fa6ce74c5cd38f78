"""Write how much of each paper is reproduced into its page and docs/studies/papers.md.

Run from the root of the repository, after the studies (`make papers` does all):

    python experiments/tools/papers.py --stores .

Exit code 1, and what is missing, if a study has not been run to its end: then that paper's page and
docs/studies/papers.md stay as they are, and the table of the others is printed.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from second_reading import NAMES, PAPERS, Apart, Readings, held, write

from workbench import load
from workbench.base.errors import WorkbenchError
from workbench.report.notes import number, table, write_section
from workbench.reproduction import Reproduction
from workbench.reproduction.judging.draws import WIDTH
from workbench.reproduction.judging.finding import AGREE, UNKNOWN
from workbench.reproduction.printed.table import DRAWN
from workbench.store.results import StudyResults

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path("experiments", "papers")  # from the root
PAGE = ROOT / "docs" / "studies" / "papers.md"


class Row(NamedTuple):
    """What a row on a paper has besides its counts."""

    tables: dict[str, str]  # whose median difference is given, with its unit
    rest: str  # the main cause of disagreement


ROWS = {
    "korb2001": Row(
        {"Table 1: accuracy": "accuracy", "Table 2: information reward": "bits"},
        "MML trees and graphs as of 2001, cut points of the stump",
    ),
    "hope2002": Row(
        {"Table 2: accuracy": "accuracy", "Table 6: information reward": "reward"},
        "CaMML as of 2002, published values for one half of each data set",
    ),
    "hope2004_uci": Row(
        {
            "Appendix A.2: accuracy": "accuracy",
            "Appendix A.1: reward less the mean of the learners": "nats, summed over classes",
        },
        "versions of further data sets",
    ),
    "cleary1996": Row(
        {"Table 2: per cent correct": "points of per cent", "Table 2: bits saved": "bits"},
        "FOIL and Induct, whose programs are lost",
    ),
}


def finished(store: Path) -> None:
    """Raise WorkbenchError unless the study of a store has been run to its end."""
    pending = int((load(store).cells()["state"] == "pending").sum())
    if pending:
        raise WorkbenchError(f"{pending} cells of {store} are still to come: run the study again to go on")


def learners_of(both: Readings) -> str:
    """Write the share of each learner's score cells that agree, the greatest first."""
    cells = both.cells
    shares = (cells["verdict_after"] == AGREE).groupby(cells["printed_as"].str[1], sort=False).mean()
    ordered = shares.sort_values(ascending=False, kind="stable")
    return ", ".join(f"{name} {share:.0%}" for name, share in ordered.items())


def medians_of(found: Reproduction, tables: dict[str, str]) -> str:
    """Write the median differences of some tables."""
    medians = found.counts["median_difference"]
    return "; ".join(f"{number(medians[name])} {unit}" for name, unit in tables.items())


def rows(found: Sequence[Readings], folder: str) -> str:
    """Write a row on each paper, as Markdown."""
    heads = ["paper", "score cells that agree, first and second reading",
             "of these, on settings found by search", "of these, means",
             "agreement by learner, second reading", "median difference",
             "conclusions reproduced, of those that the published tables support",
             "main cause of disagreement"]  # fmt: skip
    lines = []
    for both in found:
        parts = [both.counted(by_search=word) for word in (True, False)]
        total = Apart(*map(sum, zip(*parts, strict=True)))
        first, second = (held(one, True) for one in both.verdicts)
        lines.append(
            [
                f"[{both.second.paper}]({folder}/{both.name}/notes.md)",
                *(f"{one.first}, then {one.second} of {one.cells}" for one in (total, parts[0], both.levels)),
                learners_of(both),
                medians_of(both.second, ROWS[both.name].tables),
                f"{first.ours}, then {second.ours} of {second.judged}; {second.small} also in small studies",
                ROWS[both.name].rest,
            ]
        )
    return table(heads, lines)


def summary(found: Sequence[Readings], folder: str) -> str:
    """Write the counts of every printed table, paper by paper, as Markdown."""
    heads = ["paper", "table", "cells", "agree, first reading", "agree", "near", "differ", "unknown",
             "expected to differ by chance", "median difference, first reading", "median difference",
             "median half width of the interval of agreement",
             "published significant tests that most of our draws reproduce",
             "data sets with a cell that differs"]  # fmt: skip
    lines = []
    for both in found:
        first, second = both.first, both.second
        paper = f"[{second.paper}]({folder}/{both.name}/notes.md)"
        parts = ((first.counts, second.counts), (first.totals, second.totals))
        for before, after in parts:
            for name, row in after.iterrows():
                label = name if after is second.counts else f"**{name}**"
                there = str(name).removesuffix(": printed as significant")
                own = second.cells[second.cells["table"] == there]
                lines.append([paper, label, *_counts(before.loc[name], row, _power(own))])
                paper = ""
    return table(heads, lines, words=2)


def _power(cells: pd.DataFrame) -> list[str]:
    """Write how far off a cell may be and agree, and how many tests most of our draws reproduce."""
    judged = cells[cells["verdict"] != UNKNOWN]
    drawn = judged[judged["statistic"].isin(DRAWN)]
    tests = judged[(judged["statistic"] == "significance") & (judged["printed"] == 1)]
    return [
        number(float((WIDTH * drawn["sd"]).median())) if len(drawn) else "",
        f"{int((tests['tail'] > 0.5).sum())} of {len(tests)}" if len(tests) else "",
    ]


def _counts(before: pd.Series, row: pd.Series, power: list[str]) -> list[str]:
    words = [f"{row['cells']:.0f}", f"{before['agree']:.0f}"]
    words += [f"{row[word]:.0f}" for word in ("agree", "near", "differ", "unknown")]
    medians = [one.get("median_difference", float("nan")) for one in (before, row)]
    return [
        *words,
        f"{row['expected_by_chance']:.1f}",
        *("" if pd.isna(one) else number(one) for one in medians),
        *power,
        f"{row['datasets_differ']:.0f} of {row['datasets']:.0f}",
    ]


def ablations_of(name: str, stores: Path) -> StudyResults | None:
    """Return the ablations of a paper if their study has been run to its end."""
    store = stores / f"{name}_ablations.db"
    try:
        finished(store)
    except WorkbenchError:
        return None
    return load(store)


def main() -> int:
    """Read the stores, and write between the markers of all pages."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--stores", type=Path, default=Path(), help="their folder")
    parser.add_argument("--data", type=Path, help="folder of the ARFF files, by default WORKBENCH_DATA")
    parser.add_argument("--to", type=Path, default=PAGE, help="a page with the markers of both tables")
    parser.add_argument("--papers", type=Path, default=PAPERS, help="folder of the papers' pages")
    asked = parser.parse_args()
    if asked.data is not None:
        os.environ["WORKBENCH_DATA"] = str(asked.data.resolve())  # stores are asked for facts of data sets
    found, missing = [], []
    for name in NAMES:
        try:
            for store in (f"{name}_first_reading", name):
                finished(asked.stores / f"{store}.db")
            found.append(Readings.of(name, asked.stores))
            write(found[-1], ablations_of(name, asked.stores), asked.papers / name / "notes.md")
        except WorkbenchError as error:
            missing.append(f"not reproduced: {name}: {error}")
    if missing:
        if found:
            print(summary(found, FOLDER.as_posix()))
        print("\n".join(missing), file=sys.stderr)
        return 1
    to_folder = Path(os.path.relpath(ROOT / FOLDER, asked.to.resolve().parent)).as_posix()
    write_section(asked.to, summary(found, to_folder))
    write_section(asked.to, rows(found, to_folder), "papers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
