"""A metric of a study: a key of the catalogue, or the study's key for a metric with options."""

import functools
import inspect
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.base import catalogue
from workbench.base.checks import check_name
from workbench.base.errors import WorkbenchError, nearest
from workbench.base.identity import changed_options, class_identity, place_of, plain
from workbench.base.seeds import canonical
from workbench.base.text import article
from workbench.metrics._shared.base import Metric

__all__ = ["MetricSpec", "class_place", "entry_of", "metric_named", "read_metrics"]

EXPECTED = 'expected keys such as "ir_b", metrics, or tables such as {key = "...", metric = "ir_b", ...}'


@dataclass(frozen=True, eq=False)
class MetricSpec:
    """A metric and its key in tables and stores. Equal if key, class and options are."""

    # refused: metrics that store an option under another attribute name, so that two of a kind look the same
    key: str
    metric: str | None = None  # key of the catalogue, or "module:attribute" of a metric or a class of metrics
    # keyword arguments of its class; the others are as in `metric`
    options: Mapping[str, Any] = field(default_factory=dict)
    instance: Metric | None = None  # instead of `metric`

    def __post_init__(self) -> None:
        if not isinstance(self.key, str) or not self.key.strip():
            raise WorkbenchError(f"a metric has the key {self.key!r}: expected a non-empty string")
        check_name(self.key, "a metric's key")
        if "/" in self.key:
            raise WorkbenchError(
                f'a metric has the key {self.key!r}: leave out "/", which separates parts of a score'
            )
        if (self.metric is None) == (self.instance is None):
            raise WorkbenchError(f"metric {self.key!r} needs either a metric's key or a metric, not both")
        if self.instance is not None:
            _check_metric(self.instance, f"metric {self.key!r}")
        object.__setattr__(self, "options", dict(self.options))
        self.identity  # noqa: B018 - what cannot be made or described shows here and not in a worker

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MetricSpec) and self._known_by == other._known_by

    def __hash__(self) -> int:
        return hash(self._known_by)

    @property
    def _known_by(self) -> tuple[str, str]:
        return self.key, canonical(self.identity)

    @functools.cached_property
    def made(self) -> Metric:
        """The metric itself."""
        if self.instance is not None:
            return self.instance
        kind, own = _kind_of(str(self.metric))
        if isinstance(own, Metric) and not self.options:
            return own
        known = _option_names(kind)
        for name in self.options:
            if name not in known:
                raise WorkbenchError(
                    f"unknown option {name!r} of metric {self.metric!r}; {nearest(name, (*known, 'key'))}"
                )
        given = {**(_options_of(own) if isinstance(own, Metric) else {}), **self.options}
        if "name" in inspect.signature(kind).parameters:
            given["name"] = self.key
        try:
            return kind(**given)
        except (TypeError, ValueError) as error:
            raise WorkbenchError(f"metric {self.key!r} cannot be made: {error}") from error

    @functools.cached_property
    def identity(self) -> dict[str, Any]:
        """Class and options, as plain data. Valid within one study."""
        return _identity(self.made, stand_in=f"metric {self.key}")

    def check_recognizable(self) -> None:
        """Raise WorkbenchError if a nameless function makes the identity valid in one study only."""
        _identity(self.made)

    @property
    def is_of_catalogue(self) -> bool:
        """Whether the catalogue has the same metric under the same key, so that the key suffices."""
        if self.key not in catalogue.keys("metrics"):
            return False
        found = metric_named(self.key)
        return found is self.made or _identity(found, stand_in=f"metric {self.key}") == self.identity

    @property
    def table(self) -> dict[str, Any]:
        """The entry in a study file: key, metric and options."""
        if self.metric is not None:
            return {"key": self.key, "metric": self.metric, **self.options}
        return {"key": self.key, **_nearest_of_catalogue(self.made)}


@functools.cache
def metric_named(key: str) -> Metric:
    """Return the metric that a key of the catalogue stands for."""
    if ":" in key:
        raise WorkbenchError(
            f"metric {key!r} is neither in the catalogue nor described in the store: add it to the study's "
            "metrics and compute its scores again"
        )
    return metric_at(key)


def class_place(identity: str) -> str:
    """Return "module:name" of the metric class with an identity, or the identity if there is none."""
    kinds = {type(catalogue.find("metrics", key)) for key in catalogue.keys("metrics")}
    return next((place_of(kind) for kind in kinds if class_identity(kind)["class"] == identity), identity)


def metric_at(place: str) -> Metric:
    """Return the metric that a short key or ``"module:attribute"`` stands for."""
    found = _find(place)
    _check_metric(found, repr(place))
    return found


def _find(word: str) -> Any:
    """Return what a word names. Classes are also found by their identity, which may be a former place."""
    return catalogue.find("metrics", class_place(word) if ":" in word else word)


