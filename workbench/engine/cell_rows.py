"""The training and test rows of a cell, remade."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.base import clone

from workbench.base.errors import WorkbenchError, nearest
from workbench.base.legacy_options import ALL_ROWS
from workbench.base.seeds import integer_seed
from workbench.base.text import count_of
from workbench.engine.problem import Problem, build_problem, spec_of
from workbench.estimators.fair_fit import seeded
from workbench.store.data_folder import remembered
from workbench.store.restored_study import restore
from workbench.store.results import StudyResults
from workbench.study.given_sources import given_sources, with_groups

__all__ = ["CellRows", "cell_rows"]


@dataclass(frozen=True, repr=False)
class CellRows:
    """The training and test rows of a cell. Other learners at the same place have the same rows."""

    X: pd.DataFrame  # training rows: attributes
    y: pd.Series  # and classes
    X_test: pd.DataFrame
    y_test: pd.Series
    identity: str  # of the cell

    def seeded(self, learner: Any) -> Any:
        """Return an unfitted copy with the seeds of the cell, set as the study sets open seeds."""
        return seeded(clone(learner), lambda name: integer_seed("learner", self.identity, name))

    def __repr__(self) -> str:
        attributes = count_of(self.X.shape[1], "attribute")
        return f"<{len(self.X)} training and {len(self.X_test)} test rows of {attributes}>"


def cell_rows(
    results: StudyResults,
    identity: str,
    *,
    data: str | Path | None = None,
    on: Any = None,
    groups: Any = None,
) -> CellRows:
    """Remake the rows of a cell, see `Results.rows`."""
    cells = results.cells().set_index("identity")
    if identity not in cells.index:
        raise WorkbenchError(
            f"there is no cell {identity!r}: expected a value of the column identity of `cells`, such as "
            f"{cells.index[0]!r}"
        )
    cell, path = cells.loc[identity], results._path
    study = results.study.only_sources([cell["source"]])
    given = () if on is None else given_sources(on, data, None if data else remembered(path))
    kept = {one.key: one for one in (given if groups is None else with_groups(given, groups))}
    kept = kept or results._sources
    if on is not None and cell["source"] not in kept:
        raise WorkbenchError(f"`on` lacks source {cell['source']!r}; {nearest(cell['source'], kept)}")
    known = {key: one for key, one in kept.items() if key == cell["source"]}
    restored = restore(study, path, data=data, on=known, design=results._design)
    problem = build_problem(spec_of(restored.study, cell))
    if cell["state"] == "done" and cell["test_digest"] != problem.test_digest:
        raise WorkbenchError(
            f"source {cell['source']!r} has other rows than when the study was run: use the data and the "
            "versions of that run"
        )
    X, y = problem.training_rows(int(cell["n_train"]), int(cell["training_set"]))
    X_test = problem.test.X
    if problem.cut is not None and results.study.settings(cell["learner"]).get("cut_on") == ALL_ROWS:
        whole = problem.cut()
        X, X_test = whole.loc[X.index], whole.loc[X_test.index]
    return CellRows(X, y, X_test, _labels(problem, X_test, y), identity)


def _labels(problem: Problem, X_test: pd.DataFrame, y: pd.Series) -> pd.Series:
    """Return the classes of the test rows in the form of the training rows."""
    labels = pd.Series(problem.classes, dtype="object").take(problem.test.y)
    return pd.Series(labels.to_numpy(), X_test.index, name=y.name).astype(y.dtype)
