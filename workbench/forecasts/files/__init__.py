"""Predictions from files of other programs: Weka's, OpenML's, and tables such as R's and pandas'."""

from workbench.forecasts.files.predictions import Predictions
from workbench.forecasts.files.reading import read_predictions
from workbench.forecasts.files.same_rows import on_same_rows

__all__ = ["Predictions", "on_same_rows", "read_predictions"]
