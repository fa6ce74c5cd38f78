"""What a study compiles on a new machine: CPU seconds by kernel, as a table of Markdown.

`python -m benchmarks.compilation [STUDY] --to docs/reference/compilation.md`; by default the study of `make
study`. One process computes it, with an empty folder of compiled code, so that the seconds of workers add up.
"""

import argparse
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generators.base.compiled import VARIABLE
from workbench.engine.runner import run_study
from workbench.report.notes import table, write_section
from workbench.study.toml import read_study

ROOT = Path(__file__).resolve().parents[1]
STUDY = ROOT / "experiments" / "papers" / "hope2004_simulation" / "study.toml"
#: What numba compiles of its own for our kernels, such as `np.zeros` for a type.
NUMBAS = "numba's own functions"


@dataclass
class Compiled:
    """A kernel, or all functions of numba's."""

    times: int = 0  # compiled, once for each combination of types
    own: float = 0.0  # CPU seconds without what was compiled on the way
    whole: float = 0.0
    caller: str = ""  # the first file to call it that is no kernel


@dataclass
class Ledger:
    """CPU seconds of compilation by kernel; filled while `listen` is in force."""

    kernels: dict[str, Compiled] = field(default_factory=dict)
    _open: list[tuple[float, float]] = field(
        default_factory=list
    )  # when it began, and seconds of its callees

    def begin(self) -> None:
        """Hear that a compilation begins, maybe inside another."""
        self._open.append((time.thread_time(), 0.0))

    def end(self, function: Any) -> None:
        """Hear that the latest one ends."""
        began, callees = self._open.pop()
        whole = time.thread_time() - began
        if self._open:
            before, others = self._open[-1]
            self._open[-1] = before, others + whole
        ours = not function.__module__.startswith("numba")
        entry = self.kernels.setdefault(
            f"{function.__module__}.{function.__name__}" if ours else NUMBAS, Compiled()
        )
        entry.times += 1
        entry.own += whole - callees
        entry.whole += whole
        entry.caller = entry.caller or (_caller() if ours else "")

    def listen(self) -> None:
        """Hear of all that numba compiles from now on."""
        from numba.core import event

        ledger = self

        class Listener(event.Listener):
            def on_start(self, event: Any) -> None:
                ledger.begin()

            def on_end(self, event: Any) -> None:
                ledger.end(event.data["dispatcher"].py_func)

        event.register("numba:compile", Listener())

    def table(self, seconds: float) -> str:
        """Return the dearest first, and the total; `seconds` are those of the whole study."""
        rows = []
        for name, one in sorted(self.kernels.items(), key=lambda item: -item[1].own):
            whole = "" if name == NUMBAS else f"{one.whole:.2f}"
            rows.append([name, one.caller, one.times, f"{one.own:.2f}", whole])
        total, times = (sum(getattr(one, what) for one in self.kernels.values()) for what in ("own", "times"))
        rows.append([f"total (study: {seconds:.0f} s)", "", times, f"{total:.2f}", ""])
        return table(["kernel", "first caller", "compilations", "CPU seconds", "with callees"], rows, words=2)


def _caller() -> str:
    """Return the nearest file on the stack that is ours and no kernel."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        frame = frame.f_back
        file = Path(frame.f_code.co_filename)
        ours = any(file.is_relative_to(ROOT / package) for package in ("generators", "learners", "workbench"))
        if ours and "_kernels" not in file.parts and file.stem not in ("compiled", "numba_part"):
            return str(file.relative_to(ROOT))
    return ""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the study, and print or write the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compilation", description=__doc__)
    parser.add_argument("study", type=Path, nargs="?", default=STUDY, help="a study (.toml)")
    parser.add_argument("--to", type=Path, help="page of Markdown to write between its markers")
    asked = parser.parse_args(arguments)
    ledger = Ledger()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.environ[VARIABLE] = folder
        study = read_study(asked.study)
        ledger.listen()
        began = time.process_time()
        run_study(study, n_jobs=1, progress=False)
        found = ledger.table(time.process_time() - began)
    print(found)
    if asked.to:
        write_section(asked.to, found)


if __name__ == "__main__":
    main()
