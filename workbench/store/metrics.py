"""The metrics of a store by key: one metric per key, as long as it has scores."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from workbench.base.errors import WorkbenchError
from workbench.store.checks import check_names, damaged
from workbench.study.stored_metrics import same_definition

__all__ = ["METRICS_KEY", "combined", "definitions"]

#: Key in the table `meta` of the descriptions of metrics that are not the catalogue's.
METRICS_KEY = "metrics"


def definitions(connection: sqlite3.Connection) -> dict[str, dict[str, Any]]:
    """Read the descriptions of the metrics of a store that are not the catalogue's."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (METRICS_KEY,)).fetchone()
    if not row:
        return {}
    try:
        found: dict[str, dict[str, Any]] = json.loads(row[0])
    except ValueError as error:
        raise damaged("its descriptions of metrics cannot be read") from error
    check_names(found)
    return found


def combined(
    connection: sqlite3.Connection,
    path: Path | None,
    keys: Iterable[str],
    descriptions: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """Return the metrics by key after some are added."""
    found = definitions(connection)
    for key in keys:
        old, new = found.pop(key, None), descriptions.get(key)
        if not same_definition(old, new) and _has_scores(connection, key):
            where = "the store in memory" if path is None else path
            raise WorkbenchError(
                f"metric {key!r} is {_words(new)} here and {_words(old)} in {where}: use another key, or a "
                "new store"
            )
        if new is not None:
            found[key] = dict(new)
    return found


def _has_scores(connection: sqlite3.Connection, metric: str) -> bool:
    query = "SELECT 1 FROM scores WHERE metric = ? LIMIT 1"
    return connection.execute(query, (metric,)).fetchone() is not None


def _words(description: Mapping[str, Any] | None) -> str:
    return "the catalogue's" if description is None else str(description["declares"]["definition"])
