"""Cost of one family whose child is a linear function of its parents plus normal noise."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel

__all__ = [
    "Moments",
    "extended_gaussian_costs",
    "gaussian_cost",
    "gaussian_family_costs",
    "regression",
    "regression_nats",
]

EULER = 0.57721566490153286
#: p parents leave 1 / (p + 1) or more of squares and coefficients; what is less is rounding.
LEAST_RESIDUAL = 1e-3


class Moments(NamedTuple):
    """What a linear-Gaussian family's cost needs of the rows.

    Attributes
    ----------
    products : ndarray of float64, shape (n_groups, n_nodes, n_nodes)
        Sums of products of each two variables over the rows of a group; each variable has mean 0 and
        variance 1 there.
    n_rows : ndarray of float64, shape (n_groups,)
        Rows of each group.
    """

    products: NDArray[np.float64]
    n_rows: NDArray[np.float64]


@kernel
def regression_nats(n_rows: float, n_parents: int, residual: float, ln_determinant: float) -> float:
    """Return the length of one regression, see `gaussian_cost`.

    Parameters
    ----------
    n_rows : float
    n_parents : int
    residual : float
        Sum of squared residuals, and of squared coefficients.
    ln_determinant : float
        Of the parents' products, 1 added to each on the diagonal.
    """
    d = n_parents + 1
    values = 0.5 * n_rows * (math.log(2 * math.pi * residual / n_rows) + 1)
    # (d / 2) (1 + ln kappa_d): exact for one parameter, Wallace's approximation for more
    if d == 1:
        rounding = 0.5 * (1 - math.log(12.0))
    else:
        rounding = 0.5 * math.log(math.pi * d) - 0.5 * d * math.log(2 * math.pi) - EULER
    prior = 0.5 * n_parents * math.log(2 * math.pi)
    return values + prior + 0.5 * math.log(2 * n_rows) + 0.5 * ln_determinant + rounding


@kernel
def regression(
    products: NDArray[np.float64],
    child: int,
    parents: NDArray[np.int64],
    factor: NDArray[np.float64],
    solved: NDArray[np.float64],
) -> tuple[float, float]:
    """Return the residual and the log of the determinant of a regression, as for `regression_nats`.

    Parameters
    ----------
    products : ndarray of shape (n_nodes, n_nodes)
        Of one group.
    child : int
    parents : ndarray of int64, shape (n_parents,)
    factor : ndarray of shape (at least n_parents, at least n_parents)
        Receives the lower Cholesky factor of the parents' products, 1 added to each on the diagonal.
    solved : ndarray of shape (at least n_parents,)
        Receives what the factor leaves of the products of parents and child.
    """
    residual, ln_determinant = products[child, child], 0.0
    for i in range(parents.size):
        for j in range(i + 1):
            left = products[parents[i], parents[j]]
            if i == j:
                left += 1.0
            for k in range(j):
                left -= factor[i, k] * factor[j, k]
            if i == j:
                factor[i, i] = math.sqrt(max(left, 1.0))  # no less, but for rounding
                ln_determinant += math.log(max(left, 1.0))
            else:
                factor[i, j] = left / factor[j, j]
        left = products[parents[i], child]
        for k in range(i):
            left -= factor[i, k] * solved[k]
        solved[i] = left / factor[i, i]
        residual -= solved[i] * solved[i]
    return residual, ln_determinant


@kernel
def gaussian_cost(moments: Moments, child: int, parents: NDArray[np.int64]) -> float:
    """Return the cost of a child given these parents, arcs not included, in nats.

    A child is a linear function of its parents and normal noise of variance s^2; coefficients have the prior
    N(0, s^2), s one proportional to 1 / s on a range that all networks share. Variables have mean 0 and
    variance 1; stating means and scales costs the same for all networks, too, and is left out, as is the
    precision of the values.

    Notes
    -----
    With p parents, their products A and those with the child b, over N rows, the message of MML87 [1]_,

        -ln prior + (1/2) ln F - ln likelihood + (d / 2) (1 + ln kappa_d),  d = p + 1,

    has F = 2 N |A + I| / s^(2 p + 2), the expected Fisher information with the prior's curvature added to
    that of the coefficients, so that collinear parents and p > N have a finite length. It is shortest at
    a = (A + I)^-1 b and s^2 = Q / N, Q the squared residuals and coefficients together, where it is

        (N / 2) (ln (2 pi Q / N) + 1) + (1/2) ln (2 N) + (1/2) ln |A + I| + (p / 2) ln (2 pi)
        + (d / 2) (1 + ln kappa_d).

    The marginal likelihood under the same prior differs from it by (d / 2) ln (2 pi e kappa_d) and the error
    of Stirling's formula: 0.18 nats for d = 1, and about (1/2) ln (pi d) - 0.58 beyond. Groups of rows have
    regressions of their own.

    References
    ----------
    .. [1] Wallace, C. S. 2005, Statistical and Inductive Inference by Minimum Message Length, chapter 5.
    """
    factor = np.empty((parents.size, parents.size))
    solved = np.empty(parents.size)
    cost = 0.0
    for g in range(moments.n_rows.size):
        residual, ln_determinant = regression(moments.products[g], child, parents, factor, solved)
        cost += regression_nats(
            moments.n_rows[g], parents.size, max(residual, LEAST_RESIDUAL), ln_determinant
        )
    return cost


@kernel
def gaussian_family_costs(
    moments: Moments, max_parents: int, v: int, first: int, costs: NDArray[np.float64]
) -> None:
    """Fill in the costs of node v's families; numbering as in `family_costs`.

    `costs` receives those of the sets of parents from number `first` on; sets above `max_parents` are left as
    they are.
    """
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
    """Cost of a child with each set of parents and one more, arcs not included.

    Parameters
    ----------
    moments, child
        As for `gaussian_cost`.
    members : ndarray of bool, shape (n_sets, n_nodes)
        The sets.
    offered : ndarray of bool, shape (n_sets, n_nodes)
        Which further parents to cost; the child and members of the set must not be among them.

    Returns
    -------
    ndarray of shape (n_sets, n_nodes)
        Nats; infinite where not costed.
    """
    n_sets, n_nodes = members.shape
    costs = np.full((n_sets, n_nodes), np.inf)
    factor, solved = np.empty((n_nodes, n_nodes)), np.empty(n_nodes)
    row = np.empty(n_nodes)
    for s in range(n_sets):
        parents = np.flatnonzero(members[s])
        size = parents.size
        for u in range(n_nodes):
            if offered[s, u]:
                costs[s, u] = 0.0
        for g in range(moments.n_rows.size):
            products = moments.products[g]
            residual, ln_determinant = regression(products, child, parents, factor, solved)
            for u in range(n_nodes):
                if not offered[s, u]:
                    continue
                own, with_child = products[u, u] + 1.0, products[u, child]
                for i in range(size):
                    left = products[u, parents[i]]
                    for k in range(i):
                        left -= row[k] * factor[i, k]
                    row[i] = left / factor[i, i]
                    own -= row[i] * row[i]
                    with_child -= row[i] * solved[i]
                own = max(own, 1.0)
                costs[s, u] += regression_nats(
                    moments.n_rows[g],
                    size + 1,
                    max(residual - with_child * with_child / own, LEAST_RESIDUAL),
                    ln_determinant + math.log(own),
                )
    return costs
