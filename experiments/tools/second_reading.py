"""Sections of a paper's page on both of its readings: its conclusions, and what each found setting changes.

Each paper has two studies: the first reading, whose settings were fixed before any run, and the second, with
what was found since. findings.toml states how each setting was found, the cells that found it, those that
check it, all that depend on it, and the ablations that undo only this setting.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pandas as pd
from conclusions.judging import Studies, Verdict, judged, turned_by_chance

from workbench import load
from workbench.base.errors import WorkbenchError
from workbench.report.notes import number, table, write_section
from workbench.reproduction import Printed, Reproduction
from workbench.reproduction.ablations import SEPARATOR, Ablated, SharedRows
from workbench.reproduction.before_and_after import matched
from workbench.reproduction.data_set_facts import DataSetFacts
from workbench.reproduction.judging.finding import AGREE
from workbench.reproduction.judging.judge import all_judged
from workbench.reproduction.printed.table import COMPARING, DRAWN, PrintedTable
from workbench.reproduction.units import Units
from workbench.store.results import StudyResults

PAPERS = Path(__file__).resolve().parents[1] / "papers"
NAMES = ("korb2001", "hope2002", "hope2004_uci", "cleary1996")
SEARCH = "search"
LEVELS = ("mean", *COMPARING)
OF_EACH = ("agree", "median \\|difference\\|")


class Apart(NamedTuple):
    """Score cells judged in both readings, and those of them that agree."""

    cells: int
    first: int
    second: int


@dataclass(frozen=True, eq=False)
class Readings:
    """Both readings of a paper, and the settings that differ (findings.toml)."""

    name: str
    first: Reproduction
    second: Reproduction
    findings: list[dict[str, Any]]

    @classmethod
    def of(cls, name: str, stores: Path) -> "Readings":
        """Compare both studies of a paper with what it prints."""
        printed = Printed.from_toml(PAPERS / name / "printed.toml")
        both = [
            Reproduction.of(load(stores / f"{store}.db"), printed)
            for store in (f"{name}_first_reading", name)
        ]
        found = tomllib.loads((PAPERS / name / "findings.toml").read_text(encoding="utf-8"))["findings"]
        return cls(name, *both, found)

    @cached_property
    def verdicts(self) -> tuple[list[Verdict], list[Verdict]]:
        """The paper's conclusions, judged in both readings."""
        first, second = (judged(self.rules.CONCLUSIONS, studies) for studies in self.studies)
        return first, second

    @property
    def rules(self) -> ModuleType:
        """The module of the paper's conclusions."""
        return import_module(f"conclusions.{self.name}")

    @cached_property
    def studies(self) -> tuple[Studies, Studies]:
        """The tables of both readings, and small studies drawn from them."""
        first, second = (Studies(one, Units(one.results)) for one in (self.first, self.second))
        return first, second

    @cached_property
    def cells(self) -> pd.DataFrame:
        """The score cells that are judged in both readings; see `matched`."""
        both = matched(self.first.cells, self.second.cells)
        return both[both["statistic"].isin(DRAWN)]

    def counted(self, *, by_search: bool) -> Apart:
        """Count the score cells that a setting found by search touches, or the others."""
        touched = pd.Series(False, index=self.cells.index)
        for one in self.findings:
            if SEARCH in one["how"]:
                touched |= region(self.cells, one["touches"], f"{self.name}, {one['cause']}")
        return self._apart(self.cells[touched == by_search])

    @property
    def levels(self) -> Apart:
        """Those of means, which half widths and correlations only accompany."""
        return self._apart(self.cells[self.cells["statistic"].isin(LEVELS)])

    @staticmethod
    def _apart(own: pd.DataFrame) -> Apart:
        return Apart(len(own), *_agreeing(own))


class Held(NamedTuple):
    """How many conclusions hold in our tables, hold in most studies as small as the paper's, are judged."""

    ours: int
    small: int
    judged: int


def held(found: Sequence[Verdict], printed: bool | None) -> Held:
    """Count the conclusions that hold, of those that hold in print, fail there, or are not judged (None)."""
    own = [one for one in found if one.ours is not None and one.printed is printed]
    small = sum(bool(one.ours) and one.share > 0.5 for one in own)
    return Held(sum(bool(one.ours) for one in own), small, len(own))


def conclusions_section(both: Readings) -> str:
    """Write the conclusions and their verdicts, as Markdown."""
    first, second = both.verdicts
    rows = []
    for earlier, one in zip(first, second, strict=True):
        share = "" if pd.isna(one.share) else f"{one.share:.0%}"
        told = [_told(one.printed, one.printed_figures), _told(earlier.ours, earlier.our_figures)]
        told += [_told(one.ours, one.our_figures), share, _turned(one)]
        rows.append([f"{one.conclusion.says} ({one.conclusion.where})", one.conclusion.rule, *told])
    counts = []
    for word, printed in (("hold", True), ("fail", False), ("cannot be judged", None)):
        before, now = held(first, printed), held(second, printed)
        if now.judged:
            counts.append([word, *map(str, (now.judged, before.ours, now.ours, now.small))])
    counted = ["in the printed tables", "conclusions", "hold in ours, first reading",
               "hold in ours, second reading", "also hold in most small studies"]  # fmt: skip
    heads = ["the paper concludes", "holds if", "printed tables", "ours, first reading",
             "ours, second reading", "share of small studies in which it holds",
             "tables that change with a limit 20% lower, 20% higher"]  # fmt: skip
    return "\n\n".join(
        [
            "The rules were written before the second reading was run, with the printed tables and the first "
            "reading in view.",
            table(counted, counts, words=1),
            "Small studies have the paper's size and are drawn from ours. They use the paper's single test. "
            "In ours, a difference is significant if more than half of our tests are, which is stricter. The "
            "limits of the rules are ours.",
            table(heads, rows),
            *_chance(both),
        ]
    )


