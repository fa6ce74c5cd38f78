"""Write how much of each paper is reproduced into docs/studies/papers.md and README.md.

Run from the root of the repository, after the studies (`make papers` does all):

    python experiments/tools/papers.py --stores .

Exit code 1, and what is missing, if a study has not been run to its end; then the pages stay as they are,
and the table of the others is printed.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from departure_trials import markdown, number
from second_reading import NAMES, Readings, readings, recreated, verdicts

from workbench import load
from workbench.base.errors import WorkbenchError
from workbench.report.renderers.markdown import between_markers
from workbench.reproduction import Reproduction
from workbench.reproduction.counts import SCORES
from workbench.reproduction.judging.finding import AGREE, UNKNOWN
from workbench.reproduction.printed.table import DRAWN

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path("experiments", "papers")  # from the root
PAGE, README = ROOT / "docs" / "studies" / "papers.md", ROOT / "README.md"
MARKERS = {"start": "<!-- papers -->", "end": "<!-- papers end -->"}
#: The share of a learner's score cells that agree, from which on it counts as re-created.
RECREATED = 0.75


class Row(NamedTuple):
    """What a row on a paper says besides its counts.

    Parameters
    ----------
    tables : mapping of str to str
        The tables whose median difference is given, and its unit.
    rest : str
        The main cause of what still differs.
    """

    tables: dict[str, str]
    rest: str


ROWS = {
    "korb2001": Row(
        {"Table 1: accuracy": "accuracy", "Table 2: information reward": "bits"},
        "MML's trees and graphs of the time; cuts of the stump",
    ),
    "hope2002": Row(
        {"Table 2: accuracy": "accuracy", "Table 6: information reward": "reward"},
        "one printed half each; CaMML of the time",
    ),
    "hope2004_uci": Row(
        {
            "Appendix A.2: accuracy": "accuracy",
            "Appendix A.1: reward less the mean of the learners": "nats, classes summed",
        },
        "versions of other data sets",
    ),
    "cleary1996": Row(
        {"Table 2: per cent correct": "points", "Table 2: bits saved": "bits"},
        "FOIL and Induct, whose programs are lost",
    ),
}


def finished(store: Path) -> None:
    """Raise WorkbenchError unless the study of a store has been run to its end."""
    pending = int((load(store).cells()["state"] == "pending").sum())
    if pending:
        raise WorkbenchError(f"{pending} cells of {store} are still to come: run the study again to go on")


def learners_of(found: Reproduction) -> str:
    """Name the learners of whose judged score cells most agree, of how many."""
    cells = found.cells
    own = cells[cells["statistic"].isin(DRAWN) & (cells["verdict"] != UNKNOWN)]
    shares = (own["verdict"] == AGREE).groupby(own["printed_as"].str[1], sort=False).mean()
    there = [str(name) for name, share in shares.items() if share >= RECREATED]
    return f"{len(there)} of {len(shares)}: {', '.join(there)}" if there else f"none of {len(shares)}"


def medians_of(found: Reproduction, tables: dict[str, str]) -> str:
    """Write the median differences of some tables."""
    medians = found.counts["median_difference"]
    return "; ".join(f"{number(medians[name])} {unit}" for name, unit in tables.items())


def rows(found: Sequence[tuple[str, Readings]], folder: str) -> str:
    """Write a row on each paper, as Markdown."""
    heads = [
        "paper",
        "learners re-created",
        "score cells that agree",
        "median difference",
        "conclusions that hold, of those that do in its own tables",
        "main cause of the rest",
    ]
    lines = []
    for name, both in found:
        first, second = (one.totals.loc[SCORES] for one in both)
        held = [recreated(verdicts(name, one)) for one in both]
        lines.append(
            [
                f"[{both.second.paper}]({folder}/{name}/notes.md)",
                learners_of(both.second),
                f"{first['agree']:.0f}, then {second['agree']:.0f} of {second['judged']:.0f}",
                medians_of(both.second, ROWS[name].tables),
                f"{held[0].split()[0]}, then {held[1]}",
                ROWS[name].rest,
            ]
        )
    return markdown(heads, lines, words=len(heads))


def summary(found: Sequence[tuple[str, Readings]], folder: str) -> str:
    """Write the counts of every printed table, paper by paper, as Markdown."""
    heads = ["paper", "table", "cells", "agree, first reading", "agree", "near", "differ", "unknown",
             "expected to differ by chance", "median difference, first reading", "median difference",
             "data sets with a cell that differs"]  # fmt: skip
    lines = []
    for name, (first, second) in found:
        paper = f"[{second.paper}]({folder}/{name}/notes.md)"
        parts = ((first.counts, second.counts), (first.totals, second.totals))
        for before, after in parts:
            for table, row in after.iterrows():
                label = table if after is second.counts else f"**{table}**"
                lines.append([paper, label, *_counts(before.loc[table], row)])
                paper = ""
    return markdown(heads, lines, words=2)


def _counts(before: pd.Series, row: pd.Series) -> list[str]:
    words = [f"{row['cells']:.0f}", f"{before['agree']:.0f}"]
    words += [f"{row[word]:.0f}" for word in ("agree", "near", "differ", "unknown")]
    medians = [one.get("median_difference", float("nan")) for one in (before, row)]
    return [
        *words,
        f"{row['expected_by_chance']:.1f}",
        *("" if pd.isna(one) else number(one) for one in medians),
        f"{row['datasets_differ']:.0f} of {row['datasets']:.0f}",
    ]


def main() -> int:
    """Read the stores, and write the tables between the markers of both pages."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--stores", type=Path, default=Path(), help="their folder")
    parser.add_argument("--data", type=Path, help="folder of the ARFF files, by default WORKBENCH_DATA")
    parser.add_argument("--to", type=Path, default=PAGE, help="a page with the markers of both tables")
    parser.add_argument("--readme", type=Path, default=README, help="a page with the markers of the rows")
    asked = parser.parse_args()
    if asked.data is not None:
        os.environ["WORKBENCH_DATA"] = str(
            asked.data.resolve()
        )  # stores are asked for facts of the data sets
    found, missing = [], []
    for name in NAMES:
        try:
            for store in (f"{name}_first_reading", name):
                finished(asked.stores / f"{store}.db")
            found.append((name, readings(name, asked.stores)))
        except WorkbenchError as error:
            missing.append(f"not reproduced: {name}: {error}")
    if missing:
        if found:
            print(summary(found, FOLDER.as_posix()))
        print("\n".join(missing), file=sys.stderr)
        return 1
    to_folder = Path(os.path.relpath(ROOT / FOLDER, asked.to.resolve().parent)).as_posix()
    page = between_markers(asked.to.read_text(encoding="utf-8"), summary(found, to_folder))
    asked.to.write_text(between_markers(page, rows(found, to_folder), **MARKERS), encoding="utf-8")
    readme = asked.readme.read_text(encoding="utf-8")
    asked.readme.write_text(
        between_markers(readme, rows(found, FOLDER.as_posix()), **MARKERS), encoding="utf-8"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
