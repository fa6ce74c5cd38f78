"""What a metric declares, as data for readers that cannot import its class."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import inf
from typing import TYPE_CHECKING, Any

from workbench.base.errors import WorkbenchError
from workbench.metrics._shared.base import Metric
from workbench.study.metric_spec import MetricSpec, class_place, metric_named
from workbench.study.trusted_code import check_metric

if TYPE_CHECKING:
    from workbench.base.checks import Direction

__all__ = ["MetricFacts", "described", "facts_of", "same_definition", "stored_spec"]

#: The fields of a description that identify a metric.
IDENTIFYING = ("class", "version", "algorithm_version", "options")
#: The facts that stores do not have: they are for readers, and the hash of a study does not depend on them.
UNRECORDED = ("meaning", "bounds", "has_optimum")


@dataclass(frozen=True)
class MetricFacts:
    """What a metric declares."""

    unit: str
    direction: "Direction"  # which way is better
    needs: tuple[str, ...]  # inputs: "prior", "truth", "sets", "theory"
    has_expected: bool  # whether there is an exact score
    summary: str  # the first line of its documentation
    definition: str = ""  # class and options, if it is not the catalogue's under its key
    meaning: str = ""  # what a score is, in one line; empty if neither it nor a store says so
    # between which scores lie; infinite if a store describes the metric
    bounds: tuple[float, float] = (-inf, inf)
    # whether no forecast is better on average than the posterior predictive; None if a store describes it
    has_optimum: bool | None = None

    @property
    def sign(self) -> float:
        """1 where larger scores are better, -1 where smaller ones are."""
        return 1.0 if self.direction == "higher" else -1.0

    @property
    def measure(self) -> str:
        """Unit, direction and definition, in words."""
        words = f"{self.unit}, {self.direction} is better"
        return f"{words}; {self.definition}" if self.definition else words

    def explained(self, key: str) -> str:
        """Explain in a line what the scores of a metric are."""
        summary = self.summary.rstrip(".")
        lead = self.meaning or f"{summary[:1].lower()}{summary[1:]}"
        return f"{key}: {lead} ({self.measure})" if lead else f"{key}: {self.measure}"


def facts_of(key: str, descriptions: Mapping[str, Mapping[str, Any]] | None = None) -> MetricFacts:
    """Return what the metric of a key declares."""
    if descriptions and key in descriptions:
        declared = descriptions[key]["declares"]
        return MetricFacts(**{**declared, "needs": tuple(declared["needs"])})
    return _facts(metric_named(key))


def described(spec: MetricSpec) -> dict[str, Any]:
    """Describe a metric as plain data, for the record in a store."""
    identity = spec.identity
    facts = asdict(_facts(spec.made)) | {"definition": _words(identity)}
    for name in UNRECORDED:
        del facts[name]
    return {**identity, "declares": {**facts, "needs": list(facts["needs"])}}


def same_definition(one: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> bool:
    """Return whether two descriptions are of equivalent metrics; None stands for the catalogue's."""
    if one is None or other is None:
        return one is other
    return all(one.get(name) == other.get(name) for name in IDENTIFYING)


def stored_spec(key: str, description: Mapping[str, Any]) -> MetricSpec:
    """Rebuild a metric from its record in a store."""
    if any(isinstance(value, dict) for value in description["options"].values()):
        raise WorkbenchError(
            f"metric {key!r} is {description['declares']['definition']}, with options that a store cannot "
            f"record: pass it again in Python, workbench.rescore(..., {{{key!r}: metric}})"
        )
    check_metric(description["class"])
    return MetricSpec(key, metric=class_place(description["class"]), options=description["options"])


def _facts(metric: Metric) -> MetricFacts:
    lines = (metric.__doc__ or "").strip().splitlines()
    return MetricFacts(
        metric.unit,
        metric.direction,
        tuple(sorted(metric.needs)),
        metric.has_expected,
        lines[0] if lines else "",
        meaning=str(getattr(metric, "meaning", "")),
        bounds=getattr(metric, "bounds", (-inf, inf)),
        has_optimum=metric.has_per_sample and (metric.proper or metric.weakly_proper),
    )


def _words(identity: Mapping[str, Any]) -> str:
    options = ", ".join(f"{name}={value!r}" for name, value in identity["options"].items())
    version = f" of version {identity['version']}" if "version" in identity else ""
    return f"{identity['class'].rpartition(':')[2]}({options}){version}"
