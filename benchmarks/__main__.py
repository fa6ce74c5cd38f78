"""Speed against peers, as ratios: `make bench`, and `make bench-long` for what takes long.

One section alone, on the screen: `python -m benchmarks --only metrics`, or another key of `SECTIONS`; with
`--to docs/reference/speed.md` it is written anew on that page, with its day.

To add a measurement: one more `Work` in `WORKS`, which is timed in the rounds of the simulation; or a
function that yields `Line`s, one more entry of `SECTIONS`, with `is_long` if it takes minutes. The table on
the screen and the page show it.
"""

import argparse
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from threadpoolctl import threadpool_limits

from benchmarks import (
    averages,
    camml,
    growth,
    large,
    metrics,
    million,
    page,
    posteriors,
    reading,
    scale,
    simulation,
    streams,
    tables,
    trees,
    waits,
)
from benchmarks.report import Line, once, print_results, rounds, say

YARDSTICK_SECONDS = 0.9  # CategoricalNB where the budgets (in seconds) were set


class Work(NamedTuple):
    """One function to be timed; `budget` is in seconds, relative to `YARDSTICK_SECONDS`."""

    who: str
    run: Callable[[], object]
    what: str
    budget: float | None
    note: str


#: The first is the yardstick.
WORKS = (
    Work(
        "scikit-learn CategoricalNB",
        simulation.categorical_nb,
        "simulation, NB",
        None,
        "360 cells, integer codes",
    ),
    Work("ours, DataFrames", simulation.ours_from_frames, "simulation, NB + TAN + AODE", 0.4, "1080 cells"),
    Work("ours, integer codes", simulation.ours_from_codes, "simulation, NB + TAN + AODE", 0.2, "1080 cells"),
    Work(
        "ours, optimal",
        simulation.optimal_on_whole_spaces,
        "simulation, optimal NB + TAN",
        2.0,
        "240 fits, whole attribute spaces",
    ),
    Work("ours, CaMML", camml.fit_simulation, "simulation, CaMML exact", 0.8, "360 cells, up to 8 nodes"),
    Work("ours, CaMML 16 nodes", camml.fit_sixteen_nodes, "CaMML exact, 16 nodes, 5000 rows", 1.3, "one fit"),
    Work(
        "scikit-bayes AnDE",
        simulation.scikit_bayes_aode,
        "simulation, AODE",
        None,
        "360 cells, integer codes",
    ),
)


def simulation_lines() -> Iterator[Line]:
    seconds, ratios = rounds({work.who: work.run for work in WORKS})
    for work in WORKS:
        allowed = None if work.budget is None else work.budget / YARDSTICK_SECONDS
        yield Line(work.what, work.who, seconds[work.who], ratios[work.who], allowed, work.note)
    yield from scaled_pgmpy()


def scaled_pgmpy() -> Iterator[Line]:
    """Time pgmpy on a part of the models: the whole would take minutes."""
    scale = simulation.MODELS / len(simulation.PEER_MODELS)
    part = f"ONCE, SCALED by {scale:g} from models {simulation.PEER_MODELS} of each kind"
    works = {
        "CategoricalNB": simulation.categorical_nb,
        "NB": simulation.pgmpy_naive_bayes,
        "TAN": simulation.pgmpy_tan,
    }
    seconds, ratios = rounds(works, runs=1)
    for name in ("NB", "TAN"):
        yield Line(f"simulation, {name}", "pgmpy", seconds[name] * scale, ratios[name] * scale, note=part)


class Section(NamedTuple):
    """A part of the page, and what yields its lines."""

    title: str
    lines: Callable[[], Iterable[Line]]
    is_long: bool = False


#: By the key for `--only`, in the order of the page.
SECTIONS = {
    "simulation": Section("The simulation of 2004", simulation_lines),
    "million": Section("One million rows", million.lines),
    "averages": Section("Averages over structures", averages.lines),
    "tables": Section("Real data sets", tables.lines),
    "trees": Section("Trees and rules", trees.lines),
    "camml": Section("CaMML: networks", camml.lines),
    "metrics": Section("Scores of one million forecasts", metrics.lines),
    "posteriors": Section("Posteriors with missing values", posteriors.lines),
    "reading": Section("Reading CSV", reading.lines),
    "streams": Section("More rows than memory", streams.lines, is_long=True),
    "large": Section("Ten million rows, a thousand attributes", large.lines, is_long=True),
    "scale": Section("A study of 100,000 cells", scale.lines, is_long=True),
    "waits": Section("Waiting time at first use", waits.lines, is_long=True),
}

QUICK = [key for key, section in SECTIONS.items() if not section.is_long]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the sections that are not long, or those that are named, and draw the growth if asked to."""
    asked = _asked(arguments)
    only, to = asked.only, asked.to
    os.environ["TQDM_DISABLE"] = "1"
    busy = os.getloadavg()[0]
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        chosen = [SECTIONS[key] for key in only or QUICK]
        measured = {section.title: _lines_of(section) for section in chosen}
        if asked.draw:
            growth.draw()
            camml.draw()
    print_results([line for lines in measured.values() for line in lines])
    if to:
        order = [section.title for section in SECTIONS.values()]
        before = to.read_text(encoding="utf-8") if to.exists() else ""
        write = page.renewed if only else page.markdown
        to.write_text(write(before, measured, busy, order), encoding="utf-8")


def _lines_of(section: Section) -> list[Line]:
    lines: list[Line] = []
    seconds = once(lambda: lines.extend(section.lines()))
    say(f"{section.title}: {seconds:.0f} s")
    return lines


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Time learners, metrics and peers in one run, as ratios."
    )
    parser.add_argument("--to", type=Path, help="page of Markdown to write, or whose sections to renew")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=[], help="sections to measure")
    parser.add_argument("--draw", action="store_true", help="draw how time grows, into docs/figures")
    asked = parser.parse_args(arguments)
    if asked.only and asked.to and not asked.to.exists():
        parser.error(f"{asked.to} does not exist: leave out --only to write the page")
    return asked


if __name__ == "__main__":
    main()
