"""A kernel that fits penalized logistic models of values, by L-BFGS.

A row's score of a class is the class's own, plus that of each of its values, plus the sum of given features,
each times a coefficient. Values are *slots*, numbered over all attributes, missing ones too. In an ordered
attribute what is fitted is each value's step over the one below. The scores of an attribute's values are 0 on
the average over the rows that have it, so that a missing value is like an average one, but for its own score.
Two classes have one score, the difference. More classes have a multiple of `LANES`, computed together. Those
past the last class are impossible, as their log prior is -inf.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.averages._kernels.lanes import (
    add_products,
    add_slots,
    spread_products,
    spread_to_slots,
)
from learners.bayes._kernels.elementwise import exponentiate_lanes
from learners.bayes._kernels.one_dependence import LANES, exponentiate_row, normalize_row
from learners.tables._kernels.copying import add_to, copy_to

MEMORY = 10  # steps that L-BFGS remembers
LEAST_GAIN = 1e-3  # of the loss, relatively; a smaller one ends the search
FREE = 1e-3  # penalty of a class's own score
BLOCK = 32  # rows scored together, a few classes at a time, so that the tables of these stay in the cache
FACTOR_BLOCK = 32  # rows of a factor that are finished together; a multiple of 4


@kernel
def fit_scores(
    slots: NDArray[Any],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    first_slots: NDArray[np.int64],
    ordered: NDArray[np.bool_],
    shares: NDArray[np.float64],
    features: NDArray[np.float32],
    log_prior: NDArray[np.float64],
    penalty: float,
    coefficient_penalty: float,
    factor: NDArray[np.float64],
    max_steps: int,
    x: NDArray[np.float64],
) -> int:
    """Minimize log loss + penalty / 2 (sum of squares) from `x`, in place, and return the number of steps."""
    # slots (row, attribute), features (row, feature, score). `x` holds the scores of the slots, those of the
    # classes, and the coefficients, whose distance to 1 is penalized. `weight` of length 0 means ones.
    # `factor`, (slot, slot), guides the search: `cholesky` of about the second derivatives by the slots'
    # scores of one class; of length 0, a diagonal does. 20,000 rows, 14 attributes, two classes: 1 ms.
    n_scores, n_slots = log_prior.size, first_slots[-1]
    at_class = n_slots * n_scores
    at_coefficient = at_class + n_scores
    center = np.zeros(x.size)
    penalties = np.full(x.size, penalty)
    penalties[at_class:at_coefficient] = FREE
    penalties[at_coefficient:] = coefficient_penalty
    center[at_coefficient:] = 1.0
    steps, changes = np.zeros((MEMORY, x.size)), np.zeros((MEMORY, x.size))
    inverse = np.zeros(MEMORY)
    moved, gradient, next_gradient = np.empty(x.size), np.empty(x.size), np.empty(x.size)
    tables, slopes = np.empty((n_slots, n_scores)), np.empty((n_slots, n_scores))
    loss = _loss(slots, y, weight, first_slots, ordered, shares, features, log_prior, penalties, center, x,
                 tables, slopes, gradient)  # fmt: skip
    curvature = _curvature(slots, weight, first_slots, ordered, features, penalties, n_scores)
    kept = 0
    for step in range(max_steps):
        direction = _direction(gradient, steps, changes, inverse, kept, curvature, factor, n_scores)
        slope = np.dot(direction, gradient)
        if slope >= 0.0:
            return step
        length = 1.0
        while True:
            for k in range(x.size):
                moved[k] = x[k] + length * direction[k]
            next_loss = _loss(slots, y, weight, first_slots, ordered, shares, features, log_prior, penalties,
                              center, moved, tables, slopes, next_gradient)  # fmt: skip
            if next_loss <= loss + 1e-4 * length * slope or length < 1e-6:
                break
            length *= 0.5
        if not next_loss < loss:  # nor where it is no number
            return step
        here = kept % MEMORY
        for k in range(x.size):
            steps[here, k], changes[here, k] = moved[k] - x[k], next_gradient[k] - gradient[k]
        product = np.dot(steps[here], changes[here])
        if product > 1e-12:
            inverse[here] = 1.0 / product
            kept += 1
        gained = loss - next_loss
        copy_to(x, moved)
        copy_to(gradient, next_gradient)
        loss = next_loss
        if gained < LEAST_GAIN * loss:
            return step + 1
    return max_steps


@kernel
def probabilities_of(
    slots: NDArray[Any],
    features: NDArray[np.float32],
    tables: NDArray[np.float64],
    intercepts: NDArray[np.float64],
    coefficients: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the class probabilities of rows, laid out as in `fit_scores`."""
    n_scores = intercepts.size
    out = np.empty((slots.shape[0], max(n_scores, 2)))
    for i in range(slots.shape[0]):
        if n_scores == 1:
            out[i, 0] = 0.0
            out[i, 1] = _difference(slots, tables, features, i, coefficients, intercepts)
        else:
            _score(slots, tables, features, i, coefficients, intercepts, out[i])
        exponentiate_row(out[i])
        normalize_row(out, i)
    return out


