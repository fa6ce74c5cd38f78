"""Disturb runs over and over, by signals and inside commits, and see that nothing is lost and no bit differs.

`python -m benchmarks.soak --minutes 30 --to docs/reference/soak.md`. Linux only. Ends with 1 if anything was
lost.

Each study is experiments/small.toml with another seed and more replicates. It is run once undisturbed, and
then into several stores with two jobs, where each run is disturbed until one comes to its end.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from benchmarks.interruptible_run import NOTHING, Holdings, look, start, workers_of
from workbench.report.notes import table, write_section

ROOT = Path(__file__).resolve().parents[1]
REPLICATES = 48
#: How many stores each study is disturbed in, and how many runs of one are disturbed at most.
STORES, MOST_RUNS = 3, 12
#: The longest that a run is left alone, its start included.
MOST_SECONDS = 6.0
JOBS = ("--jobs", "2", "--retry", "failed", "--retry", "timed_out")

MAIN = "main process killed (SIGKILL)"
TERMINATED = "main process ended (SIGTERM)"
CTRL_C = "Ctrl-C (SIGINT)"
WORKER = "worker killed (SIGKILL)"
STOPPED = "worker stopped and continued (SIGSTOP, SIGCONT)"
MAIN_INSIDE = "main process killed (SIGKILL) inside a commit"
WORKER_INSIDE = "worker killed (SIGKILL) while the main process is inside a commit"
#: Weights of what is done; the first three and the one inside a commit end the run.
KINDS = {MAIN: 3, TERMINATED: 1, CTRL_C: 2, WORKER: 4, STOPPED: 2, MAIN_INSIDE: 3, WORKER_INSIDE: 2}
SIGNALS = {MAIN: signal.SIGKILL, TERMINATED: signal.SIGTERM, CTRL_C: signal.SIGINT}


class Lost(Exception):
    """Finished work is lost or changed, a store is damaged, or a run cannot be resumed."""


@dataclass
class Soak:
    """What has been done and seen so far; a line of the log for each."""

    seed: int
    log: TextIO
    until: float
    rng: random.Random
    n_events: Counter[str] = field(default_factory=Counter)
    n_checks: int = 0
    n_finished: int = 0
    n_studies: int = 0
    n_cells: int = 0
    n_in_flight: int = 0
    n_failed: int = 0

    @property
    def is_over(self) -> bool:
        return time.monotonic() > self.until

    def note(self, line: str) -> None:
        print(datetime.now(UTC).isoformat(timespec="milliseconds"), line, file=self.log, flush=True)

    def check(self, store: Path, before: Holdings, event: str, *, live: bool) -> Holdings:
        """Look at a store after an event, and raise Lost unless all that was done still is."""
        found = look(store) if live else look_at_a_copy(store)
        self.note(f"{event}: {len(found.done)} done, {len(found.in_flight)} in flight, {found.integrity}")
        if found.integrity != "ok":
            raise Lost(f"{store}: after {event}, SQLite says {found.integrity}")
        if not found.has_all_of(before):
            raise Lost(f"{store}: after {event}, cells that were done are gone or changed")
        self.n_checks += 1
        return found


def look_at_a_copy(store: Path) -> Holdings:
    """Look at a store that nobody writes and leave it as it is: its log is for the next run to take in."""
    with tempfile.TemporaryDirectory() as folder:
        for file in store.parent.glob(f"{store.name}*"):
            shutil.copy(file, folder)
        return look(Path(folder, store.name))


def soak(work: Soak, folder: Path) -> None:
    """Disturb one study after the other until the time is over."""
    while not work.is_over:
        work.n_studies += 1
        number = work.seed * 10_000 + work.n_studies
        text = (ROOT / "experiments" / "small.toml").read_text(encoding="utf-8")
        study = folder / f"{number}.toml"
        text = text.replace("seed = 1\n", f"seed = {number}\n")
        study.write_text(text.replace("replicates = 6\n", f"replicates = {REPLICATES}\n"), encoding="utf-8")
        began = time.monotonic()
        whole = undisturbed(study)
        seconds = time.monotonic() - began
        work.note(f"study {number}: {len(whole.done)} cells, {seconds:.1f} s undisturbed")
        for i in range(STORES):
            if not work.is_over:
                disturb(work, study, folder / f"{number}_{i}.db", whole)


def undisturbed(study: Path) -> Holdings:
    store = study.with_suffix(".db")
    process = start("run", study, "--store", store, *JOBS)
    _, err = process.communicate()
    if process.returncode:
        raise Lost(f"{study}: undisturbed, it ended with {process.returncode}: {err}")
    return look(store)


def disturb(work: Soak, study: Path, store: Path, whole: Holdings) -> None:
    """Run a study into a store, kill the run some times, and let the last one come to its end."""
    found = NOTHING
    for _ in range(work.rng.randint(1, MOST_RUNS)):
        found, code = disturbed_run(work, study, store, found)
        if code == 0:
            break
    if code != 0:
        process = start("run", study, "--store", store, *JOBS)
        _, err = process.communicate()
        if process.returncode:
            raise Lost(f"{store}: the last run ended with {process.returncode}: {err}")
    found = work.check(store, found, "end", live=False)
    if found.scores != whole.scores:
        raise Lost(f"{store}: the final scores differ from the undisturbed ones")
    work.n_finished += 1
    work.n_cells += len(found.done)
    store.unlink()


def disturbed_run(work: Soak, study: Path, store: Path, before: Holdings) -> tuple[Holdings, int | None]:
    """Start a run and disturb it until it is gone; return the store's content, and how the run ended."""
    flag = store.with_suffix(".held")
    inside = work.rng.random() < 0.4
    hold_at = work.rng.randint(1, 300) if inside else 0
    process = start("run", study, "--store", store, *JOBS, hold_at=hold_at, flag=flag)
    found = before
    while process.poll() is None:
        wait(process, work.rng.uniform(0, MOST_SECONDS), flag)
        if process.poll() is not None:
            break
        kind = choose(work.rng, flag.exists())
        if not done_to(process, kind, work.rng, flag):
            continue
        work.n_events[kind] += 1
        if kind in (WORKER, WORKER_INSIDE, STOPPED):
            found = work.check(store, found, kind, live=True)
        else:
            break
    flag.unlink(missing_ok=True)
    _, err = process.communicate()
    code = process.returncode
    found = work.check(store, found, f"run ended with {code}", live=False)
    # Ctrl-C while modules are imported, before the program has begun, is Python's to answer.
    if code == 2 or ("Traceback" in err and code != -signal.SIGINT):
        raise Lost(f"{store}: a run ended with {code}: {err}")
    work.n_failed += code == 1
    work.n_in_flight += len(found.in_flight)
    return found, code


