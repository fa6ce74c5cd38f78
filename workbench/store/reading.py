"""Reading a store as frames."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from workbench.base.errors import WorkbenchError
from workbench.store import schema
from workbench.store.checks import check_names, read_study
from workbench.store.metrics import definitions
from workbench.store.outcome import Prediction

__all__ = [
    "CELLS",
    "KEYS",
    "SCORES",
    "WORDS",
    "kept_predictions",
    "read_predictions",
    "read_frames",
]

KEYS = ("source", "replicate", "n_train", "training_set", "fold", "learner")
RUNS = ("run", "started", "ended", "computed", "study", "provenance")
CELLS = (*KEYS, "n_test", "state", "attempts", "started", "finished", "fit_seconds", "predict_seconds",
         "score_seconds", "exact", "r_hat", "test_digest", "message", "traceback", "identity")  # fmt: skip
#: The columns that identify a score of a cell.
WORDS = ("metric", "prior", "rows", "cutoff")
SCORES = (*WORDS, "value", "n_infinite", "mc_error")
#: Rows fetched from SQLite at once: as Python objects they take many times the memory.
AT_ONCE = 10_000
#: Text columns with few distinct values.
SHARED = ("source", "learner", "state", "test_digest", "message", "traceback")

NUMBERS = np.dtype([("cell", "i8"), ("value", "f8"), ("n_infinite", "i8"), ("mc_error", "f8")])


def read_frames(connection: sqlite3.Connection, path: Path | None) -> dict[str, Any]:
    """Read the last study of a store: the fields of `StudyResults`."""
    with _one_view(connection):
        runs = _rows(connection, f"SELECT {', '.join(RUNS)} FROM runs ORDER BY run", RUNS)
        if runs.empty:
            raise WorkbenchError(
                f"{path} holds no run yet: fill it with `workbench run STUDY.toml --store {path}`"
            )
        names = ("cell", *CELLS)
        cells = _rows(connection, f"SELECT {', '.join(names)} FROM cells WHERE planned", names)
        scores = _scores(connection)
        earlier = connection.execute("SELECT count(*) FROM cells WHERE NOT planned").fetchone()[0]
        metrics = definitions(connection)
    study = read_study(runs["study"].iloc[-1])
    check_names({*cells["source"], *cells["learner"]})
    for name, own in (("source", study.source_keys), ("learner", study.learner_keys)):
        keys = dict.fromkeys(own)
        cells[name] = pd.Categorical(cells[name], list(keys | dict.fromkeys(cells[name])), ordered=True)
    cells = cells.sort_values(list(KEYS), kind="stable")
    return {
        "study": study,  # the one that was run last
        "runs": runs,  # one row per run
        "_cells": cells,  # one row per planned cell, in the study's order: cell (a number), then `CELLS`
        "_scores": scores,  # of these cells, score by score: cell, then `SCORES`, whose words are categories
        "_path": path,
        "n_earlier": earlier,
        "definitions": metrics,
    }


def read_predictions(path: Path, identity: str) -> np.ndarray:
    """Read the probabilities that a cell's learner assigned on the test rows."""
    with schema.plain_errors(path), closing(schema.read_only(path)) as connection:
        row = connection.execute(
            "SELECT n_rows, n_classes, content FROM predictions JOIN cells USING (cell) WHERE identity = ?",
            (identity,),
        ).fetchone()
    if row is None:
        raise WorkbenchError(
            f"the store has no predictions of cell {identity!r}: give the identity of a done cell, or, if "
            "the study kept no predictions, run it with keep_predictions = true into a new store"
        )
    return Prediction(*row).y_prob


def kept_predictions(connection: sqlite3.Connection, cells: Iterable[int]) -> dict[int, Prediction]:
    """Read the forecasts of the test rows for some cells."""
    query = "SELECT n_rows, n_classes, content, sets FROM predictions WHERE cell = ?"
    found = {cell: connection.execute(query, (cell,)).fetchone() for cell in cells}
    return {cell: Prediction(*row) for cell, row in found.items() if row is not None}


@contextmanager
def _one_view(connection: sqlite3.Connection) -> Iterator[None]:
    """Read a consistent snapshot inside the block, even if another process is writing."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")  # nothing was written


def _rows(connection: sqlite3.Connection, query: str, names: Sequence[str]) -> pd.DataFrame:
    columns: dict[str, list[Any]] = {name: [] for name in names}
    known: dict[Any, Any] = {}
    cursor = connection.execute(query)
    while rows := cursor.fetchmany(AT_ONCE):
        for name, values in zip(names, zip(*rows, strict=True), strict=True):
            columns[name] += [known.setdefault(v, v) for v in values] if name in SHARED else values
    return pd.DataFrame(columns, columns=list(names))


def _scores(connection: sqlite3.Connection) -> pd.DataFrame:
    """Read score by score, so that key parts are not created for every row."""
    names = ", ".join(WORDS)
    keys = connection.execute(f"SELECT DISTINCT {names} FROM scores ORDER BY {names}").fetchall()
    query = (
        "SELECT cell, value, n_infinite, coalesce(mc_error, -1) FROM scores JOIN cells USING (cell)"
        f" WHERE {' AND '.join(f'{word} = ?' for word in WORDS)} AND planned"
    )
    check_names(metric for metric, *_ in keys)
    found = [np.fromiter(connection.execute(query, key), dtype=NUMBERS) for key in keys]
    numbers = np.concatenate(found) if found else np.empty(0, NUMBERS)
    number = np.repeat(np.arange(len(keys)), [len(own) for own in found])
    words = {word: [key[i] for key in keys] for i, word in enumerate(WORDS)}
    columns = {"cell": numbers["cell"]}
    columns |= {word: pd.Categorical(own).take(number) for word, own in words.items()}
    columns |= {name: numbers[name] for name in ("value", "n_infinite")}
    columns["mc_error"] = np.where(numbers["mc_error"] < 0, np.nan, numbers["mc_error"])
    return pd.DataFrame(columns)
