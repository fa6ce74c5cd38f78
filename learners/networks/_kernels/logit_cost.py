"""Cost of one family whose probabilities are additive in their logarithms: a multinomial logit of effects."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.networks._kernels.family_cost import refine

__all__ = ["MOST_CELLS", "MOST_EFFECTS", "complete_cells", "fit_logit", "logit_alone", "logit_cost"]

#: Most cells of the table that a logit's probabilities fill; a family beyond costs infinity.
MOST_CELLS = 65_000.0
#: Most free parameters; a step of the fit takes time as their cube.
MOST_EFFECTS = 600
#: Standard deviation of an effect under the prior.
SIGMA = 3.0
#: A fit has converged when one more step would gain less than this many nats.
NO_GAIN = 1e-18
MOST_STEPS = 100
#: By how much, relatively, rounding may lengthen the message in a step; the smallest share of a step.
ROUNDING, SMALLEST_SHARE = 1e-12, 1e-10
PANEL = 8


class LogitDesign(NamedTuple):
    """What a fit goes by, see `fit_logit`."""

    values: NDArray[np.int64]
    counts: NDArray[np.int64]
    sizes: NDArray[np.int64]
    own: NDArray[np.float64]  # (arity, arity - 1), contrasts of the child's values
    wide: NDArray[np.float64]  # from the coordinates of effects to all of them, those of each parent's values


@kernel
def logit_cost(
    codes: NDArray[np.unsignedinteger],
    arities: NDArray[np.int64],
    ln_factorials: NDArray[np.float64],
    parameter_cost: float,
    child: int,
    parents: NDArray[np.int64],
) -> float:
    """Return the nats of a child encoded by an additive logit of these parents, arcs not included."""
    # Holes as in `family_cost`: what the parents save is counted against a logit without parents. Infinite
    # above `MOST_CELLS` or `MOST_EFFECTS`. Measured: 5000 rows, three parents of three values, in 0.2 ms.
    arity = arities[child]
    cells, effects = float(arity), 1
    for u in parents:
        cells *= arities[u]
        effects += arities[u] - 1
    if cells > MOST_CELLS or effects * (arity - 1) > MOST_EFFECTS:
        return np.inf
    values, counts, known = complete_cells(codes, arities, child, parents)
    _, cost = fit_logit(values, counts, arities[parents], parameter_cost > 0)
    filling = np.zeros(arity, np.int64)
    for cell in range(counts.shape[0]):
        for k in range(arity):
            filling[k] += counts[cell, k]
    if (known == filling).all():
        return cost
    return cost + logit_alone(known, parameter_cost) - logit_alone(filling, parameter_cost)


@kernel
def logit_alone(counts: NDArray[np.int64], parameter_cost: float) -> float:
    """Return the cost of a child with these counts of its values, encoded by a logit without parents."""
    nothing = np.empty((1, 0), np.int64)
    _, cost = fit_logit(nothing, counts.reshape(1, -1), np.empty(0, np.int64), parameter_cost > 0)
    return cost


@kernel
def complete_cells(
    codes: NDArray[np.unsignedinteger], arities: NDArray[np.int64], child: int, parents: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the configurations of the parents that occur, the child's counts in each, and in all rows."""
    # the first two from rows without holes in the family, the last whatever is missing of the parents
    n_rows, arity = codes.shape[1], arities[child]
    cells, n_numbers = np.zeros(n_rows, np.int32), 1
    for u in parents:
        n_numbers = refine(codes[u], arities[u], cells, n_numbers)
    numbers = np.full(n_numbers, -1, np.int64)
    values = np.empty((min(n_numbers, n_rows), parents.size), np.int64)
    counts = np.zeros((values.shape[0], arity), np.int64)
    known = np.zeros(arity, np.int64)
    n_cells = 0
    for i in range(n_rows):
        value = np.int64(codes[child, i])
        if value >= arity:
            continue
        known[value] += 1
        if cells[i] < 0:
            continue
        if numbers[cells[i]] < 0:
            numbers[cells[i]] = n_cells
            for j in range(parents.size):
                values[n_cells, j] = codes[parents[j], i]
            n_cells += 1
        counts[numbers[cells[i]], value] += 1
    return values[:n_cells], counts[:n_cells], known


