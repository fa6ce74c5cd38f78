"""Means and products of numbers in groups of rows, with missing values replaced by expectation."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from learners.networks.search.gaussian_problem import GaussianProblem, most_parents
from learners.tables.scales import Scales

__all__ = ["GroupMoments"]

CONVERGED, MOST_STEPS = 1e-4, 200  # of the EM that fills in: change in units of deviations
PRIOR_ROWS = 3.0  # rows' worth of variances without covariances
COMMON_ROWS = 5.0  # rows' worth of what groups have in common, for forecasts
CELLS_AT_ONCE = 4_000_000  # of all matrices that are inverted together


@dataclass(frozen=True, eq=False)
class GroupMoments:
    """Rows, means and products of variables by group, with missing values replaced by expectation."""

    # Rows that lack numbers count with the means and products expected of them, given their known numbers, by
    # one normal distribution of each group. EM finds it from the known means and variances, in at most 200
    # steps, until none changes means by more than 1e-4 deviations, or covariances by more than 1e-4 of the
    # product of two. Its covariance is (S + 3 D) / (n + 3), S the expected products of n rows, D the
    # variances within groups of the known numbers.

    units: Scales  # of all that follows: mean and deviation over all rows
    n_rows: NDArray[np.float64]  # by group, by weight
    means: NDArray[np.float64]
    # products of what differs from the means; no variance is less than that of rounding
    scatters: NDArray[np.float64]
    n_distinct: int  # rows that differ

    @classmethod
    def of(
        cls, values: NDArray[np.float64], groups: NDArray[np.intp], weight: NDArray[np.float64] | None
    ) -> "GroupMoments":
        """Compute the moments of numbers (n_variables, n_rows), NaN if missing, by the group of each row."""
        values, groups, weights = _distinct(
            values, groups, np.ones(groups.size) if weight is None else weight
        )
        units = Scales.of(values, weights)
        standard, least = units.standardized(values), units.least
        members = [groups == g for g in range(int(groups.max(initial=-1)) + 1)]
        within = np.maximum(_variances_within(standard, weights, members), least)
        parts = [_expected(standard[:, own], weights[own], within) for own in members]
        n_rows = np.array([weights[own].sum() for own in members])
        means, scatters = np.stack([mean for mean, _ in parts]), np.stack([products for _, products in parts])
        # the mean and the variance over all rows, now that none lacks numbers
        center = n_rows @ means / n_rows.sum()
        spread = np.einsum("gii->i", scatters) + n_rows @ (means - center) ** 2
        unit = np.sqrt(np.maximum(spread / n_rows.sum(), least))
        least = np.minimum(least / unit**2, 1.0)
        scatters /= np.outer(unit, unit)
        variances = scatters.diagonal(axis1=1, axis2=2) / n_rows[:, np.newaxis]
        lacking = n_rows[:, np.newaxis] * np.maximum(least - variances, 0.0)
        scatters += lacking[:, :, np.newaxis] * np.eye(len(least))
        filled = Scales(units.varied, units.centers + units.scales * center, units.scales * unit, least)
        return cls(filled, n_rows, (means - center) / unit, scatters, groups.size)

    @property
    def steadied(self) -> "GroupMoments":
        """The moments for forecasts, with five rows more in each group, and one more group without rows."""
        # The five rows have the covariance (S + I) / (N + 1) that groups have in common: S the products of
        # all groups, N their rows less one each, and I the variances of all rows, once. So a group of few
        # rows has variances that those of the others bear out. As its mean is estimated too, its next row
        # varies 1 + 1 / n times as much. The group without rows has the means and variances of all rows, and
        # the correlations in common.
        freedom = np.maximum(self.n_rows - 1, 0.0).sum()
        common = (self.scatters.sum(axis=0) + np.eye(len(self.units.least))) / (freedom + 1)
        spread = 1 + 1 / np.maximum(self.n_rows, 1.0)
        own = spread[:, np.newaxis, np.newaxis] * (self.scatters + COMMON_ROWS * common)
        deviations = np.sqrt(common.diagonal())
        none = (COMMON_ROWS - 1) * common / np.outer(deviations, deviations)
        return replace(
            self,
            n_rows=np.append(self.n_rows + COMMON_ROWS, COMMON_ROWS),
            means=np.vstack([self.means, np.zeros(len(common))]),
            scatters=np.concatenate([own, none[np.newaxis]]),
        )

    def problem(self, *, as_noise: bool = False, max_parents: int | None = None) -> GaussianProblem:
        """Return the search for the network in which a variable may depend on the group."""
        limit = most_parents(max_parents, self.n_distinct)
        return GaussianProblem.of_groups(
            self.n_rows, self.means, self.scatters, self.units.least, as_noise=as_noise, max_parents=limit
        )


def _distinct(
    values: NDArray[np.float64], groups: NDArray[np.intp], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.intp], NDArray[np.float64]]:
    """Sort rows and join equal ones."""
    # So neither the order of rows nor weights in place of repeats change the last bits, on which it may
    # depend which of two networks of nearly one length a search meets first.
    filled = np.where(np.isnan(values), np.inf, values)  # NaN differs from itself
    order = np.lexsort((*filled, groups))
    filled, groups = filled[:, order], groups[order]
    is_new = np.ones(groups.size, np.bool_)
    is_new[1:] = (filled[:, 1:] != filled[:, :-1]).any(axis=0) | (groups[1:] != groups[:-1])
    starts = np.flatnonzero(is_new)
    return values[:, order[starts]], groups[starts], np.add.reduceat(weights[order], starts)


def _variances_within(
    standard: NDArray[np.float64], weights: NDArray[np.float64], members: list[NDArray[np.bool_]]
) -> NDArray[np.float64]:
    """Return the variance of each variable about the means of its groups, over known numbers."""
    known = ~np.isnan(standard)
    squares = np.zeros(len(standard))
    for own in members:
        mean = _known_means(standard[:, own], weights[own])
        apart = np.where(known[:, own], standard[:, own] - mean[:, np.newaxis], 0.0)
        squares += apart**2 @ weights[own]
    return np.asarray(squares / (known @ weights))


def _known_means(standard: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of the known values of each variable, where 0 is the mean of all rows."""
    known = ~np.isnan(standard)
    totals = known @ weights
    return np.asarray(np.where(known, standard, 0.0) @ weights / np.where(totals > 0, totals, 1.0))


