"""A forecast estimated by Monte Carlo, with the data for its errors."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["SampledForecast"]

Forecast = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SampledForecast:
    """A forecast that is the mean of several chains."""

    # (n_chains, n_rows, n_classes): P(row, class), up to a factor of each row that all share
    chains: Forecast
    # where evidence is estimated: P(class | row) a standard error below and above
    shifted: Sequence[tuple[Forecast, Forecast]] = ()

    @property
    def y_prob(self) -> Forecast:
        """P(class | row), of shape (n_rows, n_classes)."""
        return _normalized(self.chains.sum(axis=0))

    def without_chains(self) -> Iterator[Forecast]:
        """Yield P(class | row) of all chains but one, for each chain."""
        for i in range(len(self.chains)):
            # not the sum of all less one, which cancels where that one is the largest by far
            yield _normalized(np.delete(self.chains, i, axis=0).sum(axis=0))

    def of_classes(self, order: NDArray[np.intp]) -> "SampledForecast":
        """Return the same forecast with the classes in another order."""
        pairs = [(less[:, order], more[:, order]) for less, more in self.shifted]
        return SampledForecast(self.chains[:, :, order], pairs)


def _normalized(joint: Forecast) -> Forecast:
    with np.errstate(invalid="ignore"):  # NaN where the chain that is left out is alone above 0
        return np.asarray(joint / joint.sum(axis=1, keepdims=True))
