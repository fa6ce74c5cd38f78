"""Curves of forecasts and rewards: arrays in, frozen dataclasses out, which figures draw."""

from workbench.forecasts.curves._shared.ranking import Ranking
from workbench.forecasts.curves.cumulative_reward import CumulativeReward, cumulative_reward
from workbench.forecasts.curves.decision import DecisionCurve, decision_curve
from workbench.forecasts.curves.lift import LiftCurve, lift_curve, mean_lift
from workbench.forecasts.curves.precision_recall import PrecisionRecallCurve, precision_recall_curve
from workbench.forecasts.curves.reward import RewardCurve, reward_curve
from workbench.forecasts.curves.roc import ROCCurve, mean_roc, roc_curve

__all__ = [
    "Ranking",
    "ROCCurve",
    "roc_curve",
    "mean_roc",
    "PrecisionRecallCurve",
    "precision_recall_curve",
    "DecisionCurve",
    "decision_curve",
    "LiftCurve",
    "lift_curve",
    "mean_lift",
    "CumulativeReward",
    "cumulative_reward",
    "RewardCurve",
    "reward_curve",
]
