"""Kernels of the learners in which an attribute has at most one other as parent."""

from typing import Any

import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from generators.base.compiled import intrinsic, kernel

LANES = 4  # numbers read at a time from table rows


def _product_adder(lanes: int) -> Any:
    @intrinsic
    def add_product(
        typing_context: Any, table: Any, first: Any, cells: Any, total: Any, lane: Any
    ) -> tuple[Any, Any]:
        """Add to `total` the product of table rows, several columns together."""
        # In Python, the factors taken in order:
        #   total[lane : lane + lanes] += np.prod([table[at : at + lanes] for at in first + lane + cells], 0)
        # `table` and `total` are contiguous float64, the others uint64; nothing is checked. LLVM splits the
        # vectors where a machine's registers are narrower.
        from numba import types

        signature = types.void(table, types.uint64, cells, total, types.uint64)

        def generate(context: Any, builder: ir.IRBuilder, _: Any, args: Any) -> Any:
            vector, index = ir.VectorType(ir.DoubleType(), lanes), ir.IntType(64)
            arrays = [
                context.make_array(t)(context, builder, args[k])
                for t, k in ((table, 0), (cells, 2), (total, 3))
            ]
            numbers, steps, sums = (array.data for array in arrays)
            n_cells = builder.extract_value(arrays[1].shape, 0)
            origin = builder.gep(numbers, [builder.add(args[1], args[4])])
            start = builder.block
            head, body, after = (builder.append_basic_block(name) for name in ("head", "body", "after"))
            builder.branch(head)

            builder.position_at_end(head)
            j, product = builder.phi(index), builder.phi(vector)
            builder.cbranch(builder.icmp_unsigned("<", j, n_cells), body, after)

            builder.position_at_end(body)
            at = builder.gep(origin, [builder.load(builder.gep(steps, [j]))])
            factor = builder.load(builder.bitcast(at, vector.as_pointer()), align=8)
            for phi, before, later in (
                (j, ir.Constant(index, 0), builder.add(j, ir.Constant(index, 1))),
                (product, ir.Constant(vector, [1.0] * lanes), builder.fmul(product, factor)),
            ):
                phi.add_incoming(before, start)
                phi.add_incoming(later, body)
            builder.branch(head)

            builder.position_at_end(after)
            place = builder.bitcast(builder.gep(sums, [args[4]]), vector.as_pointer())
            builder.store(builder.fadd(builder.load(place, align=8), product), place, align=8)
            return context.get_dummy_value()

        return signature, generate

    return add_product


add_product, add_product_of_two = _product_adder(LANES), _product_adder(2)
# A product below this is computed again in logs: well above the underflow of float64.
SAFE_PRODUCT = 1e-250
SMALLEST_PROBABILITY = float(np.finfo(np.float64).tiny)  # a class that is possible never gets 0
SMALL_MESSAGE = 1e-100  # a message or a product below this is scaled
CLASS_BLOCK = LANES  # classes whose products are formed together
ROW_BLOCK = 512  # rows processed together for each parent attribute of AODE


