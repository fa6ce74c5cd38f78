"""Recalibration by a temperature and a bias for each class."""

import numpy as np
from numpy.typing import NDArray

from workbench.prequential._shared.base import RecalibrationMap

__all__ = ["PlattMap"]


class PlattMap(RecalibrationMap):
    """Map that scales and shifts the log-odds of forecasts, online.

    It assumes that the error of forecasts is a power and a factor for each class: ``q^slope * exp(bias)``,
    normalized. A slope below 1 corrects overconfidence, a slope above 1 underconfidence.

    Parameters
    ----------
    n_classes : int
    rate : float, default 0.1
        The largest step per row, in slope and in nats of bias.

    Attributes
    ----------
    slope : float
        Inverse of the temperature. Initially 1, and never below 0, so that no forecast is inverted.
    bias : ndarray of shape (n_classes,)
        In nats. Initially 0.

    See Also
    --------
    HistogramMap : Bins instead of a formula. It corrects any shape and learns slowly.

    Notes
    -----
    For two classes it is Platt's ``a * logit(q) + b``. Each row makes an AdaGrad step on its log loss ``-ln
    q'`` of the class that happened: each number moves by ``rate * g / sqrt(1 + G)``, where g is its gradient
    and G the sum of the squares of its gradients so far, including this one. The reason for this step:
    gradients of naive Bayes forecasts reach hundreds of nats, and no step is longer than `rate`. Log loss is
    convex in slope and bias, so the loss in excess of that of the best slope and bias in hindsight grows as
    the root of the rows, also if the errors of forecasts have another form. Online Newton steps, which are
    faster if the formula is right, were tried: on adult with naive Bayes a few huge gradients stopped the map
    far from its best (log loss 0.68 bits against 0.56).

    A class of forecast 0 keeps 0. If it happens, no slope and bias would have helped, and nothing is learned.

    References
    ----------
    .. [1] Platt, J. C., "Probabilistic outputs for support vector machines and comparisons to regularized
       likelihood methods", 1999.
    .. [2] Duchi, J., Hazan, E., and Singer, Y., "Adaptive subgradient methods for online learning and
       stochastic optimization", Journal of Machine Learning Research 12, 2011, theorem 5.

    Examples
    --------
    >>> found = PlattMap(2).update([[0.9, 0.1]] * 200, [0, 0, 1, 1] * 50)
    >>> found.apply([0.9, 0.1]).round(2)
    array([0.5, 0.5])
    """

    key = "platt"

    def __init__(self, n_classes: int, *, rate: float = 0.1) -> None:
        super().__init__(n_classes)
        if not 0 < rate < np.inf:
            raise ValueError(f"rate is {rate!r}: expected a number above 0")
        self.rate = float(rate)
        self._theta = np.zeros(self.n_classes + 1)
        self._theta[0] = 1.0
        self._squares = np.ones(self.n_classes + 1)

    @property
    def slope(self) -> float:
        """Factor of the log-probabilities."""
        return float(self._theta[0])

    @property
    def bias(self) -> NDArray[np.float64]:
        """Added to the scaled log-probabilities, in nats."""
        return self._theta[1:].copy()

    def _run(self, q: NDArray[np.float64], outcomes: NDArray[np.intp]) -> NDArray[np.float64]:
        from workbench.prequential._kernels.platt import follow_platt

        mended = np.empty_like(q)
        follow_platt(q, outcomes, self._theta, self._squares, self.rate, mended)
        return mended