@kernel
def _difference(
    slots: NDArray[Any],
    tables: NDArray[np.float64],
    features: NDArray[np.float32],
    i: int,
    coefficients: NDArray[np.float64],
    intercepts: NDArray[np.float64],
) -> float:
    """Return the one score of two classes."""
    # several sums, as one would wait for itself
    first = second = third = 0.0
    total, n_slots = intercepts[0], slots.shape[1]
    whole = n_slots - n_slots % 4
    for j in range(0, whole, 4):
        first += tables[slots[i, j], 0]
        second += tables[slots[i, j + 1], 0]
        third += tables[slots[i, j + 2], 0]
        total += tables[slots[i, j + 3], 0]
    for j in range(whole, n_slots):
        total += tables[slots[i, j], 0]
    whole = coefficients.size - coefficients.size % 4
    for f in range(0, whole, 4):
        first += coefficients[f] * features[i, f, 0]
        second += coefficients[f + 1] * features[i, f + 1, 0]
        third += coefficients[f + 2] * features[i, f + 2, 0]
        total += coefficients[f + 3] * features[i, f + 3, 0]
    for f in range(whole, coefficients.size):
        total += coefficients[f] * features[i, f, 0]
    return first + second + (third + total)


@kernel
def _score(
    slots: NDArray[Any],
    tables: NDArray[np.float64],
    features: NDArray[np.float32],
    begin: int,
    coefficients: NDArray[np.float64],
    intercepts: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Fill in the scores of some rows, one after the other, of three classes or more."""
    width = intercepts.size
    n = out.size // width
    for r in range(n):
        copy_to(out[r * width :], intercepts)
    for lane in range(0, width, LANES):
        for r in range(n):
            at = np.uint64(r * width + lane)
            add_slots(out, at, np.uint64(lane), tables, slots, np.uint64(begin + r))
    for r in range(n):
        if coefficients.size:
            own = out[r * width : (r + 1) * width]
            _add_all_products(own, coefficients, features[begin + r], 0, coefficients.size)


@kernel
def _loss(
    slots: NDArray[Any],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    first_slots: NDArray[np.int64],
    ordered: NDArray[np.bool_],
    shares: NDArray[np.float64],
    features: NDArray[np.float32],
    log_prior: NDArray[np.float64],
    penalties: NDArray[np.float64],
    center: NDArray[np.float64],
    x: NDArray[np.float64],
    tables: NDArray[np.float64],
    slopes: NDArray[np.float64],
    gradient: NDArray[np.float64],
) -> float:
    """Return the penalized loss in nats, and fill in its gradient."""
    n_scores, n_slots = log_prior.size, first_slots[-1]
    at_class = n_slots * n_scores
    at_coefficient = at_class + n_scores
    set_tables(x, first_slots, ordered, shares, tables)
    intercepts, coefficients = log_prior.copy(), x[at_coefficient:]
    for c in range(n_scores):
        intercepts[c] += x[at_class + c]
    slopes.fill(0.0)
    gradient.fill(0.0)
    rows, products = np.empty(BLOCK * n_scores), np.zeros(features.shape[1:])
    loss = 0.0
    for begin in range(0, y.size, BLOCK):
        end = min(begin + BLOCK, y.size)
        scores = rows[: (end - begin) * n_scores]
        if n_scores == 1:
            for i in range(begin, end):
                scores[i - begin] = _difference(slots, tables, features, i, coefficients, intercepts)
        else:
            _score(slots, tables, features, begin, coefficients, intercepts, scores)
        for i in range(begin, end):
            row = scores[(i - begin) * n_scores : (i - begin + 1) * n_scores]
            w = weight[i] if weight.size else 1.0
            loss += w * _residuals(row, y[i])
            for c in range(n_scores):
                row[c] *= w
                gradient[at_class + c] += row[c]
        if n_scores == 1:
            for i in range(begin, end):
                alone = scores[i - begin]
                for j in range(slots.shape[1]):
                    slopes[slots[i, j], 0] += alone
                for f in range(coefficients.size):
                    products[f, 0] += alone * features[i, f, 0]
        else:
            _spread(scores, slots, begin, slopes, features, products)
    for f in range(coefficients.size):
        gradient[at_coefficient + f] = products[f].sum()
    _add_steps(slopes, first_slots, ordered, shares, gradient)
    for k in range(x.size):
        away = x[k] - center[k]
        loss += 0.5 * penalties[k] * away * away
        gradient[k] += penalties[k] * away
    return loss


@kernel
def _add_all_products(
    out: NDArray[np.float64], factors: NDArray[np.float64], rows: NDArray[Any], first: int, last: int
) -> None:
    """Add the products of factors and rows to a vector."""
    for k in range(0, out.size, LANES):
        add_products(out, np.uint64(k), factors, rows, np.uint64(first), np.uint64(last))


@kernel
def _spread(
    residuals: NDArray[np.float64],
    slots: NDArray[Any],
    begin: int,
    slopes: NDArray[np.float64],
    features: NDArray[np.float32],
    products: NDArray[np.float64],
) -> None:
    """Add the residuals of some rows to the slopes of their slots, and times features to the products."""
    width = slopes.shape[1]
    n, none, n_features = residuals.size // width, np.uint64(0), np.uint64(len(products))
    for lane in range(0, width, LANES):
        for r in range(n):
            at = np.uint64(r * width + lane)
            spread_to_slots(residuals, at, np.uint64(lane), slopes, slots, np.uint64(begin + r))
    for r in range(n):
        if n_features:
            row, own = residuals[r * width : (r + 1) * width], features[begin + r]
            for k in range(0, width, LANES):
                spread_products(row, np.uint64(k), products, own, none, n_features)


@kernel
def _residuals(row: NDArray[np.float64], observed: int) -> float:
    """Convert scores to P(class) minus 1 for the observed class, and return the log loss in nats."""
    if row.size == 1:  # the score is that of class 1
        signed = row[0] if observed == 1 else -row[0]
        small = np.exp(-abs(signed))
        loss = np.log1p(small) + max(-signed, 0.0)
        wrong = small / (1.0 + small) if signed > 0.0 else 1.0 / (1.0 + small)
        row[0] = -wrong if observed == 1 else wrong
        return loss
    # four at a time, as one would wait for itself
    first, second, third, fourth = row[0], row[1], row[2], row[3]
    for c in range(4, row.size, 4):
        first, second = max(first, row[c]), max(second, row[c + 1])
        third, fourth = max(third, row[c + 2]), max(fourth, row[c + 3])
    largest = max(max(first, second), max(third, fourth))
    own = row[observed] - largest
    for c in range(row.size):
        row[c] -= largest
    for lane in range(0, row.size, LANES):
        exponentiate_lanes(row, np.uint64(lane))
    first = second = third = fourth = 0.0
    for c in range(0, row.size, 4):
        first, second = first + row[c], second + row[c + 1]
        third, fourth = third + row[c + 2], fourth + row[c + 3]
    total = first + second + (third + fourth)
    share = 1.0 / total
    for c in range(row.size):
        row[c] *= share
    row[observed] -= 1.0
    return np.log(total) - own


@kernel
def slot_shares(
    slots: NDArray[Any],
    weight: NDArray[np.float64],
    first_slots: NDArray[np.int64],
    ordered: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Return each value's share of the rows that have one, of ordered ones from it on, or 0 for missing."""
    out = np.zeros(first_slots[-1])
    for i in range(slots.shape[0]):
        for slot in slots[i]:
            out[slot] += weight[i] if weight.size else 1.0
    for j in range(ordered.size):
        missing = first_slots[j + 1] - 1
        known = out[first_slots[j] : missing].sum()
        out[missing] = 0.0
        if ordered[j]:
            for slot in range(missing - 2, first_slots[j] - 1, -1):
                out[slot] += out[slot + 1]
        if known > 0.0:
            for slot in range(first_slots[j], missing):
                out[slot] /= known
    return out


@kernel
def set_tables(
    x: NDArray[np.float64],
    first_slots: NDArray[np.int64],
    ordered: NDArray[np.bool_],
    shares: NDArray[np.float64],
    tables: NDArray[np.float64],
) -> None:
    """Sum the steps of ordered attributes, and subtract the mean of each attribute."""
    # a nominal value that does not occur has the mean; the score for missing stands for itself
    n_scores = tables.shape[1]
    for slot in range(tables.shape[0]):
        for c in range(n_scores):
            tables[slot, c] = x[slot * n_scores + c]
    for j in range(ordered.size):
        first, missing = first_slots[j], first_slots[j + 1] - 1
        for c in range(n_scores):
            mean = 0.0
            for slot in range(first, missing):
                mean += shares[slot] * tables[slot, c]
            total = 0.0
            for slot in range(first, missing):
                if ordered[j]:
                    total += tables[slot, c]
                    tables[slot, c] = total - mean
                else:
                    tables[slot, c] = tables[slot, c] - mean if shares[slot] > 0.0 else 0.0


@kernel
def _add_steps(
    slopes: NDArray[np.float64],
    first_slots: NDArray[np.int64],
    ordered: NDArray[np.bool_],
    shares: NDArray[np.float64],
    gradient: NDArray[np.float64],
) -> None:
    """Turn slopes of tables into those of what is fitted, as `set_tables` makes the one of the other."""
    n_scores = slopes.shape[1]
    for j in range(ordered.size):
        first, missing = first_slots[j], first_slots[j + 1] - 1
        for c in range(n_scores):
            total = 0.0
            for slot in range(missing - 1, first - 1, -1):
                total += slopes[slot, c]
                if ordered[j]:
                    slopes[slot, c] = total
            for slot in range(first, missing):
                slopes[slot, c] -= shares[slot] * total
    for slot in range(slopes.shape[0]):
        for c in range(n_scores):
            gradient[slot * n_scores + c] += slopes[slot, c]


@kernel
def _curvature(
    slots: NDArray[Any],
    weight: NDArray[np.float64],
    first_slots: NDArray[np.int64],
    ordered: NDArray[np.bool_],
    features: NDArray[np.float32],
    penalties: NDArray[np.float64],
    n_scores: int,
) -> NDArray[np.float64]:
    """Return a bound of the loss's second derivatives, one for each number that is fitted."""
    n_slots = first_slots[-1]
    out = penalties.copy()
    counts = np.zeros(n_slots)
    total = 0.0
    coefficients = np.zeros(features.shape[1])
    for i in range(slots.shape[0]):
        w = 0.25 * (weight[i] if weight.size else 1.0)
        total += w
        for slot in slots[i]:
            counts[slot] += w
        for f in range(coefficients.size):
            for c in range(features.shape[2]):
                coefficients[f] += w * features[i, f, c] ** 2
    for j in range(ordered.size):
        if ordered[j]:
            for slot in range(first_slots[j + 1] - 3, first_slots[j] - 1, -1):
                counts[slot] += counts[slot + 1]
    for slot in range(n_slots):
        for c in range(n_scores):
            out[slot * n_scores + c] += counts[slot]
    for c in range(n_scores):
        out[n_slots * n_scores + c] += total
    for f in range(coefficients.size):
        out[n_slots * n_scores + n_scores + f] += coefficients[f]
    return out


@kernel
def _direction(
    gradient: NDArray[np.float64],
    steps: NDArray[np.float64],
    changes: NDArray[np.float64],
    inverse: NDArray[np.float64],
    kept: int,
    curvature: NDArray[np.float64],
    factor: NDArray[np.float64],
    n_scores: int,
) -> NDArray[np.float64]:
    """Return the direction of L-BFGS: the two-loop recursion."""
    out, shares = np.empty(gradient.size), np.empty(MEMORY)
    for i in range(out.size):
        out[i] = -gradient[i]
    oldest = max(0, kept - MEMORY)
    for k in range(kept - 1, oldest - 1, -1):
        here = k % MEMORY
        shares[here] = inverse[here] * np.dot(steps[here], out)
        for i in range(out.size):
            out[i] -= shares[here] * changes[here, i]
    scale = 1.0
    if kept and not factor.size:  # the diagonal is a rough guide
        last = (kept - 1) % MEMORY
        guided = solved(changes[last], curvature, factor, n_scores)
        scale = 1.0 / (inverse[last] * np.dot(changes[last], guided))
    out = solved(out, curvature, factor, n_scores)
    for i in range(out.size):
        out[i] *= scale
    for k in range(oldest, kept):
        here = k % MEMORY
        share = shares[here] - inverse[here] * np.dot(changes[here], out)
        for i in range(out.size):
            out[i] += share * steps[here, i]
    return out


@kernel
def solved(
    vector: NDArray[np.float64],
    curvature: NDArray[np.float64],
    factor: NDArray[np.float64],
    n_scores: int,
) -> NDArray[np.float64]:
    """Multiply by the inverse of the curvature."""
    out = np.empty(vector.size)
    for i in range(out.size):
        out[i] = vector[i] / curvature[i]
    n_slots = factor.shape[0]
    if n_slots == 0:
        return out
    own = vector[: n_slots * n_scores].copy().reshape(n_slots, n_scores)
    if n_scores == 1:
        _solve(factor, own[:, 0])
    else:
        _solve_lanes(factor, own)
    copy_to(out, own.reshape(-1))
    return out


@kernel
def _solve(factor: NDArray[np.float64], b: NDArray[np.float64]) -> None:
    """Multiply by the inverse of the matrix whose `cholesky` this is, in place."""
    n = b.size
    for s in range(n):
        b[s] /= factor[s, s]
        share, row = b[s], factor[s]
        for t in range(s + 1, n):
            b[t] -= share * row[t]
    for s in range(n - 1, -1, -1):
        b[s] /= factor[s, s]
        share, row = b[s], factor[s]
        for t in range(s):
            b[t] -= share * row[t]


@kernel
def _solve_lanes(factor: NDArray[np.float64], b: NDArray[np.float64]) -> None:
    """Do the same for several columns, a multiple of `LANES`."""
    n, width = b.shape
    row = np.empty(width)
    for backwards in range(2):
        for k in range(n):
            s = n - 1 - k if backwards else k
            first, last = (s + 1, n) if backwards else (0, s)
            row[:] = 0.0
            _add_all_products(row, factor[s], b, first, last)
            inverse = 1.0 / factor[s, s]
            for c in range(width):
                b[s, c] = (b[s, c] - row[c]) * inverse


@kernel
def cholesky(matrix: NDArray[np.float64], ridge: float) -> NDArray[np.float64]:
    """Return L + L' less its diagonal, of lower triangular L with L L' = matrix + ridge on its diagonal."""
    # Here and not by a library, whose threads would fight with those of the members. Rows are finished in
    # blocks, so that both those and what they are reduced by stay in the cache: 489 slots: 4 ms, against 17.
    n = matrix.shape[0]
    out = matrix.copy()
    for s in range(n):
        out[s, s] += ridge
    for begin in range(0, n, FACTOR_BLOCK):
        end = min(begin + FACTOR_BLOCK, n)
        for k in range(0, begin, 4):
            for s in range(begin, end):
                _take_four(out[k, s:], out[k + 1, s:], out[k + 2, s:], out[k + 3, s:], out[s, s:])
        for s in range(begin, end):
            row = out[s, s:]
            for k in range(begin, s):
                above = out[k, s:]
                share = above[0]
                for t in range(row.size):
                    row[t] -= share * above[t]
            diagonal = np.sqrt(max(row[0], 0.5 * ridge))
            inverse = 1.0 / diagonal
            for t in range(row.size):
                row[t] *= inverse
            row[0] = diagonal
    for s in range(n):
        for t in range(s):
            out[s, t] = out[t, s]
    return out


@kernel
def _take_four(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    third: NDArray[np.float64],
    fourth: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Subtract four finished rows, each times its number above the diagonal."""
    a, b, c, d = first[0], second[0], third[0], fourth[0]
    for t in range(out.size):
        out[t] -= a * first[t] + b * second[t] + (c * third[t] + d * fourth[t])


@kernel
def slot_products(
    slots: NDArray[Any],
    weight: NDArray[np.float64],
    first_slots: NDArray[np.int64],
    ordered: NDArray[np.bool_],
    shares: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the products of what two slots stand for in each row, summed by weight."""
    n_slots, n_features = first_slots[-1], ordered.size
    out = np.zeros((n_slots, n_slots))
    for i in range(slots.shape[0]):
        w = weight[i] if weight.size else 1.0
        for j in range(n_features):
            row = out[slots[i, j]]
            for m in range(j + 1):
                row[slots[i, m]] += w
    for s in range(n_slots):
        for t in range(s):
            out[t, s] = out[s, t]
    known = np.zeros((n_features, n_slots))  # rows that have an attribute, by what stands in another
    for j in range(n_features):
        for s in range(first_slots[j], first_slots[j + 1] - 1):
            add_to(known[j], out[s])
    for _ in range(2):
        _sum_steps(out, first_slots, ordered)
        out = out.T.copy()
    by_step = known.T.copy()
    _sum_steps(by_step, first_slots, ordered)
    for j in range(n_features):
        for m in range(n_features):
            both = known[j, first_slots[m] : first_slots[m + 1] - 1].sum()
            for s in range(first_slots[j], first_slots[j + 1]):
                for t in range(first_slots[m], first_slots[m + 1]):
                    centers = shares[t] * by_step[s, m] + shares[s] * by_step[t, j]
                    out[s, t] += shares[s] * shares[t] * both - centers
    return out


@kernel
def _sum_steps(out: NDArray[np.float64], first_slots: NDArray[np.int64], ordered: NDArray[np.bool_]) -> None:
    """Add to each row of an ordered attribute those of the values above it."""
    for j in range(ordered.size):
        if ordered[j]:
            for slot in range(first_slots[j + 1] - 3, first_slots[j] - 1, -1):
                add_to(out[slot], out[slot + 1])
