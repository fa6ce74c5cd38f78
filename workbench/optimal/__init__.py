"""The best forecasts that any learner can make from training rows, given the law of their truth."""

from workbench.optimal.classifier import OptimalClassifier
from workbench.optimal.mixture import OptimalMixtureClassifier

__all__ = ["OptimalClassifier", "OptimalMixtureClassifier"]
