"""Collapsed Gibbs sampling of the hidden components of rows from a mixture of one-dependence networks.

The probability tables of the networks are integrated out: the probability of a row in a component is a
product of (count + alpha) / (total + alpha arity) over the rows that are currently assigned to it.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

__all__ = [
    "GibbsLayout",
    "Points",
    "GibbsRows",
    "Tables",
    "anneal_rows",
    "impute_rows",
    "sum_forecasts",
    "sweep_rows",
]

SIDE = 8  # states that are multiplied side by side; a multiple of LANES


class GibbsLayout(NamedTuple):
    """The layout of a component's counts: lines, one for each class and value of its attribute."""

    # each line has a slot for each value of each attribute; lines are in the order of classes, then of values
    arities: NDArray[np.int64]
    offsets: NDArray[np.int64]  # (n_attributes + 1,): first slot of each attribute, then the length of a line
    starts: NDArray[np.int64]  # (n_attributes + 1,): first line of each component, then the number of entries


class GibbsRows(NamedTuple):
    """The rows and the law, in the form for the loops."""

    # factors are looked up by how many rows (0 .. n_rows) a line, a class in a component, or a component has
    alpha: float  # concentration of all Dirichlet rows
    classes: NDArray[np.int64]  # (n_rows,)
    slots: NDArray[np.uint32]  # (n_rows, n_attributes): slot of each value
    lines: NDArray[np.uint32]  # (n_rows, n_attributes): where the row's line of each component begins
    # (n_attributes, n_rows + 1): 1 / product of the totals of all attributes but the component's
    line_factors: NDArray[np.float64]
    # (n_attributes, n_rows + 1): 1 / total of its attribute, times rows + alpha if it has its own classes
    class_factors: NDArray[np.float64]
    size_factors: NDArray[np.float64]  # (n_rows + 1,): 1 / total of the class if it has its own, else 1


class Tables(NamedTuple):
    """Counts of the rows by the components that they are assigned to. Every array changes."""

    counts: NDArray[np.float64]  # (n_entries,)
    class_counts: NDArray[np.int64]  # (n_attributes, n_classes)
    sizes: NDArray[np.int64]  # (n_attributes,)


class Points(NamedTuple):
    """Rows to forecast. The factors of a block of attributes are multiplied once for all rows."""

    values: NDArray[np.uint32]  # (n_attributes, n_points)
    blocks: NDArray[np.int64]  # (n_blocks + 1,): first attribute of each, then their number; 2 blocks or more
    # (n_blocks, n_points): number of the values' combination, last attribute fastest
    places: NDArray[np.uint32]
    # (n_classes,): 1 if each component has a class distribution of its own
    class_weights: NDArray[np.float64]


@kernel
def impute_rows(
    rows: GibbsRows, tables: Tables, components: NDArray[np.int16], uniforms: NDArray[np.float64]
) -> float:
    """Add rows one by one, draw components that are -1, and return the joint log probability."""
    # left out: the constant 1 / n_attributes of each row, and the class unless components have their own
    weights = np.empty(tables.sizes.size)
    log_joint = 0.0
    for m in range(components.size):
        total = _weigh(rows, tables, m, -1, weights)
        if components[m] < 0:
            components[m] = _pick(weights, uniforms[m] * total)
        log_joint += np.log(weights[components[m]])
        _count(rows, tables, m, components[m], 1)
    return log_joint


@kernel
def sweep_rows(
    rows: GibbsRows, tables: Tables, components: NDArray[np.int16], uniforms: NDArray[np.float64]
) -> float:
    """Draw the component of each row given all others, once per line of uniforms, and return the rise."""
    # nats by which the log probability of rows and components rose; a sweep of 5000 x 7: 0.5 ms
    weights = np.empty(tables.sizes.size)
    rise = 0.0
    for sweep in range(uniforms.shape[0]):
        for m in range(uniforms.shape[1]):
            now = np.int64(components[m])
            total = _weigh(rows, tables, m, now, weights)
            new = _pick(weights, uniforms[sweep, m] * total)
            if new != now:
                rise += np.log(weights[new] / weights[now])
                _count(rows, tables, m, now, -1)
                _count(rows, tables, m, new, 1)
                components[m] = new
    return rise


