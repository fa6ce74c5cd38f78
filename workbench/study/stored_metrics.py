"""Metrics as a store describes them, for readers that cannot import their classes."""

from collections.abc import Mapping
from math import inf
from typing import Any

from workbench.base.errors import WorkbenchError
from workbench.metrics._shared.base import Metric
from workbench.study.metric_spec import MetricSpec, class_place, metric_named
from workbench.study.trusted_code import check_metric

__all__ = ["described", "metric_of", "same_definition", "stored_spec"]

#: The fields of a description that identify a metric.
IDENTIFYING = ("class", "version", "algorithm_version", "options")
#: What a store keeps of what a metric declares.
DECLARED = ("unit", "direction", "has_expected", "has_optimum", "summary", "meaning")


class DescribedMetric(Metric):
    """A metric that is only described in a store and cannot score."""

    has_optimum = None
    bounds = (-inf, inf)

    def __init__(self, name: str, declares: Mapping[str, Any]) -> None:
        self.name, self.declares = name, declares
        self.unit, self.direction = declares["unit"], declares["direction"]
        self.needs, self.has_expected = frozenset(declares["needs"]), declares["has_expected"]
        self.definition = declares["definition"]
        # stores of old do not know these
        self.has_optimum, self.meaning = declares.get("has_optimum"), declares.get("meaning", "")
        super().__init__()

    @property
    def summary(self) -> str:
        """The first line of the documentation of its class."""
        return str(self.declares["summary"])

    def __call__(self, *args: Any, **kwargs: Any) -> float:
        """Raise WorkbenchError, as its class is unknown."""
        raise WorkbenchError(
            f"metric {self.name!r} is described in the store without its code: pass {self.definition} in "
            "Python"
        )


def metric_of(key: str, descriptions: Mapping[str, Mapping[str, Any]]) -> Metric:
    """Return the metric of a key as a store describes it, otherwise the catalogue's."""
    if key in descriptions:
        return DescribedMetric(key, descriptions[key]["declares"])
    return metric_named(key)


def described(spec: MetricSpec) -> dict[str, Any]:
    """Describe a metric as plain data, for a store."""
    identity, metric = spec.identity, spec.made
    declares = {name: getattr(metric, name) for name in DECLARED}
    own = {"needs": sorted(metric.needs), "definition": _words(identity)}
    return {**identity, "declares": {**declares, **own}}


def same_definition(one: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> bool:
    """Return whether two descriptions are of equivalent metrics. None stands for the catalogue's."""
    if one is None or other is None:
        return one is other
    return all(one.get(name) == other.get(name) for name in IDENTIFYING)


def stored_spec(key: str, description: Mapping[str, Any]) -> MetricSpec:
    """Rebuild a metric from its description in a store."""
    if any(isinstance(value, dict) for value in description["options"].values()):
        raise WorkbenchError(
            f"metric {key!r} is {description['declares']['definition']}, with options that a store cannot "
            f"record: pass it again in Python, workbench.rescore(..., {{{key!r}: metric}})"
        )
    check_metric(description["class"])
    return MetricSpec(key, metric=class_place(description["class"]), options=description["options"])


def _words(identity: Mapping[str, Any]) -> str:
    options = ", ".join(f"{name}={value!r}" for name, value in identity["options"].items())
    version = f" of version {identity['version']}" if "version" in identity else ""
    return f"{identity['class'].rpartition(':')[2]}({options}){version}"
