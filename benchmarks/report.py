"""One line a measurement, and how they are printed."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

RUNS = 5


@dataclass(frozen=True)
class Line:
    """One measured figure; `budget` is the largest ratio to the yardstick that design allows."""

    work: str
    who: str
    seconds: float
    yardstick: float  # seconds of CategoricalNB on the 2004 simulation, in this run
    budget: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float:
        return self.seconds / self.yardstick


def median_seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """Run once to warm up, then give the median of several runs."""
    work()
    return statistics.median(once(work) for _ in range(runs))


def once(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def print_results(lines: list[Line]) -> None:
    table = Table(title=f"median of {RUNS} warm runs, one thread; ratio = seconds / CategoricalNB's on the simulation")
    for heading in ("work", "who", "seconds", "ratio", "budget", "", "note"):
        table.add_column(heading, justify="right" if heading in ("seconds", "ratio", "budget") else "left")
    for line in lines:
        budget = "" if line.budget is None else f"{line.budget:.3f}"
        verdict = "" if line.budget is None else ("within" if line.ratio <= line.budget else "OVER")
        table.add_row(line.work, line.who, f"{line.seconds:.3f}", f"{line.ratio:.3f}", budget, verdict, line.note)
    Console(width=150).print(table)
