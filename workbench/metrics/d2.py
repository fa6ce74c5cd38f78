"""D2: the share of a prior's loss that the forecast saves, for log loss and for quadratic loss."""

from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._shared.checks import check_cells, check_prior
from workbench.metrics._shared.forecast_metric import SampleMetric, expectation, log_losses

__all__ = ["D2", "d2_brier", "d2_log_loss"]


class D2(SampleMetric):
    """Compare a mean loss with that of the prior as forecast; a subclass chooses the loss, in `_by_class`."""

    unit = "share of the prior's loss"
    direction = "higher"
    bounds = (-np.inf, 1.0)
    needs = frozenset({"prior"})
    proper = True
    has_expected = True

    def expected(self, joint: ArrayLike, y_prob: ArrayLike, *, prior: ArrayLike | None = None) -> float:
        """Return the score that many samples from a joint distribution of cells and classes tend to.

        Parameters
        ----------
        joint : array-like of shape (n_cells, n_classes)
            Probability of each attribute cell together with each class; sums to one.
        y_prob : array-like of shape (n_cells, n_classes)
            The forecast at each cell; rows at cells of probability 0 are not looked at.
        prior : array-like of shape (n_classes,)
            The distribution to compare with.

        Returns
        -------
        float
            One minus the ratio of the two expected losses.

        Raises
        ------
        ValueError
            As the metric itself, or if `joint` has another shape than `y_prob` or does not sum to one.
        """
        mass, forecast = check_cells(joint, y_prob)
        prior_losses = np.broadcast_to(self._prior_losses(prior, mass.shape[1]), forecast.shape)
        loss = expectation(mass, self._by_class(forecast)).value
        return _saved(loss, expectation(mass, prior_losses).value)

    def _of_sample(
        self, codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> float:
        # Both are means of as many terms in the same order, so the prior itself scores 0 to the last bit.
        prior_losses = self._prior_losses(prior, forecast.shape[1])[codes]
        return _saved(float(self._of_outcome(codes, forecast).mean()), float(prior_losses.mean()))

    def _prior_losses(self, prior: ArrayLike | None, n_classes: int) -> NDArray[np.float64]:
        """Return the loss of the prior for each class."""
        return self._by_class(check_prior(prior, n_classes, metric=self.name)[None])[0]

    @abstractmethod
    def _by_class(self, forecast: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the loss of each row for each class."""

    @abstractmethod
    def _of_outcome(self, codes: NDArray[np.intp], forecast: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the loss of each row for the class that happened."""


class D2LogLoss(D2):
    """Measure the share of the prior's log loss that the forecast saves.

    Larger is better; 1 at most, for certain forecasts that all come true. Zero for the prior itself, below
    zero for worse; unbounded below, and minus infinity where a class of probability 0 happened.

    Notes
    -----
    ``1 - mean(log q_t) / mean(log pi_t)`` over the samples, with forecast q, prior pi and true class t; the
    base cancels. With the class frequencies of the scored samples as prior it is scikit-learn's
    ``d2_log_loss_score``, which knows no other prior. A ratio of means, so it has no value for one sample
    alone. Called as every metric, see `SampleMetric.__call__`, with ``prior=`` given (it raises otherwise).

    References
    ----------
    .. [1] Hastie, T., Tibshirani, R., and Wainwright, M., "Statistical learning with sparsity", 2015,
       equation (3.11).

    Examples
    --------
    >>> from workbench.metrics.d2 import d2_log_loss
    >>> even = [[0.5, 0.5], [0.5, 0.5]]
    >>> d2_log_loss([0, 1], even, prior=[0.25, 0.75]).__round__(6)  # 1 - 2 / (log2 4 + log2 4/3)
    0.171856
    >>> d2_log_loss([0, 1], [[1.0, 0.0], [0.0, 1.0]], prior=[0.25, 0.75])
    1.0
    """

    workbench_identity = "workbench.metrics.d2:D2LogLoss"
    name = "d2_log_loss"
    meaning = (
        "the share of the prior's log loss that a forecast saves; 0 for a forecast that repeats the prior"
    )

    def _by_class(self, forecast: NDArray[np.float64]) -> NDArray[np.float64]:
        return log_losses(forecast)

    def _of_outcome(self, codes: NDArray[np.intp], forecast: NDArray[np.float64]) -> NDArray[np.float64]:
        return log_losses(forecast[np.arange(codes.size), codes])


class D2Brier(D2):
    """Measure the share of the prior's quadratic loss that the forecast saves.

    Larger is better; 1 at most, for certain forecasts that all come true. Zero for the prior itself, below
    zero for worse.

    Notes
    -----
    ``1 - mean(loss of q) / mean(loss of pi)`` over the samples, with forecast q, prior pi and the loss
    ``sum over classes of (q_i - a_i)**2``. With the class frequencies of the scored samples as prior it is
    scikit-learn's ``d2_brier_score`` and, in forecasting, the Brier skill score. Called as every metric, see
    `SampleMetric.__call__`, with ``prior=`` given (it raises otherwise).

    References
    ----------
    .. [1] Murphy, A. H., "Hedging and skill scores for probability forecasts", Journal of Applied Meteorology
       12, 1973.

    Examples
    --------
    >>> from workbench.metrics.d2 import d2_brier
    >>> even = [[0.5, 0.5], [0.5, 0.5]]
    >>> d2_brier([0, 1], even, prior=[0.25, 0.75]).__round__(6)  # 1 - 0.5 / ((1.125 + 0.125) / 2)
    0.2
    """

    workbench_identity = "workbench.metrics.d2:D2Brier"
    name = "d2_brier"
    meaning = (
        "the share of the prior's quadratic loss that a forecast saves; 0 for a forecast that repeats the "
        "prior"
    )

    def _by_class(self, forecast: NDArray[np.float64]) -> NDArray[np.float64]:
        from workbench.metrics._kernels.rewards import quadratic_losses_by_class

        return quadratic_losses_by_class(forecast)

    def _of_outcome(self, codes: NDArray[np.intp], forecast: NDArray[np.float64]) -> NDArray[np.float64]:
        from workbench.metrics._kernels.rewards import quadratic_losses

        return quadratic_losses(codes, forecast)


d2_log_loss = D2LogLoss()
d2_brier = D2Brier()


def _saved(loss: float, prior_loss: float) -> float:
    """Return one minus the ratio; a prior that was certain and right leaves nothing to save."""
    if prior_loss == 0.0:
        return np.nan if loss == 0.0 else -np.inf
    return 1.0 - loss / prior_loss