@kernel
def anneal_rows(
    rows: GibbsRows,
    tables: Tables,
    components: NDArray[np.int16],
    log_reference: NDArray[np.float64],
    exponent: float,
    uniforms: NDArray[np.float64],
) -> float:
    """Sweep once under a law between reference (exponent 0) and posterior (1), and return the rise."""
    # nats by which their log ratio rose; log_reference: (n_rows, n_attributes), of independent rows
    # 5000 rows of 7 attributes: 1 ms
    weights, tempered = np.empty(tables.sizes.size), np.empty(tables.sizes.size)
    rise = 0.0
    for m in range(uniforms.size):
        now = np.int64(components[m])
        _weigh(rows, tables, m, now, weights)
        total = 0.0
        for i in range(weights.size):
            log_weight = np.log(weights[i])
            tempered[i] = np.exp(log_reference[m, i] + exponent * (log_weight - log_reference[m, i]))
            total += tempered[i]
        new = _pick(tempered, uniforms[m] * total)
        if new != now:
            rise += np.log(weights[new] / weights[now]) - log_reference[m, new] + log_reference[m, now]
            _count(rows, tables, m, now, -1)
            _count(rows, tables, m, new, 1)
            components[m] = new
    return rise


@kernel
def sum_forecasts(
    rows: GibbsRows,
    layout: GibbsLayout,
    points: Points,
    states: NDArray[np.int16],
    groups: NDArray[np.int64],
    out: NDArray[np.float64],
) -> None:
    """Add the joint predictives of all components to `out`, (n_groups, n_points, n_classes), by state."""
    # 28 ns a state and point of 6 attributes and 3 classes, against 110 with one state at a time
    n_points, n_classes = points.values.shape[1], points.class_weights.size
    heads = _heads(layout, points)
    products = np.empty(heads[-1])
    sums = np.empty((n_points, n_classes * SIDE))
    for begin in range(0, states.shape[0], SIDE):
        some = states[begin : begin + SIDE]
        tables = _count_states(rows, layout, n_classes, some)
        sums[:] = 0.0
        for i in range(layout.arities.size):
            for g in range(points.blocks.size - 1):
                _multiply_block(rows, layout, points, tables, i, g, products[heads[g] :])
            _add_component(layout, points, i, heads, products, sums)
        for s in range(some.shape[0]):
            part = out[groups[begin + s]]
            for q in range(n_points):
                for c in range(n_classes):
                    part[q, c] += sums[q, c * SIDE + s]


@kernel
def _count_states(rows: GibbsRows, layout: GibbsLayout, n_classes: int, states: NDArray[np.int16]) -> Any:
    """Count the rows by component for up to `SIDE` states. The last axis of each array is the state."""
    n_attributes = layout.arities.size
    counts = np.zeros((layout.starts[-1], SIDE))
    class_counts = np.zeros((n_attributes, n_classes, SIDE), np.int64)
    sizes = np.zeros((n_attributes, SIDE), np.int64)
    for s in range(states.shape[0]):
        for m in range(states.shape[1]):
            i = states[s, m]
            for j in range(n_attributes):
                counts[rows.lines[m, i] + rows.slots[m, j], s] += 1
            class_counts[i, rows.classes[m], s] += 1
            sizes[i, s] += 1
    return counts, class_counts, sizes


@kernel
def _heads(layout: GibbsLayout, points: Points) -> NDArray[np.int64]:
    """Return where the products of each block begin, and their number."""
    n_blocks = points.blocks.size - 1
    heads = np.zeros(n_blocks + 1, np.int64)
    for g in range(n_blocks):
        heads[g + 1] = heads[g] + layout.arities.max() * _block_size(layout, points, g)
    return heads


@kernel
def _block_size(layout: GibbsLayout, points: Points, g: int) -> int:
    combinations = layout.arities[points.blocks[g] : points.blocks[g + 1]].prod()
    return combinations * points.class_weights.size * SIDE


