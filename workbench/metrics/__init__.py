"""Scores of probability forecasts: each knows its unit, direction, bounds and what it needs.

A new metric is one file here and one line below.
"""

from workbench.metrics.accuracy import accuracy as accuracy
from workbench.metrics.base import Metric
from workbench.metrics.class_prior import class_prior
from workbench.metrics.clip_probabilities import clip_probabilities
from workbench.metrics.ir_b import ir_b as ir_b
from workbench.metrics.kl_divergence import kl_divergence as kl_divergence
from workbench.metrics.log_loss import log_loss as log_loss
from workbench.metrics.sample_metric import SampleMetric
from workbench.metrics.scoring_rule import ScoringRule

METRICS: dict[str, Metric] = {
    member.name: member for member in list(globals().values()) if isinstance(member, Metric)
}

__all__ = ["METRICS", "Metric", "ScoringRule", "SampleMetric", "class_prior", "clip_probabilities", *METRICS]
