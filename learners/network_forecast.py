"""Ask a network, or a few with weights, for the class of coded rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.network import Network
from learners.class_blanket import ClassBlanket

__all__ = ["MixedForecast", "NetworkForecast"]


@dataclass(frozen=True, eq=False)
class NetworkForecast:
    """One network, made ready.

    Attributes
    ----------
    network : Network
        The class is its last variable.
    blanket : ClassBlanket
        What decides on the class where no value is missing.
    """

    network: Network
    blanket: ClassBlanket

    @classmethod
    def of(cls, network: Network) -> "NetworkForecast":
        """Make a network ready; no probability of it may be 0."""
        return cls(network, ClassBlanket.of(network.parents, network.cpts))

    def posterior(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        """Give the probability of each class for each row.

        Parameters
        ----------
        codes : ndarray of unsigned integers, shape (n_attributes, n_rows)
            The arity itself is a hole, which is summed out exactly.

        Returns
        -------
        ndarray of float64, shape (n_rows, n_classes)
            Rows sum to 1.
        """
        probabilities, complete = self.blanket.posterior(codes)
        if not complete.all():
            holed = codes[:, ~complete].T.astype(np.int64)
            known = np.where(holed < self.blanket.arities, holed, -1)
            probabilities[~complete] = self.network.posterior(known)
        return probabilities


@dataclass(frozen=True, eq=False)
class MixedForecast:
    """Networks whose forecasts are averaged with fixed weights.

    Attributes
    ----------
    weights : ndarray of float64, shape (n_networks,)
        They sum to 1, and do not depend on the row.
    members : sequence of NetworkForecast
    """

    weights: NDArray[np.float64]
    members: Sequence[NetworkForecast]

    def posterior(self, codes: NDArray[Any]) -> NDArray[np.float64]:
        """Give the probability of each class for each row, as `NetworkForecast.posterior` does."""
        parts = zip(self.weights, self.members, strict=True)
        total = sum(float(weight) * member.posterior(codes) for weight, member in parts)
        return np.asarray(total)
