"""The metrics of a store by key: one metric per key, as long as it has scores."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from workbench.base.checks import check_name
from workbench.base.errors import WorkbenchError
from workbench.study.metric_facts import UNRECORDED, MetricFacts, same_definition

__all__ = ["METRICS_KEY", "combined", "definitions"]

#: Key in the table `meta` of the descriptions of metrics that are not the catalogue's.
METRICS_KEY = "metrics"
#: The fields that a store keeps of what a metric declares.
DECLARED = {field.name for field in fields(MetricFacts)} - {*UNRECORDED}


def definitions(connection: sqlite3.Connection) -> dict[str, dict[str, Any]]:
    """Read the descriptions of the metrics of a store that are not the catalogue's."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (METRICS_KEY,)).fetchone()
    return _checked(row[0]) if row else {}


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


def _checked(text: Any) -> dict[str, dict[str, Any]]:
    """Check what a store says, which may be anything."""
    try:
        found = json.loads(text)
        sound = isinstance(found, dict) and all(map(_is_sound, found.values()))
    except (TypeError, ValueError, RecursionError):
        sound = False
    if not sound:
        raise WorkbenchError(
            "the store is damaged: its descriptions of metrics cannot be read; restore a copy of it"
        )
    for key in found:
        check_name(key, "a metric's key")
    return found


def _is_sound(description: Any) -> bool:
    """Return whether a description has the fields of `workbench.study.metric_facts.described`."""
    if not isinstance(description, dict) or not isinstance(description.get("class"), str):
        return False
    declares, options = description.get("declares"), description.get("options")
    if not isinstance(declares, dict) or not isinstance(options, dict) or set(declares) != DECLARED:
        return False
    needs, direction = declares["needs"], declares["direction"]
    words = (declares["unit"], declares["summary"], declares["definition"])
    return (
        all(isinstance(word, str) for word in words)
        and direction in ("higher", "lower")
        and isinstance(needs, list)
        and all(isinstance(word, str) for word in needs)
        and isinstance(declares["has_expected"], bool)
    )


def _has_scores(connection: sqlite3.Connection, metric: str) -> bool:
    query = "SELECT 1 FROM scores WHERE metric = ? LIMIT 1"
    return connection.execute(query, (metric,)).fetchone() is not None


def _words(description: Mapping[str, Any] | None) -> str:
    return "the catalogue's" if description is None else str(description["declares"]["definition"])
