"""Measurements as a page of Markdown, with the day, the machine and the versions."""

import importlib.metadata
from collections.abc import Mapping, Sequence
from datetime import date

from benchmarks import weka_times
from benchmarks.report import RUNS, Line, verdict
from workbench.engine.provenance import provenance
from workbench.report.notes import table

PEERS = ("scikit-bayes", "pgmpy")
HEAD = """# Speed

Written by `make bench` on {day}; what says that it was measured apart comes from runs of its own, such as
`make bench-long`.

{cores} cores, {cpu}, {system}; Python {python}; {versions}. One thread. Load average before the
start, all of it other programs: {busy:.1f}.

Unless a section or a note says otherwise, each figure is the median of {runs} rounds after a warm-up; in a
round every program of the table does its work once. What counts is the *ratio*: seconds over those of
scikit-learn's CategoricalNB (naive Bayes on integer codes, fit and forecast) in the same round; in the table
of scores, those of its log_loss, in that of trees, those of its DecisionTreeClassifier; in that of
posteriors, those of pyAgrum; in that of 100,000 cells, the seconds allowed (a minute where there is no
budget), once, in a process of its own; in that of the first time, the import of scikit-learn's base, or the
goal. Seconds wander from day to day. The *budget* is the largest ratio that we allow ourselves. ONCE: one run
after a warm-up. SCALED: a part was run, and its time multiplied."""
WEKA = "Weka, quoted"
APART = "Measured apart"
GROWTH = "Growth"
DRAWN = """![Seconds to fit and to forecast, by rows and by attributes](../figures/growth.png)

![CaMML: seconds by nodes and by rows](../figures/camml_growth.png)

Drawn by `make bench-long`; all axes logarithmic."""


def markdown(text: str, measured: Mapping[str, Sequence[Line]], busy: float, order: Sequence[str]) -> str:
    """Write the page; `busy` is the load average before the start.

    Of the page as it was, the sections stay that were measured apart and are not measured now.
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
    found |= {title: f"{APART}, on {day}: {where}.\n\n{_table(lines)}" for title, lines in measured.items()}
    return _joined(head, found, order)


def _blocks(text: str) -> tuple[str, dict[str, str]]:
    """Split a page into its head, and its sections by their titles."""
    head, *blocks = text.rstrip("\n").split("\n\n## ")
    return head, dict(block.split("\n\n", 1) for block in blocks)


def _joined(head: str, found: Mapping[str, str], order: Sequence[str]) -> str:
    places = {title: place for place, title in enumerate(order)}
    titles = sorted(found, key=lambda title: places.get(title, len(places)))  # quoted ones and figures last
    return "\n\n## ".join([head, *(f"{title}\n\n{found[title]}" for title in titles)]) + "\n"


def _head(busy: float) -> str:
    about = provenance()
    versions = {name: version for name, version in about["versions"].items() if name != "learner-workbench"}
    versions |= {name: importlib.metadata.version(name) for name in PEERS}
    return HEAD.format(
        day=date.today().isoformat(),
        cores=about["cores"],
        cpu=about["cpu"],
        system=about["platform"].split()[0],
        python=about["python"],
        versions=", ".join(f"{name} {version}" for name, version in versions.items()),
        busy=busy,
        runs=RUNS,
    )


def _table(lines: Sequence[Line]) -> str:
    rows = []
    for line in lines:
        budget = "" if line.budget is None else f"{_short(line.budget)}, {verdict(line)}"
        rows.append((line.work, line.who, _short(line.seconds), _short(line.ratio), budget, line.note))
    return table(("work", "who", "seconds", "ratio", "budget", "note"), rows)


def _short(value: float) -> str:
    """Write three digits that count, and no powers of ten."""
    return f"{value:,.0f}" if value >= 100 else f"{value:#.3g}".rstrip(".")
