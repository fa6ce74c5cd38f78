"""A study of 100,000 cells: planning, the store, and its readers, each in a separate process.

`python -m benchmarks --only scale` fills a store with made-up outcomes. With real learners, and the memory
of the main process along the way: `python -m benchmarks.scale --real 10000`.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.report import Line, peak, print_results, say

REPLICATES, SIZES, N_TEST, N_CLASSES = 500, (50, 100, 250, 500, 1000), 300, 3
LEARNERS = ("nb", "tan", "aode", "kdb", "cart", "j48", "one_r", "stump", "prior", "truth")
SOURCES = {
    "naive_bayes": "[2, 4]",
    "tan": "[2, 4]",
    "aode": "[2, 4]",
    "tan_small": "2",
}
WORK = "100,000 cells"

#: Two of a thousand cells fail, as in large studies some do.
FAILING = 0.002


class Part(NamedTuple):
    """The work of one process on the store, and the seconds allowed."""

    who: str
    budget: float | None
    note: str = ""


PARTS = {
    "plan": Part("read_study, identities, Store.plan, tasks", 5.0),
    "dry_run": Part("workbench run --dry-run", 5.0, "whole command, with 20 training sets timed"),
    "fill": Part("hand_out + record, 10 cells at a time", 200.0, "2 ms per cell are allowed"),
    "again": Part("workbench run --dry-run, all cells done", 5.0, "whole command"),
    "status": Part("workbench status", 1.0, "whole command"),
    "load": Part("load, frame()", None),
    "report": Part("workbench report", 60.0, "whole command"),
    "export": Part("workbench export to .csv", None, "whole command"),
}


def study_text(replicates: int = REPLICATES, learners: tuple[str, ...] = LEARNERS) -> str:
    """The study; with one replicate it has 4 x 5 x 10 cells."""
    sources = "".join(
        f'[[sources]]\nkey = "{key}"\ngenerator = "{key.removesuffix("_small")}"\n'
        f"n_attributes = {n}\narity = [2, 3]\nn_classes = {N_CLASSES}\n"
        for key, n in SOURCES.items()
    )
    return (
        f'name = "scale"\nseed = 1\nlearners = {json.dumps(learners)}\n{sources}'
        f"[design]\nreplicates = {replicates}\nsizes = {list(SIZES)}\nn_test = {N_TEST}\n"
        '[scores]\nmetrics = ["ir_b", "kl_divergence", "accuracy", "log_loss", "quadratic_loss"]\n'
        'cutoffs = ["none"]\n'
        'priors = ["training", "marginal"]\nrows = ["test", "exact"]\n'
    )


def lines() -> Iterator[Line]:
    """Yield a line for each part; the ratio is to the seconds allowed, or to a minute where none are."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "scale.toml").write_text(study_text(), encoding="utf-8")
        for key, part in PARTS.items():
            say(f"scale: {part.who}")
            yield _measured(key, part, place)


def _measured(key: str, part: Part, place: Path) -> Line:
    words = [sys.executable, "-m", "benchmarks.scale", "--part", key, "--folder", str(place)]
    start = time.perf_counter()
    done = subprocess.run(words, capture_output=True, text=True)
    whole = time.perf_counter() - start
    if done.returncode:
        raise RuntimeError(f"{key} failed:\n{done.stderr}")
    report = json.loads(done.stdout.splitlines()[-1])
    # The clock of a whole command stops with its process, start and imports included.
    seconds = report.get("seconds") or whole
    notes = [part.note] * bool(part.note)
    notes += [f"{report['cpu']:.1f} s of CPU", f"at most {report['peak']:,.0f} MB", *report["notes"]]
    allowed = part.budget or 60.0
    budget = None if part.budget is None else 1.0
    return Line(WORK, f"ours, {part.who}", seconds, seconds / allowed, budget, ", ".join(notes))