def wait(process: subprocess.Popen[str], seconds: float, flag: Path) -> None:
    """Wait for a while, for the run to be inside its commit, or for its end."""
    until = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < until and not flag.exists():
        time.sleep(0.005)


def choose(rng: random.Random, is_inside: bool) -> str:
    kinds = [kind for kind in KINDS if (kind in (MAIN_INSIDE, WORKER_INSIDE)) == is_inside]
    return rng.choices(kinds, [KINDS[kind] for kind in kinds])[0]


def done_to(process: subprocess.Popen[str], kind: str, rng: random.Random, flag: Path) -> bool:
    """Disturb a run, and return whether it was still there."""
    if kind in SIGNALS:
        process.send_signal(SIGNALS[kind])
        return True
    if kind == MAIN_INSIDE:
        process.kill()
        process.wait()
        flag.unlink()
        return True
    workers = workers_of(process)
    if workers:
        try:
            hurt(rng.choice(workers), kind, rng)
        except ProcessLookupError:
            workers = []
    flag.unlink(missing_ok=True)
    return bool(workers)


def hurt(worker: int, kind: str, rng: random.Random) -> None:
    if kind == STOPPED:
        os.kill(worker, signal.SIGSTOP)
        time.sleep(rng.uniform(0, 2))
        os.kill(worker, signal.SIGCONT)
    else:
        os.kill(worker, signal.SIGKILL)


def summary(work: Soak, minutes: float) -> str:
    """Write the events and findings as a Markdown table."""
    rows = [
        ("minutes", f"{minutes:.1f}"),
        ("seed", str(work.seed)),
        *((kind, f"{work.n_events[kind]:,}") for kind in KINDS),
        ("studies, each with another seed", f"{work.n_studies:,}"),
        ("stores disturbed and completed", f"{work.n_finished:,}"),
        ("cells in these stores", f"{work.n_cells:,}"),
        ("cells interrupted by the end of a run, computed again", f"{work.n_in_flight:,}"),
        (
            "runs with cells that failed after two killed workers and were tried again",
            f"{work.n_failed:,}",
        ),
        ("integrity checks, all passed, with every finished cell present", f"{work.n_checks:,}"),
        ("stores whose final scores equal the undisturbed ones bit for bit", f"{work.n_finished:,}"),
    ]
    return table(["event or check", "count"], rows, words=1)


def main(arguments: Sequence[str] | None = None) -> None:
    """Soak for some minutes, and write the summary."""
    asked = _asked(arguments)
    asked.log.parent.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with asked.log.open("w", encoding="utf-8") as log, tempfile.TemporaryDirectory() as folder:
        until = began + 60 * asked.minutes
        work = Soak(asked.seed, log, until, random.Random(asked.seed))
        try:
            soak(work, Path(folder))
        except Lost as error:
            work.note(f"LOST {error}")
            sys.exit(f"lost: {error}")
    text = summary(work, (time.monotonic() - began) / 60)
    print(text)
    if asked.to:
        write_section(asked.to, text)


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.soak", description="Disturb runs over and over, and count what is lost."
    )
    parser.add_argument("--minutes", type=float, default=30.0, help="how long")
    parser.add_argument("--seed", type=int, default=1, help="of the studies, and of what is done when")
    parser.add_argument("--to", type=Path, help="page of Markdown to write between its markers")
    parser.add_argument("--log", type=Path, default=ROOT / "build" / "soak.log", help="a line an event")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
