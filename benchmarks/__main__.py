"""Speed against peers, as ratios measured in one run: `make bench`.

To add a measurement: one more `Work` in `WORKS`, which is timed in the rounds of the simulation; or a
function that yields `Line`s, one more entry of `SECTIONS`. The table on the screen and the page show it.
"""

import argparse
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from threadpoolctl import threadpool_limits

from benchmarks import camml, growth, metrics, million, page, simulation, tables
from benchmarks.report import Line, print_results, rounds

YARDSTICK_SECONDS = 0.9  # CategoricalNB where the budgets (in seconds) were set


class Work(NamedTuple):
    """One function to be timed; `budget` in seconds, beside `YARDSTICK_SECONDS`."""

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
    part = f"SCALED by {scale:g} from models {simulation.PEER_MODELS} of each kind"
    works = {
        "CategoricalNB": simulation.categorical_nb,
        "NB": simulation.pgmpy_naive_bayes,
        "TAN": simulation.pgmpy_tan,
    }
    seconds, ratios = rounds(works)
    for name in ("NB", "TAN"):
        yield Line(f"simulation, {name}", "pgmpy", seconds[name] * scale, ratios[name] * scale, note=part)


#: Title on the page, and what yields its lines.
SECTIONS: dict[str, Callable[[], Iterable[Line]]] = {
    "The simulation of 2004": simulation_lines,
    "One million rows": million.lines,
    "Real tables": tables.lines,
    "CaMML: networks": camml.lines,
    "Scores of one million forecasts": metrics.lines,
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Time learners, metrics and peers in one run, as ratios.")
    parser.add_argument("--to", type=Path, help="page of Markdown to write")
    to = parser.parse_args().to
    os.environ["TQDM_DISABLE"] = "1"
    busy = os.getloadavg()[0]
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        measured = {title: list(lines()) for title, lines in SECTIONS.items()}
        growth.draw()
        camml.draw()
    print_results([line for lines in measured.values() for line in lines])
    if to:
        to.write_text(page.markdown(measured, busy), encoding="utf-8")


if __name__ == "__main__":
    main()
