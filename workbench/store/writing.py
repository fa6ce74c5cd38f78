"""Writing a store: one SQLite file, one writing process, one transaction per result."""

import json
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from workbench.base.cell import ENDED_WITHOUT_SCORES, Cell
from workbench.base.errors import WorkbenchError
from workbench.base.seeds import canonical
from workbench.store import schema
from workbench.store.data_folder import DATASETS_KEY, FOLDER_KEY, written
from workbench.store.metrics import METRICS_KEY, combined
from workbench.store.outcome import Outcome, Score
from workbench.study.document import StudyDocument
from workbench.study.known_data import KnownDataset

__all__ = ["Store", "computed"]

#: Most characters kept of a failure's message and traceback.
MOST_TEXT = 20_000
#: Key in the provenance of a run of metrics that were added later.
ADDED = "metrics added later"

INSERT_SCORE = "INSERT INTO scores VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


class Store:
    """A store open for writing, by `Store.open`: cells, their states, scores and predictions."""

    # A cell is pending, done, failed or timed out; `attempts` counts how often it was assigned to a worker,
    # committed beforehand; a result is written in one transaction or not at all.

    #: Called when a transaction is written but not committed; tests kill a process there.
    before_commit: Callable[[], None] = staticmethod(lambda: None)

    def __init__(self, connection: sqlite3.Connection, path: Path | None, held: Any = None) -> None:
        self.connection = connection
        self.path = path
        self._held = held
        # joblib requests the next task from another thread.
        self._lock = threading.Lock()

    @classmethod
    def open(cls, path: str | Path | None, name: str, seed: int) -> "Store":
        """Open or create the store of a study for writing."""
        place = None if path is None else Path(path)
        held = None
        if place is not None:
            _make_file(place)
            held = schema.lock(place)
        try:
            store = cls(schema.connect(place), place, held)
        except BaseException:
            if held is not None:
                held.close()
            raise
        try:
            store._claim(name, seed)
            # Only now, as the store of another study must not be changed.
            store.connection.execute("PRAGMA journal_mode = WAL")
            store.connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            store.close()
            raise
        return store

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, merge its write-ahead log, and release the lock."""
        with suppress(
            sqlite3.DatabaseError
        ):  # another process is reading, or the error has been reported already
            self.connection.execute("PRAGMA journal_mode = DELETE")
        self.connection.close()
        if self._held is not None:
            self._held.close()

    def begin_run(self, study: StudyDocument, provenance: Mapping[str, Any]) -> int:
        """Record that a run begins, and forget which cells the last run planned."""
        with self._transaction() as write:
            write("UPDATE cells SET planned = 0")
            values = (_now(), study.to_json(), json.dumps(provenance))
            return write("INSERT INTO runs (started, study, provenance) VALUES (?, ?, ?)", values).lastrowid  # type: ignore[return-value]

    def describe_run(self, run: int, about: Mapping[str, str]) -> None:
        """Add to the provenance of a run."""
        with self._transaction() as write:
            row = self.connection.execute("SELECT provenance FROM runs WHERE run = ?", (run,)).fetchone()
            write(
                "UPDATE runs SET provenance = ? WHERE run = ?",
                (json.dumps({**json.loads(row[0]), **about}), run),
            )

    def end_run(self, run: int) -> None:
        """Record that a run has ended. An interrupted run has no end."""
        with self._transaction() as write:
            write("UPDATE runs SET ended = ? WHERE run = ?", (_now(), run))

    def remember_data(self, folder: str | None, datasets: Mapping[str, KnownDataset]) -> None:
        """Store the folder and the record of data sets, for runs that name no folder."""
        with self._transaction() as write:
            if folder is not None:
                write("INSERT OR REPLACE INTO meta VALUES (?, ?)", (FOLDER_KEY, folder))
            if datasets:
                write("INSERT OR REPLACE INTO meta VALUES (?, ?)", (DATASETS_KEY, written(datasets)))

    def define_metrics(self, keys: Iterable[str], descriptions: Mapping[str, Mapping[str, Any]]) -> None:
        """Store the metrics by key, or raise WorkbenchError if a key has scores of another metric."""
        found = combined(self.connection, self.path, keys, descriptions)
        with self._transaction() as write:
            write("INSERT OR REPLACE INTO meta VALUES (?, ?)", (METRICS_KEY, canonical(found)))

    def plan(self, cells: Iterable[tuple[str, Cell]]) -> None:
        """Add the cells of a round. Existing cells get the study's current keys."""
        rows = (
            (identity, c.source, c.replicate, c.n_train, c.training_set, c.fold, c.n_test, c.learner)
            for identity, c in cells
        )
        with self._transaction():
            self.connection.executemany(
                "INSERT INTO cells (identity, planned, source, replicate, n_train, training_set, fold,"
                " n_test, learner, state) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, 'pending')"
                " ON CONFLICT (identity) DO UPDATE"
                " SET planned = 1, source = excluded.source, learner = excluded.learner",
                rows,
            )

    def retry(self, identities: Iterable[str], states: Collection[str]) -> None:
        """Make cells in one of the states pending again."""
        _check_retry(states)
        pairs = [(identity, state) for state in states for identity in identities]
        with self._transaction() as write:
            for pair in pairs:
                write("UPDATE cells SET state = 'pending' WHERE identity = ? AND state = ?", pair)

    def pending(self) -> set[str]:
        """Return the identities of planned cells to compute."""
        rows = self.connection.execute("SELECT identity FROM cells WHERE planned AND state = 'pending'")
        return {identity for (identity,) in rows}

    def counts(self) -> dict[str, int]:
        """Count the planned cells by state."""
        rows = self.connection.execute(
            "SELECT state, count(*) FROM cells WHERE planned GROUP BY state ORDER BY state"
        )
        return dict(rows.fetchall())

    def hand_out(self, identities: Iterable[str]) -> None:
        """Count an attempt for each cell, committed before they are computed."""
        with self._transaction() as write:
            for identity in identities:
                write("UPDATE cells SET attempts = attempts + 1 WHERE identity = ?", (identity,))

    def record(self, run: int, outcomes: Sequence[Outcome]) -> None:
        """Write the outcomes of some cells in one transaction."""
        with self._transaction() as write:
            for outcome in outcomes:
                _record(write, outcome)
            write("UPDATE runs SET computed = computed + ? WHERE run = ?", (len(outcomes), run))

    def add_scores(self, found: Mapping[int, Iterable[Score]]) -> None:
        """Add scores to done cells in one transaction."""
        with self._transaction() as write:
            for cell, own in found.items():
                for score in own:
                    write(f"{INSERT_SCORE} ON CONFLICT DO NOTHING", _row(cell, score))

    def note_scoring(self, metrics: Iterable[str], commit: str | None) -> None:
        """Record in the last run which metrics were later added to its cells."""
        query = "SELECT run, provenance FROM runs ORDER BY run DESC LIMIT 1"
        run, text = self.connection.execute(query).fetchone()
        about = json.loads(text)
        line = f"{', '.join(metrics)} on {_now()[:10]}" + (f" by commit {commit}" if commit else "")
        about[ADDED] = "; ".join(filter(None, (about.get(ADDED), line)))
        with self._transaction() as write:
            write("UPDATE runs SET provenance = ? WHERE run = ?", (json.dumps(about), run))

    @contextmanager
    def _transaction(self) -> Iterator[Callable[..., sqlite3.Cursor]]:
        with self._lock:
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection.execute
                self.before_commit()
                self.connection.execute("COMMIT")
            except BaseException:
                # On a full disk SQLite has already rolled back.
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def _claim(self, name: str, seed: int) -> None:
        """Claim a new store for a study, or check that it belongs to the study."""
        if schema.owner(self.connection) is None:
            with self._transaction() as write:
                write("INSERT INTO meta VALUES ('name', ?), ('seed', ?)", (name, str(seed)))
        schema.check_owner(self.connection, self.path, name, seed)


