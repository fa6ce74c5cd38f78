"""Write into the papers' pages which conclusions come out again, and what each found setting changes.

Run from the root of the repository, after the studies (`make papers` does all):

    python experiments/tools/second_reading.py --stores .

Each paper has two studies: the first reading, whose settings were fixed before any run, and the second, with
what was found since. findings.toml says of each setting how it was found, by which cells, and which others
check it. A page whose stores are not there stays as it is, and the exit code is 1.
"""

import argparse
import os
import sys
import tomllib
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from conclusions.judging import Verdict, judged
from departure_trials import markdown, number

from workbench import load
from workbench.base.errors import WorkbenchError
from workbench.report.renderers.markdown import between_markers
from workbench.reproduction import Printed, Reproduction
from workbench.reproduction.before_and_after import SAME
from workbench.reproduction.judging.finding import AGREE, JUDGED

PAPERS = Path(__file__).resolve().parents[1] / "papers"
NAMES = ("korb2001", "hope2002", "hope2004_uci", "cleary1996")


class Readings(NamedTuple):
    """Both readings of a paper."""

    first: Reproduction
    second: Reproduction


def readings(name: str, stores: Path) -> Readings:
    """Compare both studies of a paper with what it prints."""
    printed = Printed.from_toml(PAPERS / name / "printed.toml")
    both = [
        Reproduction.of(load(stores / f"{store}.db"), printed) for store in (f"{name}_first_reading", name)
    ]
    return Readings(*both)


def verdicts(name: str, found: Reproduction) -> list[Verdict]:
    """Judge the conclusions of a paper."""
    return judged(import_module(f"conclusions.{name}").CONCLUSIONS, found)


def recreated(found: Sequence[Verdict]) -> str:
    """Count the conclusions that hold in our tables, of those that hold in the paper's own or its text."""
    usable = [one for one in found if one.ours is not None and one.printed is not False]
    return f"{sum(bool(one.ours) for one in usable)} of {len(usable)}"


def conclusions_section(first: Sequence[Verdict], second: Sequence[Verdict]) -> str:
    """Write the conclusions and their verdicts, as Markdown."""
    rows = []
    for before, one in zip(first, second, strict=True):
        share = "" if pd.isna(one.share) else f"{one.share:.0%}"
        rows.append(
            [
                one.conclusion.says,
                one.conclusion.rule,
                _told(one.printed, one.printed_figures),
                _told(before.ours, before.our_figures),
                _told(one.ours, one.our_figures),
                share,
            ]
        )
    heads = [
        "the paper concludes",
        "holds if",
        "printed tables",
        "ours, first reading",
        "ours, second reading",
        "of studies as small as the paper's",
    ]
    return "\n\n".join(
        [
            f"{recreated(second)} hold in our tables of the second reading, {recreated(first)} in those of "
            "the first; a rule that fails in the printed tables is no usable rule and is not counted. The "
            "rules were written down before the second reading was run, with the printed tables in view. A "
            "difference counts as significant in ours if more than half of our tests say so, a stricter "
            "standard than the paper's single test; the last column applies the paper's own.",
            markdown(heads, rows, words=5),
        ]
    )


def _told(holds: bool | None, figures: str) -> str:
    word = {True: "**yes**", False: "**no**", None: "not judged"}[holds]
    return f"{word}: {figures}" if figures else word


def findings_section(name: str, both: Readings) -> str:
    """Write what each found setting changes in the cells that found it and in others, as Markdown."""
    findings = tomllib.loads((PAPERS / name / "findings.toml").read_text(encoding="utf-8"))["findings"]
    cells = _matched(both)
    rows = []
    for one in findings:
        parts = [_region(cells, one[word], f"{name}, {one['cause']}") for word in ("identified", "checked")]
        rows.append(
            [
                one["cause"],
                f"{one['how']}, {one['when']}",
                *(text for part in parts for text in _changes(part)),
            ]
        )
    of_each = ["agree", "median \\|difference\\|"]
    heads = ["setting", "found", "cells that found it", *of_each, "cells that check it", *of_each]
    return "\n\n".join(
        [
            "All is retrospective: whoever chose the cells that check a setting had seen them. Agreement and "
            "medians are those of the first and of the second reading, which has all settings together, so "
            "a row shows what its setting and the others change in these cells; the ablations turn each "
            "alone. Cells of one learner and data set rest on the same forecasts: no independent check.",
            markdown(heads, rows, words=2),
        ]
    )


def _matched(both: Readings) -> pd.DataFrame:
    """Return the cells that are judged in both readings."""
    parts = [one.cells[one.cells["verdict"].isin(JUDGED)] for one in both]
    return pd.merge(parts[0][[*SAME, "verdict", "difference"]], parts[1], on=SAME, suffixes=("_first", ""))


def _region(cells: pd.DataFrame, part: Mapping[str, Any], what: str) -> pd.DataFrame:
    """Return the cells of some tables, learners and data sets; a word that is left out stands for all."""
    fits = pd.Series(True, index=cells.index)
    for word, column in (("tables", "table"), ("learners", "learner"), ("datasets", "dataset")):
        if word in part:
            known = set(cells[column])
            for name in part[word]:
                if name not in known:
                    raise WorkbenchError(
                        f"{what}: there is no {column} {name!r}; expected some of {sorted(known)}"
                    )
            fits &= cells[column].isin(part[word])
    return cells[fits]


def _changes(cells: pd.DataFrame) -> list[str]:
    before, after = ((cells[column] == AGREE).sum() for column in ("verdict_first", "verdict"))
    medians = [cells[column].abs().median() for column in ("difference_first", "difference")]
    return [str(len(cells)), f"{before} to {after}", " to ".join(number(one) for one in medians)]


def write(name: str, stores: Path, to: Path) -> None:
    """Write both sections of a paper's page."""
    both = readings(name, stores)
    found = [verdicts(name, one) for one in both]
    page = to / name / "notes.md"
    text = page.read_text(encoding="utf-8")
    for word, section in (
        ("conclusions", conclusions_section(*found)),
        ("found", findings_section(name, both)),
    ):
        text = between_markers(text, section, start=f"<!-- {word} -->", end=f"<!-- {word} end -->")
    page.write_text(text, encoding="utf-8")


def main() -> int:
    """Write the sections of all papers whose stores are there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--stores", type=Path, default=Path(), help="their folder")
    parser.add_argument("--data", type=Path, help="folder of the ARFF files, by default WORKBENCH_DATA")
    parser.add_argument("--to", type=Path, default=PAPERS, help="folder of the pages")
    asked = parser.parse_args()
    if asked.data is not None:
        os.environ["WORKBENCH_DATA"] = str(
            asked.data.resolve()
        )  # stores are asked for facts of the data sets
    failed = 0
    for name in NAMES:
        try:
            write(name, asked.stores, asked.to)
        except WorkbenchError as error:
            failed = 1
            print(f"{name}: {error}", file=sys.stderr)
    return failed


if __name__ == "__main__":
    sys.exit(main())
