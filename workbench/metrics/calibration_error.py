"""Expected calibration error: the mean distance of frequency from forecast, in a few wide bins."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.bets import Bets, bets_on_each_class, bets_on_predicted
from workbench.metrics._shared.checks import check_choice, check_integer
from workbench.metrics._shared.forecast_metric import SampleMetric
from workbench.metrics._shared.probability_cells import ProbabilityCells, quantile_cells, uniform_cells

__all__ = ["CalibrationError", "confidence_calibration_error", "expected_calibration_error"]

NAMES = {"each class": "expected_calibration_error", "predicted": "confidence_calibration_error"}
BINNINGS: dict[str, Callable[[Bets, int], ProbabilityCells]] = {
    "uniform": uniform_cells,
    "quantile": quantile_cells,
}


class CalibrationError(SampleMetric):
    """Compare probabilities with observed frequencies, in bins.

    Smaller is better; from 0 to 1. It depends on the bins and is biased: see Notes.

    Parameters
    ----------
    of : {"each class", "predicted"}
        Which probabilities: those of each class against the rest, averaged over all classes
        (`expected_calibration_error`), or that of the predicted class (`confidence_calibration_error`), which
        sees nothing of the others.
    n_bins : int, default=15
        Number of bins; fewer where equal probabilities fill several of them, with ``strategy="quantile"``.
    strategy : {"uniform", "quantile"}
        Bins of equal width between 0 and 1, or of about equal number. A bin holds its upper edge.
    name : str, optional
        What tables and study files call it; by default as above.

    Raises
    ------
    ValueError
        If `n_bins` is not an integer of at least 1, or `of` or `strategy` none of those words.

    Notes
    -----
    With N samples, n_b of them in bin b, p_b the mean of their probabilities and f_b the share of them in
    which the class happened: ``sum over b of (n_b / N) |f_b - p_b|``. With k classes, the average over
    classes is at most 2 / k. Not proper: the class frequencies as a constant forecast score 0.

    Two biases, which do not cancel. Chance makes a calibrated forecast score above 0, by about
    ``sqrt(2 / pi) * sum over b of sqrt(n_b f_b (1 - f_b)) / N``: more bins or fewer samples, a greater score.
    And errors of opposite sign in one bin hide each other: fewer bins, a smaller score. So compare it only
    between equal numbers of samples and bins; `workbench.metrics.decomposition` has no bins.
    Called as every
    metric, see `SampleMetric.__call__`; 1,000,000 x 10: 0.1 s for each class, 16 ms for the predicted one.

    References
    ----------
    .. [1] Guo, C., et al., "On calibration of modern neural networks", ICML 2017, equation (3) (predicted).
    .. [2] Kull, M., et al., "Beyond temperature scaling: obtaining well-calibrated multi-class probabilities
       with Dirichlet calibration", NeurIPS 2019 (each class).
    .. [3] Nixon, J., et al., "Measuring calibration in deep learning", 2019 (biases; bins of equal number).

    Examples
    --------
    >>> from workbench.metrics.calibration_error import confidence_calibration_error
    >>> from workbench.metrics.calibration_error import expected_calibration_error
    >>> y, rows = [0, 1, 1, 0], [[0.75, 0.25], [0.75, 0.25], [0.25, 0.75], [1.0, 0.0]]
    >>> confidence_calibration_error(y, rows).__round__(6)  # (3/4) |2/3 - 0.75| + (1/4) 0
    0.0625
    >>> expected_calibration_error(y, rows)  # either class: (1/4) |0 - 0.25| + (2/4) |1/2 - 0.75| + (1/4) 0
    0.1875
    """

    workbench_identity = "workbench.metrics.calibration_error:CalibrationError"
    unit = "difference of probability"
    direction = "lower"
    meaning = "how far probabilities lie from observed frequencies, in bins; 0 is calibrated"
    bounds = (0.0, 1.0)

    def __init__(
        self,
        *,
        of: Literal["each class", "predicted"] = "each class",
        n_bins: int = 15,
        strategy: Literal["uniform", "quantile"] = "uniform",
        name: str | None = None,
    ) -> None:
        check_choice(of, NAMES, name="of")
        check_integer(n_bins, least=1, name="n_bins", meaning="the number of bins")
        check_choice(strategy, BINNINGS, name="strategy")
        self.of, self.n_bins, self.strategy = of, n_bins, strategy
        self.name = name or NAMES[of]

    def _of_sample(
        self, codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> float:
        if self.of == "predicted":
            return self._of_bets(bets_on_predicted(codes, forecast))
        return float(np.mean([self._of_bets(bets) for bets in bets_on_each_class(codes, forecast)]))

    def _of_bets(self, bets: Bets) -> float:
        cells = BINNINGS[self.strategy](bets, self.n_bins)
        return float(np.abs(cells.hits - cells.mass).sum()) / bets.happened.size


expected_calibration_error = CalibrationError()
confidence_calibration_error = CalibrationError(of="predicted")
