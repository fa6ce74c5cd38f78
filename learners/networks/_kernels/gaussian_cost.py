"""Cost of one family whose child is a linear function of its parents plus normal noise."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

__all__ = [
    "LEAST_VARIANCE",
    "Moments",
    "extended_gaussian_costs",
    "gaussian_cost",
    "gaussian_family_costs",
    "regression",
]

EULER = 0.57721566490153286
#: Noise of less variance counts as that: beyond, products of variables of variance 1 are rounding.
LEAST_VARIANCE = 1e-10
#: The variance of the noise has converged when it changes by less, relatively.
CONVERGED, MOST_STEPS = 1e-7, 100
#: Least share of the rows that coefficients leave for the noise.
LEAST_LEFT = 1e-3


class Moments(NamedTuple):
    """What a linear-Gaussian family's cost needs of the rows, whose variables have mean 0 and variance 1."""

    products: NDArray[np.float64]  # (n_groups, n_nodes, n_nodes), summed over the rows of a group
    n_rows: NDArray[np.float64]  # by group
    # whether coefficients have the prior N(0, s^2), s^2 the variance of the noise; else N(0, 1)
    as_noise: bool
    # rows of each group, less what stating means takes where they are part of the message
    freedoms: NDArray[np.float64]
    least: NDArray[np.float64]  # (n_groups, n_nodes), least variance of each variable's noise
    # of size 0 for one group; else group 0 is all rows, the others divide it, and a child has one regression
    # or one per group, whichever is shorter with what means and scales cost, offsets[0] or [1]
    offsets: NDArray[np.float64]


@kernel
def gaussian_cost(moments: Moments, child: int, parents: NDArray[np.int64]) -> float:
    """Return the nats of a child that is linear in these parents plus normal noise, arcs not included."""
    # With p parents, their products A and those with the child b, over N rows, the message of MML87 (Wallace,
    # 2005, Statistical and Inductive Inference by MML, chapter 5),
    #     -ln prior + (1/2) ln F - ln likelihood + (d / 2) (1 + ln kappa_d),  d = p + 1,
    # has F = 2 N |A + c I| / s^(2 p + 2): the Fisher information with the curvature of the prior N(0, s^2 /
    # c) added, so that collinear parents and p > N have a finite length. It is shortest at a = (A + c I)^-1
    # b, and with c = 1, the prior as wide as the noise (Wallace, Korb & Dai, 1996, "Causal discovery via
    # MML"), s^2 = Q / N, Q the squared residuals R and coefficients together; with c = s^2, as wide as the
    # variables, where s^2 (N - p + s^2 tr (A + s^2 I)^-1) = R, which is iterated. With w the width of the
    # prior the length is
    #     N ln s - p ln (s / w) + (N / 2) ln (2 pi) + R / (2 s^2) + a'a / (2 w^2) + (p / 2) ln (2 pi)
    #     + (1/2) ln (2 N) + (1/2) ln |A + c I| + (d / 2) (1 + ln kappa_d).
    # The prior of s, proportional to 1 / s, means, scales and the precision of the values cost all networks
    # the same and are left out. A mean in the message has the Fisher information N / s^2, so its -ln s joins
    # the N ln s, and estimates of s^2 divide by N - 1: the `freedoms`.
    together = _group_cost(moments, 0, child, parents)
    if not moments.offsets.size:
        return together
    apart = moments.offsets[1, child]
    for g in range(1, moments.n_rows.size):
        apart += _group_cost(moments, g, child, parents)
    return min(together + moments.offsets[0, child], apart)


@kernel
def _group_cost(moments: Moments, g: int, child: int, parents: NDArray[np.int64]) -> float:
    """Return the cost of the regression of one group's rows."""
    p = parents.size
    nats, _, _ = regression(
        moments.products[g],
        moments.n_rows[g],
        moments.freedoms[g],
        moments.least[g, child],
        moments.as_noise,
        child,
        parents,
        np.empty(p),
        np.empty((p, p)),
    )
    return nats


