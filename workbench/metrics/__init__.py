"""Scores of probability forecasts: each knows its unit, direction, bounds and what it needs.

A new metric is one file here and one line below.
"""

from workbench.metrics._shared.base import Metric
from workbench.metrics._shared.forecast_metric import SampleMetric, ScoringRule
from workbench.metrics._shared.set_metric import CodeLength, SetMetric
from workbench.metrics.accuracy import accuracy as accuracy
from workbench.metrics.auc import auc as auc
from workbench.metrics.bayesian_reward import bayesian_reward as bayesian_reward
from workbench.metrics.calibration_error import confidence_calibration_error as confidence_calibration_error
from workbench.metrics.calibration_error import expected_calibration_error as expected_calibration_error
from workbench.metrics.confidence_gap import confidence_gap as confidence_gap
from workbench.metrics.constant_complexity import constant_complexity as constant_complexity
from workbench.metrics.d2 import d2_brier as d2_brier
from workbench.metrics.d2 import d2_log_loss as d2_log_loss
from workbench.metrics.expected_value import expected_value as expected_value
from workbench.metrics.forecast_entropy import forecast_entropy as forecast_entropy
from workbench.metrics.frequency_complexity import frequency_complexity as frequency_complexity
from workbench.metrics.frequency_complexity import (
    frequency_complexity_by_count as frequency_complexity_by_count,
)
from workbench.metrics.functions.analytic_significance import analytic_significance
from workbench.metrics.functions.as_sets import as_sets
from workbench.metrics.functions.class_complexity import class_complexity
from workbench.metrics.functions.class_prior import class_prior
from workbench.metrics.functions.clip_probabilities import clip_probabilities
from workbench.metrics.functions.decomposition import decomposition, exact_decomposition
from workbench.metrics.functions.reliability import reliability_table
from workbench.metrics.functions.scorer import make_scorer
from workbench.metrics.good_reward import good_reward as good_reward
from workbench.metrics.ir_b import ir_b as ir_b
from workbench.metrics.ir_b import ir_b_sum as ir_b_sum
from workbench.metrics.kl_divergence import kl_divergence as kl_divergence
from workbench.metrics.kononenko_bratko import kononenko_bratko as kononenko_bratko
from workbench.metrics.kononenko_bratko import kononenko_bratko_2002 as kononenko_bratko_2002
from workbench.metrics.laplace_complexity import laplace_complexity as laplace_complexity
from workbench.metrics.lift import lift as lift
from workbench.metrics.log_loss import log_loss as log_loss
from workbench.metrics.log_loss import log_loss_nats as log_loss_nats
from workbench.metrics.miscalibration import miscalibration as miscalibration
from workbench.metrics.miscalibration import overconfidence as overconfidence
from workbench.metrics.miscalibration import underconfidence as underconfidence
from workbench.metrics.modal_bayesian_reward import modal_bayesian_reward as modal_bayesian_reward
from workbench.metrics.quadratic_loss import quadratic_loss as quadratic_loss
from workbench.metrics.set_share import exact_match as exact_match
from workbench.metrics.set_share import set_coverage as set_coverage
from workbench.metrics.significance import significance as significance
from workbench.metrics.significance import significance_by_count as significance_by_count
from workbench.metrics.theory_complexity import theory_complexity as theory_complexity
from workbench.metrics.whole_message import whole_message as whole_message

#: The metrics by their names.
METRICS: dict[str, Metric] = {
    member.name: member for member in list(globals().values()) if isinstance(member, Metric)
}

__all__ = [
    "METRICS",
    "Metric",
    "ScoringRule",
    "SampleMetric",
    "SetMetric",
    "CodeLength",
    "analytic_significance",
    "as_sets",
    "class_complexity",
    "class_prior",
    "clip_probabilities",
    "make_scorer",
    "decomposition",
    "exact_decomposition",
    "reliability_table",
    *METRICS,
]
