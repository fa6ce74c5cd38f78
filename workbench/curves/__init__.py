"""Curves of forecasts and of rewards: arrays in, a frozen dataclass out; the figures draw what they give."""

from workbench.curves.cumulative_reward import CumulativeReward, cumulative_reward
from workbench.curves.lift import LiftCurve, lift_curve, mean_lift
from workbench.curves.ranking import Ranking
from workbench.curves.reward import RewardCurve, reward_curve
from workbench.curves.roc import ROCCurve, mean_roc, roc_curve

__all__ = [
    "Ranking",
    "ROCCurve",
    "roc_curve",
    "mean_roc",
    "LiftCurve",
    "lift_curve",
    "mean_lift",
    "CumulativeReward",
    "cumulative_reward",
    "RewardCurve",
    "reward_curve",
]
