"""Rows of numbers as a search problem."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from learners.networks._kernels.gaussian_cost import LEAST_VARIANCE, Moments, gaussian_cost
from learners.networks.search.arc_costs import ArcCosts
from learners.networks.search.problem import NetworkProblem, check_limit

__all__ = ["GaussianProblem", "most_parents"]

LN_SCALES = math.log(1000.0)  # the prior of a deviation is 1 / s over this range of its logarithm

ROWS_A_PARENT = 4


def most_parents(max_parents: int | None, n_rows: int) -> int:
    """Return the maximum number of parents of a variable: at most one for four distinct rows."""
    # With more, nearly all sets of parents explain everything, and the message, an approximation for many
    # rows, does not tell them apart.
    check_limit("max_parents", max_parents, 0)
    most = max(n_rows // ROWS_A_PARENT, 1)
    return most if max_parents is None else min(max_parents, most)


@dataclass(frozen=True, eq=False)
class GaussianProblem(NetworkProblem):
    """Rows of numbers whose shortest linear-Gaussian network is searched."""

    moments: Moments
    means: NDArray[np.float64]  # of each variable as given, by group
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
        as_noise: bool = False,
        arc_costs: ArcCosts | None = None,
        max_parents: int | None = None,
    ) -> "GaussianProblem":
        """Standardize the non-constant variables (n_nodes, n_rows), and compute their products."""
        check_limit("max_parents", max_parents, 0)
        n_nodes, n_rows = values.shape
        largest = np.abs(values).max(axis=1, keepdims=True)  # so that squares stay finite
        shares = values / largest
        centers = shares.mean(axis=1, keepdims=True)
        spreads = np.sqrt(((shares - centers) ** 2).mean(axis=1, keepdims=True))
        standard = (shares - centers) / spreads
        products = (standard @ standard.T)[np.newaxis]
        means, scales = (centers * largest).T, (spreads * largest).T
        count, least = np.array([float(n_rows)]), np.full((1, n_nodes), LEAST_VARIANCE)
        moments = Moments(products, count, as_noise, count, least, np.empty((0, 0)))
        given = ArcCosts.uniform(n_nodes) if arc_costs is None else arc_costs
        return cls(moments, means, scales, given, max_parents)

    @classmethod
    def of_groups(
        cls,
        n_rows: NDArray[np.float64],
        means: NDArray[np.float64],
        scatters: NDArray[np.float64],
        least: NDArray[np.float64],
        *,
        as_noise: bool = False,
        max_parents: int | None = None,
    ) -> "GaussianProblem":
        """Return a problem in which a child has one regression for all groups or one for each."""
        # Variables have variance about 1 over all rows, `scatters` products of what differs from the means. A
        # group of less than one row counts as one: no part of the message is worth less than that of one row.
        # To state the mean m and the scale of a group of N rows costs, besides what its regression does,
        # which has the values in units of their deviation d,
        #     (N - 1) ln d + m^2 / 2 + (1/2) ln (2 pi) + (1/2) ln N + (1/2) (1 - ln 12) + ln ln 1000:
        # the prior of m is N(0, 1), its Fisher information N / s^2, and that of s 1 / s over a factor of
        # 1000. For N - 1, here and in estimates, stands max(N - 1, N / 2), so that a group of one row has
        # some. That the child has one regression or many has probability 1/2, which is left out.
        check_limit("max_parents", max_parents, 0)
        whole = np.maximum(n_rows, 1.0)
        n_rows, scatters = whole, scatters * (whole / n_rows)[:, np.newaxis, np.newaxis]
        total = n_rows.sum()
        center = n_rows @ means / total
        apart = means - center
        pooled = scatters.sum(axis=0) + (apart.T * n_rows) @ apart
        n_rows = np.concatenate([[total], n_rows])
        means = np.concatenate([center[np.newaxis], means])
        scatters = np.concatenate([pooled[np.newaxis], scatters])
        scales = np.sqrt(scatters.diagonal(axis1=1, axis2=2) / n_rows[:, np.newaxis])
        products = scatters / (scales[:, :, np.newaxis] * scales[:, np.newaxis])
        freedoms = np.maximum(n_rows - 1, n_rows / 2)
        stated = freedoms[:, np.newaxis] * np.log(scales) + means**2 / 2 + 0.5 * math.log(2 * math.pi)
        stated += 0.5 * np.log(n_rows)[:, np.newaxis] + 0.5 * (1 - math.log(12.0)) + math.log(LN_SCALES)
        # where there is one group, nothing can depend on it
        apart_cost = stated[1:].sum(axis=0) if len(n_rows) > 2 else np.full_like(stated[0], np.inf)
        moments = Moments(
            products,
            n_rows,
            as_noise,
            freedoms,
            np.maximum(least / scales**2, LEAST_VARIANCE),
            np.stack([stated[0], apart_cost]),
        )
        return cls(moments, means, scales, ArcCosts.uniform(means.shape[1]), max_parents)

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return self.moments.products.shape[1]

    @property
    def n_rows(self) -> int:
        """Number of rows, of all groups together."""
        return int(self.moments.n_rows[0])

    def family_cost(self, child: int, parents: Sequence[int]) -> float:
        """Return the cost of one node's coefficients and values (see `gaussian_cost`)."""
        if len(parents) > self.parent_limit:
            return np.inf
        return float(gaussian_cost(self.moments, child, np.array(parents, dtype=np.int64)))

    def is_apart(self, child: int, parents: Sequence[int]) -> bool:
        """Return whether one regression for each group is shorter than one for all (see `of_groups`)."""
        moments = self.moments
        if not moments.offsets.size:
            return False
        # the cost with one alone; where it is the whole one, that is the shorter
        alone = moments._replace(offsets=np.stack([moments.offsets[0], np.full(self.n_nodes, np.inf)]))
        together = float(gaussian_cost(alone, child, np.array(parents, dtype=np.int64)))
        return self.family_cost(child, parents) < together

    def n_cells(self, nodes: Sequence[int]) -> float:
        """Return 1, since numbers have no tables."""
        return 1.0

    def standardized(self) -> "GaussianProblem":
        """Return the problem with the variables in units of their deviations."""
        return replace(self, means=np.zeros_like(self.means), scales=np.ones_like(self.scales))

    def with_arc_costs(self, arc_costs: ArcCosts) -> "GaussianProblem":
        """Return the problem with other costs of arcs."""
        return replace(self, arc_costs=arc_costs)

    def permuted(self, order: NDArray[Any]) -> "GaussianProblem":
        """Return the problem with node order[i] at place i."""
        moments, contiguous = self.moments, np.ascontiguousarray
        offsets = contiguous(moments.offsets[:, order]) if moments.offsets.size else moments.offsets
        return GaussianProblem(
            moments._replace(
                products=contiguous(moments.products[:, order][:, :, order]),
                least=contiguous(moments.least[:, order]),
                offsets=offsets,
            ),
            self.means[:, order],
            self.scales[:, order],
            self.arc_costs.permuted(order),
            self.max_parents,
        )
