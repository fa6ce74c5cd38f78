"""Ten million rows in memory, from Parquet and on two Dask workers, and tables of a thousand attributes.

`python -m benchmarks --only large`. Seconds by the clock, as threads and workers are compared; memory is that
of a process of its own for each learner.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.million import made_up
from benchmarks.report import Line, once, peak, say

ROWS, ATTRIBUTES, VALUES, CLASSES = 10_000_000, 30, 5, 5
WIDE_ROWS, WIDE, WIDE_VALUES, WIDE_CLASSES = 10_000, 1_000, 4, 2
ROW_GROUP, JOBS = 500_000, 2
COUNTING = ("nb", "tan", "aode")
NAMES = {"nb": "NB", "tan": "TAN", "aode": "AODE", "c45": "C4.5"}


def lines() -> Iterator[Line]:
    """The yardstick is reading the file of the ten million rows to arrays, and for wide tables NB."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.parquet"
        _run("write", str(file))  # and as arrays beside it
        read = _run("read", str(file))
        work, size = f"{ROWS:,} x {ATTRIBUTES}", f"{file.stat().st_size / 2**20:.0f} MiB of Parquet"
        yield Line(work, "pyarrow, the file to arrays", read["seconds"], 1.0, note=f"{size}, one thread")
        for key in NAMES:
            for jobs in (1, JOBS) if key in COUNTING else (1,):
                found = _run("memory", key, str(file), str(jobs))
                memory = f"{found['gibibytes']:.1f} GiB resident"
                who = f"ours, {NAMES[key]}" + (f", n_jobs={jobs}" if jobs > 1 else "")
                for part in ("fit", "forecast"):
                    yield _line(f"{work}, {part}", who, found[part], read["seconds"], memory)
        for key in COUNTING:
            found = _run("parquet", key, str(file))
            memory = f"{found['gibibytes']:.1f} GiB resident"
            who = f"ours, {NAMES[key]}"
            yield _line(f"{work}, fit from Parquet", who, found["seconds"], read["seconds"], memory)
        found = _run("dask", str(file))
        for key in COUNTING:
            who = f"ours, {NAMES[key]}"
            yield _line(
                f"{work}, fit by {JOBS} Dask workers", who, found[key], read["seconds"], "same counts"
            )
    yield from _wide_lines()


def _line(work: str, who: str, seconds: float, yardstick: float, note: str) -> Line:
    speed = f"{ROWS / seconds / 1e6:.3g} million rows/s, {note}, ONCE"
    return Line(work, who, seconds, seconds / yardstick, note=speed)


def _wide_lines() -> Iterator[Line]:
    found = {key: _run("wide", key) for key in COUNTING}
    for key, parts in found.items():
        for part, rows in (("fit", WIDE_ROWS), ("forecast", WIDE_ROWS // 10)):
            note = f"{rows:,} rows, {parts['gibibytes']:.1f} GiB resident, ONCE"
            ratio = parts[part] / found["nb"][part]
            yield Line(
                f"{WIDE_ROWS:,} x {WIDE:,}, {part}", f"ours, {NAMES[key]}", parts[part], ratio, note=note
            )


def _run(*arguments: str) -> dict[str, float]:
    say(f"large: {' '.join(arguments[:2])}")
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.large", *arguments]
    root = Path(__file__).parents[1]
    return json.loads(subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True, check=True).stdout)


def _write(file: str) -> dict[str, float]:
    import pyarrow as pa
    from pyarrow import parquet

    X, y = made_up(ROWS, ATTRIBUTES, CLASSES, VALUES)
    names = [f"a{j}" for j in range(ATTRIBUTES)]
    np.savez(Path(file).with_suffix(".npz"), X=X, y=y)
    table = pa.table([*(pa.array(X[:, j]) for j in range(ATTRIBUTES)), pa.array(y)], [*names, "y"])
    return {"seconds": once(lambda: parquet.write_table(table, file, row_group_size=ROW_GROUP))}


def _read(file: str) -> dict[str, float]:
    from pyarrow import parquet

    def read() -> None:
        for batch in parquet.ParquetFile(file).iter_batches(batch_size=ROW_GROUP, use_threads=False):
            for column in batch.columns:
                column.to_numpy()

    read()
    return {"seconds": once(read)}


def _learner(key: str, arities: list[int], **options: Any) -> Any:
    from learners import LEARNERS

    return LEARNERS[key](arities=arities, **options)


def _compiled(key: str, **options: Any) -> Any:
    """Return a learner for the ten million rows, whose kernels have been compiled by some."""
    learner = _learner(key, [VALUES] * ATTRIBUTES, **options)
    X, y = made_up(50_000, ATTRIBUTES, CLASSES, VALUES)
    learner.fit(X, y).predict_proba(X)
    return learner


def _memory(key: str, file: str, jobs: str) -> dict[str, float]:
    learner = _compiled(key, **({"n_jobs": int(jobs)} if key in COUNTING else {}))
    arrays = np.load(Path(file).with_suffix(".npz"))
    return _fit_and_forecast(learner, arrays["X"], arrays["y"], ROWS)


def _wide(key: str) -> dict[str, float]:
    learner = _learner(key, [WIDE_VALUES] * WIDE)
    X, y = made_up(WIDE_ROWS, WIDE, WIDE_CLASSES, WIDE_VALUES)
    learner.fit(X[:2_000], y[:2_000]).predict_proba(X[:200])  # compile
    return _fit_and_forecast(learner, X, y, WIDE_ROWS // 10)


def _fit_and_forecast(learner: Any, X: np.ndarray, y: np.ndarray, n_forecasts: int) -> dict[str, float]:
    fit = once(lambda: learner.fit(X, y))
    forecast = once(lambda: learner.predict_proba(X[:n_forecasts]))
    return {"fit": fit, "forecast": forecast, "gibibytes": peak() / 2**30}


def _parquet(key: str, file: str) -> dict[str, float]:
    from workbench import fit_parquet

    learner = _compiled(key)
    classes = np.arange(CLASSES)
    seconds = once(lambda: fit_parquet(learner, file, "y", codes=True, classes=classes))
    return {"seconds": seconds, "gibibytes": peak() / 2**30}


def _dask(file: str) -> dict[str, float]:
    """Fit on workers that have fitted before, and compare with the counts of one process."""
    from dask.distributed import Client

    from workbench import fit_parquet

    classes, seconds = np.arange(CLASSES), {}
    with Client(n_workers=JOBS, threads_per_worker=1, dashboard_address=None) as client:
        for key in COUNTING:
            learner, alone = (_learner(key, [VALUES] * ATTRIBUTES) for _ in range(2))

            def fit(learner: Any = learner) -> None:
                fit_parquet(learner, file, "y", codes=True, classes=classes, client=client)

            fit()
            seconds[key] = once(fit)
            fit_parquet(alone, file, "y", codes=True, classes=classes)
            few = made_up(1_000, ATTRIBUTES, CLASSES, VALUES)[0]
            if not np.array_equal(learner.predict_proba(few), alone.predict_proba(few)):
                raise AssertionError(f"{key} on workers and alone differ")
    return seconds


PARTS = {"write": _write, "read": _read, "memory": _memory, "parquet": _parquet, "dask": _dask, "wide": _wide}

if __name__ == "__main__":
    print(json.dumps(PARTS[sys.argv[1]](*sys.argv[2:])))