def read_metrics(entries: Any) -> tuple[str | MetricSpec, ...]:
    """Read the metrics argument in any of its forms."""
    if isinstance(entries, str):
        raise WorkbenchError(f"metrics is {entries!r}: expected a list, [{entries!r}]")
    if not isinstance(entries, Iterable):
        raise WorkbenchError(f"metrics is {entries!r}: expected a list, [...]")
    if isinstance(entries, Mapping):
        found = [_entry(entry, key) for key, entry in entries.items()]
    else:
        found = [_entry(entry) for entry in entries]
    keys = [entry if isinstance(entry, str) else entry.key for entry in found]
    if not keys:
        raise WorkbenchError("metrics is []: expected at least one")
    for key in keys:
        if keys.count(key) > 1:
            raise WorkbenchError(f"metrics has the key {key!r} twice: give each metric its own key")
    return tuple(found)


def entry_of(word: str) -> str | dict[str, Any]:
    """Read a metric from a command: a key, or a table as in a study file."""
    if not word.lstrip().startswith("{"):
        return word
    try:
        return tomllib.loads(f"metric = {word}")["metric"]
    except (ValueError, RecursionError) as error:
        raise WorkbenchError(
            f"{word} is not a table, such as {{ metric = 'lift', share = 0.2 }}: {error}"
        ) from error


def _check_metric(thing: Any, what: str) -> None:
    if isinstance(thing, type) and issubclass(thing, Metric):
        raise WorkbenchError(
            f"{what} is the class {thing.__name__}: use an instance, {thing.__name__}(), or in TOML a table "
            '{ key = "...", metric = "package.module:Class" }'
        )
    if not isinstance(thing, Metric):
        raise WorkbenchError(
            f"{what} is {article(type(thing).__name__)}: expected a metric, derived from "
            "workbench.metrics.Metric"
        )


def _kind_of(word: str) -> tuple[type[Metric], Any]:
    """Return the class that a word names, and the instance if it names one."""
    found = _find(word)
    if isinstance(found, type) and issubclass(found, Metric):
        return found, found
    _check_metric(found, repr(word))
    return type(found), found


def _option_names(kind: type) -> list[str]:
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    parameters = inspect.signature(kind).parameters.values()
    return [p.name for p in parameters if p.name != "name" and p.kind not in variable]


def _options_of(metric: Metric) -> dict[str, Any]:
    """Read a metric's options, without its name."""
    names = _option_names(type(metric))
    for name in names:
        if not hasattr(metric, name):
            kind = type(metric).__name__
            raise WorkbenchError(
                f"the metric {kind} has the option {name!r} but no attribute of that name, so that metrics "
                f"with different options cannot be distinguished: store it as self.{name}"
            )
    return {name: getattr(metric, name) for name in names}


def _identity(metric: Metric, *, stand_in: str | None = None) -> dict[str, Any]:
    kind = type(metric)
    changed = changed_options(kind, _options_of(metric), stand_in=stand_in)
    options = {
        name: plain(value, f"option {name} of {kind.__name__}", stand_in=stand_in)
        for name, value in changed.items()
    }
    return {**class_identity(kind), "options": options}


def _nearest_of_catalogue(metric: Metric) -> dict[str, Any]:
    """Name a metric by the closest key of the catalogue, otherwise by its class."""
    kind, own = type(metric), _options_of(metric)
    ways = [{"metric": place_of(kind), **changed_options(kind, own)}]
    for key in catalogue.keys("metrics"):
        found = catalogue.find("metrics", key)
        if type(found) is kind:
            usual = _options_of(found)
            differing = {name: v for name, v in own.items() if plain(v) != plain(usual[name])}
            ways.append({"metric": key, **differing})
    return min(ways, key=lambda way: (len(way), ":" in way["metric"]))


def _entry(entry: Any, key: str | None = None) -> str | MetricSpec:
    """Read one entry."""
    if isinstance(entry, str):
        if key in (None, entry):
            metric_at(entry)
            entry = catalogue.key_of("metrics", entry) if key is None else entry
            # The store keeps what other code declares, so that reading a store never imports it.
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
        raise WorkbenchError(f"metrics contains the class {name}: use an instance, {name}()")
    else:
        raise WorkbenchError(f"metrics contains {entry!r}: {EXPECTED}")
    return spec.key if spec.is_of_catalogue else spec


def _of_table(table: dict[str, Any]) -> MetricSpec:
    if "metric" not in table:
        raise WorkbenchError("a metric's table needs 'metric', a key of the catalogue such as \"ir_b\"")
    metric = table.pop("metric")
    if not isinstance(metric, str):
        raise WorkbenchError(f'a metric\'s table has the metric {metric!r}: expected a key such as "ir_b"')
    return MetricSpec(table.pop("key", metric), metric=metric, options=table)
