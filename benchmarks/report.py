"""Measurements, one line each: how they are taken and printed."""

import gc
import resource
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

RUNS = 3
#: Whether a line is within its budget.
WITHIN, OVER = "within", "OVER"

say = Console(stderr=True).print


@dataclass(frozen=True)
class Line:
    """One measured value; `budget` is the largest allowed ratio to the yardstick."""

    work: str
    who: str
    seconds: float
    ratio: float
    budget: float | None = None
    note: str = ""


def peak() -> float:
    """Return the largest resident set of this process in bytes.

    `ru_maxrss` would do, but on Linux it begins with that of the parent.
    """
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return 1024.0 * float(line.split()[1])
    unit = 1 if sys.platform == "darwin" else 1024
    return float(unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def once(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def rounds(
    works: Mapping[str, Callable[[], object]], runs: int = RUNS
) -> tuple[dict[str, float], dict[str, float]]:
    """Time all works in turn, by default three times over; the first work is the yardstick.

    Returns the median seconds of each, and the median of each round's ratio to the yardstick:
    a busy moment of the machine affects all works of a round alike.
    """
    for work in works.values():  # warm up: compile, load, fill caches
        work()
    gc.collect()
    gc.freeze()  # freeze the drawn tables, so that garbage collection does not slow down what runs next
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for number in range(runs):
        say(f"round {number + 1} of {runs}: {', '.join(works)}")
        for name, work in works.items():
            seconds[name].append(once(work))
    yardstick = next(iter(seconds.values()))
    ratios = {
        name: statistics.median(s / y for s, y in zip(each, yardstick, strict=True))
        for name, each in seconds.items()
    }
    return {name: statistics.median(each) for name, each in seconds.items()}, ratios


def hand_out(
    text: str, draw: Callable[[Path], object], write: Callable[[str, Path], object] | None = None
) -> None:
    """Print a page; write it, and draw its figure, where the arguments of the command say."""
    print(text)
    own = write or (lambda text, file: file.write_text(text))
    for make, place in zip((lambda file: own(text, file), draw), sys.argv[1:], strict=False):
        make(Path(place))


def verdict(line: Line) -> str:
    return "" if line.budget is None else (WITHIN if line.ratio <= line.budget else OVER)


def print_results(lines: list[Line]) -> None:
    table = Table(
        title=f"median of {RUNS} warm rounds, one thread; ratio: to CategoricalNB in the same round, "
        "of scores to log_loss, of trees to DecisionTreeClassifier, of posteriors to pyAgrum, of 100,000 "
        "cells to the seconds allowed"
    )
    for heading in ("work", "program", "seconds", "ratio", "budget", "", "note"):
        table.add_column(heading, justify="right" if heading in ("seconds", "ratio", "budget") else "left")
    for line in lines:
        budget = "" if line.budget is None else f"{line.budget:.3f}"
        cells = (line.work, line.who, f"{line.seconds:.3f}", f"{line.ratio:.3f}", budget, verdict(line))
        table.add_row(*cells, line.note)
    Console(width=150).print(table)
