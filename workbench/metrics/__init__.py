"""Scores of probability forecasts, with their unit, direction, bounds and requirements.

A new metric is one file with its class and its instance, and an import line below.
"""

from workbench.metrics._shared.base import Metric, SampleMetric, ScoringRule, SetMetric
from workbench.metrics.calibration import CalibrationError, ConfidenceGap, ForecastEntropy, Miscalibration
from workbench.metrics.code_lengths import (
    CodeLength,
    ConstantComplexity,
    FrequencyComplexity,
    LaplaceComplexity,
    Significance,
    TheoryComplexity,
    WholeMessage,
)
from workbench.metrics.functions.decomposition import decomposition, exact_decomposition
from workbench.metrics.functions.inputs import as_sets, class_prior, clip_probabilities
from workbench.metrics.functions.reliability import reliability_table
from workbench.metrics.functions.scorer import make_scorer
from workbench.metrics.functions.significance import analytic_significance, class_complexity
from workbench.metrics.losses import (
    CostMatrix,
    D2Brier,
    D2LogLoss,
    KLDivergence,
    LogLoss,
    NaturalLogLoss,
    QuadraticLoss,
)
from workbench.metrics.ranking import Accuracy, AreaUnderCurve, ExpectedValue, Lift
from workbench.metrics.rewards import (
    BayesianReward,
    GoodReward,
    InformationReward,
    KononenkoBratko,
    ModalBayesianReward,
)
from workbench.metrics.sets import ExactMatch, SetCoverage

# The table of keys: the metric, or the options of a metric, that each stands for.

ir_b = InformationReward()
ir_b_sum = InformationReward(divide=False, name="ir_b_sum")
bayesian_reward = BayesianReward()
modal_bayesian_reward = ModalBayesianReward()
good_reward = GoodReward()
kononenko_bratko = KononenkoBratko()
kononenko_bratko_2002 = KononenkoBratko(rule="2002", name="kononenko_bratko_2002")
expected_value = ExpectedValue()

log_loss = LogLoss()
log_loss_nats = NaturalLogLoss()
quadratic_loss = QuadraticLoss()
kl_divergence = KLDivergence()
d2_log_loss = D2LogLoss()
d2_brier = D2Brier()
cost = CostMatrix()

accuracy = Accuracy()
auc = AreaUnderCurve()
lift = Lift()

expected_calibration_error = CalibrationError()
confidence_calibration_error = CalibrationError(of="predicted")
miscalibration = Miscalibration()
overconfidence = Miscalibration(side="over")
underconfidence = Miscalibration(side="under")
confidence_gap = ConfidenceGap()
forecast_entropy = ForecastEntropy()

exact_match = ExactMatch()
set_coverage = SetCoverage()
laplace_complexity = LaplaceComplexity()
constant_complexity = ConstantComplexity()
frequency_complexity = FrequencyComplexity()
frequency_complexity_by_count = FrequencyComplexity(increment="count", name="frequency_complexity_by_count")
significance = Significance()
significance_by_count = Significance(increment="count", name="significance_by_count")

theory_complexity = TheoryComplexity()
whole_message = WholeMessage()

#: All metrics by their names.
METRICS: dict[str, Metric] = {
    member.name: member for member in list(globals().values()) if isinstance(member, Metric)
}

__all__ = [
    "METRICS",
    "CalibrationError",
    "CodeLength",
    "CostMatrix",
    "ExpectedValue",
    "FrequencyComplexity",
    "InformationReward",
    "KononenkoBratko",
    "Lift",
    "LogLoss",
    "Metric",
    "Miscalibration",
    "SampleMetric",
    "ScoringRule",
    "SetMetric",
    "Significance",
    "analytic_significance",
    "as_sets",
    "class_complexity",
    "class_prior",
    "clip_probabilities",
    "decomposition",
    "exact_decomposition",
    "make_scorer",
    "reliability_table",
    *METRICS,
]
