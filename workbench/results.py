"""Results of a study as tidy frames: one row a cell and score."""

import functools
import json
import sqlite3
import zlib
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from workbench import schema
from workbench.errors import WorkbenchError, nearest
from workbench.scores import ScoreKey, Scores, preference

if TYPE_CHECKING:
    from workbench.store import Store

__all__ = ["Results", "load"]

KEYS = ("source", "replicate", "n_train", "training_set", "fold", "learner")
RUNS = ("run", "started", "ended", "computed", "study", "toml", "provenance")
CELLS = (*KEYS, "n_test", "state", "attempts", "started", "finished", "fit_seconds", "predict_seconds",
         "score_seconds", "exact", "test_digest", "message", "traceback", "identity")  # fmt: skip
SCORES = ("metric", "prior", "rows", "cutoff", "value", "n_infinite")


@dataclass(frozen=True, repr=False)
class Results:
    """What a store holds of the study that was run last.

    Parameters
    ----------
    study : dict
        `Study.describe` of that study.
    runs : DataFrame
        One row a run: started, ended (None if it was stopped), computed, study, toml, provenance.
    n_earlier : int
        Number of cells in the store that only earlier versions of the study had; no table shows them.

    Examples
    --------
    >>> from workbench import compare
    >>> from generators import random_tan
    >>> from sklearn.dummy import DummyClassifier
    >>> truths = [random_tan(n_attributes=3, random_state=seed) for seed in range(2)]
    >>> learners = {"dummy": DummyClassifier()}
    >>> results = compare(learners, on=truths, sizes=(50,), metrics=("accuracy",), n_test=100)
    >>> list(results.frame().columns)
    ['source', 'replicate', 'n_train', 'training_set', 'fold', 'learner', 'metric', 'prior', 'rows', 'cutoff',
     'value', 'n_infinite']
    >>> results.table("accuracy").columns.tolist()
    [(50, 'mean'), (50, 'half_width'), (50, 'n_infinite'), (50, 'n')]
    """

    study: dict[str, Any]
    runs: pd.DataFrame
    _cells: pd.DataFrame = field(repr=False)
    _scores: pd.DataFrame = field(repr=False)
    _path: Path | None = field(default=None, repr=False)
    n_earlier: int = 0

    def __repr__(self) -> str:
        states = self._cells["state"].value_counts()
        return (
            f"<Results of study {self.study['name']!r}, seed {self.study['seed']}: {len(self._cells)} cells, "
            f"{states.get('done', 0)} done, {states.get('failed', 0)} failed, {len(self._scores)} scores>"
        )

    def cells(self) -> pd.DataFrame:
        """Give one row a cell: its place, state, attempts, times, and why it failed if it did.

        Returns
        -------
        DataFrame
            In the order of the study.
        """
        return self._cells.drop(columns="cell").reset_index(drop=True)

    def frame(self) -> pd.DataFrame:
        """Give one row a cell and score.

        Returns
        -------
        DataFrame
            Columns source, replicate, n_train, training_set, fold, learner; metric, prior, rows, cutoff;
            value (may be infinite), n_infinite (how many test rows, or attribute cells, were infinite).
        """
        return self._tidy.copy()

    def table(
        self,
        metric: str | None = None,
        *,
        prior: str | None = None,
        rows: str | None = None,
        cutoff: str = "none",
    ) -> pd.DataFrame:
        """Give means over replicates with 95% intervals.

        Parameters
        ----------
        metric : str, optional
            By default `ir_b` where the study has it, else the study's first metric.
        prior, rows : str, optional
            By default the first that there is of: marginal, training, test, uniform; and of: exact, test.
        cutoff : str

        Returns
        -------
        DataFrame
            Index (source, learner); columns (n_train, "mean" | "half_width" | "n_infinite" | "n"). The half
            width is that of Student's t interval over replicates (NaN for one replicate or an infinite mean);
            an infinite mean is shown as such beside the number of cells that are infinite. "n" is the number
            of replicates behind the mean: fewer than the study has where cells failed or are still to come.

        Raises
        ------
        WorkbenchError
            If there is no such score, or all cells failed.
        """
        metrics = self.study["scores"]["metrics"]
        scores = self._select(metric or ("ir_b" if "ir_b" in metrics else metrics[0]), prior, rows, cutoff)
        # Training sets of one replicate are no independent replicates.
        groups = ["source", "learner", "n_train"]
        means = (
            scores.groupby([*groups, "replicate"], observed=True)["value"]
            .mean()
            .groupby(groups, observed=True)
        )
        infinite = np.isinf(scores["value"]).groupby([scores[g] for g in groups], observed=True).sum()
        table = pd.DataFrame(
            {
                "mean": means.mean(),
                "half_width": means.agg(_half_width),
                "n_infinite": infinite,
                "n": means.size(),
            }
        )
        wide = table.unstack("n_train").swaplevel(axis=1)
        counts = [name for name in wide if name[1] in ("n", "n_infinite")]
        wide = wide.astype(dict.fromkeys(counts, "float64")).fillna(dict.fromkeys(counts, 0))
        wide = wide.astype(dict.fromkeys(counts, "int64"))
        order = [(size, name) for size in sorted(scores["n_train"].unique()) for name in table.columns]
        return wide[order]

    def predictions(self, identity: str) -> np.ndarray:
        """Give the probabilities that a cell's learner gave on the test rows.

        Parameters
        ----------
        identity : str
            As in `cells`.

        Returns
        -------
        ndarray of shape (n_test, n_classes)

        Raises
        ------
        WorkbenchError
            If the store is gone or has none for this cell.
        """
        if self._path is None:
            raise WorkbenchError("these results are of a store in memory: give a store to keep predictions")
        with schema.told(self._path), closing(schema.read_only(self._path)) as connection:
            row = connection.execute(
                "SELECT n_rows, n_classes, content FROM predictions JOIN cells USING (cell)"
                " WHERE identity = ?",
                (identity,),
            ).fetchone()
        if row is None:
            raise WorkbenchError(f"the store has no predictions of cell {identity!r}")
        return np.frombuffer(zlib.decompress(row[2]), dtype="<f8").reshape(row[0], row[1]).copy()

    def missing_scores(self) -> dict[ScoreKey, int]:
        """Count the cells that are done and lack a score that the study asks for.

        Returns
        -------
        dict
            (metric, prior, rows, cutoff) to number of cells; only scores that are missing somewhere. They
            were computed before the study asked for it.
        """
        done = self._cells[self._cells["state"] == "done"]
        n_done = {"test": len(done), "exact": int(done["exact"].sum())}
        found = self._scores.groupby(["metric", "prior", "rows", "cutoff"]).size().to_dict()
        wanted = Scores(**self.study["scores"]).keys
        lacking = {key: n_done[key.rows] - found.get(tuple(key), 0) for key in wanted}
        return {key: n for key, n in lacking.items() if n > 0}

    @property
    def score_keys(self) -> list[tuple[str, str, str, str]]:
        """The combinations (metric, prior, rows, cutoff) that occur, in the order of the study's metrics."""
        found = self._tidy[["metric", "prior", "rows", "cutoff"]].drop_duplicates()
        order = {metric: i for i, metric in enumerate(self.study["scores"]["metrics"])}
        return sorted(found.itertuples(index=False, name=None), key=lambda key: order.get(key[0], len(order)))

    @functools.cached_property
    def _tidy(self) -> pd.DataFrame:
        joined = self._scores.join(self._cells.set_index("cell")[list(KEYS)], on="cell")
        return joined.sort_values([*KEYS[:-1], "learner"], kind="stable")[[*KEYS, *SCORES]].reset_index(
            drop=True
        )

    def _select(self, metric: str, prior: str | None, rows: str | None, cutoff: str) -> pd.DataFrame:
        keys = self.score_keys
        failed = self._cells["message"][self._cells["state"] == "failed"]
        if 0 < len(failed) == len(self._cells):
            raise WorkbenchError(f"all {len(failed)} cells failed: {failed.iloc[0]}")
        if metric not in {key[0] for key in keys}:
            raise WorkbenchError(
                f"there is no metric {metric!r} here: {nearest(metric, {key[0] for key in keys})}"
            )
        fitting = [key for key in keys if key == (metric, prior or key[1], rows or key[2], cutoff)]
        if not fitting:
            known = "; ".join(" ".join(key[1:]) for key in keys if key[0] == metric)
            raise WorkbenchError(
                f"there is no such score of {metric}: prior, rows and cut-off known are {known}"
            )
        key = sorted(fitting, key=preference)[0]
        words = zip(("metric", "prior", "rows", "cutoff"), key, strict=True)
        scores = self._tidy
        return scores[np.logical_and.reduce([scores[name] == word for name, word in words])]