def _chance(both: Readings) -> list[str]:
    """Report how many orders of learners chance reverses, if a rule counts reversed orders."""
    orders = getattr(both.rules, "ORDERS", None)
    if orders is None:
        return []
    share = turned_by_chance(both.studies[1], orders)
    return [
        f"Chance also reverses orders: two small studies differ in {share:.0%} of their orders by accuracy."
    ]


def _told(holds: bool | None, figures: str) -> str:
    word = {True: "**yes**", False: "**no**", None: "not judged"}[holds]
    return f"{word}: {figures}" if figures else word


def _turned(one: Verdict) -> str:
    if not one.turned:
        return "no limit"
    return ", ".join(" and ".join(words) or "same" for words in one.turned.values())


def findings_section(both: Readings) -> str:
    """Write what each found setting changes in the cells that found it and in others, as Markdown."""
    rows = []
    for one in both.findings:
        what = f"{both.name}, {one['cause']}"
        parts = [both.cells[region(both.cells, one[word], what)] for word in ("identified", "checked")]
        texts = [text for part in parts for text in _of_two(part)]
        rows.append([one["cause"], f"{one['how']}, {one['when']}", *texts])
    heads = ["setting", "found by", "cells that found it", *OF_EACH, "cells that check it", *OF_EACH]
    searched, others = (both.counted(by_search=word) for word in (True, False))
    return "\n\n".join(
        [
            "The evidence is retrospective, because the cells that check a setting had been seen. Values are "
            "of the first and the second reading. Cells of one learner and data set use the same forecasts, "
            "so they are no independent check.",
            table(heads, rows, words=2),
            f"Of the {searched.cells} score cells with settings found by search, {searched.first} agree in "
            f"the first reading and {searched.second} in the second. Of the other {others.cells}, "
            f"{others.first} and {others.second} agree.",
        ]
    )


def undone_section(both: Readings, ablations: StudyResults) -> str:
    """Write the cells of each found setting when only that setting is undone, as Markdown."""
    units = Units(both.second.results)
    shared = SharedRows(units, Units(ablations))
    facts = DataSetFacts(both.second.results)
    before = judged(both.rules.CONCLUSIONS, Studies(both.second, shared))
    rows = []
    for one in both.findings:
        if "without" not in one:
            continue
        without = Ablated(shared, {variant.partition(SEPARATOR)[0]: variant for variant in one["without"]})
        row = [one["cause"], ", ".join(one["without"])]
        for word in ("identified", "checked"):
            printed = _cut_to(both.second.printed, one[word], one["cause"])
            two = (all_judged(printed, own, facts, units, 0) for own in (without, shared))
            row += _of_two(matched(*two))
        after = judged(both.rules.CONCLUSIONS, Studies(both.second, without))
        turned = [
            f"{place}: {_told(old.ours, old.our_figures)}; without {_told(new.ours, new.our_figures)}"
            for place, (old, new) in enumerate(zip(before, after, strict=True), 1)
            if old.ours != new.ours
        ]
        rows.append([*row, "; ".join(turned) or "none"])
    heads = ["setting", "undone by", "cells that found it", *OF_EACH, "cells that check it", *OF_EACH,
             "conclusions that change, by row of the table above"]  # fmt: skip
    return "\n\n".join(
        [
            "Each setting is undone separately, on the splits that the study shares with its ablations. "
            "Values are without and with the setting. Versions of data sets have no row, because in their "
            "cells nothing else differs between both readings.",
            table(heads, rows),
        ]
    )


def _cut_to(printed: Printed, part: Mapping[str, Any], what: str) -> tuple[PrintedTable, ...]:
    """Return the tables of scores with the cells of a part alone."""
    kept = []
    for one in printed.tables:
        if one.statistic in DRAWN and one.name in part.get("tables", [one.name]):
            wanted = {word: part[word] for word in ("learners", "datasets") if word in part}
            kept.append(replace(one, cells=one.cells[region(one.cells, wanted, what)]))
    return tuple(one for one in kept if len(one.cells))


def region(cells: pd.DataFrame, part: Mapping[str, Any], what: str) -> pd.Series:
    """Mark the cells of some tables, learners and data sets; a word that is left out stands for all."""
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
    return fits


def _of_two(cells: pd.DataFrame) -> list[str]:
    """Write the number of cells, those that agree before and after, and each table's median difference."""
    before, after = _agreeing(cells)
    medians = {}
    for name, own in cells.groupby("table", sort=False):
        two = (own[column].abs().median() for column in ("difference_before", "difference_after"))
        medians[str(name)] = " to ".join(number(one) for one in two)
    told = [text if len(medians) == 1 else f"{text} ({name})" for name, text in medians.items()]
    return [str(len(cells)), f"{before} to {after}", "; ".join(told)]


def _agreeing(cells: pd.DataFrame) -> list[int]:
    """Count the matched cells that agree before and after."""
    return [int((cells[column] == AGREE).sum()) for column in ("verdict_before", "verdict_after")]


def write(both: Readings, ablations: StudyResults | None, page: Path) -> None:
    """Write the sections of a paper's page; that of settings undone stays as it is without ablations."""
    sections = {"conclusions": conclusions_section(both), "found": findings_section(both)}
    if ablations is not None and any("without" in one for one in both.findings):
        sections["undone"] = undone_section(both, ablations)
    for word, section in sections.items():
        write_section(page, section, word)
