"""A kernel that fits penalized logistic models of values, by L-BFGS.

A row's score of a class is the class's own, plus that of each of its values, plus the sum of given features,
each times a coefficient. Values are *slots*, numbered over all attributes, missing ones too. In an ordered
attribute what is fitted is each value's step over the one below. The scores of an attribute's values are 0
on the average over the rows that have it, so that a missing value is like an average one, but for its own
score. Two classes have one score, the difference; more have a multiple of `LANES`, so that as many are
computed at once: those past the last class are impossible, as their log prior is -inf.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.averages._kernels.lanes import add_slots, spread_to_slots
from learners.bayes._kernels.one_dependence import LANES, exponentiate_row, normalize_row
from learners.compiled import kernel

MEMORY = 10  # steps that L-BFGS remembers
LEAST_GAIN = 1e-3  # of the loss, relatively; a smaller one ends the search
FREE = 1e-3  # penalty of a class's own score


@kernel
def fit_scores(
    slots: NDArray[Any],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    first_slots: NDArray[np.int64],
    ordered: NDArray[np.bool_],
    shares: NDArray[np.float64],
    features: NDArray[np.float64],
    log_prior: NDArray[np.float64],
    penalty: float,
    coefficient_penalty: float,
    factor: NDArray[np.float64],
    max_steps: int,
    x: NDArray[np.float64],
) -> int:
    """Minimize log loss + penalty / 2 (sum of squares) from `x`, in place; return the number of steps."""
    # slots (row, attribute), features (row, feature, score). `x` holds the scores of the slots, those of the
    # classes, and the coefficients, whose distance to 1 is penalized. `weight` of length 0 means ones.
    # `factor`, (slot, slot), guides the search: the Cholesky factor of about the second derivatives by the
    # slots' scores of one class; of length 0, a diagonal does. 20,000 rows, 14 attributes, two classes: 1 ms.
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
    gradient, next_gradient = np.empty(x.size), np.empty(x.size)
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
            moved = x + length * direction
            next_loss = _loss(slots, y, weight, first_slots, ordered, shares, features, log_prior, penalties,
                              center, moved, tables, slopes, next_gradient)  # fmt: skip
            if next_loss <= loss + 1e-4 * length * slope or length < 1e-6:
                break
            length *= 0.5
        if not next_loss < loss:  # nor where it is no number
            return step
        here = kept % MEMORY
        steps[here] = moved - x
        changes[here] = next_gradient - gradient
        product = np.dot(steps[here], changes[here])
        if product > 1e-12:
            inverse[here] = 1.0 / product
            kept += 1
        gained = loss - next_loss
        x[:] = moved
        gradient[:] = next_gradient
        loss = next_loss
        if gained < LEAST_GAIN * loss:
            return step + 1
    return max_steps


@kernel
def probabilities_of(
    slots: NDArray[Any],
    features: NDArray[np.float64],
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
    features: NDArray[np.float64],
    i: int,
    coefficients: NDArray[np.float64],
    intercepts: NDArray[np.float64],
) -> float:
    """Return the one score of two classes."""
    total = intercepts[0]
    for j in range(slots.shape[1]):
        total += tables[slots[i, j], 0]
    for f in range(coefficients.size):
        total += coefficients[f] * features[i, f, 0]
    return total


@kernel
def _score(
    slots: NDArray[Any],
    tables: NDArray[np.float64],
    features: NDArray[np.float64],
    i: int,
    coefficients: NDArray[np.float64],
    intercepts: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Fill in the scores of three classes or more."""
    for c in range(out.size):
        out[c] = intercepts[c]
    for lane in range(0, out.size, LANES):
        add_slots(out, np.uint64(lane), tables, slots, np.uint64(i))
    for f in range(coefficients.size):
        for c in range(features.shape[2]):
            out[c] += coefficients[f] * features[i, f, c]