@kernel
def multiply_factors(
    codes: NDArray[Any], prior: NDArray[np.float64], factors: NDArray[np.float64], offsets: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Posterior of naive Bayes: prior times a factor for each slot (1 for missing), rows normalized."""
    # 1000 x 7 x 5 classes: 15 us, against 0.3 ms for a gather and sum of logs in numpy
    n_features, n_samples = codes.shape
    n_classes = prior.size
    out = np.empty((n_samples, n_classes))
    slots = np.empty(n_features, np.int64)
    for i in range(n_samples):
        for j in range(n_features):
            slots[j] = offsets[j] + codes[j, i]
        smallest = 1.0
        for c in range(n_classes):
            product = prior[c]  # class by class, so that the product stays in a register
            for j in range(n_features):
                product *= factors[slots[j], c]
            out[i, c] = product
            smallest = min(smallest, product)
        if smallest < SAFE_PRODUCT:
            _naive_row(slots, prior, factors, out[i])
        normalize_row(out, i)
    return out


@kernel
def add_log_factors(
    codes: NDArray[Any],
    log_prior: NDArray[np.float64],
    log_factors: NDArray[np.float64],
    offsets: NDArray[np.int64],
    out: NDArray[np.float64],
) -> None:
    """Add naive Bayes' log factors to the log weights in `out`, then normalize its rows."""
    n_features, n_samples = codes.shape
    for i in range(n_samples):
        for c in range(log_prior.size):
            out[i, c] += log_prior[c]
            for j in range(n_features):
                out[i, c] += log_factors[offsets[j] + codes[j, i], c]
        exponentiate_row(out[i])
        normalize_row(out, i)


@kernel
def multiply_tree(
    codes: NDArray[Any],
    prior: NDArray[np.float64],
    tables: NDArray[np.float64],
    parents: NDArray[np.int64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
    order: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the posterior of TAN from `tables[slot of child, code of parent, class]`."""
    # `order` lists parents before children. A row with holes takes one message pass from the leaves to the
    # root. 1000 complete rows x 7 x 5 classes: 20 us.
    n_features, n_samples = codes.shape
    n_classes = prior.size
    width = tables.shape[1]
    flat = tables.reshape(-1, n_classes)
    out = np.empty((n_samples, n_classes))
    messages = np.empty((n_features, width))
    cells = np.empty(n_features, np.int64)
    row = np.empty(n_features, np.int64)
    for i in range(n_samples):
        complete = True
        for j in range(n_features):
            row[j] = codes[j, i]
            complete = complete and row[j] < arities[j]
        smallest = 0.0
        if complete:
            for j in range(n_features):
                above = row[parents[j]] if parents[j] >= 0 else 0
                cells[j] = (offsets[j] + row[j]) * width + above
            smallest = 1.0
            for c in range(n_classes):
                product = prior[c]
                for j in range(n_features):
                    product *= flat[cells[j], c]
                out[i, c] = product
                smallest = min(smallest, product)
        if smallest < SAFE_PRODUCT:  # or the row has holes
            for c in range(n_classes):
                evidence = _log_evidence(row, c, tables, parents, offsets, arities, order, messages)
                out[i, c] = np.log(prior[c]) + evidence
            exponentiate_row(out[i])
        normalize_row(out, i)
    return out


@kernel
def _log_evidence(
    row: NDArray[np.int64],
    c: int,
    tables: NDArray[np.float64],
    parents: NDArray[np.int64],
    offsets: NDArray[np.int64],
    arities: NDArray[np.int64],
    order: NDArray[np.int64],
    messages: NDArray[np.float64],
) -> float:
    """Log probability of the known values given class c, the missing ones summed out."""
    # messages[j, v] is the message from the children of a missing j about its value v. Small numbers are
    # moved into the sum of logs, so that few logarithms are taken and nothing underflows.
    for j in range(order.size):
        if row[j] >= arities[j]:
            for v in range(arities[j]):
                messages[j, v] = 1.0
    total = 0.0
    product = 1.0
    for position in range(order.size - 1, -1, -1):
        j = order[position]
        above = parents[j]
        if above >= 0 and row[above] >= arities[above]:
            largest = 0.0
            for u in range(arities[above]):
                messages[above, u] *= _family_sum(row[j], offsets[j], arities[j], u, c, tables, messages, j)
                largest = max(largest, messages[above, u])
            if 0.0 < largest < SMALL_MESSAGE:
                for u in range(arities[above]):
                    messages[above, u] /= largest
                total += np.log(largest)
        else:
            u = row[above] if above >= 0 else 0
            product *= _family_sum(row[j], offsets[j], arities[j], u, c, tables, messages, j)
            if product < SMALL_MESSAGE:
                total += np.log(product)
                product = 1.0
    return total + np.log(product)


@kernel
def _family_sum(
    code: int,
    first: int,
    arity: int,
    u: int,
    c: int,
    tables: NDArray[np.float64],
    messages: NDArray[np.float64],
    j: int,
) -> float:
    """P(value of child j, and all below | parent value u, class c)."""
    if code < arity:
        return tables[first + code, u, c]
    total = 0.0
    for v in range(arity):
        total += tables[first + v, u, c] * messages[j, v]
    return total


@kernel
def average_one_dependence(
    codes: NDArray[Any],
    tables: NDArray[np.float64],
    offsets: NDArray[np.int64],
    prior: NDArray[np.float64],
    factors: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the posterior of AODE from `tables[slot of parent, slot of child, class]`."""
    # The diagonal holds P(class, value), 0 where the value is too rare to be a parent; missing is a factor 1
    # as child and 0 as parent. A row without any parent falls back to naive Bayes (`prior`, `factors`). The
    # last axis is padded to a multiple of `CLASS_BLOCK`. Blocks of rows go by parent, so that its tables stay
    # in the cache: 100,000 x 30 of 5 values, 5 classes: 50 ms, against 160 ms by row.
    n_features, n_samples = codes.shape
    n_classes = prior.size
    width, n_slots = tables.shape[2], tables.shape[1]
    out = np.empty((n_samples, n_classes))
    block = max(1, min(ROW_BLOCK, n_samples))
    total = np.empty((block, width))
    cells = np.empty((block, n_features), np.uint64)  # unsigned: no check for negative indices
    has_parent, small = np.empty(block, np.bool_), np.empty(block, np.int64)
    flat, slots = tables.reshape(-1), np.empty(n_features, np.int64)
    for begin in range(0, n_samples, block):
        end = min(begin + block, n_samples)
        for j in range(n_features):
            for i in range(begin, end):
                cells[i - begin, j] = (offsets[j] + codes[j, i]) * width
        _add_parts(cells[: end - begin], flat, n_slots, total, has_parent)
        n_small = 0
        for i in range(begin, end):
            for c in range(n_classes):
                out[i, c] = total[i - begin, c]
            if not has_parent[i - begin]:
                for j in range(n_features):
                    slots[j] = offsets[j] + codes[j, i]
                _naive_row(slots, prior, factors, out[i])
            elif smallest_entry(out, i) < SAFE_PRODUCT:
                small[n_small] = i - begin
                n_small += 1
        if n_small:
            _add_parts_in_logs(cells, small[:n_small], flat, n_slots, out[begin:end])
        for i in range(begin, end):
            normalize_row(out, i)
    return out


@kernel
def _add_parts(
    cells: NDArray[np.uint64],
    table: NDArray[np.float64],
    n_slots: int,
    total: NDArray[np.float64],
    has_parent: NDArray[np.bool_],
) -> None:
    """Sum the products of all parents of each row. `cells` are slots times the width of the class axis."""
    total[:] = 0.0
    has_parent[:] = False
    for a in range(cells.shape[1]):
        for i in range(cells.shape[0]):
            first = cells[i, a] * np.uint64(n_slots)
            if table[first + cells[i, a]] > 0.0:
                has_parent[i] = True
                for c in range(0, total.shape[1], CLASS_BLOCK):
                    add_product(table, first, cells[i], total[i], np.uint64(c))


@kernel
def _add_parts_in_logs(
    cells: NDArray[np.uint64],
    rows: NDArray[np.int64],
    table: NDArray[np.float64],
    n_slots: int,
    out: NDArray[np.float64],
) -> None:
    """Do the work of `_add_parts` in logs, for rows of too small products. The largest of each is 1."""
    # Logarithms are taken only of products that have become small: 1000 rows x 1000 attributes of 4 values, 2
    # classes: 4 s, against 50 s with one of every factor.
    n_classes = out.shape[1]
    largest, total = np.empty((rows.size, n_classes)), np.zeros((rows.size, n_classes))
    largest[:] = -np.inf
    for a in range(cells.shape[1]):
        for r in range(rows.size):
            row = cells[rows[r]]
            first = row[a] * np.uint64(n_slots)
            if table[first + row[a]] <= 0.0:
                continue
            for c in range(n_classes):
                term, product = 0.0, 1.0
                for j in range(row.size):
                    product *= table[first + row[j] + np.uint64(c)]
                    if product < SMALL_MESSAGE:
                        term += np.log(product)
                        product = 1.0
                term += np.log(product)
                if term > largest[r, c]:
                    total[r, c] = total[r, c] * np.exp(largest[r, c] - term) + 1.0
                    largest[r, c] = term
                elif term > -np.inf:
                    total[r, c] += np.exp(term - largest[r, c])
    for r in range(rows.size):
        for c in range(n_classes):
            out[rows[r], c] = largest[r, c] + np.log(total[r, c])
        exponentiate_row(out[rows[r]])


@kernel
def _naive_row(
    slots: NDArray[np.int64],
    prior: NDArray[np.float64],
    factors: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    for c in range(out.size):
        out[c] = np.log(prior[c])
        for j in range(slots.size):
            out[c] += np.log(factors[slots[j], c])
    exponentiate_row(out)


@kernel
def normalize_row(out: NDArray[np.float64], i: int) -> None:
    """Divide row i by its sum."""
    total = 0.0
    for c in range(out.shape[1]):
        total += out[i, c]
    for c in range(out.shape[1]):
        out[i, c] /= total


@kernel
def exponentiate_row(row: NDArray[np.float64]) -> None:
    """Convert log weights to weights with maximum 1. No possible class gets 0."""
    largest = row[0]
    for c in range(1, row.size):
        largest = max(largest, row[c])
    for c in range(row.size):
        if row[c] > -np.inf:
            row[c] = max(np.exp(row[c] - largest), SMALLEST_PROBABILITY)
        else:
            row[c] = 0.0


@kernel
def smallest_entry(out: NDArray[np.float64], i: int) -> float:
    """Find the smallest entry of row i."""
    smallest = out[i, 0]
    for c in range(1, out.shape[1]):
        smallest = min(smallest, out[i, c])
    return smallest
