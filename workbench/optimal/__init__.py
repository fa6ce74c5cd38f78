"""The best forecasts that any learner could make after some rows, given the law that drew their truth."""

from workbench.optimal.classifier import OptimalClassifier
from workbench.optimal.mixture import OptimalMixtureClassifier

__all__ = ["OptimalClassifier", "OptimalMixtureClassifier"]
