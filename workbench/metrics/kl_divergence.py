"""Kullback-Leibler divergence of the forecast from the truth's posterior, row by row."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._shared.base import Metric
from workbench.metrics._shared.checks import check_forecast, check_weights
from workbench.metrics._shared.forecast_metric import expectation

__all__ = ["kl_divergence"]


class KLDivergence(Metric):
    """Measure, in bits, how far the forecast is from the truth's own probabilities.

    Smaller is better; 0 for the truth itself, without upper bound: infinite where the forecast gives
    probability 0 to a class that the truth allows. Needs the truth, so it serves simulations only.

    Parameters
    ----------
    p_true : array-like of shape (n_samples, n_classes)
        The truth's posterior at each row.
    y_prob : array-like of shape (n_samples, n_classes)
        Forecast probabilities at the same rows.

    Returns
    -------
    float
        The mean over rows of KL(p_true || y_prob).

    Raises
    ------
    ValueError
        If a row of either is not a distribution, or their shapes differ.

    Notes
    -----
    ``sum_i p_true[i] * (log2(p_true[i]) - log2(y_prob[i]))`` for each row, with 0 log 0 = 0. It is not the
    divergence of two joint distributions, which is `Network.kl_divergence`. O(n_samples * n_classes).

    References
    ----------
    .. [1] Kullback, S., and Leibler, R. A., "On information and sufficiency", 1951.
    .. [2] Hope, L. R., and Korb, K. B., "A Bayesian metric for evaluating machine learning algorithms", 2004,
       equation (1).

    Examples
    --------
    >>> from workbench.metrics.kl_divergence import kl_divergence
    >>> kl_divergence([[0.5, 0.5]], [[0.25, 0.75]]).__round__(6)
    0.207519
    >>> kl_divergence([[0.5, 0.5], [0.1, 0.9]], [[0.5, 0.5], [0.1, 0.9]])
    0.0
    """

    workbench_identity = "workbench.metrics.kl_divergence:KLDivergence"
    name = "kl_divergence"
    unit = "bits"
    direction = "lower"
    meaning = "the bits between a forecast and the true probabilities; 0 is the truth itself"
    bounds = (0.0, np.inf)
    needs = frozenset({"truth"})
    proper = True
    has_per_sample = True
    has_expected = True

    # The first argument is a distribution, not an outcome.
    def __call__(self, p_true: ArrayLike, y_prob: ArrayLike) -> float:
        """Return the mean of `per_sample`."""
        return float(self.per_sample(p_true, y_prob).mean())

    def per_sample(self, p_true: ArrayLike, y_prob: ArrayLike) -> NDArray[np.float64]:
        """Return the divergence of each row, in bits; the arguments are those of the metric itself."""
        from workbench.metrics._kernels.rows import divergences

        truth = check_forecast(p_true, name="p_true")
        forecast = check_forecast(y_prob)
        if truth.shape != forecast.shape:
            raise ValueError(
                f"p_true has shape {truth.shape} and y_prob {forecast.shape}: "
                "give both at the same rows and classes"
            )
        return divergences(truth, forecast)

    def expected(self, p_x: ArrayLike, p_true: ArrayLike, y_prob: ArrayLike) -> float:
        """Return the exact expected divergence over cells.

        Parameters
        ----------
        p_x : array-like of shape (n_cells,)
            Probability of each attribute cell; sums to one.
        p_true, y_prob : array-like of shape (n_cells, n_classes)
            The truth's posterior and the forecast at each cell; cells of probability 0 are not looked at.

        Returns
        -------
        float
            Sum over cells of probability times divergence, in bits.

        Raises
        ------
        ValueError
            As the metric itself, or if `p_x` has another length or does not sum to one.
        """
        truth, forecast = np.asarray(p_true), np.asarray(y_prob)
        mass = check_weights(p_x, forecast.shape[:1], name="p_x")
        if truth.shape != forecast.shape:
            raise ValueError(
                f"p_true has shape {truth.shape} and y_prob {forecast.shape}: "
                "give both at the same cells and classes"
            )
        possible = mass > 0.0
        return expectation(mass[possible], self.per_sample(truth[possible], forecast[possible])).value


kl_divergence = KLDivergence()