@kernel
def _multiply_block(
    rows: GibbsRows,
    layout: GibbsLayout,
    points: Points,
    tables: Any,
    i: int,
    g: int,
    out: NDArray[np.float64],
) -> None:
    """Fill in a block's factors of component i: `out[value of attribute i, combination, class, state]`."""
    # the first block has what does not depend on other attributes as well
    counts, class_counts, sizes = tables
    n_classes, width = points.class_weights.size, layout.offsets[-1]
    size, stride = _block_size(layout, points, g), n_classes * SIDE
    for v in range(layout.arities[i]):
        for c in range(n_classes):
            line = layout.starts[i] + (c * layout.arities[i] + v) * width
            origin, length = v * size + c * SIDE, 1
            for s in range(SIDE):
                out[origin + s] = 1.0
                if g == 0:
                    in_line = np.int64(counts[line + layout.offsets[i] + v, s])
                    first = points.class_weights[c] * rows.line_factors[i, in_line]
                    first *= rows.class_factors[i, class_counts[i, c, s]] * rows.size_factors[sizes[i, s]]
                    out[origin + s] = first
            for j in range(points.blocks[g], points.blocks[g + 1]):
                slot, arity = line + layout.offsets[j], layout.arities[j]
                for k in range(
                    length * arity - 1, -1, -1
                ):  # from behind, so that nothing is overwritten unread
                    before, after = origin + k // arity * stride, origin + k * stride
                    for s in range(SIDE):
                        out[after + s] = out[before + s] * (counts[slot + k % arity, s] + rows.alpha)
                length *= arity


@kernel
def _add_component(
    layout: GibbsLayout,
    points: Points,
    i: int,
    heads: NDArray[np.int64],
    products: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    """Add a component's joint predictive to each point's sums."""
    n_blocks, width = heads.size - 1, np.uint64(sums.shape[1])
    sizes = np.array([_block_size(layout, points, g) for g in range(n_blocks)])
    product = np.empty(sums.shape[1])
    for q in range(sums.shape[0]):
        for g in range(n_blocks):
            first = np.uint64(heads[g] + points.values[i, q] * sizes[g] + points.places[g, q] * width)
            if g == 0:
                for lane in range(width):
                    product[lane] = products[first + lane]
            elif g < n_blocks - 1:
                for lane in range(width):
                    product[lane] *= products[first + lane]
            else:
                for lane in range(width):
                    sums[q, lane] += product[lane] * products[first + lane]


@kernel
def _weigh(rows: GibbsRows, tables: Tables, m: int, now: int, weights: NDArray[np.float64]) -> float:
    """Compute a row's probability in each component, given all other rows, and return their sum."""
    # now: the component in which the row is counted, -1 for none; the slot of a line for the value of
    # attribute i itself has all rows of the line; unsigned indices save a quarter of the time
    slots, lines, counts = rows.slots, rows.lines, tables.counts
    n_attributes, c = np.uint64(tables.sizes.size), np.uint64(rows.classes[m])
    total = 0.0
    for i in range(n_attributes):
        own = 1 if i == now else 0
        line = lines[m, i]
        pseudo = rows.alpha - own
        product = 1.0
        for j in range(n_attributes):
            product *= counts[line + slots[m, j]] + pseudo
        in_line = np.uint64(counts[line + slots[m, i]]) - np.uint64(own)
        in_class = np.uint64(tables.class_counts[i, c] - own)
        class_factor = rows.class_factors[i, in_class] * rows.size_factors[np.uint64(tables.sizes[i] - own)]
        weights[i] = product * (rows.line_factors[i, in_line] * class_factor)
        total += weights[i]
    return total


@kernel
def _pick(weights: NDArray[np.float64], threshold: float) -> int:
    """Return the first place at which the running sum exceeds the threshold, without a branch."""
    place, total = 0, 0.0
    for i in range(weights.size - 1):
        total += weights[i]
        place += total <= threshold
    return place


@kernel
def _count(rows: GibbsRows, tables: Tables, m: int, component: int, change: int) -> None:
    line = rows.lines[m, component]
    for j in range(tables.sizes.size):
        tables.counts[line + rows.slots[m, j]] += change
    tables.class_counts[component, rows.classes[m]] += change
    tables.sizes[component] += change
