"""The regression of one variable on its parents, in the units of the rows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generators.networks.gaussian_network import GaussianNetwork
from learners.networks._kernels.gaussian_cost import regression
from learners.networks.search.gaussian_problem import GaussianProblem

__all__ = ["gaussian_network", "learn_regression"]


@dataclass(frozen=True, eq=False)
class LearnedRegression:
    """The estimated distribution of one variable given its parents."""

    coefficients: NDArray[np.float64]
    intercept: float
    deviation: float  # of the noise
    data: float  # nats that encode the standardized values


def learn_regression(
    problem: GaussianProblem, child: int, parents: Sequence[int], group: int = 0
) -> LearnedRegression:
    """Estimate coefficients and noise with the shortest message (see `gaussian_cost`)."""
    others, moments = np.array(parents, dtype=np.int64), problem.moments
    n_rows, p = float(moments.n_rows[group]), len(others)
    weights = np.empty(p)
    _, squares, variance = regression(
        moments.products[group],
        n_rows,
        float(moments.freedoms[group]),
        float(moments.least[group, child]),
        moments.as_noise,
        child,
        others,
        weights,
        np.empty((p, p)),
    )
    scale, center = problem.scales[group], problem.means[group]
    coefficients = weights * scale[child] / scale[others]
    data = n_rows / 2 * math.log(2 * math.pi * variance) + squares / (2 * variance)
    return LearnedRegression(
        coefficients,
        float(center[child] - coefficients @ center[others]),
        float(scale[child] * math.sqrt(variance)),
        data,
    )


def gaussian_network(
    names: Sequence[str], parents: Sequence[Sequence[int]], regressions: Sequence[LearnedRegression]
) -> GaussianNetwork:
    """Return the network of some regressions."""
    return GaussianNetwork(
        tuple(names),
        tuple(map(tuple, parents)),
        tuple(one.coefficients for one in regressions),
        np.array([one.deviation for one in regressions]),
        np.array([one.intercept for one in regressions]),
    )