def computed(path: Path, name: str, seed: int, *, retry: Collection[str] = ()) -> set[str]:
    """Return the identities of cells that need no computation, without changing anything."""
    _check_retry(retry)
    if schema.is_new(path):
        return set()
    with schema.plain_errors(path), closing(schema.read_only(path)) as connection:
        schema.check_owner(connection, path, name, seed)
        rows = connection.execute("SELECT identity, state FROM cells").fetchall()
    return {identity for identity, state in rows if state not in ("pending", *retry)}


def _make_file(path: Path) -> None:
    """Create an empty file and its folders, if needed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.touch()
    except (FileExistsError, NotADirectoryError) as error:
        raise WorkbenchError(
            f"{path} cannot be created, because a part of its path is a file and not a folder: use another "
            "--store"
        ) from error
    except OSError as error:
        raise WorkbenchError(
            f"{path} cannot be created ({error.strerror}): use another --store, or make its folder writable"
        ) from error


def _check_retry(states: Collection[str]) -> None:
    for state in states:
        if state not in ENDED_WITHOUT_SCORES:
            known = " or ".join(map(repr, ENDED_WITHOUT_SCORES))
            raise WorkbenchError(f"cells that are {state!r} cannot be retried: expected {known}")


def _row(cell: int, score: Score) -> tuple[Any, ...]:
    return (cell, *score.key, score.value, score.n_infinite, score.mc_error)


def _record(write: Callable[..., sqlite3.Cursor], outcome: Outcome) -> None:
    (cell,) = write("SELECT cell FROM cells WHERE identity = ?", (outcome.identity,)).fetchone()
    write(
        "UPDATE cells SET state = ?, started = ?, finished = ?, fit_seconds = ?, predict_seconds = ?,"
        " score_seconds = ?, exact = ?, r_hat = ?, test_digest = ?, message = ?, traceback = ?"
        " WHERE cell = ?",
        (outcome.state, outcome.started, outcome.finished, outcome.fit_seconds, outcome.predict_seconds,
         outcome.score_seconds, outcome.exact, outcome.r_hat, outcome.test_digest,
         _storable(outcome.message), _storable(outcome.traceback), cell),
    )  # fmt: skip
    for score in outcome.scores:
        write(INSERT_SCORE, _row(cell, score))
    kept = outcome.prediction
    if kept is not None:
        values = (cell, kept.n_rows, kept.n_classes, kept.content, kept.sets)
        write("INSERT INTO predictions VALUES (?, ?, ?, ?, ?)", values)


def _storable(text: str) -> str:
    """Escape lone surrogates, which file names may put into errors and SQLite rejects, and truncate."""
    cut = text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT // 2]} [...] {text[-MOST_TEXT // 2 :]}"
    return cut.encode("utf-8", "backslashreplace").decode("utf-8")


def _now() -> str:
    return datetime.now(UTC).isoformat()
