"""The limit that all maps keep."""

import numpy as np

__all__ = ["SMALLEST"]

#: Least probability of a class whose forecast is above 0.
SMALLEST = float(np.finfo(np.float64).tiny)