@kernel
def regression(
    products: NDArray[np.float64],
    n_rows: float,
    freedom: float,
    least: float,
    as_noise: bool,
    child: int,
    parents: NDArray[np.int64],
    weights: NDArray[np.float64],
    factor: NDArray[np.float64],
) -> tuple[float, float, float]:
    """Fit a regression (see `gaussian_cost`). Return its nats, squared residuals and noise variance."""
    # weights receives the coefficients; factor is working memory; the others are of one group, see `Moments`
    p = parents.size
    ln_determinant, squares, size = _solve(products, child, parents, 1.0, weights, factor)
    if as_noise:
        variance = max((squares + size) / freedom, least)
        prior = 0.5 * size / variance
        ln_scale = freedom
    else:
        variance = max(squares / freedom, least)
        for _ in range(MOST_STEPS if p else 0):
            before = variance
            ln_determinant, squares, size = _solve(products, child, parents, before, weights, factor)
            left = freedom - p + before * _trace_of_inverse(factor, p)
            variance = max(squares / max(left, LEAST_LEFT * freedom), least)
            if abs(variance - before) <= CONVERGED * before:
                break
        prior = 0.5 * size
        ln_scale = freedom - p
    d = p + 1
    # (d / 2) (1 + ln kappa_d): exact for one parameter, Wallace's approximation for more
    rounding = 0.5 * (1 - math.log(12.0))
    if d > 1:
        rounding = 0.5 * math.log(math.pi * d) - 0.5 * d * math.log(2 * math.pi) - EULER
    values = 0.5 * n_rows * math.log(2 * math.pi) + 0.5 * squares / variance
    stated = prior + 0.5 * p * math.log(2 * math.pi) + 0.5 * math.log(2 * n_rows) + 0.5 * ln_determinant
    return values + stated + 0.5 * ln_scale * math.log(variance) + rounding, squares, variance


@kernel
def _solve(
    products: NDArray[np.float64],
    child: int,
    parents: NDArray[np.int64],
    ridge: float,
    weights: NDArray[np.float64],
    factor: NDArray[np.float64],
) -> tuple[float, float, float]:
    """Solve (A + ridge I) a = b, and return log determinant, squared residuals and squared coefficients."""
    p = parents.size
    ln_determinant = 0.0
    for i in range(p):
        for j in range(i + 1):
            left = products[parents[i], parents[j]]
            if i == j:
                left += ridge
            for k in range(j):
                left -= factor[i, k] * factor[j, k]
            if i == j:
                left = max(left, ridge)  # no less, but for rounding
                factor[i, i] = math.sqrt(left)
                ln_determinant += math.log(left)
            else:
                factor[i, j] = left / factor[j, j]
        left = products[parents[i], child]
        for k in range(i):
            left -= factor[i, k] * weights[k]
        weights[i] = left / factor[i, i]
    explained = 0.0
    for i in range(p):
        explained += weights[i] * weights[i]
    for i in range(p - 1, -1, -1):
        left = weights[i]
        for k in range(i + 1, p):
            left -= factor[k, i] * weights[k]
        weights[i] = left / factor[i, i]
    size = 0.0
    for i in range(p):
        size += weights[i] * weights[i]
    squares = products[child, child] - explained - ridge * size
    return ln_determinant, max(squares, 0.0), size


@kernel
def _trace_of_inverse(factor: NDArray[np.float64], p: int) -> float:
    """Return the trace of the inverse of the matrix that has this lower Cholesky factor."""
    column, trace = np.empty(p), 0.0
    for j in range(p):
        for i in range(j, p):
            left = 1.0 if i == j else 0.0
            for k in range(j, i):
                left -= factor[i, k] * column[k]
            column[i] = left / factor[i, i]
            trace += column[i] * column[i]
    return trace


@kernel
def gaussian_family_costs(
    moments: Moments, max_parents: int, v: int, first: int, costs: NDArray[np.float64]
) -> None:
    """Fill in the cost of node v's families from number `first` on, as `family_costs` does."""
    n_nodes = moments.products.shape[1]
    members = np.empty(n_nodes, np.int64)
    for i in range(costs.size):
        size = 0
        for place in range(n_nodes - 1):
            if (first + i) >> place & 1:
                members[size] = place + (place >= v)
                size += 1
        if size <= max_parents:
            costs[i] = gaussian_cost(moments, v, members[:size])


@kernel
def extended_gaussian_costs(
    moments: Moments, child: int, members: NDArray[np.bool_], offered: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """As `extended_local_costs`, for linear-Gaussian families."""
    n_sets, n_nodes = members.shape
    costs = np.full((n_sets, n_nodes), np.inf)
    for s in range(n_sets):
        parents = np.append(np.flatnonzero(members[s]), 0)
        for u in range(n_nodes):
            if offered[s, u]:
                parents[-1] = u
                costs[s, u] = gaussian_cost(moments, child, np.sort(parents))
    return costs
