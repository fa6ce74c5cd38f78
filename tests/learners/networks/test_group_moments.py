"""Moments of groups: what is missing filled in as by a plain twin, row by row."""

import numpy as np
import pytest

from learners.networks.group_moments import CONVERGED, MOST_STEPS, PRIOR_ROWS, GroupMoments


def twin(rows, weights, variances):
    """EM of one group, one row after the other; rows are (n_rows, n_variables)."""
    known = ~np.isnan(rows)
    n = rows.shape[1]
    mean = np.array([np.average(rows[known[:, v], v], weights=weights[known[:, v]]) for v in range(n)])
    covariance, n_steps = np.diag(variances), 0
    while n_steps < MOST_STEPS:
        n_steps += 1
        filled, unknown = [], np.zeros((n, n))
        for row, has, weight in zip(rows, known, weights, strict=True):
            lacks = ~has
            gain = np.zeros((lacks.sum(), has.sum()))
            if has.any():
                gain = np.linalg.solve(covariance[np.ix_(has, has)], covariance[np.ix_(has, lacks)]).T
            own = row.copy()
            own[lacks] = mean[lacks] + gain @ (row[has] - mean[has])
            filled.append(own)
            left = covariance[np.ix_(lacks, lacks)] - gain @ covariance[np.ix_(has, lacks)]
            unknown[np.ix_(lacks, lacks)] += weight * left
        filled = np.array(filled)
        old, spread = mean, covariance
        mean = np.average(filled, axis=0, weights=weights)
        products = unknown
        for own, weight in zip(filled, weights, strict=True):
            products = products + weight * np.outer(own - mean, own - mean)
        covariance = (products + PRIOR_ROWS * np.diag(variances)) / (weights.sum() + PRIOR_ROWS)
        unit = np.sqrt(np.diag(covariance))
        change = np.abs(covariance - spread) / np.outer(unit, unit)
        if max(change.max(), (np.abs(mean - old) / unit).max()) <= CONVERGED:
            break
    return mean, products, n_steps


def holed_rows(share, seed=0):
    rng = np.random.default_rng(seed)
    groups = np.repeat([0, 1], [70, 90])
    rows = rng.normal(size=(160, 3)) @ rng.normal(size=(3, 3)) + groups[:, np.newaxis]
    rows[rng.random(rows.shape) < share] = np.nan
    rows[[3, 5, 100]] = np.nan
    rows[:3] = rng.normal(size=(3, 3))
    return rows, groups, rng.uniform(0.2, 3.0, 160)


@pytest.mark.parametrize("share", [0.2, pytest.param(0.7, marks=pytest.mark.slow)])
def test_what_is_missing_is_filled_in_as_by_a_plain_twin(share):
    rows, groups, weights = holed_rows(share)
    moments = GroupMoments.of(rows.T, groups, weights)
    # units of the known numbers, as at the start
    known = ~np.isnan(rows)
    center = [np.average(rows[has, v], weights=weights[has]) for v, has in enumerate(known.T)]
    spread = [
        np.sqrt(np.average((rows[has, v] - center[v]) ** 2, weights=weights[has]))
        for v, has in enumerate(known.T)
    ]
    z = (rows - center) / spread
    within = np.zeros(3)
    for v, has in enumerate(known.T):
        for g in (0, 1):
            own = has & (groups == g)
            m = np.average(z[own, v], weights=weights[own])
            within[v] += weights[own] @ (z[own, v] - m) ** 2
        within[v] /= weights[has].sum()
    total = weights.sum()
    found = [twin(z[groups == g], weights[groups == g], within) for g in (0, 1)]
    middle = sum(weights[groups == g].sum() * found[g][0] for g in (0, 1)) / total
    squares = sum(
        np.diag(found[g][1]) + weights[groups == g].sum() * (found[g][0] - middle) ** 2 for g in (0, 1)
    )
    unit = np.sqrt(squares / total)
    for g in (0, 1):
        np.testing.assert_allclose(moments.means[g], (found[g][0] - middle) / unit, atol=1e-9)
        np.testing.assert_allclose(
            moments.scatters[g], found[g][1] / np.outer(unit, unit), rtol=1e-7, atol=1e-7
        )
    np.testing.assert_allclose(moments.n_rows, [weights[groups == g].sum() for g in (0, 1)])
    np.testing.assert_allclose(moments.units.centers, np.array(center) + spread * middle)
    np.testing.assert_allclose(moments.units.scales, spread * unit)
    assert max(n_steps for *_, n_steps in found) < MOST_STEPS


def test_em_goes_on_until_nothing_changes():
    """After 20 steps it would be far from the end where much is missing."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=2000)
    y = 0.95 * x + np.sqrt(1 - 0.95**2) * rng.normal(size=2000)
    y = np.where((rng.random(2000) < 0.9) & (x > -1), np.nan, y)  # what is missing depends on x
    moments = GroupMoments.of(np.array([x, y]), np.zeros(2000, np.intp), None)
    known = ~np.isnan(y)
    fitted, intercept = np.polyfit(x[known], y[known], 1)
    scales, centers = moments.units.scales, moments.units.centers
    slope = moments.scatters[0, 0, 1] / moments.scatters[0, 0, 0] * scales[1] / scales[0]
    assert slope == pytest.approx(fitted, abs=0.01)  # 0.06 less after 20 steps
    assert centers[1] == pytest.approx(intercept + fitted * centers[0], abs=0.02)


def test_constant_variables_are_left_out():
    moments = GroupMoments.of(np.array([[1.0] * 4, [0.0, 1.0, 2.0, 5.0]]), np.array([0, 0, 1, 1]), None)
    assert moments.units.varied.tolist() == [1]
    assert moments.scatters.shape == (2, 1, 1)