def load(path: str | Path) -> Results:
    """Read the results of the study that a store has seen last.

    Parameters
    ----------
    path : str or Path
        The store; another process may be writing it.

    Returns
    -------
    Results

    Raises
    ------
    WorkbenchError
        If there is no such file or it is no store.

    Examples
    --------
    >>> load("nowhere.db")
    Traceback (most recent call last):
    ...
    workbench.errors.WorkbenchError: there is no store nowhere.db: `workbench run STUDY.toml ...` makes one
    """
    with schema.told(Path(path)), closing(schema.read_only(Path(path))) as connection:
        return _read(connection, Path(path))


def of_store(store: "Store") -> Results:
    """Read the results of a store that is open."""
    return _read(store.connection, store.path)


def _read(connection: sqlite3.Connection, path: Path | None) -> Results:
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
    return Results(study, runs, cells.sort_values(list(KEYS), kind="stable"), scores, path, earlier)


def _rows(connection: sqlite3.Connection, query: str, names: Iterable[str]) -> pd.DataFrame:
    return pd.DataFrame(connection.execute(query).fetchall(), columns=list(names))


def _half_width(values: pd.Series) -> float:
    """Give the half width of the 95% t interval of a mean."""
    if len(values) < 2 or not np.isfinite(values).all():
        return float("nan")
    return float(stdtrit(len(values) - 1, 0.975) * values.std(ddof=1) / np.sqrt(len(values)))
