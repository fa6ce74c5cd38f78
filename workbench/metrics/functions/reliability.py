"""Reliability table: binned forecasts with the observed frequencies."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._shared.bets import (
    Bets,
    ProbabilityCells,
    bets_on_all_classes,
    bets_on_class,
    bets_on_predicted,
    counted_forecasts,
    quantile_cells,
    smallest_cells,
    uniform_cells,
)
from workbench.metrics._shared.checks import (
    Classes,
    Codes,
    Numbers,
    check_choice,
    check_forecast,
    check_integer,
    check_number,
    check_outcomes,
    label_codes,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ReliabilityTable", "reliability_table"]

STRATEGIES = ("uniform", "quantile", "cells")
LEAST = 10  # bets in a cell of the paper of 2001


@dataclass(frozen=True)
class ReliabilityTable:
    """Mean forecasts and observed frequencies in cells, from the lowest forecasts to the highest.

    `low` and `high` are the ends of Wilson's score interval of the frequency, with confidence level `level`.
    An empty cell has no mean and no frequency (NaN), and its interval is from 0 to 1. A cell includes its
    upper edge. The first cell also includes its lower edge.
    """

    mean_forecast: Numbers
    frequency: Numbers
    n: NDArray[np.int64]
    low: Numbers
    high: Numbers
    edges: Numbers
    level: float

    def table(self) -> pd.DataFrame:
        """Return one row per cell: from, to, n, mean_forecast, frequency, low, high."""
        import pandas as pd

        columns = {"from": self.edges[:-1], "to": self.edges[1:], "n": self.n}
        numbers = ("mean_forecast", "frequency", "low", "high")
        return pd.DataFrame(columns | {name: getattr(self, name) for name in numbers})


def reliability_table(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    n_bins: int = 10,
    strategy: Literal["uniform", "quantile", "cells"] = "uniform",
    of: object = "predicted",
    classes: Classes = None,
    level: float = 0.95,
) -> ReliabilityTable:
    """Group forecasts into cells by their probability, and compute the observed frequency in each cell.

    Parameters
    ----------
    y_true, y_prob, classes
        As in `ScoringRule.per_sample`.
    n_bins : int, default=10
        Number of cells. With "quantile" there are fewer cells if equal probabilities fill several cells. Not
        used with "cells".
    strategy : {"uniform", "quantile", "cells"}
        "uniform" makes cells of equal width between 0 and 1. "quantile" makes cells with about equal numbers
        of forecasts. "cells" makes the cells of `miscalibration`, with at least 10 forecasts, where equal
        probabilities are in one cell.
    of : "predicted", "all classes", or a class
        The forecasts to use: "predicted" for the most probable class of each sample, "all classes" for every
        class of every sample, or one class. A class is given as a label if `classes` is given, otherwise as a
        code.
    level : float, default=0.95
        Confidence level of the intervals.

    Returns
    -------
    ReliabilityTable

    Notes
    -----
    The intervals assume that the outcomes in a cell are independent with equal probabilities. With "all
    classes", the outcomes of one sample depend on each other, so the intervals are only a rough guide.

    References
    ----------
    .. [1] Murphy, A. H., and Winkler, R. L., "Reliability of subjective probability forecasts of
       precipitation and temperature", Applied Statistics 26, 1977.
    .. [2] Wilson, E. B., "Probable inference, the law of succession, and statistical inference", Journal of
       the American Statistical Association 22, 1927 (the intervals).

    Examples
    --------
    >>> y, rows = [0, 1, 1, 0], [[0.75, 0.25], [0.75, 0.25], [0.25, 0.75], [1.0, 0.0]]
    >>> reliability_table(y, rows, n_bins=2, of=1).table().round(3)
       from   to  n  mean_forecast  frequency    low   high
    0   0.0  0.5  3          0.167      0.333  0.061  0.792
    1   0.5  1.0  1          0.750      1.000  0.207  1.000
    """
    if not 0.0 < check_number(level, name="level", meaning="a chance") < 1.0:
        raise ValueError(f"level is {level}: give a number between 0 and 1, such as 0.95")
    check_integer(n_bins, least=1, name="n_bins", meaning="the number of cells")
    check_choice(strategy, STRATEGIES, name="strategy")
    forecast = check_forecast(y_prob, classes=classes)
    codes = check_outcomes(y_true, forecast.shape, classes)
    cells = _cells(_bets(codes, forecast, of, classes), strategy, n_bins)
    with np.errstate(invalid="ignore"):
        mean_forecast, frequency = cells.mass / cells.n, cells.hits / cells.n
    low, high = _wilson(cells.hits, cells.n, NormalDist().inv_cdf((1.0 + level) / 2.0))
    return ReliabilityTable(mean_forecast, frequency, cells.n, low, high, cells.edges, level)


def _bets(codes: Codes, forecast: Numbers, of: object, classes: Classes) -> Bets:
    if isinstance(of, str) and of == "predicted":
        return bets_on_predicted(codes, forecast)
    if isinstance(of, str) and of == "all classes":
        return bets_on_all_classes(codes, forecast)
    known = range(forecast.shape[1]) if classes is None else classes
    return bets_on_class(codes, forecast, int(label_codes(np.array([of]), known)[0]))


def _cells(bets: Bets, strategy: str, n_bins: int) -> ProbabilityCells:
    if strategy == "uniform":
        return uniform_cells(bets, n_bins)
    if strategy == "quantile":
        return quantile_cells(bets, n_bins)
    return smallest_cells(counted_forecasts(bets), LEAST)


def _wilson(hits: NDArray[np.int64], n: NDArray[np.int64], z: float) -> tuple[Numbers, Numbers]:
    """Return the chances for which that many hits are z standard deviations away, or fewer."""
    center = (hits + z * z / 2.0) / (n + z * z)
    spread = z * np.sqrt(hits * (n - hits) / np.maximum(n, 1) + z * z / 4.0) / (n + z * z)
    # at its ends the formula is exact but for rounding
    return np.where(hits > 0, center - spread, 0.0), np.where(hits < n, center + spread, 1.0)
