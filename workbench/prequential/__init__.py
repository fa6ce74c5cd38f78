"""Prequential evaluation: predict each row, then learn it, with feedback on calibration."""

from workbench.prequential._shared.base import RecalibrationMap
from workbench.prequential.histogram import HistogramMap
from workbench.prequential.loop import prequential
from workbench.prequential.maps import MAPS
from workbench.prequential.platt import PlattMap
from workbench.prequential.result import PrequentialResult

__all__ = ["prequential", "PrequentialResult", "RecalibrationMap", "HistogramMap", "PlattMap", "MAPS"]
