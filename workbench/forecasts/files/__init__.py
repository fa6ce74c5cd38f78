"""Predictions from files of other programs: Weka's, OpenML's, and tables such as R's and pandas'."""

from workbench.forecasts.files.alignment import on_same_rows
from workbench.forecasts.files.predictions import Predictions
from workbench.forecasts.files.reading import read_predictions

__all__ = ["Predictions", "on_same_rows", "read_predictions"]
