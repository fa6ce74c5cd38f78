"""Scores of probability forecasts: each knows its unit, direction, bounds and what it needs."""

from workbench.metrics.accuracy import accuracy
from workbench.metrics.base import Metric
from workbench.metrics.class_prior import class_prior
from workbench.metrics.clip_probabilities import clip_probabilities
from workbench.metrics.ir_b import ir_b
from workbench.metrics.kl_divergence import kl_divergence
from workbench.metrics.log_loss import log_loss

METRICS: dict[str, Metric] = {metric.name: metric for metric in (accuracy, ir_b, kl_divergence, log_loss)}

__all__ = [
    "accuracy",
    "ir_b",
    "kl_divergence",
    "log_loss",
    "class_prior",
    "clip_probabilities",
    "Metric",
    "METRICS",
]
