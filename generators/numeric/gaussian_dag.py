"""Random linear-Gaussian networks over any directed acyclic graph."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.draw import Bounds, RandomState, as_generator, random_between
from generators.base.probabilities import random_normals
from generators.base.random_graph import checked_max_parents, random_parents
from generators.base.validation import shown, topological_order
from generators.networks.gaussian_network import GaussianNetwork

__all__ = ["random_gaussian_dag"]

LARGEST_EFFECT = 1e6  # in deviations of the noise


def random_gaussian_dag(
    *,
    n_nodes: Bounds = 10,
    max_parents: int = 3,
    effects: str | tuple[float, float] = "normal",
    standardized: bool = True,
    random_state: RandomState = None,
) -> GaussianNetwork:
    """Draw a linear-Gaussian network.

    Graphs are drawn as by `random_dag`. The order of the nodes is uniform, and each node has 0 to
    `max_parents` parents among the preceding nodes.

    Parameters
    ----------
    n_nodes : int or (low, high), default=10
        Number of variables. A range is sampled uniformly, both ends included.
    max_parents : int, default=3
        Maximum number of parents of a variable. At 0 the variables are independent.
    effects : "normal" or (low, high), default="normal"
        Effects of parents in units of the standard deviation of the child's noise. "normal" draws standard
        normal effects, as ``coefficient_prior="noise"`` of `learn_network` assumes. With (low, high),
        absolute values are drawn uniformly between `low` and `high`, and signs at random.
    standardized : bool, default=True
        If True, each variable is divided by its standard deviation before it affects its children, so that
        all variances are 1. If False, all noise has variance 1 and variances grow along the arcs, so that
        sorting the variables by variance reveals the order of the nodes [1]_.
    random_state : int, Generator, SeedSequence or None
        Seed. Random numbers are drawn in this order: n_nodes, order, then for each node in this order the
        number of its parents and which nodes they are. Then, for each node in topological order, the effects
        of its parents: normal numbers by the inverse cumulative distribution of uniform numbers, or absolute
        values and then signs.

    Returns
    -------
    GaussianNetwork
        Variables x0, x1, ... with means 0.

    Raises
    ------
    ValueError
        If a bound is not an integer of at least 1, low exceeds high, or another argument is invalid.

    See Also
    --------
    random_dag : Draw a network of discrete variables.

    References
    ----------
    .. [1] Reisach, A., Seiler, C. & Weichwald, S. 2021, "Beware of the simulated DAG! Causal discovery
       benchmarks may be easy to game", NeurIPS.

    Examples
    --------
    >>> truth = random_gaussian_dag(n_nodes=6, random_state=1)
    >>> truth
    GaussianNetwork(6 variables, 8 arcs)
    >>> truth.covariance.diagonal().round(6).tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    """
    limit, bounds = checked_max_parents(max_parents), _checked_effects(effects)
    rng = as_generator(random_state)
    n = random_between(rng, "n_nodes", n_nodes)
    parents = random_parents(rng, n, limit)
    names = tuple(f"x{v}" for v in range(n))
    weights: list[NDArray[np.float64]] = [np.empty(0)] * n
    deviations = np.ones(n)
    covariance = np.zeros((n, n))
    for child in topological_order(names, parents):
        others = list(parents[child])
        own = _draw_effects(rng, len(others), bounds)
        variance = 1 + own @ covariance[np.ix_(others, others)] @ own
        scale = float(np.sqrt(variance)) if standardized else 1.0
        weights[child], deviations[child] = own / scale, 1 / scale
        covariance[child] = covariance[:, child] = weights[child] @ covariance[others]
        covariance[child, child] = variance / scale**2
    return GaussianNetwork(names, parents, tuple(weights), deviations)


def _checked_effects(effects: Any) -> tuple[float, float] | None:
    """Return the bounds of the effects, or None if they are normal."""
    if isinstance(effects, str) and effects == "normal":
        return None
    try:
        low, high = map(float, effects)
    except (TypeError, ValueError):
        low, high = np.nan, np.nan
    if isinstance(effects, str) or not 0 <= low <= high <= LARGEST_EFFECT:
        raise ValueError(
            f'effects is {shown(effects)}: expected "normal", or (low, high), 0 <= low <= high <= '
            f"{LARGEST_EFFECT:g}"
        )
    return low, high


def _draw_effects(
    rng: np.random.Generator, n: int, bounds: tuple[float, float] | None
) -> NDArray[np.float64]:
    if bounds is None:
        return random_normals(rng, (n,))
    sizes = bounds[0] + (bounds[1] - bounds[0]) * rng.random(n)
    return np.where(rng.random(n) < 0.5, -sizes, sizes)