def _plan(place: Path) -> tuple[float, list[str]]:
    clock = _Clock()
    from workbench.engine.runner import tasks_of
    from workbench.store.writing import Store
    from workbench.study.document import StudyDocument
    from workbench.study.toml import read_study

    clock.lap("imports")
    study = read_study(place / "scale.toml")
    clock.lap("read_study")
    identified = _identified(study)
    clock.lap("identities")
    with Store.open(place / "planned.db", study.name, study.seed) as opened:
        opened.begin_run(StudyDocument.of(study), {})
        opened.plan(identified)
        clock.lap("Store.plan")
        n_missing = len(opened.pending())
        clock.lap("pending")
    n_tasks = sum(1 for _ in tasks_of(study, identified))
    clock.lap("tasks")
    assert (n_missing, n_tasks * len(study.learners)) == (len(identified), len(identified))
    imports = clock.seconds.pop("imports")
    return sum(clock.seconds.values()), [*clock.notes(), f"imports {imports:.1f} s more"]


class _Clock:
    """Seconds of each step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.latest = time.perf_counter()

    def lap(self, step: str) -> None:
        now = time.perf_counter()
        self.seconds[step] = now - self.latest
        self.latest = now

    def notes(self) -> list[str]:
        return [f"{step} {seconds:.1f} s" for step, seconds in self.seconds.items()]


def _identified(study):
    from workbench.designs import StudyOutline

    sources = {source.key: source.n_truths for source in study.sources}
    (cells,) = study.design.rounds(StudyOutline(sources, tuple(spec.key for spec in study.learners), list))
    return [(study.identify(cell), cell) for cell in cells]


def _fill(place: Path) -> tuple[float, list[str]]:
    """Record made-up outcomes, task by task, and time nothing but the store."""
    from workbench.engine.provenance import provenance
    from workbench.store.writing import Store
    from workbench.study.document import StudyDocument
    from workbench.study.toml import read_study

    study = read_study(place / "scale.toml")
    identified = _identified(study)
    spent = 0.0
    with Store.open(place / "scale.db", study.name, study.seed) as opened:
        opened.define_metrics(study.scores.metrics, study.scores.descriptions)
        number = opened.begin_run(StudyDocument.of(study), provenance())
        opened.plan(identified)
        before = _resident()
        made_up = _Outcomes(study)
        for first in range(0, len(identified), len(study.learners)):
            task = identified[first : first + len(study.learners)]
            outcomes = [made_up.of(identity, cell) for identity, cell in task]
            start = time.perf_counter()
            opened.hand_out(outcome.identity for outcome in outcomes)
            opened.record(number, outcomes)
            spent += time.perf_counter() - start
        after = _resident()
        opened.end_run(number)
    size = (place / "scale.db").stat().st_size / 1e6
    rate = 1e3 * spent / len(identified)
    return spent, [
        f"{rate:.2f} ms per cell",
        f"memory {after - before:+.0f} MB",
        f"file {size:,.0f} MB",
    ]


class _Outcomes:
    """Draw outcomes that look like those of a study: better learners, harder truths, noise."""

    def __init__(self, study) -> None:
        from workbench.store.outcome import Prediction

        self.keys = study.keys
        self.rng = np.random.default_rng(1)
        draws = self.rng.dirichlet(np.ones(N_CLASSES), size=(50, N_TEST))
        self.predictions = [Prediction.of(probabilities, None) for probabilities in draws]
        truths = [(source.key, i) for source in study.sources for i in range(study.design.replicates)]
        self.truths = dict(zip(truths, self.rng.gamma(2.0, 0.2, len(truths)), strict=True))
        self.skill = {spec.key: i for i, spec in enumerate(study.learners)}

    def of(self, identity: str, cell):
        from workbench.store.outcome import Outcome, Score

        now, seconds = "2000-01-01T00:00:00.000000+00:00", self.rng.gamma(2.0, 1e-3, 3).tolist()
        if cell.learner != "truth" and self.rng.random() < FAILING:
            message = f"ValueError: {cell.learner} was made up to fail"
            text = "\n".join([message] * 20)
            return Outcome(identity, "failed", now, now, seconds[0], message=message, traceback=text)
        level = self.truths[cell.source, cell.replicate]
        loss = 0.0 if cell.learner == "truth" else 0.05 * self.skill[cell.learner] + 5.0 / cell.n_train
        noise = self.rng.normal(scale=0.02, size=len(self.keys)) * (cell.learner != "truth")
        scores = tuple(
            Score(key, _value(key.metric, level, loss * (1.0 + level) + abs(shake)), 0)
            for key, shake in zip(self.keys, noise.tolist(), strict=True)
        )
        return Outcome(
            identity, "done", now, now, *seconds, scores=scores, exact=True,
            test_digest=f"{cell.source} {cell.replicate}", prediction=self.predictions[cell.replicate % 50],
        )  # fmt: skip


def _value(metric: str, level: float, loss: float) -> float:
    """Return a score of a learner at a distance from a truth of a level, in bits."""
    if metric == "ir_b":
        return level - loss
    if metric == "accuracy":
        return float(1.0 / (1.0 + np.exp(loss - level)))
    return loss if metric == "kl_divergence" else 1.5 - level + loss


def _load(place: Path) -> tuple[float, list[str]]:
    from workbench.results import load

    start, before = time.perf_counter(), _peak()
    results = load(place / "scale.db")
    loaded, after = time.perf_counter(), _peak()
    n = len(results.frame())
    end = time.perf_counter()
    own = f"load {loaded - start:.1f} s and {after - before:,.0f} MB, frame() {_peak() - after:,.0f} MB more"
    return end - start, [f"{n:,} scores", own]


def _command(*words: str) -> Callable[[Path], tuple[None, list[str]]]:
    """Make the part that runs the command line in this process, from its start."""

    def part(place: Path) -> tuple[None, list[str]]:
        from workbench.cli.app import app

        app(
            [str(place / word) if word.startswith("scale.") else word for word in words],
            standalone_mode=False,
        )
        files = [place / word for word in words[1:] if word.startswith("scale.") and word not in OLD]
        return None, [f"file {file.stat().st_size / 1e6:,.1f} MB" for file in files]

    return part


OLD = ("scale.toml", "scale.db")
WORKS: dict[str, Callable[[Path], tuple[float | None, list[str]]]] = {
    "plan": _plan,
    "fill": _fill,
    "load": _load,
    "dry_run": _command("run", "scale.toml", "--store", "scale.db", "--dry-run"),
    "again": _command("run", "scale.toml", "--store", "scale.db", "--dry-run"),
    "status": _command("status", "scale.db"),
    "report": _command("report", "scale.db", "--to", "scale.html"),
    "export": _command("export", "scale.db", "--to", "scale.csv"),
}


def _peak() -> float:
    """Largest resident set of this process so far, in MB."""
    return peak() / 1e6


def _resident() -> float:
    """Resident set of this process now, in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def real_run(n_cells: int, jobs: int) -> Iterator[Line]:
    """Run cheap learners on tiny truths through the whole harness, looking at the memory of this process."""
    from workbench import read_study, run
    from workbench.engine.progress import Silent

    learners = ("nb", "prior")
    replicates = max(1, round(n_cells / (len(SOURCES) * len(SIZES) * len(learners))))
    study = read_study(study_text(replicates, learners))
    samples: list[tuple[int, float]] = []

    class Watch(Silent):
        def advance(self, done: int, failed: int) -> None:
            super().advance(done, failed)
            samples.append((self.computed, _resident()))

    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        start = time.perf_counter()
        run(study, Path(folder) / "real.db", n_jobs=jobs, progress=Watch())
        seconds = time.perf_counter() - start
    quantiles = [samples[int(share * (len(samples) - 1))] for share in (0.1, 0.25, 0.5, 0.75, 1.0)]
    memory = ", ".join(f"{resident:.0f} MB at {cells:,}" for cells, resident in quantiles)
    n = samples[-1][0]
    note = f"{1e3 * seconds / n:.1f} ms per cell with {jobs} jobs; main process: {memory}"
    yield Line(f"{n:,} real cells", "ours, run, learners nb and prior", seconds, seconds / 60.0, note=note)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--real", type=int, metavar="N", help="run about so many cells of cheap learners")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes of --real")
    parser.add_argument("--part", choices=WORKS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.part:
        seconds, notes = WORKS[asked.part](asked.folder)
        report = {"seconds": seconds, "cpu": time.process_time(), "peak": _peak(), "notes": notes}
        print(json.dumps(report))
        return
    print_results(list(real_run(asked.real, asked.jobs) if asked.real else lines()))


if __name__ == "__main__":
    main()
