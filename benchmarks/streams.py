"""Rows from Parquet, batch by batch: seconds and memory by rows, drawn to docs/figures/streams.png.

Each fit runs in a fresh process; of three, the one with the median time is reported.
`python -m benchmarks.streams` draws; with numbers behind it, these are the millions of rows.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.report import Line, once, peak, say

FIGURE = Path(__file__).parents[1] / "docs" / "figures" / "streams.png"
MILLIONS = (1, 2, 5, 10, 20, 50, 100)
ATTRIBUTES, VALUES, CLASSES = 20, 4, 2
SHORT = 5  # millions of rows, of the lines
ROUNDS = 3
PATIENCE = 20  # millions of rows above which the peer is measured once

PEER = "CategoricalNB.partial_fit"
#: What is fitted, each in a fresh process; the first is the yardstick.
FITS = {
    PEER: "scikit-learn CategoricalNB.partial_fit",
    "NB": "ours, NB",
    "TAN": "ours, TAN",
    "AODE": "ours, AODE",
}
BUDGETS = {"NB": 0.5, "TAN": 0.5, "AODE": 0.5}


class Fit(NamedTuple):
    """What a fresh process has measured."""

    seconds: float
    processor: float  # seconds of all threads
    rows: int
    mebibytes: float  # largest resident set
    before: float  # resident set before the first row, the libraries imported and compiled


def lines() -> Iterator[Line]:
    """Compare fits of a few million rows with scikit-learn's on the same batches."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.parquet"
        n = SHORT * 1_000_000
        written = once(lambda: _write(file, n))
        work = f"{n:,} x {ATTRIBUTES} from Parquet"
        rounds = [{who: _measured(file, who) for who in FITS} for _ in range(ROUNDS)]
        for who in FITS:
            fits = [each[who] for each in rounds]
            seconds = statistics.median(fit.seconds for fit in fits)
            ratio = statistics.median(each[who].seconds / each[PEER].seconds for each in rounds)
            memory = f"{max(fit.mebibytes for fit in fits) / 1024:.2f} GiB resident"
            yield Line(work, FITS[who], seconds, ratio, BUDGETS.get(who), memory)
        yield Line(work, "ours, sampled and written", written, written / rounds[0][PEER].seconds, note="ONCE")


def draw(millions: Sequence[int] = MILLIONS) -> None:
    """Measure fits of growing files, draw and print them."""
    found: dict[str, list[Fit]] = {who: [] for who in FITS}
    for size in millions:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "rows.parquet"
            n = size * 1_000_000
            say(f"streams: {n:,} rows written in {once(lambda: _write(file, n)):.1f} s")  # noqa: B023
            for who in FITS:
                n_rounds = 1 if who == PEER and size > PATIENCE else ROUNDS
                fits = sorted(_measured(file, who) for _ in range(n_rounds))
                found[who].append(fits[len(fits) // 2])  # of the median seconds
                say(f"streams: {who}, {n:,} rows: {_words(found[who][-1])}")
    _draw(found)
    say(f"streams drawn to {FIGURE.parent.name}/{FIGURE.name}")


def _words(fit: Fit) -> str:
    speed, memory, before = fit.rows / fit.seconds / 1e6, fit.mebibytes / 1024, fit.before / 1024
    return (
        f"{fit.seconds:.2f} s ({fit.processor:.2f} s of processor), {speed:.2f} million rows per second, "
        f"{memory:.2f} GiB resident ({before:.2f} before the first row)"
    )


def _write(file: Path, n: int) -> None:
    """Draw rows in a process of its own: a child's peak starts from its parent's."""
    _run("--draw", str(n), str(file))


def _sample(n: str, file: str) -> None:
    from generators import random_tan
    from workbench import sample_parquet

    truth = random_tan(n_attributes=ATTRIBUTES, arity=VALUES, n_classes=CLASSES, random_state=1)
    sample_parquet(truth, int(n), file, random_state=2)


def _measured(file: Path, who: str) -> Fit:
    """Fit in a process of its own, whose memory holds nothing else."""
    return Fit(**json.loads(_run("--fit", who, str(file))))


def _run(*arguments: str) -> str:
    command = [sys.executable, "-m", "benchmarks.streams", *arguments]
    root = Path(__file__).parents[1]
    return subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True, check=True).stdout


def _fit(who: str, file: str) -> Fit:
    """Fit, after a few rows that compile everything."""
    import resource

    from pyarrow import parquet
    from sklearn.naive_bayes import CategoricalNB

    from learners import AODEClassifier, NaiveBayesClassifier, TANClassifier
    from workbench import fit_batches, fit_parquet

    arities = [VALUES] * ATTRIBUTES
    ours = {"NB": NaiveBayesClassifier, "TAN": TANClassifier, "AODE": AODEClassifier}
    codes = np.random.default_rng(0).integers(0, VALUES, (3000, ATTRIBUTES), dtype=np.uint8)
    few, classes = (codes, codes[:, 0] % CLASSES), np.arange(CLASSES)
    learner = CategoricalNB(min_categories=VALUES) if who == PEER else ours[who](arities=arities)
    fit_batches(learner, [few, few], classes=classes)
    rows = parquet.read_metadata(file).num_rows
    before, before_first = resource.getrusage(resource.RUSAGE_SELF), peak()
    seconds = once(lambda: fit_parquet(learner, file, "y", codes=True, classes=classes))
    after = resource.getrusage(resource.RUSAGE_SELF)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Fit(seconds, processor, rows, peak() / 2**20, before_first / 2**20)


def _draw(found: dict[str, list[Fit]]) -> None:
    from matplotlib.figure import Figure

    from workbench.report.notes import figure_style, looks, save_figure

    names = {who: FITS[who].removeprefix("ours, ") for who in FITS}
    look = looks([who for who in FITS if who != PEER], [PEER])
    with figure_style({"text.parse_math": True}):
        figure = Figure(figsize=(8.0, 3.6), layout="constrained")
        time, memory = figure.subplots(1, 2)
        for who, fits in found.items():
            rows = [fit.rows for fit in fits]
            color, marker, line = look[who].color, look[who].marker, look[who].line
            style = {"color": color, "marker": marker, "linestyle": line, "label": names[who]}
            time.plot(rows, [fit.processor for fit in fits], **style)
            memory.plot(rows, [fit.mebibytes / 1024 for fit in fits], **style)
        # other programs of a shared machine lengthen seconds by the clock
        time.set(title="processor time", ylabel="seconds to read and fit")
        memory.set(title="memory", ylabel="largest resident set, GiB")
        sizes = [fit.rows * (ATTRIBUTES + 1) / 2**30 for fit in found[PEER]]
        rows = [fit.rows for fit in found[PEER]]
        memory.plot(rows, sizes, color="black", linewidth=0.8, linestyle=":", label="all codes as one array")
        for axis in (time, memory):
            axis.set(xlabel="rows", xscale="log", yscale="log")
            axis.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        handles, labels = memory.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3)
        save_figure(figure, FIGURE, dpi=110)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--fit"]:
        print(json.dumps(_fit(*sys.argv[2:])._asdict()))
    elif sys.argv[1:2] == ["--draw"]:
        _sample(*sys.argv[2:])
    else:
        draw([int(size) for size in sys.argv[1:]] or MILLIONS)
