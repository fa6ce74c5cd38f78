"""Metrics as people name them: keys, metrics with options, tables of a study file."""

import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from workbench.base.errors import WorkbenchError
from workbench.metrics._shared.base import Metric
from workbench.study.metric_spec import MetricSpec, metric_at

__all__ = ["entry_of", "told_metrics"]

EXPECTED = 'expected keys such as "ir_b", metrics, or tables such as {key = "...", metric = "ir_b", ...}'


def told_metrics(entries: Any) -> tuple[str | MetricSpec, ...]:
    """Read what people give as metrics."""
    if isinstance(entries, str):
        raise WorkbenchError(f"metrics is {entries!r}: expected a list, [{entries!r}]")
    if not isinstance(entries, Iterable):
        raise WorkbenchError(f"metrics is {entries!r}: expected a list, [...]")
    if isinstance(entries, Mapping):
        found = [_told(entry, key) for key, entry in entries.items()]
    else:
        found = [_told(entry) for entry in entries]
    keys = [entry if isinstance(entry, str) else entry.key for entry in found]
    if not keys:
        raise WorkbenchError("metrics is []: expected at least one")
    for key in keys:
        if keys.count(key) > 1:
            raise WorkbenchError(f"metrics has the key {key!r} twice: give each a key of its own")
    return tuple(found)


def entry_of(word: str) -> str | dict[str, Any]:
    """Read a metric from a command: a key, or a table as in a study file."""
    if not word.lstrip().startswith("{"):
        return word
    try:
        return tomllib.loads(f"metric = {word}")["metric"]
    except (ValueError, RecursionError) as error:
        raise WorkbenchError(
            f"{word} is no table, such as {{ metric = 'lift', share = 0.2 }}: {error}"
        ) from error


def _told(entry: Any, key: str | None = None) -> str | MetricSpec:
    """Read one entry."""
    if isinstance(entry, str):
        if key in (None, entry):
            metric_at(entry)
            # Of code the store keeps what it says of itself, so that reading a store never imports any.
            return MetricSpec(entry, metric=entry) if ":" in entry else entry
        spec = MetricSpec(str(key), metric=entry)
    elif isinstance(entry, MetricSpec):
        spec = entry
    elif isinstance(entry, Metric):
        spec = MetricSpec(key or entry.name, instance=entry)
    elif isinstance(entry, Mapping):
        spec = _of_table(dict(entry) if key is None else {**entry, "key": key})
    elif isinstance(entry, type) and issubclass(entry, Metric):
        name = entry.__name__
        raise WorkbenchError(f"metrics holds the class {name}: give an instance, {name}()")
    else:
        raise WorkbenchError(f"metrics holds {entry!r}: {EXPECTED}")
    return spec.key if spec.is_of_catalogue else spec


def _of_table(table: dict[str, Any]) -> MetricSpec:
    if "metric" not in table:
        raise WorkbenchError("a metric's table needs 'metric', a key of the catalogue such as \"ir_b\"")
    metric = table.pop("metric")
    if not isinstance(metric, str):
        raise WorkbenchError(f'a metric\'s table has the metric {metric!r}: expected a key such as "ir_b"')
    return MetricSpec(table.pop("key", metric), metric=metric, options=table)
