"""Measurements as a page of Markdown, with the day, the machine and the versions."""

import importlib.metadata
import re
from collections.abc import Mapping, Sequence
from datetime import date

from benchmarks import weka_times
from benchmarks.report import OVER, RUNS, WITHIN, Line, verdict
from workbench.engine.provenance import provenance
from workbench.report.notes import table

PEERS = ("scikit-bayes", "pgmpy")
HEAD = """# Speed

**Question.** How fast are learners, metrics and reports, compared with other programs in the same run?

**Design.** `make bench` wrote this page on {day}. Sections that were "measured separately" come from other
runs, such as `make bench-long`. The machine has {cores} cores ({cpu}, {system}).
The versions are Python {python}, {versions}.
All programs have one thread. The load average of other programs before the start was {busy:.1f}.

Times are medians of {runs} rounds after a warm-up, unless a note states otherwise. In a round, every program
of a table does its work once. The *ratio* is the time divided by that of a reference in the same round.
Compare ratios, because seconds vary from day to day. The *budget* is the largest ratio that we allow. ONCE:
one run after a warm-up. SCALED: a part was run and its time multiplied. NB is naive Bayes.

| section | reference |
| --- | --- |
| scores | log_loss of scikit-learn |
| trees and rules | DecisionTreeClassifier of scikit-learn |
| posteriors | pyAgrum |
| reading | read_csv of pandas |
| more rows than memory | partial_fit of CategoricalNB |
| ten million rows | reading the file by pyarrow |
| a thousand attributes | our naive Bayes |
| 100,000 cells | the seconds allowed, or a minute without a budget, in one run in a separate process |
| first use | the import of scikit-learn's base, or the goal |
| all others | CategoricalNB of scikit-learn, fit and forecast of integer codes |"""
ANSWER = "**Answer.** {within} of {n} budgets are met."
WEKA = "Weka, from an earlier measurement"
APART = "Measured separately"
GROWTH = "Growth"
DRAWN = """![Seconds to fit and to forecast, by rows and by attributes](../figures/growth.png)

![CaMML: seconds by nodes and by rows](../figures/camml_growth.png)

`make bench-long` draws these figures. All axes are logarithmic."""


def markdown(text: str, measured: Mapping[str, Sequence[Line]], busy: float, order: Sequence[str]) -> str:
    """Write the page; `busy` is the load average before the start.

    Sections of the former page that were measured separately stay if they are not measured now.
    """
    before = _blocks(text)[1]
    found = {title: before[title] for title in order if before.get(title, "").startswith(APART)}
    found |= {title: _table(lines) for title, lines in measured.items()}
    found[WEKA] = f"{weka_times.WHERE}\n\n{_table(weka_times.lines())}"
    found[GROWTH] = DRAWN
    return _joined(_head(busy), found, order)


def renewed(text: str, measured: Mapping[str, Sequence[Line]], busy: float, order: Sequence[str]) -> str:
    """Write sections of a page anew, each where `order` has it among the others."""
    head, found = _blocks(text)
    about, day = provenance(), date.today().isoformat()
    where = f"{about['cores']} cores, {about['cpu']}, load average before the start {busy:.1f}"
    found |= {title: f"{APART} on {day}: {where}.\n\n{_table(lines)}" for title, lines in measured.items()}
    return _joined(head, found, order)


def _blocks(text: str) -> tuple[str, dict[str, str]]:
    """Split a page into its head, and its sections by their titles."""
    head, *blocks = text.rstrip("\n").split("\n\n## ")
    return head, dict(block.split("\n\n", 1) for block in blocks)


def _joined(head: str, found: Mapping[str, str], order: Sequence[str]) -> str:
    places = {title: place for place, title in enumerate(order)}
    titles = sorted(found, key=lambda title: places.get(title, len(places)))  # quoted ones and figures last
    text = "\n\n## ".join([head, *(f"{title}\n\n{found[title]}" for title in titles)]) + "\n"
    within, over = text.count(f", {WITHIN} |"), text.count(f", {OVER} |")
    return re.sub(r"(?m)^\*\*Answer\.\*\* .*$", ANSWER.format(within=within, n=within + over), text)


def _head(busy: float) -> str:
    about = provenance()
    versions = {name: version for name, version in about["versions"].items() if name != "learner-workbench"}
    versions |= {name: importlib.metadata.version(name) for name in PEERS}
    head = HEAD.format(
        day=date.today().isoformat(),
        cores=about["cores"],
        cpu=about["cpu"],
        system=about["platform"].split()[0],
        python=about["python"],
        versions=", ".join(f"{name} {version}" for name, version in versions.items()),
        busy=busy,
        runs=RUNS,
    )
    return f"{head}\n\n{ANSWER.format(within=0, n=0)}"  # counted when all sections are there


def _table(lines: Sequence[Line]) -> str:
    rows = []
    for line in lines:
        budget = "" if line.budget is None else f"{_short(line.budget)}, {verdict(line)}"
        rows.append((line.work, line.who, line.note, budget, _short(line.seconds), _short(line.ratio)))
    return table(("work", "program", "note", "budget", "seconds", "ratio"), rows, words=4)


def _short(value: float) -> str:
    """Write three digits that count, and no powers of ten."""
    return f"{value:,.0f}" if value >= 100 else f"{value:#.3g}".rstrip(".")