def _expected(
    standard: NDArray[np.float64], weights: NDArray[np.float64], variances: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean and the products about it of rows of one group with missing numbers."""
    mean = _known_means(standard, weights)
    apart = standard - mean[:, np.newaxis]
    if not np.isnan(standard).any():
        return mean, (apart * weights) @ apart.T
    patterns, which = np.unique(~np.isnan(standard.T), axis=0, return_inverse=True)
    which = which.ravel()
    order = np.argsort(which, kind="stable")
    rows, own = np.where(np.isnan(standard), 0.0, standard).T[order], weights[order]
    ends = np.cumsum(np.bincount(which, minlength=len(patterns)))
    total, covariance = own.sum(), np.diag(variances)
    for _ in range(MOST_STEPS):
        before, spread_before = mean, covariance
        filled, unknown = _filled(rows, own, patterns, ends, mean, covariance)
        mean = own @ filled / total
        apart = (filled - mean).T
        products = (apart * own) @ apart.T + unknown
        covariance = (products + PRIOR_ROWS * np.diag(variances)) / (total + PRIOR_ROWS)
        deviations = np.sqrt(covariance.diagonal())
        changes = np.abs(covariance - spread_before) / np.outer(deviations, deviations)
        if max(changes.max(), (np.abs(mean - before) / deviations).max()) <= CONVERGED:
            break
    return mean, products


def _filled(
    rows: NDArray[np.float64],
    weights: NDArray[np.float64],
    patterns: NDArray[np.bool_],
    ends: NDArray[np.intp],
    mean: NDArray[np.float64],
    covariance: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Impute expected values given the known ones, and sum the covariances of the imputed values."""
    # rows are sorted by which numbers they have; those of each of the `patterns` end before one of the `ends`
    filled, unknown = rows.copy(), np.zeros_like(covariance)
    starts = np.concatenate([[0], ends[:-1]])
    at_once = max(1, CELLS_AT_ONCE // covariance.size)
    for first in range(0, len(patterns), at_once):
        known = patterns[first : first + at_once].astype(np.float64)
        both = known[:, :, np.newaxis] * known[:, np.newaxis]
        # the known block alone: beside it stands the identity, which the mask removes
        inverse = np.linalg.inv(covariance * both + np.eye(len(mean)) * (1 - known)[:, :, np.newaxis]) * both
        gains = covariance @ inverse
        spread = covariance - gains @ covariance
        shares = np.add.reduceat(weights, starts)[first : first + at_once]
        missing = 1 - known
        unknown += np.einsum("k,kij,ki,kj->ij", shares, spread, missing, missing, optimize=True)
        for k, gain in enumerate(gains, first):
            own = slice(starts[k], ends[k])
            expected = mean + ((rows[own] - mean) * patterns[k]) @ gain.T
            filled[own] = np.where(patterns[k], rows[own], expected)
    return filled, (unknown + unknown.T) / 2
