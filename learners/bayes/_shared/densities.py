"""Densities of numeric attributes for naive Bayes: Weka's normal, plain normal, and kernels."""

from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from learners.base import TrainingTable
from learners.bayes._kernels.densities import bump_sums
from learners.bayes._shared.moments import ClassMoments

__all__ = ["DENSITIES", "Densities", "KernelDensities"]

VARIANCE_FLOOR = 1e-9  # of a class, as a share of the attribute's whole variance
LONE_PRECISION = 0.01  # Weka's, for an attribute with one value
SMALLEST_PRECISION = 1e-300  # a sixth of it is still above 0
NARROWEST = 6.0  # a standard deviation is at least a sixth of the precision
LARGEST_SQUARE = 1e300  # of a normal's argument: this far out the classes tie, and stay finite
FARTHEST_EXACT = 2.0**52  # up to here every multiple of the precision is a distinct number
LOWEST = 1e-75  # Weka's least probability of an interval, so that no number excludes a class


class Densities(Protocol):
    """Densities of the numeric attributes in each class. Adding rows makes a new object."""

    @classmethod
    def of(cls, table: TrainingTable) -> Self:
        """Estimate the densities from the rows of one table."""
        ...

    def plus(self, table: TrainingTable) -> Self:
        """Add further rows."""
        ...

    def merged(self, other: Self) -> Self:
        """Merge the densities of other rows, or raise an error if their precision differs."""
        ...

    def emptied(self) -> Self:
        """Return densities of no rows, of the same precision."""
        ...

    def log_densities(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum the logarithms over the attributes."""
        ...


@dataclass(frozen=True)
class NormalDensities:
    """One normal density for each attribute and class."""

    # A class in which the attribute is never known gets the moments of all rows; a constant attribute has no
    # influence. Rows of several tables are merged exactly, up to rounding.
    moments: ClassMoments

    @classmethod
    def of(cls, table: TrainingTable) -> Self:
        """Compute the moments of the rows of one table."""
        return cls(ClassMoments.of(table))

    def plus(self, table: TrainingTable) -> Self:
        """Merge the moments of further rows."""
        return type(self)(self.moments.merged(ClassMoments.of(table)))

    def merged(self, other: Self) -> Self:
        """Merge the moments of other rows."""
        return type(self)(self.moments.merged(other.moments))

    def emptied(self) -> Self:
        """Return the moments of no rows."""
        return type(self)(self.moments.emptied())

    @property
    def means(self) -> NDArray[np.float64]:
        """Mean of each attribute in each class, shape (n_numeric, n_classes)."""
        m = self.moments
        return np.where(m.weight[:, :-1] > 0, m.mean[:, :-1], m.mean[:, -1:])

    @property
    def variances(self) -> NDArray[np.float64]:
        """Variance of each attribute in each class, shape (n_numeric, n_classes)."""
        m = self.moments
        parts = m.squares / np.where(m.weight > 0, m.weight, 1.0)
        spread = parts[:, -1:]
        floored = np.where(m.weight[:, :-1] > 0, parts[:, :-1], spread) + VARIANCE_FLOOR * spread
        return np.where(spread > 0, floored, 1.0)  # for a constant attribute any variance cancels

    def log_densities(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum the logarithms of the normal densities (see `Densities`)."""
        means, variances = self.means, self.variances
        out = np.zeros((values.shape[1], means.shape[1]))
        for x, mean, variance in zip(values, means, variances, strict=True):
            with np.errstate(over="ignore"):
                square = np.minimum((x[:, None] - mean) ** 2 / variance, LARGEST_SQUARE)
            term = -0.5 * (np.log(2 * np.pi * variance) + square)
            out += np.where(np.isnan(x)[:, None], 0.0, term)
        return out


@dataclass(frozen=True)
class RoundedNormalDensities:
    """Weka's normal distribution of values rounded to the attribute's precision q."""

    # q is the mean gap between neighboring distinct values (of the first table). A value represents the
    # interval of width q around its nearest multiple of q, halves being rounded to even. The standard
    # deviation is at least q / 6. The probability of an interval is the difference of two distribution
    # functions, at least 1e-75, computed as in Weka: more than 8.3 standard deviations above the mean it is
    # 0, and so 1e-75. A class in which the attribute is never known has mean 0 and standard deviation q / 6.
    precisions: NDArray[np.float64]
    moments: ClassMoments

    @classmethod
    def of(cls, table: TrainingTable) -> Self:
        """Find the precisions, and compute the moments of the rounded rows."""
        precisions = _precisions(table.values)
        return cls(precisions, ClassMoments.of(_rounded(table, precisions)))

    def plus(self, table: TrainingTable) -> Self:
        """Merge the moments of further rows, rounded like the first."""
        further = ClassMoments.of(_rounded(table, self.precisions))
        return type(self)(self.precisions, self.moments.merged(further))

    def merged(self, other: Self) -> Self:
        """Merge the moments of other rows, or raise an error if their precision differs."""
        _check_precisions(self.precisions, other.precisions)
        return type(self)(self.precisions, self.moments.merged(other.moments))

    def emptied(self) -> Self:
        """Return the moments of no rows, under the same precision."""
        return type(self)(self.precisions, self.moments.emptied())

    @property
    def means(self) -> NDArray[np.float64]:
        """Mean of each rounded attribute in each class, shape (n_numeric, n_classes)."""
        return self.moments.mean[:, :-1]

    @property
    def variances(self) -> NDArray[np.float64]:
        """Variance of each rounded attribute in each class, shape (n_numeric, n_classes)."""
        return self._deviations**2

    @property
    def _deviations(self) -> NDArray[np.float64]:
        weight = self.moments.weight[:, :-1]
        found = np.sqrt(self.moments.squares[:, :-1] / np.where(weight > 0, weight, 1.0))
        return np.maximum(found, self.precisions[:, None] / NARROWEST)

    def log_densities(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum the logarithms of the probabilities of the intervals (see `Densities`)."""
        means, deviations = self.means, self._deviations
        out = np.zeros((values.shape[1], means.shape[1]))
        for x, q, mean, deviation in zip(values, self.precisions, means, deviations, strict=True):
            missing = np.isnan(x)
            known = ~missing if missing.any() else slice(None)  # a mask is slow
            points, where = _points(_grid(x[known], q))
            away = (points * q)[:, None] - mean
            mass = ndtr((away + q / 2) / deviation) - ndtr((away - q / 2) / deviation)
            out[known] += np.log(np.maximum(mass, LOWEST))[where]
        return out


@dataclass(frozen=True)
class KernelDensities:
    """A normal kernel on each training value, after rounding as in `RoundedNormalDensities`."""

    # John and Langley, "Estimating continuous distributions in Bayesian classifiers", UAI 1995, section 3:
    # the kernels of a class have the standard deviation r / sqrt(n), at least q / 6, with r the range of its
    # rounded values and n their weight. As in Weka, but summed exactly where Weka stops at an error of one in
    # a hundred. A class that never shows the attribute has a kernel at 0; no probability is below 1e-75.
    precisions: NDArray[np.float64]
    points: tuple[tuple[NDArray[np.float64], ...], ...]  # of each attribute and class
    weights: tuple[tuple[NDArray[np.float64], ...], ...]

    @classmethod
    def of(cls, table: TrainingTable) -> Self:
        """Find the precisions, and put a kernel on each distinct rounded value."""
        none = ((np.empty(0),) * table.n_classes,) * len(table.values)
        return cls(_precisions(table.values), none, none).plus(table)

    def plus(self, table: TrainingTable) -> Self:
        """Put kernels on further rows, rounded like the first."""
        weight = np.ones(table.y.size) if table.weight is None else table.weight
        points, weights = [], []
        for j, (x, q) in enumerate(zip(table.values, self.precisions, strict=True)):
            grid = _grid(x, q)
            rows = [(table.y == c) & ~np.isnan(x) for c in range(table.n_classes)]
            joined = [
                _join(self.points[j][c], self.weights[j][c], grid[some], weight[some])
                for c, some in enumerate(rows)
            ]
            points.append(tuple(at for at, _ in joined))
            weights.append(tuple(mass for _, mass in joined))
        return type(self)(self.precisions, tuple(points), tuple(weights))

    def merged(self, other: Self) -> Self:
        """Add the kernels of other rows, or raise an error if their precision differs."""
        _check_precisions(self.precisions, other.precisions)
        joined = [
            [_join(*each) for each in zip(*attribute, strict=True)]
            for attribute in zip(self.points, self.weights, other.points, other.weights, strict=True)
        ]
        points = tuple(tuple(at for at, _ in classes) for classes in joined)
        weights = tuple(tuple(mass for _, mass in classes) for classes in joined)
        return type(self)(self.precisions, points, weights)

    def emptied(self) -> Self:
        """Return no kernels, under the same precision."""
        none = tuple(tuple(np.empty(0) for _ in classes) for classes in self.points)
        return type(self)(self.precisions, none, none)

    def log_densities(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum the logarithms of the probabilities of the intervals (see `Densities`)."""
        n_classes = len(self.points[0])
        out = np.zeros((values.shape[1], n_classes))
        for j, (x, q) in enumerate(zip(values, self.precisions, strict=True)):
            known = ~np.isnan(x)
            queries, back = np.unique(_grid(x[known], q), return_inverse=True)
            for c in range(n_classes):
                mass = _kernel_mass(queries, self.points[j][c], self.weights[j][c])
                out[known, c] += np.log(np.maximum(mass, LOWEST))[back]
        return out


DENSITIES: dict[str, type[Densities]] = {
    "weka": RoundedNormalDensities,
    "gaussian": NormalDensities,
    "kernel": KernelDensities,
}


def _precisions(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean gap between the neighboring distinct values of each attribute."""
    out = np.full(len(values), LONE_PRECISION)
    for j, x in enumerate(values):
        distinct = np.unique(x[~np.isnan(x)])
        if distinct.size > 1:
            gaps = np.diff(distinct)  # summed one by one, as in Weka: the last bit matters
            out[j] = max(np.cumsum(gaps)[-1] / gaps.size, SMALLEST_PRECISION)
    return out


def _check_precisions(one: NDArray[np.float64], other: NDArray[np.float64]) -> None:
    """Raise an error for values rounded to other multiples."""
    differ = np.flatnonzero(one != other)
    if differ.size:
        j = differ[0]
        raise ValueError(
            f"Numeric attribute {j} is rounded to multiples of {one[j]:g} in one learner and of {other[j]:g} "
            'in another. Start both learners from emptied() of one learner, or use numeric="gaussian".'
        )


def _grid(x: NDArray[np.float64], precision: float | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the nearest multiple of the precision, halves being rounded to even."""
    with np.errstate(over="ignore"):  # numbers out of range become infinite
        return np.rint(x / precision)


def _points(grid: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.intp] | slice]:
    """Return points of the grid that cover the rows, few if rows are close, and the point of each row."""
    lowest, highest = (grid.min(), grid.max()) if grid.size else (0.0, np.inf)
    if max(-lowest, highest) < FARTHEST_EXACT and highest - lowest < grid.size / 2:
        points = lowest + np.arange(int(highest - lowest) + 1, dtype=np.float64)
        return points, (grid - lowest).astype(np.intp)
    return grid, slice(None)


def _rounded(table: TrainingTable, precisions: NDArray[np.float64]) -> TrainingTable:
    q = precisions[:, None]
    return table._replace(values=_grid(table.values, q) * q)


def _join(
    points: NDArray[np.float64],
    weights: NDArray[np.float64],
    grid: NDArray[np.float64],
    weight: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Add the weight of rows to that of the points they lie on."""
    joined, where = np.unique(np.concatenate([points, grid]), return_inverse=True)
    mass = np.bincount(where, weights=np.concatenate([weights, weight]), minlength=joined.size)
    return joined, mass.astype(np.float64, copy=False)


def _kernel_mass(
    queries: NDArray[np.float64], points: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Probability of the interval of width 1 around each whole number."""
    if not points.size:
        points, weights = np.zeros(1), np.ones(1)
    total = weights.sum()
    deviation = max((points[-1] - points[0]) / np.sqrt(total), 1 / NARROWEST)
    return bump_sums(queries, points, weights, 1 / deviation) / total
