"""Kernels of sums over all rooted trees: Bayes factors of arcs, elimination without subtraction, forecasts.

Row j of a matrix of weights belongs to child j, column i to its parent i. A root has weight 1. The weight of
a tree is the product over its arcs, and what is summed are all trees with exactly one root.
"""

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from generators.base.compiled import intrinsic, kernel
from learners.bayes._kernels.one_dependence import LANES, exponentiate_row, normalize_row
from learners.counts._kernels.dirichlet import log_evidence, log_rising

#: Scaled numbers outside these bounds are computed again in logs.
SMALLEST, LARGEST = 1e-40, 1e40
#: The same as whole numbers, which have the order of positive floats and are compared several at a time.
SMALLEST_BITS, LARGEST_BITS = (int(np.float64(x).view(np.int64)) for x in (SMALLEST, LARGEST))
#: A coefficient below this adds nothing, whatever three numbers within the bounds it multiplies. It becomes
#: 0, since arithmetic below the normal range of float64 is a hundred times slower.
NEGLIGIBLE = 1e-180
PIVOTS_PER_LOG = 6  # pivots within the bounds whose product, times the visits, stays in range


@kernel
def log_bayes_factors(
    pairs: NDArray[np.float64], offsets: NDArray[np.int64], arities: NDArray[np.int64], alpha: float
) -> NDArray[np.float64]:
    """Return log P(column j | column i, class) / P(column j | class), over rows with both, diagonal 0."""
    # every row of a table has a Dirichlet(alpha) distribution; 30 attributes of 5 values, 5 classes: 5 ms
    n_features, n_classes = arities.size, pairs.shape[2]
    out = np.zeros((n_features, n_features))
    widest = 1
    for j in range(n_features):
        widest = max(widest, arities[j])
    left, right = np.empty(widest), np.empty(widest)
    for i in range(n_features):
        for j in range(i + 1, n_features):
            block = pairs[offsets[i] : offsets[i] + arities[i], offsets[j] : offsets[j] + arities[j]]
            for c in range(n_classes):
                left[:], right[:], together = 0.0, 0.0, 0.0
                for u in range(arities[i]):
                    for v in range(arities[j]):
                        left[u] += block[u, v, c]
                        right[v] += block[u, v, c]
                        together += log_rising(block[u, v, c], alpha)
                of_i = log_evidence(left[np.newaxis, : arities[i]], alpha)
                of_j = log_evidence(right[np.newaxis, : arities[j]], alpha)
                for u in range(arities[i]):
                    out[j, i] -= log_rising(left[u], alpha * arities[j])
                for v in range(arities[j]):
                    out[i, j] -= log_rising(right[v], alpha * arities[i])
                out[j, i] += together - of_j
                out[i, j] += together - of_i
    return out


@kernel
def log_evidence_of_columns(
    counts: NDArray[np.float64], offsets: NDArray[np.int64], arities: NDArray[np.int64], alpha: float
) -> float:
    """Log probability of all columns, independent given the class, from the (slot, class) counts."""
    total = 0.0
    for j in range(arities.size):
        total += log_evidence(counts[offsets[j] : offsets[j] + arities[j]].T, alpha)
    return total


