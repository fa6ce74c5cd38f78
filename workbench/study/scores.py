"""The scores of a study: every useful combination of metric, prior, rows and cut-off."""

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from workbench.base.errors import WorkbenchError, nearest
from workbench.base.score_key import CUTOFFS, ScoreKey
from workbench.metrics._shared.base import Metric
from workbench.study.metric_spec import MetricSpec, metric_named, read_metrics
from workbench.study.stored_metrics import described

__all__ = ["Scores", "of_datasets", "score_keys"]


@dataclass(frozen=True)
class Scores:
    """The scores of every cell.

    `metrics` are keys of the catalogue, metrics, `MetricSpec`, tables such as ``{"key": "ece_10", "metric":
    "expected_calibration_error", "n_bins": 10}``, or a mapping of keys to these. `priors` are the forecasts
    that a reward is relative to: "training", "marginal" (the truth's), "test" or "uniform". `rows` are
    "test", "exact" (enumerated) or "training". `cutoffs` are "none" or those of `clip_probabilities`.
    """

    # Priors of training and test rows have counts that start at 0.5. Of theory metrics, `theory_complexity`
    # uses no rows, and `whole_message` the training rows even if they are not named.
    metrics: tuple[str, ...] = ("ir_b", "accuracy")
    priors: tuple[str, ...] = ("training", "marginal")
    rows: tuple[str, ...] = ("test", "exact")
    cutoffs: tuple[str, ...] = ("none", "2002")
    definitions: tuple[MetricSpec, ...] = ()

    WORDS: ClassVar[dict[str, tuple[str, ...]]] = {
        "priors": ("training", "marginal", "test", "uniform"),
        "rows": ("test", "exact", "training"),
        "cutoffs": CUTOFFS,
    }

    def __post_init__(self) -> None:
        self._split_metrics()
        for name, known in self.WORDS.items():
            words = _words(name, getattr(self, name))
            object.__setattr__(self, name, words)
            for word in words:
                if word not in known:
                    raise WorkbenchError(f"unknown value {word!r} in {name}; {nearest(word, known)}")
        for metric in self.metrics:
            if not _rows_of(self.metric(metric), self.rows):
                raise WorkbenchError(
                    f'{metric} has no exact score and rows is ["exact"]: add "test", or leave the metric out'
                )

    def _split_metrics(self) -> None:
        """Split metrics into their keys and what the keys stand for."""
        before = {spec.key: spec for spec in self.definitions}
        entries: Any = self.metrics
        if isinstance(entries, list | tuple):
            entries = tuple(before.get(e, e) if isinstance(e, str) else e for e in entries)
        found = read_metrics(entries)
        keys = tuple(entry if isinstance(entry, str) else entry.key for entry in found)
        object.__setattr__(self, "metrics", keys)
        object.__setattr__(self, "definitions", tuple(one for one in found if isinstance(one, MetricSpec)))

    @functools.cached_property
    def keys(self) -> tuple[ScoreKey, ...]:
        """All combinations, metric by metric. Priors and cut-offs only where a metric uses them."""
        return score_keys(self.metrics, self.priors, self.rows, self.cutoffs, metric=self.metric)

    @functools.cached_property
    def descriptions(self) -> dict[str, dict[str, Any]]:
        """The definitions as plain data, by key."""
        return {spec.key: described(spec) for spec in self.definitions}

    def metric(self, key: str) -> Metric:
        """Return one of the metrics."""
        return next((spec.made for spec in self.definitions if spec.key == key), None) or metric_named(key)


def score_keys(
    metrics: Iterable[str],
    priors: Sequence[str],
    rows: Sequence[str],
    cutoffs: Sequence[str],
    *,
    metric: Callable[[str], Metric],
) -> tuple[ScoreKey, ...]:
    """Combine metrics with the priors, rows and cut-offs that they use."""
    found = {key: metric(key) for key in metrics}
    return tuple(
        ScoreKey(key, prior, row, cutoff)
        for key, own in found.items()
        for cutoff in (("none",) if {"sets", "theory"} & own.needs else cutoffs)
        for row in _rows_of(own, rows)
        for prior in (priors if "prior" in own.needs else ("none",))
    )


def _rows_of(metric: Metric, rows: Sequence[str]) -> tuple[str, ...]:
    """Return the rows on which a metric can be scored. Metrics of theories have fixed rows."""
    if "theory" in metric.needs:
        return ("training",) if "sets" in metric.needs else ("none",)
    return tuple(row for row in rows if row != "exact" or metric.has_expected)


def of_datasets(
    keys: Iterable[ScoreKey], *, metric: Callable[[str], Metric] = metric_named
) -> tuple[ScoreKey, ...]:
    """Leave out the scores that need the truth."""
    return tuple(
        key
        for key in keys
        if key.rows != "exact" and key.prior != "marginal" and "truth" not in metric(key.metric).needs
    )


def _words(name: str, words: Any) -> tuple[str, ...]:
    """Check that a field is a list of words, each named once."""
    if isinstance(words, str):
        raise WorkbenchError(f"{name} is {words!r}: expected a list, [{words!r}]")
    if not isinstance(words, Iterable):
        raise WorkbenchError(f"{name} is {words!r}: expected a list of words")
    words = tuple(words)
    for word in words:
        if not isinstance(word, str):
            raise WorkbenchError(f"{name} contains {word!r}: expected words")
    if not words or len(set(words)) < len(words):
        raise WorkbenchError(f"{name} is {list(words)}: expected at least one word, each named once")
    return words
