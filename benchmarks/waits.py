"""What a user waits for before the first number: imports, and kernels that no process has compiled yet.

CPU seconds of whole processes; where kernels are measured, each with a folder of compiled code of its own.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from benchmarks.report import Line, say
from generators.base.compiled import VARIABLE

REPEATS = 3
BASE = "import numpy, sklearn.base"
IMPORTS = {
    "scikit-learn's base": (BASE, None),
    "ours, import learners": ("import learners", 0.6),
    "ours, import workbench": ("import workbench", None),
    "ours, workbench list learners": ("from workbench.cli.app import app; app(['list', 'learners'])", None),
}
FIT = """
import numpy as np, pandas as pd
from learners import LEARNERS
rng = np.random.default_rng(0)
X = pd.DataFrame(rng.integers(0, 3, (300, 5)), columns=list("abcde")).astype("category")
y = rng.integers(0, 3, 300)
for key, options in {asked!r}:
    LEARNERS[key](**options).fit(X, y).predict_proba(X)
"""
#: What is fitted in one process, and the seconds of compilation that are the goal.
FIRST_FITS = {
    "NB, TAN and AODE": ([("nb", {}), ("tan", {}), ("aode", {})], 5.0),
    "C4.5": ([("c45", {})], 8.0),
    "CaMML, exact": ([("camml", {})], 6.0),
    "CaMML, representative": ([("camml", {"averaging": "representative"})], 15.0),
    "FOIL": ([("foil", {})], None),
    "bn_ensemble": ([("bn_ensemble", {})], None),
}


def lines() -> Iterator[Line]:
    base = 0.0
    for who, (code, more) in IMPORTS.items():
        seconds = statistics.median(_seconds(code, os.environ.get(VARIABLE)) for _ in range(REPEATS))
        base = base or seconds
        allowed = None if more is None else (base + more) / base
        yield Line("until imported", who, seconds, seconds / base, allowed, "CPU seconds of the process")
    for who, (asked, goal) in FIRST_FITS.items():
        say(f"waits: {who}")
        with tempfile.TemporaryDirectory() as folder:
            cold, warm = (_seconds(FIT.format(asked=asked), folder) for _ in range(2))
        seconds = cold - warm
        note = f"compilation only, later {warm:.2f} s with imports, ONCE"
        yield Line(
            "first fit on a machine", f"ours, {who}", seconds, seconds / (goal or seconds), goal and 1.0, note
        )


def _seconds(code: str, folder: str | None) -> float:
    """Return the CPU seconds of a process."""
    environment = dict(os.environ) if folder is None else {**os.environ, VARIABLE: folder}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], env=environment, check=True, stdout=subprocess.DEVNULL
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
