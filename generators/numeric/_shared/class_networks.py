"""Linear-Gaussian networks with one graph and parameters for each class, drawn from the conjugate prior."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.base.probabilities import random_chi_squares, random_normals
from generators.networks.gaussian_network import GaussianNetwork

__all__ = ["NormalRows"]


class NormalRows(NamedTuple):
    """Distribution of intercepts, coefficients and deviations of linear-Gaussian attributes."""

    separation: float  # standard deviation of intercepts over that of the noise
    effect: float  # and of coefficients
    degrees: float  # of freedom of the noise variances, degrees / chi-squared(degrees)

    def networks(
        self, rng: np.random.Generator, parents: Sequence[tuple[int, ...]], n_classes: int
    ) -> tuple[GaussianNetwork, ...]:
        """Draw the network of each class, with attributes x0, x1, ..."""
        # the stream: for each attribute noise variances, intercepts and coefficients, class by class
        names = tuple(f"x{child}" for child in range(len(parents)))
        drawn = [self._attribute(rng, n_classes, len(own)) for own in parents]
        intercepts, coefficients, deviations = zip(*drawn, strict=True)
        return tuple(
            GaussianNetwork(
                names,
                tuple(parents),
                tuple(own[code] for own in coefficients),
                np.array([own[code] for own in deviations]),
                np.array([own[code] for own in intercepts]),
            )
            for code in range(n_classes)
        )

    def _attribute(
        self, rng: np.random.Generator, n_classes: int, n_parents: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Draw intercepts and deviations, (n_classes,), and coefficients, (n_classes, n_parents)."""
        deviations = np.sqrt(self.degrees / random_chi_squares(rng, (n_classes,), self.degrees))
        intercepts = self.separation * deviations * random_normals(rng, (n_classes,))
        coefficients = self.effect * deviations[:, np.newaxis] * random_normals(rng, (n_classes, n_parents))
        return intercepts, coefficients, deviations