@kernel
def lift_tables(
    pairs: NDArray[np.float64],
    factors: NDArray[np.float64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
    alpha: float,
) -> NDArray[np.float64]:
    """P(child | class, parent value) / P(child | class), in place: [slot of parent, slot of child, class]."""
    # The ratio is of probabilities over the rows that show both, divided by what makes it a distribution of
    # the child together with `factors`, P(child | class) by slot. Missing, and the diagonal, get 1.
    for i in range(arities.size):
        for j in range(arities.size):
            block = pairs[offsets[i] : offsets[i + 1], offsets[j] : offsets[j + 1]]
            if i == j:
                block[:] = 1.0
            else:
                for c in range(pairs.shape[2]):
                    _lift(block[:, :, c], factors[offsets[j] : offsets[j + 1] - 1, c], alpha)
    return pairs


@kernel
def _lift(block: NDArray[np.float64], factors: NDArray[np.float64], alpha: float) -> None:
    """Turn the counts [parent value, child value] of two attributes, the last of each missing, into lifts."""
    n_above, n_values = block.shape[0] - 1, factors.size
    block[n_above], block[:, n_values] = 1.0, 1.0
    marginal = np.full(n_values, alpha)
    for u in range(n_above):
        marginal += block[u, :n_values]
    for u in range(n_above):
        total = 0.0
        for v in range(n_values):
            block[u, v] = (block[u, v] + alpha) / marginal[v]
            total += block[u, v] * factors[v]
        for v in range(n_values):
            block[u, v] /= total


@kernel
def scaled_elimination(
    log_weights: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], float]:
    """Eliminate once in logs, and return what is needed to do it again with other factors on the weights."""
    # Every number x of the elimination is exp(L) m, L its logarithm here, so that m is 1 without factors and
    # of their size with them. Returned are the coefficients of the sums of m, each at most 1: weights [j, i],
    # of the arc itself in the final number at (j, i); shares [s, i], i < s, of (s, i) in the pivot of s, and
    # [j, s], j < s, of (j, s) in the visits of s; steps, for j = last .. 0, s = last .. j + 1, i < s, of the
    # way from j through s to i in that at (j, i); roots, of the visits of each attribute in the total, the
    # posterior of the root; and the log of the sum over all trees. 30 attributes: 0.4 ms.
    d = log_weights.shape[0]
    final = log_weights.copy()
    pivots, visits = np.zeros(d), np.zeros(d)
    log_total = eliminate_in_logs(final, pivots, visits)
    weights, shares = np.eye(d), np.zeros((d, d))  # the diagonal stays 1, and is not used
    steps = np.zeros((d - 1) * d * (2 * d - 1) // 6)
    at = 0
    for j in range(d - 1, -1, -1):
        for i in range(j):
            weights[j, i] = _coefficient(log_weights[j, i] - final[j, i])
            weights[i, j] = _coefficient(log_weights[i, j] - final[i, j])
            shares[j, i] = _coefficient(final[j, i] - pivots[j])
            shares[i, j] = _coefficient(visits[i] + final[i, j] - pivots[j] - visits[j])
        for s in range(d - 1, j, -1):
            onward = final[j, s] - pivots[s]
            for i in range(s):
                if i != j:
                    steps[at + i] = _coefficient(onward + final[s, i] - final[j, i])
            at += s
    return weights, shares, steps, np.exp(visits - _log_sum(visits)), log_total


@kernel
def _coefficient(log: float) -> float:
    found = math.exp(log)
    return found if found >= NEGLIGIBLE else 0.0


@kernel
def eliminate_in_logs(
    logs: NDArray[np.float64], pivots: NDArray[np.float64], visits: NDArray[np.float64]
) -> float:
    """Return the log of the sum over all trees. The log weights become the final numbers."""
    # The attributes are eliminated from the last to the second. The weight with which j chooses i grows by
    # the way through the eliminated s, q[j, i] += q[j, s] q[s, i] / pivot[s], where pivot[s] is the sum of
    # q[s, i] over the attributes that remain. The sum over all trees is the product of the pivots times the
    # sum of the visits, visit[0] = 1 and visit[s] = sum of visit[j] q[j, s] / pivot[s] over j < s.
    d = logs.shape[0]
    if d == 0:
        return 0.0
    total = 0.0
    for s in range(d - 1, 0, -1):
        pivots[s] = _log_sum(logs[s, :s])
        total += pivots[s]
        for j in range(s):
            onward = logs[j, s] - pivots[s]
            for i in range(s):
                if i != j:
                    logs[j, i] = _log_add(logs[j, i], onward + logs[s, i])
    visits[0] = 0.0
    for s in range(1, d):
        visits[s] = _log_sum(visits[:s] + logs[:s, s]) - pivots[s]
    return total + _log_sum(visits)


@kernel
def _log_add(a: float, b: float) -> float:
    return max(a, b) + math.log1p(math.exp(-abs(a - b)))


@kernel
def _log_sum(logs: NDArray[np.float64]) -> float:
    largest, total = -np.inf, 0.0
    for x in logs:
        largest = max(largest, x)
    for x in logs:
        total += math.exp(x - largest)
    return largest + np.log(total)


@kernel
def arc_probabilities(
    weights: NDArray[np.float64],
    shares: NDArray[np.float64],
    steps: NDArray[np.float64],
    roots: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Share of each arc [child, parent] in the sum over all trees: the gradient of its log, backwards."""
    # the one subtraction is among numbers up to the number of attributes, so that errors stay near 1e-14
    d = roots.size
    out = np.zeros((d, d))
    visited = roots.copy()
    for s in range(d - 1, 0, -1):
        for j in range(s):
            visited[j] += visited[s] * shares[j, s]
    first = np.zeros(d, np.int64)  # in steps, of the attribute
    for j in range(d - 2, -1, -1):
        first[j] = first[j + 1] + ((d - 1) * d - (j + 1) * (j + 2)) // 2
    for s in range(1, d):
        of_pivot = 1.0 - visited[s]
        for j in range(s):
            at = first[j] + ((d - 1) * d - s * (s + 1)) // 2
            out[j, s] = visited[s] * shares[j, s]
            for i in range(s):
                through = out[j, i] * steps[at + i]
                out[j, s] += through
                out[s, i] += through
                of_pivot -= through
        for i in range(s):
            out[s, i] += shares[s, i] * of_pivot
    return np.maximum(out * weights, 0.0)  # rounding alone makes one negative


@intrinsic
def add_ways(
    typing_context: Any, parts: Any, to: Any, of: Any, inverse: Any, steps: Any, first: Any, s: Any
) -> tuple[Any, Any]:
    """Add to a row of numbers its ways through the eliminated attribute s."""
    # In Python, with `parts` and `inverse` as rows of `LANES` numbers:
    # parts[to : to + s] += steps[first : first + s, None] * parts[of : of + s] * (parts[to + s] * inverse[s])
    # Arrays are contiguous float64, numbers uint64; nothing is checked. LLVM splits the vectors where
    # registers are narrower. Three times as fast as numba's loop over lanes.
    from numba import types

    signature = types.void(parts, types.uint64, types.uint64, inverse, steps, types.uint64, types.uint64)

    def generate(context: Any, builder: ir.IRBuilder, _: Any, args: Any) -> Any:
        vector, index, lane = ir.VectorType(ir.DoubleType(), LANES), ir.IntType(64), ir.IntType(32)
        numbers, inverses, factors = (
            context.make_array(t)(context, builder, args[k]).data
            for t, k in ((parts, 0), (inverse, 3), (steps, 4))
        )

        def place(array: Any, row: Any) -> Any:
            at = builder.gep(array, [builder.mul(row, ir.Constant(index, LANES))])
            return builder.bitcast(at, vector.as_pointer())

        def load(array: Any, row: Any) -> Any:
            return builder.load(place(array, row), align=8)

        target, source, n = args[1], args[2], args[6]
        onward = builder.fmul(load(numbers, builder.add(target, n)), load(inverses, n))
        start = builder.block
        head, body, after = (builder.append_basic_block(name) for name in ("head", "body", "after"))
        builder.branch(head)

        builder.position_at_end(head)
        i = builder.phi(index)
        builder.cbranch(builder.icmp_unsigned("<", i, n), body, after)

        builder.position_at_end(body)
        none = ir.Constant(vector, ir.Undefined)
        step = builder.load(builder.gep(factors, [builder.add(args[5], i)]))
        one = builder.insert_element(none, step, ir.Constant(lane, 0))
        step = builder.shuffle_vector(one, none, ir.Constant(ir.VectorType(lane, LANES), [0] * LANES))
        way = builder.fmul(step, builder.fmul(onward, load(numbers, builder.add(source, i))))
        row = builder.add(target, i)
        builder.store(builder.fadd(load(numbers, row), way), place(numbers, row), align=8)
        i.add_incoming(ir.Constant(index, 0), start)
        i.add_incoming(builder.add(i, ir.Constant(index, 1)), body)
        builder.branch(head)

        builder.position_at_end(after)
        return context.get_dummy_value()

    return signature, generate


@kernel
def tree_log_joints(
    codes: NDArray[Any],
    offsets: NDArray[np.int64],
    log_prior: NDArray[np.float64],
    log_factors: NDArray[np.float64],
    lifts: NDArray[np.float64],
    log_weights: NDArray[np.float64],
    weights: NDArray[np.float64],
    shares: NDArray[np.float64],
    steps: NDArray[np.float64],
    roots: NDArray[np.float64],
    log_total: float,
) -> NDArray[np.float64]:
    """Log of P(class, row) for complete rows, averaged over all trees by their weights."""
    # It is naive Bayes' times the average over the trees of the product of the lifts. A few rows and classes
    # are eliminated together, by the coefficients of `scaled_elimination`; where numbers leave the safe
    # range, again and in logs. 100,000 x 30 attributes of 5 values, 5 classes: 2 s, against 90 s in logs.
    d, n_samples = codes.shape
    n_classes = log_prior.size
    n_pairs = n_samples * n_classes
    out = np.empty(n_pairs)
    cells = np.empty((2, d, LANES), np.uint64)  # unsigned: no check for negative indices
    parts, inverse, visits = np.empty((d, d, LANES)), np.ones((d, LANES)), np.ones((d, LANES))
    sums, product = np.empty(LANES), np.empty(LANES)
    slots = np.empty(d, np.int64)
    i, c = 0, 0
    for begin in range(0, n_pairs, LANES):
        for lane in range(LANES):
            sums[lane] = log_prior[c]
            for j in range(d):
                slot = offsets[j] + codes[j, i]
                sums[lane] += log_factors[slot, c]
                cells[0, j, lane] = slot * n_classes
                cells[1, j, lane] = slot * lifts.shape[1] * n_classes + c
            if begin + lane + 1 < n_pairs:  # the last lanes may repeat the last pair
                c += 1
                if c == n_classes:
                    i, c = i + 1, 0
        _eliminate(cells, lifts.reshape(-1), weights, shares, steps, parts, inverse, sums, product)
        _visit(parts, inverse, shares, visits)
        is_safe = _within_bounds(parts.reshape(-1)) and _within_bounds(visits.reshape(-1))
        for lane in range(min(LANES, n_pairs - begin)):
            pair = begin + lane
            if is_safe or _is_safe_lane(parts, visits, lane):
                out[pair] = sums[lane] + np.log(product[lane] * _mean(roots, visits, lane))
                continue
            row, own = pair // n_classes, pair % n_classes
            out[pair] = log_prior[own] - log_total
            for j in range(d):
                slots[j] = offsets[j] + codes[j, row]
                out[pair] += log_factors[slots[j], own]
            out[pair] += _lifted_in_logs(slots, own, lifts, log_weights)
    return out.reshape((n_samples, n_classes))


@kernel
def _eliminate(
    cells: NDArray[np.uint64],
    lifts: NDArray[np.float64],
    weights: NDArray[np.float64],
    shares: NDArray[np.float64],
    steps: NDArray[np.float64],
    parts: NDArray[np.float64],
    inverse: NDArray[np.float64],
    sums: NDArray[np.float64],
    product: NDArray[np.float64],
) -> None:
    """Eliminate by rows, adding the logs of the pivots to `sums`, those of the last to `product`."""
    # row by row only the finished rows are read, so that large problems write little memory
    d = parts.shape[0]
    flat, pivot = parts.reshape(-1), np.empty(LANES)
    first = np.uint64(0)
    product[:] = 1.0
    for j in range(d - 1, -1, -1):
        for i in range(d):
            for lane in range(LANES):
                parts[j, i, lane] = weights[j, i] * lifts[cells[0, j, lane] + cells[1, i, lane]]
        for s in range(d - 1, j, -1):
            add_ways(flat, np.uint64(j * d), np.uint64(s * d), inverse, steps, first, np.uint64(s))
            first += np.uint64(s)
        if j == 0:
            break
        pivot[:] = 0.0
        for i in range(j):
            for lane in range(LANES):
                pivot[lane] += shares[j, i] * parts[j, i, lane]
        for lane in range(LANES):
            product[lane] *= pivot[lane]
            inverse[j, lane] = 1.0 / max(pivot[lane], NEGLIGIBLE)
        if j % PIVOTS_PER_LOG == 1 and j > 1:
            for lane in range(LANES):
                sums[lane] += np.log(product[lane])
                product[lane] = 1.0


@kernel
def _visit(
    parts: NDArray[np.float64],
    inverse: NDArray[np.float64],
    shares: NDArray[np.float64],
    visits: NDArray[np.float64],
) -> None:
    """Set the visits of all attributes but the first, which are 1."""
    for s in range(1, parts.shape[0]):
        visits[s] = 0.0
        for j in range(s):
            for lane in range(LANES):
                visits[s, lane] += shares[j, s] * (visits[j, lane] * parts[j, s, lane])
        for lane in range(LANES):
            visits[s, lane] *= inverse[s, lane]


@kernel
def _mean(roots: NDArray[np.float64], visits: NDArray[np.float64], lane: int) -> float:
    """Average the visits of a lane by the posterior of the root, or 1 without attributes."""
    total = 0.0
    for s in range(roots.size):
        total += roots[s] * visits[s, lane]
    return total if roots.size else 1.0


@kernel
def _is_safe_lane(parts: NDArray[np.float64], visits: NDArray[np.float64], lane: int) -> bool:
    numbers = np.ascontiguousarray(parts[:, :, lane])
    return _within_bounds(numbers.reshape(-1)) and _within_bounds(np.ascontiguousarray(visits[:, lane]))


@kernel
def _within_bounds(numbers: NDArray[np.float64]) -> bool:
    """Return whether all are in the safe range, which excludes infinities and NaN."""
    bits = numbers.view(np.int64)
    beyond = 0
    for k in range(bits.size):
        beyond |= (bits[k] - SMALLEST_BITS) | (LARGEST_BITS - bits[k])  # its sign is that of any of them
    return beyond >= 0


@kernel
def _lifted_in_logs(
    slots: NDArray[np.int64], c: int, lifts: NDArray[np.float64], log_weights: NDArray[np.float64]
) -> float:
    """Log of the sum over all trees with the lifts of one row and class."""
    d = slots.size
    logs = log_weights.copy()
    for j in range(d):
        for i in range(d):
            logs[j, i] += np.log(lifts[slots[i], slots[j], c])
    return eliminate_in_logs(logs, np.zeros(d), np.zeros(d))


@kernel
def posterior_of_joints(log_joints: NDArray[np.float64]) -> NDArray[np.float64]:
    """Posterior of the classes from the logs of P(class, row). No possible class gets 0."""
    out = log_joints.copy()
    for i in range(out.shape[0]):
        exponentiate_row(out[i])
        normalize_row(out, i)
    return out
