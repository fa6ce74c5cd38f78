"""Forecasts of several learners for the same rows, their `curves`, and `files` of other programs."""

from workbench.forecasts.forecasts import Forecasts, OneAgainstRest

__all__ = ["Forecasts", "OneAgainstRest"]
