"""The completeness of a store, counted by SQLite without reading scores. Only failed cells are read."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.base.cell import ENDED_WITHOUT_SCORES
from workbench.base.checks import check_name
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.metrics._shared.base import Metric
from workbench.store import schema
from workbench.store.checks import check_names, read_study
from workbench.store.failures import Ended
from workbench.store.metrics import definitions
from workbench.store.run_notes import REPEAT_OF, said_of_learners
from workbench.study.document import StudyDocument
from workbench.study.stored_metrics import metric_of

__all__ = ["StoredCounts", "read_counts"]

#: Without cells of other versions of the study nothing needs to be looked up.
OTHERS = "SELECT cell FROM cells WHERE NOT planned"
CELLS = "SELECT planned, state, exact, count(*), min(cell) FROM cells GROUP BY planned, state, exact"
COUNTED = (
    f"SELECT metric, prior, rows, cutoff, count(*) FROM scores WHERE cell NOT IN ({OTHERS})"
    " GROUP BY metric, prior, rows, cutoff"
)
WITH_METRIC = f"SELECT count(DISTINCT cell) FROM scores WHERE metric = ? AND cell NOT IN ({OTHERS})"
ENDED = (
    "SELECT training_set, fold, source, replicate, n_train, learner, state, message FROM cells"
    f" WHERE planned AND state IN ({', '.join('?' * len(ENDED_WITHOUT_SCORES))})"
)


@dataclass(frozen=True)
class StoredCounts:
    """Numbers of cells and scores of the last study of a store."""

    study: StudyDocument
    n_runs: int
    states: dict[str, int]  # planned cells by state, the most frequent first
    n_exact: int  # done cells that can have exact scores
    n_earlier: int  # cells of earlier versions of the study only
    changes: tuple[str, ...]  # how these differ from the study, in clauses
    scores: dict[ScoreKey, int]  # planned cells with each score
    added: dict[str, int]  # metrics that the study does not ask for, with their planned cells
    ended: tuple[Ended, ...]  # planned cells that failed or timed out, in the order of the study
    definitions: dict[str, dict[str, Any]]  # of the metrics that are not the catalogue's, by key
    not_reproducible: tuple[str, ...]  # a sentence for each learner that is not reproducible

    @property
    def n_cells(self) -> int:
        """Number of planned cells."""
        return sum(self.states.values())

    @property
    def n_done(self) -> int:
        """Number of done cells."""
        return self.states.get("done", 0)

    def metric(self, key: str) -> Metric:
        """Return the declarations of a metric of the store."""
        return metric_of(key, self.definitions)

    def missing_scores(self) -> dict[ScoreKey, int]:
        """Count the done cells that lack a score that the study asks for, as `Results.missing_scores`."""
        return self.study.missing_scores(
            self.scores, n_done=self.n_done, n_exact=self.n_exact, metric=self.metric
        )


def read_counts(path: str | Path) -> StoredCounts:
    """Count the content of a store."""
    place = Path(path)
    with schema.plain_errors(place), closing(schema.read_only(place)) as connection:
        connection.execute("BEGIN")  # a consistent view of the store, even if it is being written
        return _counted(connection, place)


def _counted(connection: sqlite3.Connection, path: Path) -> StoredCounts:
    runs = connection.execute("SELECT count(*) FROM runs").fetchone()[0]
    if not runs:
        raise WorkbenchError(
            f"{path} holds no run yet: fill it with `workbench run STUDY.toml --store {path}`"
        )
    (text,) = connection.execute("SELECT study FROM runs ORDER BY run DESC LIMIT 1").fetchone()
    study = read_study(text)
    states, exact, earlier = _states(connection)
    counted = connection.execute(COUNTED).fetchall()
    check_names(metric for metric, *_ in counted)
    scores = {ScoreKey(*key): n for *key, n in counted}
    others = dict.fromkeys(key.metric for key in scores if key.metric not in study.metrics)
    added = {metric: connection.execute(WITH_METRIC, (metric,)).fetchone()[0] for metric in others}
    ended = _ended(connection, study) if {*states} & {*ENDED_WITHOUT_SCORES} else ()
    metrics = definitions(connection)
    changes = tuple(_changes(connection, study)) if earlier else ()
    told = connection.execute("SELECT provenance, study FROM runs ORDER BY run").fetchall()
    not_reproducible = tuple(said_of_learners(REPEAT_OF, study, told).values())
    return StoredCounts(
        study, runs, states, exact, earlier, changes, scores, added, ended, metrics, not_reproducible
    )


def _states(connection: sqlite3.Connection) -> tuple[dict[str, int], int, int]:
    """Count planned cells by state, done ones that can have exact scores, and cells of earlier versions."""
    n: Counter[str] = Counter()
    first: dict[str, int] = {}
    exact = earlier = 0
    for planned, state, is_exact, count, cell in connection.execute(CELLS):
        if not planned:
            earlier += count
            continue
        n[state] += count
        first[state] = min(cell, first.get(state, cell))
        exact += count if state == "done" and is_exact else 0
    return dict(sorted(n.items(), key=lambda one: (-one[1], first[one[0]]))), exact, earlier


def _changes(connection: sqlite3.Connection, study: StudyDocument) -> Iterator[str]:
    """Describe why cells of earlier versions differ: rows, learners, the design."""
    texts = connection.execute("SELECT DISTINCT study FROM runs ORDER BY run DESC").fetchall()
    earlier = [read_study(text) for (text,) in texts]
    for what, now in (("source", study.sources), ("learner", study.learners)):
        query = f"SELECT DISTINCT {what} FROM cells WHERE NOT planned"
        for (key,) in connection.execute(query).fetchall():
            check_name(key, "a name in the store")
            known: list[Any] = [getattr(one, f"{what}s").get(key) for one in earlier]
            before = next((one for one in known if one is not None and one != now.get(key)), None)
            if key not in now:
                yield f"{what} {key} is no longer in the study"
            elif before is not None:
                yield f"{what} {key} {_changed(before, now[key])}"
    if any(one.design != study.design for one in earlier):
        yield "the design has changed"


def _changed(before: Any, now: Any) -> str:
    """Describe how the identity of a source or a learner changed."""
    if not (isinstance(before, Mapping) and isinstance(now, Mapping)):
        return "has other truths"
    if "table" in before and "table" in now:
        return "has other rows"
    for name, words in (("algorithm_version", "version"), ("version", "version of its package")):
        if before.get(name, 1) != now.get(name, 1):
            return f"has {words} {now.get(name, 1)} in place of {before.get(name, 1)}"
    return "has other parameters" if before.get("class") == now.get("class") else "is another"


def _ended(connection: sqlite3.Connection, study: StudyDocument) -> tuple[Ended, ...]:
    """Read the cells that failed or timed out, in the order of `Results.cells`."""
    sources = {key: i for i, key in enumerate(study.source_keys)}
    learners = {key: i for i, key in enumerate(study.learner_keys)}
    found = [(row[:2], Ended(*row[2:])) for row in connection.execute(ENDED, ENDED_WITHOUT_SCORES)]
    found.sort(
        key=lambda one: (sources[one[1].source], one[1].replicate, one[1].n_train, *one[0],
                         learners[one[1].learner])
    )  # fmt: skip
    return tuple(ended for _, ended in found)
