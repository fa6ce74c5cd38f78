"""What a store holds of a study, as frames."""

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from workbench import schema
from workbench.errors import WorkbenchError
from workbench.prediction import Prediction
from workbench.stored_metrics import definitions

__all__ = ["CELLS", "KEYS", "SCORES", "Stored", "kept_predictions", "read_predictions", "read_stored"]

KEYS = ("source", "replicate", "n_train", "training_set", "fold", "learner")
RUNS = ("run", "started", "ended", "computed", "study", "toml", "provenance")
CELLS = (*KEYS, "n_test", "state", "attempts", "started", "finished", "fit_seconds", "predict_seconds",
         "score_seconds", "exact", "test_digest", "message", "traceback", "identity")  # fmt: skip
SCORES = ("metric", "prior", "rows", "cutoff", "value", "n_infinite")


@dataclass(frozen=True, eq=False)
class Stored:
    """The frames of one study.

    Parameters
    ----------
    study : dict
        `Study.describe` of the study that was run last.
    runs : DataFrame
        One row a run.
    cells : DataFrame
        One row a cell that the study plans, in its order: cell (a number), then `CELLS`.
    scores : DataFrame
        One row a score of these cells: cell, then `SCORES`.
    n_earlier : int
        Number of cells that only earlier versions of the study had.
    definitions : dict
        Descriptions of the metrics that are not the catalogue's, by key.
    """

    study: dict[str, Any]
    runs: pd.DataFrame
    cells: pd.DataFrame
    scores: pd.DataFrame
    n_earlier: int
    definitions: dict[str, dict[str, Any]]


def read_stored(connection: sqlite3.Connection, path: Path | None) -> Stored:
    """Read the frames of the study that a store has seen last.

    Parameters
    ----------
    connection : sqlite3.Connection
    path : Path or None
        For the error message.

    Returns
    -------
    Stored

    Raises
    ------
    WorkbenchError
        If there was no run.
    """
    runs = _rows(connection, f"SELECT {', '.join(RUNS)} FROM runs ORDER BY run", RUNS)
    if runs.empty:
        raise WorkbenchError(f"{path} holds no run yet")
    study = json.loads(runs["study"].iloc[-1])
    cells = _rows(connection, f"SELECT cell, {', '.join(CELLS)} FROM cells WHERE planned", ("cell", *CELLS))
    scores = _rows(
        connection,
        f"SELECT cell, {', '.join('scores.' + name for name in SCORES)} FROM scores JOIN cells USING (cell)"
        " WHERE planned",
        ("cell", *SCORES),
    )
    for name, members in (("source", study["sources"]), ("learner", study["learners"])):
        keys = dict.fromkeys([key for key, _ in members])
        cells[name] = pd.Categorical(cells[name], list(keys | dict.fromkeys(cells[name])), ordered=True)
    for name in ("metric", "prior", "rows", "cutoff"):
        scores[name] = scores[name].astype("str")
    earlier = connection.execute("SELECT count(*) FROM cells WHERE NOT planned").fetchone()[0]
    cells = cells.sort_values(list(KEYS), kind="stable")
    return Stored(study, runs, cells, scores, earlier, definitions(connection))


def read_predictions(path: Path, identity: str) -> np.ndarray:
    """Read the probabilities that a cell's learner gave on the test rows.

    Parameters
    ----------
    path : Path
        The store.
    identity : str
        Of the cell.

    Returns
    -------
    ndarray of shape (n_test, n_classes)

    Raises
    ------
    WorkbenchError
        If the store is gone or has none for this cell.
    """
    with schema.told(path), closing(schema.read_only(path)) as connection:
        row = connection.execute(
            "SELECT n_rows, n_classes, content FROM predictions JOIN cells USING (cell) WHERE identity = ?",
            (identity,),
        ).fetchone()
    if row is None:
        raise WorkbenchError(f"the store has no predictions of cell {identity!r}")
    return Prediction(*row).y_prob


def kept_predictions(connection: sqlite3.Connection, cells: Iterable[int]) -> dict[int, Prediction]:
    """Read what the learners of some cells answered on the test rows.

    Parameters
    ----------
    connection : sqlite3.Connection
    cells : iterable of int
        Numbers of cells.

    Returns
    -------
    dict of int to Prediction
        Without the cells that have none.
    """
    query = "SELECT n_rows, n_classes, content, sets FROM predictions WHERE cell = ?"
    found = {cell: connection.execute(query, (cell,)).fetchone() for cell in cells}
    return {cell: Prediction(*row) for cell, row in found.items() if row is not None}


def _rows(connection: sqlite3.Connection, query: str, names: Iterable[str]) -> pd.DataFrame:
    return pd.DataFrame(connection.execute(query).fetchall(), columns=list(names))
