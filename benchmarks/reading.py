"""Reading CSV, next to pandas: adult, and a million rows of numbers, codes and text.

This section alone: `python -m benchmarks --only reading`.
"""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.report import Line, rounds
from benchmarks.tables import load_or_make_up
from workbench.datasets import load_table

YARDSTICK = "pandas.read_csv"
#: Nothing is found out of a file for nothing: the header, the separator and so on of the first rows.
BUDGET = 1.3
ROWS, NUMBERS, CODES, TEXTS = 1_000_000, 15, 8, 6


def lines() -> Iterator[Line]:
    with tempfile.TemporaryDirectory() as folder:
        for what, frame in (("adult", _adult()), (f"{ROWS:,} x 30", _made_up())):
            path = Path(folder, f"{what.split()[0]}.csv")
            frame.to_csv(path, index=False, na_rep="?")
            size = f"{len(frame):,} rows, {path.stat().st_size / 1e6:.0f} MB"
            works: dict[str, Callable[[], object]] = {
                YARDSTICK: lambda path=path: pd.read_csv(path, na_values=["?"]),
                "ours": lambda path=path: load_table(path),
            }
            seconds, ratios = rounds(works, runs=5)
            yield Line(f"reading {what}", YARDSTICK, seconds[YARDSTICK], 1.0, note=size)
            yield Line(f"reading {what}", "ours", seconds["ours"], ratios["ours"], BUDGET, size)


def _adult() -> pd.DataFrame:
    X, y, _ = load_or_make_up("adult")
    return X.assign(**{"class": y})


def _made_up() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    columns = {f"n{i}": rng.normal(size=ROWS).round(4) for i in range(NUMBERS)}
    columns |= {f"i{i}": rng.integers(0, 1000, ROWS) for i in range(CODES)}
    columns |= {f"t{i}": rng.choice(["red", "green", "blue", "NA"], ROWS) for i in range(TEXTS)}
    return pd.DataFrame(columns).assign(label=rng.choice(["p", "q"], ROWS))
