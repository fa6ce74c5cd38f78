"""Bayesian information reward: what a forecast adds, in bits, to the prior of the classes."""

import numpy as np
from numpy.typing import NDArray

from workbench.metrics._shared.base import log_unit
from workbench.metrics._shared.forecast_metric import ScoringRule

__all__ = ["InformationReward", "ir_b", "ir_b_sum"]


class InformationReward(ScoringRule):
    """Reward a forecast for what it adds to the prior.

    Larger is better. Exactly zero for a forecast that repeats the prior; unbounded below, and bounded above
    only by what the prior leaves to win.

    Parameters
    ----------
    base : {2.0, math.e}
        Of the logarithms: 2.0 gives bits, math.e nats.
    divide : bool
        Whether the sum over classes is divided by their number.
    name : str
        What tables call it.

    Raises
    ------
    ValueError
        If `base` is another number.

    Notes
    -----
    With forecast q, prior pi, true class t and k classes, each class is a bet of its own against the rest::

        (1/k) [ log2(q_t / pi_t) + sum over i != t of log2((1 - q_i) / (1 - pi_i)) ]

    ``ir_b`` is this; ``ir_b_sum`` leaves out the 1/k. ``1 - q_i`` is the sum of the other entries, added in
    the same order for forecast and prior. So a class at 1 - 1e-20 that does not happen costs its 66 bits and
    not infinity, and the prior scores 0 to the last bit. Minus infinity only where the true class had
    probability 0, which is also so where a class had probability 1 and did not happen. Two classes:
    ``log2(q_t / pi_t)``. Called as every metric, see `ScoringRule.per_sample`, with ``prior=`` given (it
    raises otherwise); O(n_samples * n_classes), with one logarithm a sample.

    References
    ----------
    .. [1] Hope, L. R., and Korb, K. B., "A Bayesian metric for evaluating machine learning algorithms", 2004,
       equation (10); the base is not stated there.

    Examples
    --------
    >>> from workbench.metrics.ir_b import InformationReward, ir_b, ir_b_sum
    >>> prior = [0.25, 0.25, 0.5]
    >>> ir_b([0], [[0.5, 0.25, 0.25]], prior=prior).__round__(6)  # (log2 2 + log2 1 + log2 1.5) / 3
    0.528321
    >>> ir_b_sum([0], [[0.5, 0.25, 0.25]], prior=prior).__round__(6)
    1.584963
    >>> ir_b([0, 1, 2], [prior, prior, prior], prior=prior)
    0.0
    >>> InformationReward(base=np.e, name="ir_b_nats")
    <metric ir_b_nats (base=2.718281828459045): nats, higher is better>
    """

    workbench_identity = "workbench.metrics.ir_b:InformationReward"
    direction = "higher"
    bounds = (-np.inf, np.inf)
    needs = frozenset({"prior"})
    proper = True

    def __init__(self, *, base: float = 2.0, divide: bool = True, name: str = "ir_b") -> None:
        unit = log_unit(base)
        self.name = name
        self.unit = unit.name
        self.base = base
        self.divide = divide
        self._per_bit = unit.per_bit

    @property
    def meaning(self) -> str:  # type: ignore[override]
        """What the scores are, in one line."""
        how = "mean" if self.divide else "sum"
        return (
            f"Bayesian information reward: the {self.unit} gained over the prior, {how} of a bet on each "
            "class; 0 for a forecast that repeats the prior"
        )

    def _by_class(
        self, forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        from workbench.metrics._kernels.rewards import information_bits, information_ratios_by_class

        assert prior is not None  # `needs` says so, and the base class has checked it
        ratios, n_small = information_ratios_by_class(forecast, prior)
        small = np.nonzero(ratios == 0.0) if n_small else None
        bits = _log2(ratios)
        if small:
            rows, classes = map(np.ascontiguousarray, small)  # one layout is compiled once
            bits[rows, classes] = information_bits(rows, classes, forecast, prior)
        return self._scaled(bits, prior.size)

    def _of_outcome(
        self, codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64] | None
    ) -> NDArray[np.float64]:
        from workbench.metrics._kernels.rewards import information_bits, information_ratios

        assert prior is not None
        found, n_small = information_ratios(codes, forecast, prior)
        small = np.flatnonzero(found == 0.0) if n_small else None
        bits = _log2(found)
        if small is not None:
            bits[small] = information_bits(small, codes[small], forecast, prior)
        return self._scaled(bits, prior.size)

    def _scaled(self, bits: NDArray[np.float64], n_classes: int) -> NDArray[np.float64]:
        bits *= self._per_bit / n_classes if self.divide else self._per_bit
        return bits


ir_b = InformationReward()
ir_b_sum = InformationReward(divide=False, name="ir_b_sum")


def _log2(ratios: NDArray[np.float64]) -> NDArray[np.float64]:
    """Take the logarithm in place; numpy's runs in vector registers, unlike that of a kernel."""
    with np.errstate(divide="ignore"):
        return np.log2(ratios, out=ratios)
