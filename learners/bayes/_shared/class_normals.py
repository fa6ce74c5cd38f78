"""Normal distributions of numeric attributes and of their pairs in each class."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.bayes._kernels.gaussian_trees import tree_log_densities
from learners.counts.slots import tree_order
from learners.tables.scales import Scales

__all__ = ["ClassNormals"]

LEAST_VARIANCE = 1e-12  # of noise, in units of the attribute's variance


@dataclass(frozen=True, eq=False)
class ClassNormals:
    """Distributions of the numeric attributes in each class: of each, and of each given one other."""

    # A pair is judged by the rows that have both numbers. Over all classes, their covariances within classes
    # are W = (S + I) / (N + 1) with S the sums of squares and products about the class means, N the rows less
    # one for each class that has some, and I one row of the attributes' whole variances without covariance.
    # Those of a class are (S_c + n0 W) / (N_c + n0): n0 rows' worth of what the classes have in common, as in
    # TAN's smoothing. As the mean is estimated too, the next row varies 1 + 1 / n_c times as much. The means
    # of a pair are averaged with those of each attribute alone, as of n0 rows, which differ only where
    # numbers are missing. No variance is below that of rounding, or the attribute's own if less, see
    # `Scales`. A class without rows has the means and variances of all rows, and the correlations within
    # classes; so has a pair of which no row of the class has both, with the means and variances of the class.
    units: Scales  # of all that follows, and which attributes vary
    means: NDArray[np.float64]  # (n_classes, n_varied), of each attribute alone
    variances: NDArray[np.float64]
    intercepts: NDArray[np.float64]  # (n_classes, n_varied, n_varied): of the first given the second
    slopes: NDArray[np.float64]
    noises: NDArray[np.float64]  # variances
    correlations: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        values: NDArray[np.float64],
        y: NDArray[np.intp],
        n_classes: int,
        weight: NDArray[np.float64] | None,
        n0: float,
    ) -> "ClassNormals":
        """Estimate the distributions from rows, NaN if missing, with weight `n0` > 0 of the pooled ones."""
        # `values` is (n_numeric, n_rows)
        weights = np.ones(y.size) if weight is None else weight
        units = Scales.of(values, weights)
        standard = units.standardized(values)
        least = np.maximum(units.least, LEAST_VARIANCE)[:, np.newaxis]
        sums = np.stack([_sums(standard[:, y == c], weights[y == c]) for c in range(n_classes)])
        n_rows, means, squares, products = sums.transpose(1, 0, 2, 3)
        freedom = np.maximum(n_rows - 1, 0.0)
        total = freedom.sum(axis=0) + 1
        within = (squares.sum(axis=0) + 1) / total
        between = (products.sum(axis=0) + np.eye(len(within))) / total
        spread = 1 + 1 / np.maximum(n_rows, 1.0)
        variances = np.maximum(spread * (squares + n0 * within) / (freedom + n0), least)
        covariances = spread * (products + n0 * between) / (freedom + n0)
        alone, own = _alone(means), _alone(np.where(n_rows > 0, variances, 1.0))
        means = (n_rows * means + n0 * alone) / (n_rows + n0)
        variances = np.where(n_rows > 0, variances, own)
        common = between / np.sqrt(within * within.T) * np.sqrt(own * own.transpose(0, 2, 1))
        covariances = np.where(n_rows > 0, covariances, common)
        slopes = covariances / variances.transpose(0, 2, 1)
        return cls(
            units,
            alone.diagonal(axis1=1, axis2=2),
            own.diagonal(axis1=1, axis2=2),
            means - slopes * means.transpose(0, 2, 1),
            slopes,
            np.maximum(variances - slopes * covariances, least),
            covariances / np.sqrt(variances * variances.transpose(0, 2, 1)),
        )

    def log_densities(self, standard: NDArray[np.float64], parents: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return log-densities in each class under a tree, in nats, up to the units of the attributes."""
        # `standard`: (n_rows, n_varied), contiguous, in the units of the estimates, NaN integrated out
        out = np.empty((len(standard), len(self.means)))
        tree_log_densities(standard, parents, tree_order(parents), *self._of_tree(parents), out)
        return out

    def _of_tree(
        self, parents: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return intercepts, slopes and variances given parents, each (n_classes, n_varied)."""
        has, n = parents >= 0, np.arange(len(parents))
        return (
            np.where(has, self.intercepts[:, n, parents], self.means),
            np.where(has, self.slopes[:, n, parents], 0.0),
            np.where(has, self.noises[:, n, parents], self.variances),
        )

    def equations(
        self, c: int, parents: NDArray[np.int64]
    ) -> tuple[list[tuple[int, ...]], list[NDArray[np.float64]], NDArray[np.float64], NDArray[np.float64]]:
        """Return parents, coefficients, deviations and intercepts of a class, in the units of the rows."""
        starts, standard_slopes, variances = (own[c] for own in self._of_tree(parents))
        centers, scales = self.units.centers, self.units.scales
        slopes = standard_slopes * scales / scales[parents]
        intercepts = centers + scales * starts - slopes * centers[parents]
        return (
            [(int(p),) if p >= 0 else () for p in parents],
            [np.array([slope])[: int(p >= 0)] for slope, p in zip(slopes, parents, strict=True)],
            scales * np.sqrt(variances),
            intercepts,
        )


def _alone(pairs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each pair the part of only the first attribute, (n_classes, n_varied, n_varied)."""
    return np.broadcast_to(pairs.diagonal(axis1=1, axis2=2)[:, :, np.newaxis], pairs.shape)


def _sums(standard: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows, means, squares and products of each two attributes in a class, over rows with both."""
    # (4, n_varied, n_varied): the mean of the first attribute, and its squares about it
    known = (~np.isnan(standard)).astype(np.float64)
    totals = known @ weights
    filled = np.where(known > 0, standard, 0.0)
    centers = (filled @ weights / np.maximum(totals, 1e-300))[:, np.newaxis]
    filled = (filled - centers) * known  # so that nothing cancels below
    weighted = filled * weights
    n_rows = (known * weights) @ known.T
    firsts = weighted @ known.T
    means = firsts / np.maximum(n_rows, 1e-300)
    squares = np.maximum((weighted * filled) @ known.T - firsts * means, 0.0)
    products = weighted @ filled.T - firsts * means.T
    return np.stack([n_rows, np.where(n_rows > 0, means + centers, 0.0), squares, products])
