"""Normal distributions of numeric attributes and of their pairs in each class."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.bayes._kernels.gaussian_trees import tree_log_densities
from learners.counts.slots import tree_order
from learners.tables.precision import rounding_variances

__all__ = ["ClassNormals"]

LEAST_SPREAD = 1e-13  # of the largest number; less is rounding
LEAST_VARIANCE = 1e-12  # of noise, in units of the attribute's variance


@dataclass(frozen=True, eq=False)
class ClassNormals:
    """What each class says of the numeric attributes: of each alone, and of each given one other.

    Attributes
    ----------
    varied : ndarray of intp, shape (n_varied,)
        Attributes whose numbers differ; the others say nothing, and are left out of all that follows.
    centers, scales : ndarray of float64, shape (n_varied,)
        Mean and standard deviation over all rows; all that follows is in these units.
    means, variances : ndarray of float64, shape (n_classes, n_varied)
        Of each attribute alone.
    intercepts, slopes, noises : ndarray of float64, shape (n_classes, n_varied, n_varied)
        Of the regression of the first attribute on the second, the noise as a variance.
    correlations : ndarray of float64, shape (n_classes, n_varied, n_varied)

    Notes
    -----
    A pair is judged by the rows that have both numbers. Over all classes, their covariances within classes
    are (S + I) / (N + 1) with S the sums of squares and products about the class means, N the rows less one
    for each class that has some, and I one row of the attributes' whole variances without covariance. Those
    of a class are (S_c + n0 W) / (N_c + n0), W those of all classes: n0 rows' worth of what the classes have
    in common, as in TAN's smoothing. As the mean is estimated too, the next row varies 1 + 1 / n_c times as
    much. No variance is below that of rounding, see `rounding_variances`. A class without rows has the
    moments of all.
    """

    varied: NDArray[np.intp]
    centers: NDArray[np.float64]
    scales: NDArray[np.float64]
    means: NDArray[np.float64]
    variances: NDArray[np.float64]
    intercepts: NDArray[np.float64]
    slopes: NDArray[np.float64]
    noises: NDArray[np.float64]
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
        """Estimate them from rows.

        Parameters
        ----------
        values : ndarray of float64, shape (n_numeric, n_rows)
            NaN is missing.
        y : ndarray of intp, shape (n_rows,)
            Class codes.
        n_classes : int
        weight : ndarray of float64, shape (n_rows,), or None
        n0 : float
            Rows' worth of what classes have in common; above 0.
        """
        weights = np.ones(y.size) if weight is None else weight
        varied, centers, scales = _scales(values, weights)
        standard = (values[varied] - centers[:, np.newaxis]) / scales[:, np.newaxis]
        least = np.maximum(rounding_variances(standard), LEAST_VARIANCE)
        sums = np.stack([_sums(standard[:, y == c], weights[y == c]) for c in range(n_classes)])
        n_rows, means, squares, products = sums.transpose(1, 0, 2, 3)
        freedom = np.maximum(n_rows - 1, 0.0)
        within = (squares.sum(axis=0) + 1) / (freedom.sum(axis=0) + 1)
        between = (products.sum(axis=0) + np.eye(len(varied))) / (freedom.sum(axis=0) + 1)
        spread = np.where(n_rows > 0, 1 + 1 / np.maximum(n_rows, 1e-300), 1.0)
        variances = spread * (squares + n0 * within) / (freedom + n0)
        covariances = spread * (products + n0 * between) / (freedom + n0)
        unseen = n_rows == 0
        variances[unseen] = 1.0
        covariances[unseen] = np.broadcast_to(between / np.sqrt(within * within.T), unseen.shape)[unseen]
        variances = np.maximum(variances, least[:, np.newaxis])
        slopes = covariances / variances.transpose(0, 2, 1)
        noises = np.maximum(variances - slopes * covariances, least[:, np.newaxis])
        return cls(
            varied,
            centers,
            scales,
            means.diagonal(axis1=1, axis2=2),
            variances.diagonal(axis1=1, axis2=2),
            means - slopes * means.transpose(0, 2, 1),
            slopes,
            noises,
            covariances / np.sqrt(variances * variances.transpose(0, 2, 1)),
        )

    def standardized(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the varied attributes of rows, (n_rows, n_varied), in the units of the estimates."""
        return np.ascontiguousarray((values[self.varied].T - self.centers) / self.scales)

    def log_densities(self, standard: NDArray[np.float64], parents: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return log-densities in each class under a tree; nats, up to the units of the attributes.

        Parameters
        ----------
        standard : ndarray of float64, shape (n_rows, n_varied)
            NaN is missing, and integrated out.
        parents : ndarray of int64, shape (n_varied,)
            Of each varied attribute, -1 for none.

        Returns
        -------
        ndarray of float64, shape (n_rows, n_classes)
        """
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
        """Return parents, coefficients, deviations and intercepts of a class, in the units of the rows.

        Parameters
        ----------
        c : int
        parents : ndarray of int64, shape (n_varied,)
            Of each varied attribute, -1 for none.
        """
        starts, standard_slopes, variances = (own[c] for own in self._of_tree(parents))
        slopes = standard_slopes * self.scales / self.scales[parents]
        intercepts = self.centers + self.scales * starts - slopes * self.centers[parents]
        return (
            [(int(p),) if p >= 0 else () for p in parents],
            [np.array([slope])[: int(p >= 0)] for slope, p in zip(slopes, parents, strict=True)],
            self.scales * np.sqrt(variances),
            intercepts,
        )


def _scales(
    values: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
    """Return the attributes that vary, and their means and deviations, of numbers however large."""
    known = ~np.isnan(values)
    largest = np.where(known, np.abs(values), 0.0).max(axis=1, initial=0.0)
    units = np.where(largest > 0, largest, 1.0)
    shares = np.where(known, values / units[:, np.newaxis], 0.0)
    totals = np.maximum((known * weights).sum(axis=1), 1e-300)
    centers = (shares * weights).sum(axis=1) / totals
    apart = np.where(known, shares - centers[:, np.newaxis], 0.0)
    spreads = np.sqrt((apart**2 * weights).sum(axis=1) / totals)
    varied = np.flatnonzero(spreads > LEAST_SPREAD)
    return varied, (centers * units)[varied], (spreads * units)[varied]


def _sums(standard: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows, means, squares and products of each pair of attributes in one class.

    Returns
    -------
    ndarray of shape (4, n_varied, n_varied)
        Over rows that have both numbers: rows, mean of the first, squares of the first about it, products.
    """
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
