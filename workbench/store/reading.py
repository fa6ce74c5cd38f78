"""Reading a store as frames."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from workbench.base.cell import ENDED_WITHOUT_SCORES
from workbench.base.checks import check_name
from workbench.base.errors import WorkbenchError
from workbench.store import schema
from workbench.store.checks import STATES, check_words, damaged, expect, read_json, read_study
from workbench.store.metrics import definitions
from workbench.store.outcome import Prediction
from workbench.study.record import StudyRecord

__all__ = [
    "CELLS",
    "KEYS",
    "SCORES",
    "WORDS",
    "Stored",
    "kept_predictions",
    "read_predictions",
    "read_stored",
]

KEYS = ("source", "replicate", "n_train", "training_set", "fold", "learner")
RUNS = ("run", "started", "ended", "computed", "study", "toml", "provenance")
CELLS = (*KEYS, "n_test", "state", "attempts", "started", "finished", "fit_seconds", "predict_seconds",
         "score_seconds", "exact", "r_hat", "test_digest", "message", "traceback", "identity")  # fmt: skip
#: The columns that identify a score of a cell.
WORDS = ("metric", "prior", "rows", "cutoff")
SCORES = (*WORDS, "value", "n_infinite", "mc_error")
#: Rows fetched from SQLite at once: as Python objects they take many times the memory.
AT_ONCE = 10_000
#: Types of the columns of cells.
COUNTS = ("cell", "replicate", "n_train", "training_set", "fold", "n_test", "attempts")
MEASURED = ("fit_seconds", "predict_seconds", "score_seconds", "r_hat")
TEXTS = ("started", "finished", "test_digest", "message", "traceback")
#: Text columns with few distinct values.
SHARED = ("source", "learner", "state", "test_digest", "message", "traceback")

NUMBERS = np.dtype([("cell", "i8"), ("value", "f8"), ("n_infinite", "i8"), ("mc_error", "f8")])


@dataclass(frozen=True, eq=False)
class Stored:
    """The frames of one study."""

    study: StudyRecord  # the one that was run last
    runs: pd.DataFrame  # one row per run
    cells: pd.DataFrame  # one row per planned cell, in the study's order: cell (a number), then `CELLS`
    scores: pd.DataFrame  # of these cells, score by score: cell, then `SCORES`, whose words are categories
    n_earlier: int  # cells that only earlier versions of the study had
    definitions: dict[str, dict[str, Any]]  # of the metrics that are not the catalogue's, by key


def read_stored(connection: sqlite3.Connection, path: Path | None) -> Stored:
    """Read the frames of the last study of a store."""
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
    _check_runs(runs)
    _check_cells(cells, study)
    _check_numbers(scores)
    for name, own in (("source", study.source_keys), ("learner", study.learner_keys)):
        keys = dict.fromkeys(own)
        cells[name] = pd.Categorical(cells[name], list(keys | dict.fromkeys(cells[name])), ordered=True)
    cells = cells.sort_values(list(KEYS), kind="stable")
    return Stored(study, runs, cells, scores, earlier, metrics)


def read_predictions(path: Path, identity: str) -> np.ndarray:
    """Read the probabilities that a cell's learner gave on the test rows."""
    with schema.plain_errors(path), closing(schema.read_only(path)) as connection:
        row = connection.execute(
            "SELECT n_rows, n_classes, content FROM predictions JOIN cells USING (cell) WHERE identity = ?",
            (identity,),
        ).fetchone()
    if row is None:
        raise WorkbenchError(
            f"the store has no predictions of cell {identity!r}: expected the identity of a done cell; if "
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
    check_words(keys)
    try:
        found = [np.fromiter(connection.execute(query, key), dtype=NUMBERS) for key in keys]
    except (TypeError, ValueError, OverflowError) as error:
        raise damaged("its scores", "have values that are not numbers") from error
    numbers = np.concatenate(found) if found else np.empty(0, NUMBERS)
    number = np.repeat(np.arange(len(keys)), [len(own) for own in found])
    words = {word: [key[i] for key in keys] for i, word in enumerate(WORDS)}
    columns = {"cell": numbers["cell"]}
    columns |= {word: pd.Categorical(own).take(number) for word, own in words.items()}
    columns |= {name: numbers[name] for name in ("value", "n_infinite")}
    columns["mc_error"] = np.where(numbers["mc_error"] < 0, np.nan, numbers["mc_error"])
    return pd.DataFrame(columns)


def _check_runs(runs: pd.DataFrame) -> None:
    """Raise WorkbenchError unless every run has its times, and the last its provenance and perhaps TOML."""
    for column in ("started", "ended", "toml"):
        expect(_is_text(runs[column]), "its runs", f"have a {column} that is not text")
    expect(pd.api.types.is_integer_dtype(runs["computed"].dtype), "its runs", "have no number of cells")
    about = read_json(runs["provenance"].iloc[-1], "the provenance of its last run")
    sound = isinstance(about, dict) and isinstance(about.get("versions"), dict)
    expect(sound, "the provenance of its last run", "names no versions")


def _check_cells(cells: pd.DataFrame, study: StudyRecord) -> None:
    """Raise WorkbenchError unless every cell has a place in the study, a state, and numbers for times."""
    what = "its cells"
    for column in COUNTS:
        expect(_is_counts(cells[column]), what, f"have a {column} that is not a number")
    for column in MEASURED:
        expect(_is_numbers(cells[column]), what, f"have {column} that are not numbers")
    expect(cells["exact"].dropna().isin([0, 1]).all(), what, "do not say which are exact")
    for column in ("identity", "source", "learner"):
        sound = _is_text(cells[column]) and cells[column].notna().all()
        expect(sound, what, f"have a {column} that is not text")
    for column in TEXTS:
        expect(_is_text(cells[column]), what, f"have a {column} that is not text")
    expect(cells["state"].isin(STATES).all(), what, "have unknown states")
    reasoned = cells["message"].notna() | ~cells["state"].isin(ENDED_WITHOUT_SCORES)
    expect(reasoned.all(), what, "failed without a reason")
    expect(cells["source"].isin(study.source_keys).all(), what, "are of sources that the study does not have")
    for name in cells["learner"].unique():
        check_name(name, "a learner of the store's cells")
    place = ["source", "replicate", "n_train", "training_set", "fold", "learner"]
    expect(not cells.duplicated(place).any(), what, "are twice at the same place")


def _check_numbers(scores: pd.DataFrame) -> None:
    """Raise WorkbenchError unless every score is a number, perhaps an infinite one."""
    expect(scores["value"].notna().all(), "its scores", "have values that are not numbers")
    expect(_is_counts(scores["n_infinite"]), "its scores", "have an n_infinite that is not a number")


def _is_text(column: pd.Series) -> bool:
    """Return whether a column holds text or missing values."""
    if pd.api.types.is_string_dtype(column.dtype) and column.dtype != object:
        return True
    return all(value is None or isinstance(value, str) or value != value for value in column)


def _is_counts(column: pd.Series) -> bool:
    if column.empty:
        return True
    return pd.api.types.is_integer_dtype(column.dtype) and bool((column >= 0).all())


def _is_numbers(column: pd.Series) -> bool:
    """Return whether a column holds numbers or missing values."""
    return column.isna().all() or pd.api.types.is_numeric_dtype(column.dtype)
