"""The tables of a store. Opening, checking and locking it."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from workbench.base.errors import WorkbenchError

__all__ = ["check_owner", "connect", "create", "is_new", "lock", "owner", "plain_errors", "read_only"]

FORMAT_VERSION = "7"

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE runs (
    run INTEGER PRIMARY KEY, started TEXT NOT NULL, ended TEXT, computed INTEGER NOT NULL DEFAULT 0,
    study TEXT NOT NULL, provenance TEXT NOT NULL
);
CREATE TABLE cells (
    cell INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, planned INTEGER NOT NULL,
    source TEXT NOT NULL, replicate INTEGER NOT NULL, n_train INTEGER NOT NULL, training_set INTEGER NOT NULL,
    fold INTEGER NOT NULL, n_test INTEGER NOT NULL, learner TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'failed', 'timed_out')),
    attempts INTEGER NOT NULL DEFAULT 0, started TEXT, finished TEXT,
    fit_seconds REAL, predict_seconds REAL, score_seconds REAL,
    exact INTEGER, r_hat REAL, test_digest TEXT, message TEXT, traceback TEXT
);
CREATE TABLE scores (
    cell INTEGER NOT NULL REFERENCES cells, metric TEXT NOT NULL, prior TEXT NOT NULL, rows TEXT NOT NULL,
    cutoff TEXT NOT NULL, value REAL NOT NULL, n_infinite INTEGER NOT NULL, mc_error REAL,
    PRIMARY KEY (cell, metric, prior, rows, cutoff)
) WITHOUT ROWID;
CREATE INDEX scores_by_key ON scores (metric, prior, rows, cutoff);
CREATE TABLE predictions (
    cell INTEGER PRIMARY KEY REFERENCES cells, n_rows INTEGER NOT NULL, n_classes INTEGER NOT NULL,
    content BLOB NOT NULL, sets BLOB
);
"""


def connect(path: Path | None) -> sqlite3.Connection:
    """Open a store for writing, and create the file if needed."""
    connection = sqlite3.connect(
        path or ":memory:", isolation_level=None, check_same_thread=False, timeout=10
    )
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        with _no_database(path):
            is_empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if is_empty:
            create(connection)
        _check_format(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def create(connection: sqlite3.Connection) -> None:
    """Create the tables of a new store."""
    # One transaction: tables without a format version could never be used.
    connection.executescript(
        f"BEGIN; {TABLES} INSERT INTO meta VALUES ('format_version', '{FORMAT_VERSION}'); COMMIT;"
    )


def is_new(path: Path) -> bool:
    """Return whether a run would create the store: the file does not exist or is empty."""
    return not path.exists() or (path.is_file() and not path.stat().st_size)


def read_only(path: Path) -> sqlite3.Connection:
    """Open a store for reading. Another process may be writing it."""
    if path.is_dir():
        raise WorkbenchError(f"{path} is a folder: a store is a file, e.g. {path / 'results.db'}")
    if not path.is_file():
        raise WorkbenchError(f"there is no store {path}: `workbench run STUDY.toml ...` creates one")
    if not path.stat().st_size:
        raise WorkbenchError(f"{path} is empty: `workbench run STUDY.toml ...` turns it into a store")
    try:
        return _checked(path, "ro")
    except WorkbenchError as error:
        # Its writer was killed before the store was complete, which only a writer can repair.
        if getattr(error.__cause__, "sqlite_errorname", "") != "SQLITE_READONLY_ROLLBACK":
            raise
        return _checked(path, "rw")


def _checked(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, timeout=10)
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        _check_format(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def lock(path: Path) -> IO[bytes] | None:
    """Lock a store against other writers. The lock ends with the process, however it ends."""
    if path.is_dir():
        raise WorkbenchError(f"{path} is a folder: name a file, e.g. --store {path / 'results.db'}")
    try:
        import fcntl
    except ImportError:  # Windows: SQLite's own locks still protect the file
        return None
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(path.open("rb"))
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise WorkbenchError(
                f"another process is writing {path}: wait for it, or use another --store"
            ) from error
        except OSError as error:
            raise WorkbenchError(
                f"{path} cannot be opened and locked ({error.strerror}): make it readable and writable, or "
                "use another --store on a local disk"
            ) from error
        stack.pop_all()
    return file


def owner(connection: sqlite3.Connection) -> tuple[str, str] | None:
    """Return name and seed of the study that a store belongs to, or None if the store is new."""
    found = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    return (str(found["name"]), str(found.get("seed"))) if "name" in found else None


def check_owner(connection: sqlite3.Connection, path: Path | None, name: str, seed: int) -> None:
    """Raise WorkbenchError if a store belongs to another study."""
    found = owner(connection)
    if found is not None and found != (name, str(seed)):
        raise WorkbenchError(
            f"{path} is the store of study {found[0]!r} with seed {found[1]}, "
            f"not of {name!r} with seed {seed}: use another --store"
        )


@contextlib.contextmanager
def plain_errors(path: Path | None) -> Iterator[None]:
    """Convert SQLite's errors about a file to a WorkbenchError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.ProgrammingError | sqlite3.InterfaceError):
            raise  # a bug in this program, not a problem of the file
        raise WorkbenchError(f"{path or 'the store in memory'} {_trouble(str(error))}") from error
    except UnicodeDecodeError as error:  # SQLite quotes what it cannot read
        what = _trouble("it holds text that is not UTF-8")
        raise WorkbenchError(f"{path or 'the store in memory'} {what}") from error


def _trouble(word: str) -> str:
    if "readonly" in word:
        return f"cannot be written ({word}): make it and its folder writable, or copy it"
    if "unable to open" in word:
        return f"cannot be opened ({word}): make it and its folder writable, or copy it"
    if "full" in word or "disk I/O" in word:
        return f"cannot be written ({word}): make room or check the disk, then run the same command again"
    if "locked" in word:
        return f"cannot be used ({word}): close other programs that use it"
    return f"is damaged or cannot be used ({word}): restore a copy of it, or use another --store"


def _check_format(connection: sqlite3.Connection, path: Path | None) -> None:
    with _no_database(path):
        tables = {
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
        if not {"meta", "cells", "scores", "runs"} <= tables:
            raise WorkbenchError(f"{path} is an SQLite database but not a store: use another --store")
        row = connection.execute("SELECT value FROM meta WHERE key = 'format_version'").fetchone()
    version = row[0] if row else "missing"
    if version != FORMAT_VERSION:
        raise WorkbenchError(
            f"{path} is a store of format {version} and this program reads format {FORMAT_VERSION}: "
            "run the study again in a new store, or use the version of the program that wrote this one"
        )


@contextlib.contextmanager
def _no_database(path: Path | None) -> Iterator[None]:
    """As `plain_errors`, for the first read of any file."""
    with plain_errors(path):
        try:
            yield
        except sqlite3.DatabaseError as error:
            if "not a database" not in str(error):
                raise
            other = "name the file that `workbench run` or store= made"
            if path and path.suffix in (".csv", ".arff", ".txt"):
                other = "compare a table in Python or by a study, and read forecasts with read_predictions"
            raise WorkbenchError(f"{path} cannot be read as a store ({error}): {other}") from error