@kernel
def fit_logit(
    values: NDArray[np.int64], counts: NDArray[np.int64], sizes: NDArray[np.int64], states: bool
) -> tuple[NDArray[np.float64], float]:
    """Fit an additive logit by Newton's method, and return its effects and the nats of its message."""
    # The log of a value's probability is, up to normalization, an effect of the value and one for each
    # parent's value (Neil, Wallace & Korb, 1999). Effects sum to zero over the child's values, and over a
    # parent's; their prior is N(0, 3^2), and they are the mode of the posterior, in orthonormal Helmert
    # contrasts, so that their coordinates have independent priors. With d of them, Fisher information F and
    # prior density h the length is MML87 (Wallace & Freeman, 1987), -ln h + (1/2) ln det (F + I / 9) - ln L -
    # (d/2) ln 2 pi + (1/2) ln (pi d); the prior's curvature is added, as few rows leave F singular. Unless
    # `states`, estimates are not stated, and the length is Laplace's approximation of the evidence.
    arity = counts.shape[1]
    width = arity - 1
    design = LogitDesign(values, counts, sizes, contrasts(arity), _all_contrasts(sizes))
    effects = np.zeros((design.wide.shape[1], width))
    d = effects.size
    if d == 0:
        return effects, 0.0
    probabilities = np.empty(counts.shape)
    gradient, step, curvature = np.empty(d), np.empty(d), np.empty((d, d))
    objective = _start(design, effects, probabilities)
    for _ in range(MOST_STEPS):
        _derivatives(effects, design, probabilities, gradient, curvature)
        _factorize(curvature)
        _solve(curvature, gradient, step)
        gain = 0.0
        for i in range(d):
            gain += gradient[i] * step[i]
        if gain <= NO_GAIN:
            break
        share = 1.0
        while True:
            for i in range(d):
                effects[i // width, i % width] += share * step[i]
            after = _objective(effects, design, probabilities)
            if after <= objective + ROUNDING * abs(objective) or share < SMALLEST_SHARE:
                break
            for i in range(d):
                effects[i // width, i % width] -= share * step[i]
            share /= 2
        objective = after
    cost = objective + d * math.log(SIGMA)
    for i in range(d):
        cost += math.log(curvature[i, i])
    return effects, cost + (0.5 * math.log(math.pi * d) if states else 0.0)


@kernel
def contrasts(size: int) -> NDArray[np.float64]:
    """Return Helmert's contrasts, of shape (size, size - 1): orthonormal columns that sum to zero each."""
    found = np.zeros((size, size - 1))
    for j in range(size - 1):
        length = math.sqrt((j + 1.0) * (j + 2.0))
        for x in range(j + 1):
            found[x, j] = 1.0 / length
        found[j + 1, j] = -(j + 1.0) / length
    return found


@kernel
def _all_contrasts(sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return what leads from the coordinates of effects to all of them, those of each parent's values."""
    found = np.zeros((1 + sizes.sum(), 1 + sizes.sum() - sizes.size))
    found[0, 0] = 1.0
    row = column = 1
    for size in sizes:
        own = contrasts(size)
        for x in range(size):
            for i in range(size - 1):
                found[row + x, column + i] = own[x, i]
        row += size
        column += size - 1
    return found


@kernel
def _start(design: LogitDesign, effects: NDArray[np.float64], probabilities: NDArray[np.float64]) -> float:
    """Begin with naive Bayes, or with the values' frequencies if better, and return the objective there."""
    # Naive Bayes is where the fit ends if the parents are independent given the child, and saves a third of
    # the steps elsewhere.
    values, counts, sizes, own, wide = design
    n_cells, arity = counts.shape
    heights = np.zeros((wide.shape[0], arity))
    for cell in range(n_cells):
        first = 1
        for u in range(sizes.size):
            for k in range(arity):
                heights[first + values[cell, u], k] += counts[cell, k]
            first += sizes[u]
        for k in range(arity):
            heights[0, k] += counts[cell, k]
    for t in range(heights.shape[0]):
        for k in range(arity):
            heights[t, k] = math.log(heights[t, k] + 0.5)
    for j in range(arity - 1):
        for k in range(j + 2):
            effects[0, j] += own[k, j] * heights[0, k]
    alone = effects.copy()
    first = 1
    for size in sizes:
        for t in range(first, first + size):
            for j in range(arity - 1):
                for k in range(j + 2):
                    coordinate = own[k, j] * (heights[t, k] - heights[0, k])
                    effects[0, j] += coordinate / size
                    for i in range(effects.shape[0]):
                        effects[i, j] += wide[t, i] * coordinate
        first += size
    without = _objective(alone, design, probabilities)
    objective = _objective(effects, design, probabilities)
    if objective <= without:
        return objective
    for i in range(effects.shape[0]):
        for j in range(arity - 1):
            effects[i, j] = alone[i, j]
    return _objective(effects, design, probabilities)


@kernel
def _objective(
    effects: NDArray[np.float64], design: LogitDesign, probabilities: NDArray[np.float64]
) -> float:
    """Fill in the probabilities, and return -ln L and the prior's part that depends on the effects."""
    values, counts, sizes, own, wide = design
    n_cells, arity = counts.shape
    total = 0.0
    for i in range(effects.shape[0]):
        for j in range(arity - 1):
            total += effects[i, j] * effects[i, j]
    total /= 2 * SIGMA * SIGMA
    shown = np.zeros((wide.shape[0], arity))
    for t in range(wide.shape[0]):
        for i in range(wide.shape[1]):
            if wide[t, i] != 0.0:
                for j in range(arity - 1):
                    for k in range(j + 2):
                        shown[t, k] += wide[t, i] * effects[i, j] * own[k, j]
    for cell in range(n_cells):
        row = probabilities[cell]
        for k in range(arity):
            row[k] = shown[0, k]
        first = 1
        for u in range(sizes.size):
            effect = shown[first + values[cell, u]]
            for k in range(arity):
                row[k] += effect[k]
            first += sizes[u]
        top = row[0]
        for k in range(1, arity):
            top = max(top, row[k])
        mass, n = 0.0, 0
        for k in range(arity):
            n += counts[cell, k]
            total -= counts[cell, k] * (row[k] - top)
            row[k] = math.exp(row[k] - top)
            mass += row[k]
        total += n * math.log(mass)
        for k in range(arity):
            row[k] /= mass
    return total


@kernel
def _derivatives(
    effects: NDArray[np.float64],
    design: LogitDesign,
    probabilities: NDArray[np.float64],
    gradient: NDArray[np.float64],
    curvature: NDArray[np.float64],
) -> None:
    """Fill in the direction of descent, and the lower half of the curvature of `_objective`."""
    n_terms, width = effects.shape
    own, wide = design.own, design.wide
    lacks, blocks = _sums(design, probabilities)
    for i in range(n_terms):
        for j in range(width):
            slope = -effects[i, j] / (SIGMA * SIGMA)
            for t in range(wide.shape[0]):
                if wide[t, i] != 0.0:
                    for k in range(j + 2):
                        slope += wide[t, i] * lacks[t, k] * own[k, j]
            gradient[i * width + j] = slope
    _contrast_values(blocks, design.sizes)
    for i in range(n_terms):
        for h in range(i + 1):
            for j in range(width):
                for k in range(width):
                    curvature[i * width + j, h * width + k] = blocks[i, h, j, k]
    for i in range(gradient.size):
        curvature[i, i] += 1.0 / (SIGMA * SIGMA)


@kernel
def _sums(
    design: LogitDesign, probabilities: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum what counts lack by parent's value, and covariances of the child's contrasts by pair of these."""
    values, counts, sizes, own, wide = design
    arity, width, n_values = counts.shape[1], own.shape[1], wide.shape[0]
    lacks = np.zeros((n_values, arity))
    blocks = np.zeros((n_values, n_values, width, width))
    covariance, half, block = np.empty((arity, arity)), np.empty((width, arity)), np.empty((width, width))
    places = np.zeros(sizes.size + 1, np.int64)
    for cell in range(counts.shape[0]):
        first = 1
        for u in range(sizes.size):
            places[u + 1] = first + values[cell, u]
            first += sizes[u]
        n = 0
        for k in range(arity):
            n += counts[cell, k]
        for k in range(arity):
            p = probabilities[cell, k]
            for place in places:
                lacks[place, k] += counts[cell, k] - n * p
            for i in range(arity):
                covariance[k, i] = -n * p * probabilities[cell, i]
            covariance[k, k] += n * p
        _project(covariance, half, block)
        for t in range(places.size):
            for s in range(t + 1):
                total = blocks[places[t], places[s]]
                for j in range(width):
                    for i in range(width):
                        total[j, i] += block[j, i]
    return lacks, blocks


@kernel
def _project(covariance: NDArray[np.float64], half: NDArray[np.float64], found: NDArray[np.float64]) -> None:
    """Turn a covariance of the child's values into one of their contrasts, by sums of the first values."""
    arity, width = half.shape[1], half.shape[0]
    sums = np.zeros(arity)
    for j in range(width):
        length = math.sqrt((j + 1.0) * (j + 2.0))
        for i in range(arity):
            sums[i] += covariance[j, i]
            half[j, i] = (sums[i] - (j + 1.0) * covariance[j + 1, i]) / length
    for j in range(width):
        total = 0.0
        for i in range(width):
            total += half[j, i]
            found[j, i] = (total - (i + 1.0) * half[j, i + 1]) / math.sqrt((i + 1.0) * (i + 2.0))


@kernel
def _contrast_values(blocks: NDArray[np.float64], sizes: NDArray[np.int64]) -> None:
    """Turn blocks of pairs of parents' values into those of pairs of their contrasts, in the first places."""
    n_values, width = blocks.shape[0], blocks.shape[2]
    sums = np.empty((width, width))
    row = to_row = 1
    for size in sizes:
        for s in range(n_values):
            _contrast(blocks[row : row + size, s], sums, blocks[to_row : to_row + size - 1, s])
        row += size
        to_row += size - 1
    column = to_column = 1
    for size in sizes:
        for t in range(to_row):
            _contrast(blocks[t, column : column + size], sums, blocks[t, to_column : to_column + size - 1])
        column += size
        to_column += size - 1


@kernel
def _contrast(given: NDArray[np.float64], sums: NDArray[np.float64], found: NDArray[np.float64]) -> None:
    """Apply Helmert's contrasts to blocks. `found` may overlap the blocks that were already added up."""
    width = sums.shape[0]
    sums[:] = 0.0
    for x in range(found.shape[0]):
        length = math.sqrt((x + 1.0) * (x + 2.0))
        for j in range(width):
            for k in range(width):
                sums[j, k] += given[x, j, k]
                found[x, j, k] = (sums[j, k] - (x + 1.0) * given[x + 1, j, k]) / length


@kernel
def _factorize(matrix: NDArray[np.float64]) -> None:
    """Replace the lower half of a positive definite matrix by its Cholesky factor."""
    # eight columns at a time, so that the rest of the matrix is read and written an eighth as often
    size = matrix.shape[0]
    columns = np.empty((PANEL, size))
    for first in range(0, size, PANEL):
        last = min(first + PANEL, size)
        for k in range(first, last):
            pivot = math.sqrt(matrix[k, k])
            matrix[k, k] = pivot
            for i in range(k + 1, size):
                matrix[i, k] /= pivot
            for i in range(k + 1, size):
                for j in range(k + 1, min(last, i + 1)):
                    matrix[i, j] -= matrix[i, k] * matrix[j, k]
        for i in range(last, size):
            for k in range(PANEL):
                columns[k, i] = matrix[i, first + k]
        c0, c1, c2, c3 = columns[0], columns[1], columns[2], columns[3]
        c4, c5, c6, c7 = columns[4], columns[5], columns[6], columns[7]
        for i in range(last, size):
            row = matrix[i]
            s0, s1, s2, s3, s4, s5, s6, s7 = c0[i], c1[i], c2[i], c3[i], c4[i], c5[i], c6[i], c7[i]
            for j in range(last, i + 1):
                row[j] -= (
                    s0 * c0[j] + s1 * c1[j] + s2 * c2[j] + s3 * c3[j]
                    + s4 * c4[j] + s5 * c5[j] + s6 * c6[j] + s7 * c7[j]
                )  # fmt: skip


@kernel
def _solve(factor: NDArray[np.float64], right: NDArray[np.float64], found: NDArray[np.float64]) -> None:
    """Solve for a right side, given the Cholesky factor."""
    size = right.size
    for i in range(size):
        total = right[i]
        for k in range(i):
            total -= factor[i, k] * found[k]
        found[i] = total / factor[i, i]
    for i in range(size - 1, -1, -1):
        total = found[i]
        for k in range(i + 1, size):
            total -= factor[k, i] * found[k]
        found[i] = total / factor[i, i]
