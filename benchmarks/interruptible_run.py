"""A run of the command line that can be held inside a commit, and what its store holds when it was killed."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import workbench

# A shell may have its background jobs ignore Ctrl-C, which children inherit.
CODE = """
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
hold_at, flag = int(sys.argv.pop(1)), sys.argv.pop(1)
commits = 0
def count():
    global commits
    commits += 1
    if commits == hold_at:
        open(flag, "w").close()
        while os.path.exists(flag):
            time.sleep(0.01)
from workbench.store.writing import Store
Store.before_commit = staticmethod(count)
from workbench.cli.app import main
main()
"""


def start(*arguments: object, hold_at: int = 0, flag: Path = Path("held")) -> subprocess.Popen[str]:
    """Start the command line in a session of its own.

    At its commit number `hold_at` it makes the file `flag`, and waits inside the commit until that is gone.
    """
    package = str(Path(workbench.__file__).resolve().parents[1])
    return subprocess.Popen(
        [sys.executable, "-c", CODE, str(hold_at), str(flag), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": package},
        start_new_session=True,
    )


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    """Return the process numbers of its workers; none if it is gone. Linux only."""
    try:
        threads = list(Path(f"/proc/{process.pid}/task").iterdir())
        found = [int(child) for thread in threads for child in (thread / "children").read_text().split()]
    except OSError:
        return []
    return [pid for pid in found if alive(pid)]


def alive(pid: int) -> bool:
    """Return whether a process runs; zombies do not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@dataclass(frozen=True)
class Holdings:
    """The content of a store at a moment.

    `done` is stamp, message and attempts of the cells that are done by identity, `scores` every score of
    theirs as it is, bit for bit, and `in_flight` the identities that were handed out and not written.
    """

    integrity: str
    done: dict[str, tuple]
    scores: dict[tuple, str]
    in_flight: frozenset[str]
    attempts: dict[str, int]

    def has_all_of(self, earlier: "Holdings") -> bool:
        """Return whether all earlier work is still there, with the same stamps and scores."""
        return earlier.done.items() <= self.done.items() and earlier.scores.items() <= self.scores.items()


NOTHING = Holdings("ok", {}, {}, frozenset(), {})
CELLS = "SELECT identity, state, attempts, started, finished, test_digest FROM cells"
SCORES = "SELECT identity, metric, prior, rows, cutoff, value, n_infinite FROM scores JOIN cells USING (cell)"


def look(store: Path) -> Holdings:
    """Read a store, which nobody need have closed; one that is not there yet holds nothing."""
    if not store.exists() or not store.stat().st_size:
        return NOTHING
    with closing(sqlite3.connect(store, timeout=10)) as connection:
        integrity = "\n".join(line for (line,) in connection.execute("PRAGMA integrity_check"))
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return NOTHING
        cells = connection.execute(CELLS).fetchall()
        scores = connection.execute(SCORES).fetchall()
    return Holdings(
        integrity,
        {cell[0]: cell[2:] for cell in cells if cell[1] == "done"},
        {score[:5]: f"{score[5].hex()} {score[6]}" for score in scores},
        frozenset(cell[0] for cell in cells if cell[1] == "pending" and cell[2]),
        {cell[0]: cell[2] for cell in cells},
    )
