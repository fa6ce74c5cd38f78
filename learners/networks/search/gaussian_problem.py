"""Rows of numbers as a problem for every search."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from learners.networks._kernels.gaussian_cost import Moments, gaussian_cost
from learners.networks.search.arc_costs import ArcCosts
from learners.networks.search.problem import Problem, check_limit

__all__ = ["GaussianProblem"]


@dataclass(frozen=True, eq=False)
class GaussianProblem(Problem):
    """Rows of numbers whose shortest linear-Gaussian network is sought.

    Attributes
    ----------
    moments : Moments
        Products of the variables, each with mean 0 and variance 1.
    means, scales : ndarray of float64, shape (n_groups, n_nodes)
        Mean and standard deviation of each variable as given.
    arc_costs : ArcCosts
        What arcs cost.
    max_parents : int or None
        Most parents of a node; None sets no limit.

    Examples
    --------
    >>> x = np.tile([1.0, 2.0, 4.0], 20)
    >>> problem = GaussianProblem.of(np.array([x, -x, np.arange(60) % 5]))
    >>> round(problem.family_cost(0, ()), 2), round(problem.family_cost(0, (1,)), 2)
    (86.79, -619.76)
    """

    moments: Moments
    means: NDArray[np.float64]
    scales: NDArray[np.float64]
    arc_costs: ArcCosts
    max_parents: int | None = None
    holes: ClassVar[bool] = False  # type: ignore[misc]
    cell_limit: ClassVar[float] = np.inf  # type: ignore[misc]

    @classmethod
    def of(
        cls,
        values: NDArray[np.float64],
        *,
        groups: NDArray[np.intp] | None = None,
        as_noise: bool = False,
        arc_costs: ArcCosts | None = None,
        max_parents: int | None = None,
    ) -> "GaussianProblem":
        """Standardize the variables of each group, and multiply them.

        Parameters
        ----------
        values : ndarray of float64, shape (n_nodes, n_rows)
            Finite; no variable constant in a group.
        groups : ndarray of intp, shape (n_rows,), optional
            Group of each row, 0, 1, ...; every group has rows. By default all rows are one.
        as_noise : bool
            Whether coefficients have the prior N(0, s^2), see `Moments`.
        arc_costs, max_parents
            As the attributes.
        """
        check_limit("max_parents", max_parents, 0)
        which = np.zeros(values.shape[1], np.intp) if groups is None else groups
        n_groups, n_nodes = int(which.max(initial=-1)) + 1, len(values)
        means, scales = np.empty((n_groups, n_nodes)), np.empty((n_groups, n_nodes))
        products = np.empty((n_groups, n_nodes, n_nodes))
        for g in range(n_groups):
            own = values[:, which == g]
            largest = np.abs(own).max(axis=1, keepdims=True)  # so that squares stay finite
            shares = own / np.where(largest > 0, largest, 1.0)
            centers = shares.mean(axis=1, keepdims=True)
            spreads = np.sqrt(((shares - centers) ** 2).mean(axis=1, keepdims=True))
            standard = (shares - centers) / spreads
            means[g], scales[g] = (centers * largest)[:, 0], (spreads * largest)[:, 0]
            products[g] = standard @ standard.T
        n_rows = np.bincount(which, minlength=n_groups).astype(np.float64)
        given = ArcCosts.uniform(n_nodes) if arc_costs is None else arc_costs
        return cls(Moments(products, n_rows, as_noise), means, scales, given, max_parents)

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return self.moments.products.shape[1]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.moments.n_rows.sum())

    def family_cost(self, child: int, parents: Sequence[int]) -> float:
        """Return the cost of one node's coefficients and values, see `gaussian_cost`."""
        if len(parents) > self.parent_limit:
            return np.inf
        return float(gaussian_cost(self.moments, child, np.array(parents, dtype=np.int64)))

    def n_cells(self, nodes: Sequence[int]) -> float:
        """Return 1: numbers have no tables."""
        return 1.0

    def standardized(self) -> "GaussianProblem":
        """Return the problem with the variables in units of their deviations."""
        return replace(self, means=np.zeros_like(self.means), scales=np.ones_like(self.scales))

    def with_arc_costs(self, arc_costs: ArcCosts) -> "GaussianProblem":
        """Return the problem with other costs of arcs."""
        return replace(self, arc_costs=arc_costs)

    def permuted(self, order: NDArray[Any]) -> "GaussianProblem":
        """Return the problem with node order[i] at place i."""
        products = np.ascontiguousarray(self.moments.products[:, order][:, :, order])
        return GaussianProblem(
            self.moments._replace(products=products),
            self.means[:, order],
            self.scales[:, order],
            self.arc_costs.permuted(order),
            self.max_parents,
        )