@kernel
def _loss(
    slots: NDArray[Any],
    y: NDArray[np.intp],
    weight: NDArray[np.float64],
    first_slots: NDArray[np.int64],
    ordered: NDArray[np.bool_],
    shares: NDArray[np.float64],
    features: NDArray[np.float64],
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
    intercepts, coefficients = log_prior + x[at_class:at_coefficient], x[at_coefficient:]
    slopes[:] = 0.0
    gradient[:] = 0.0
    row, products = np.empty(n_scores), np.zeros(features.shape[1:])
    loss = 0.0
    for i in range(y.size):
        if n_scores == 1:
            row[0] = _difference(slots, tables, features, i, coefficients, intercepts)
        else:
            _score(slots, tables, features, i, coefficients, intercepts, row)
        w = weight[i] if weight.size else 1.0
        loss += w * _residuals(row, y[i])
        for c in range(n_scores):
            row[c] *= w
            gradient[at_class + c] += row[c]
        if n_scores == 1:
            alone = row[0]
            for j in range(slots.shape[1]):
                slopes[slots[i, j], 0] += alone
        else:
            for lane in range(0, n_scores, LANES):
                spread_to_slots(row, np.uint64(lane), slopes, slots, np.uint64(i))
        for f in range(coefficients.size):
            for c in range(features.shape[2]):  # summed over c in the end, as one sum would wait for itself
                products[f, c] += row[c] * features[i, f, c]
    for f in range(coefficients.size):
        gradient[at_coefficient + f] = products[f].sum()
    _add_steps(slopes, first_slots, ordered, shares, gradient)
    for k in range(x.size):
        away = x[k] - center[k]
        loss += 0.5 * penalties[k] * away * away
        gradient[k] += penalties[k] * away
    return loss


@kernel
def _residuals(row: NDArray[np.float64], observed: int) -> float:
    """Turn scores into P(class) minus 1 for the observed class; return the log loss in nats."""
    if row.size == 1:  # the score is that of class 1
        signed = row[0] if observed == 1 else -row[0]
        small = np.exp(-abs(signed))
        loss = np.log1p(small) + max(-signed, 0.0)
        wrong = small / (1.0 + small) if signed > 0.0 else 1.0 / (1.0 + small)
        row[0] = -wrong if observed == 1 else wrong
        return loss
    largest = row.max()
    total = 0.0
    own = row[observed] - largest
    for c in range(row.size):
        row[c] = np.exp(row[c] - largest)
        total += row[c]
    for c in range(row.size):
        row[c] /= total
    row[observed] -= 1.0
    return np.log(total) - own


@kernel
def slot_shares(
    slots: NDArray[Any],
    weight: NDArray[np.float64],
    first_slots: NDArray[np.int64],
    ordered: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Return each value's share of the rows that have one, of ordered ones from it on; 0 for missing."""
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
            out[first_slots[j] : missing] /= known
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
    features: NDArray[np.float64],
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
    out[n_slots * n_scores + n_scores :] += coefficients
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
    out = -gradient
    shares = np.empty(MEMORY)
    oldest = max(0, kept - MEMORY)
    for k in range(kept - 1, oldest - 1, -1):
        here = k % MEMORY
        shares[here] = inverse[here] * np.dot(steps[here], out)
        out -= shares[here] * changes[here]
    scale = 1.0
    if kept and not factor.size:  # the diagonal is a rough guide
        last = (kept - 1) % MEMORY
        solved = _solved(changes[last], curvature, factor, n_scores)
        scale = 1.0 / (inverse[last] * np.dot(changes[last], solved))
    out = scale * _solved(out, curvature, factor, n_scores)
    for k in range(oldest, kept):
        here = k % MEMORY
        out += (shares[here] - inverse[here] * np.dot(changes[here], out)) * steps[here]
    return out


@kernel
def _solved(
    vector: NDArray[np.float64],
    curvature: NDArray[np.float64],
    factor: NDArray[np.float64],
    n_scores: int,
) -> NDArray[np.float64]:
    """Multiply by the inverse of the curvature."""
    out = vector / curvature
    n_slots = factor.shape[0]
    if n_slots == 0:
        return out
    solved = vector[: n_slots * n_scores].copy().reshape(n_slots, n_scores)
    for s in range(n_slots):  # forward through the lower triangle
        for t in range(s):
            share = factor[s, t]
            for c in range(n_scores):
                solved[s, c] -= share * solved[t, c]
        for c in range(n_scores):
            solved[s, c] /= factor[s, s]
    for s in range(n_slots - 1, -1, -1):  # and back through its transpose, row by row
        for c in range(n_scores):
            solved[s, c] /= factor[s, s]
        for t in range(s):
            share = factor[s, t]
            for c in range(n_scores):
                solved[t, c] -= share * solved[s, c]
    out[: n_slots * n_scores] = solved.ravel()
    return out


@kernel
def cholesky(matrix: NDArray[np.float64], ridge: float) -> NDArray[np.float64]:
    """Return the lower triangle L with L L' = matrix + ridge on its diagonal."""
    # here and not by a library, whose threads would fight with those of the members
    n = matrix.shape[0]
    out = np.zeros((n, n))
    for s in range(n):
        for t in range(s + 1):
            total = matrix[s, t] + (ridge if s == t else 0.0)
            for k in range(t):
                total -= out[s, k] * out[t, k]
            out[s, t] = np.sqrt(max(total, 0.5 * ridge)) if s == t else total / out[t, t]
    return out


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
            known[j] += out[s]
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
                out[slot] += out[slot + 1]
