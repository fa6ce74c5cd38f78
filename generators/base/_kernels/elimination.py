"""Kernels that sum missing values out of a network, for many rows that miss different ones.

The *holes* of a row are eliminated one after the other. Its factors are families, in order, then soft
evidence, then the *messages*: all factors of a hole are added in logs, into a table over its states and the
holes linked to it, and the log of the sum over its states is the message. For each pattern of holes a
*program* says how. Rows go step by step together, and numpy takes the exponentials and logs of all of them:
so a row has the same bits as in an elimination by numpy alone.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

__all__ = [
    "FlatFamilies",
    "SoftRows",
    "fill_tables",
    "leave_out_separated",
    "order_holes",
    "subtract_largest",
    "sum_states",
    "use_families",
    "write_programs",
]


class FlatFamilies(NamedTuple):
    """The families of a network in order, with members[bounds[j] : bounds[j + 1]] of child j."""

    arities: NDArray[np.int64]
    order: NDArray[np.int64]  # the variables, parents before children
    members: NDArray[np.int64]  # the parents of each child, then itself
    strides: NDArray[np.int64]  # of these in its CPT
    bounds: NDArray[np.int64]
    log_cpts: NDArray[np.float64]
    starts: NDArray[np.int64]  # of the CPT of each child


class SoftRows(NamedTuple):
    """Log-likelihoods of the states of some variables, in each row one variable after the other."""

    given: NDArray[np.bool_]  # (n_variables,)
    starts: NDArray[np.int64]  # (n_variables,), in a row
    logs: NDArray[np.float64]
    width: int  # of a row


@kernel
def use_families(
    holes: NDArray[np.bool_],
    families: FlatFamilies,
    keep: NDArray[np.int64],
    soft: NDArray[np.bool_],
    used: NDArray[np.bool_],
) -> None:
    """Mark the families needed by each pattern (row) of holes: observed and kept variables and above."""
    # holes without an observed or kept descendant are barren, and sum to one
    n = holes.shape[1]
    for p in range(holes.shape[0]):
        for v in range(n):
            used[p, v] = soft[v] or not holes[p, v]
        for k in range(keep.size):
            used[p, keep[k]] = True
        for k in range(n - 1, -1, -1):
            v = families.order[k]
            if used[p, v]:
                for m in range(families.bounds[v], families.bounds[v + 1]):
                    used[p, families.members[m]] = True


@kernel
def leave_out_separated(
    holes: NDArray[np.bool_], families: FlatFamilies, keep: NDArray[np.int64], used: NDArray[np.bool_]
) -> None:
    """Of the families used, use only those that a chain of holes links to the variables to keep."""
    n = holes.shape[1]
    reached, touched = np.empty(n, np.bool_), np.empty(n, np.bool_)
    for p in range(holes.shape[0]):
        for v in range(n):
            reached[v] = touched[v] = False
        for k in range(keep.size):
            reached[keep[k]] = True
        grows = True
        while grows:
            grows = False
            for v in range(n):
                if not used[p, v] or touched[v]:
                    continue
                for m in range(families.bounds[v], families.bounds[v + 1]):
                    touched[v] |= reached[families.members[m]]
                for m in range(families.bounds[v], families.bounds[v + 1] if touched[v] else 0):
                    u = families.members[m]
                    if holes[p, u] and not reached[u]:
                        reached[u] = grows = True
        for v in range(n):
            used[p, v] = touched[v]


@kernel
def order_holes(
    holes: NDArray[np.bool_],
    families: FlatFamilies,
    keep: NDArray[np.int64],
    used: NDArray[np.bool_],
    begins: NDArray[np.int64],
    tables: NDArray[np.int64],
    cells: NDArray[np.float64],
    arities: NDArray[np.int64],
) -> None:
    """Eliminate in each pattern the hole with the smallest table each time, the first of ties."""
    # Fills, from begins[p] on, the number of axes of each table and then these variables, the hole first; the
    # last table is that of the variables to keep. Also, (n_patterns, n_steps), the size of each message, 0
    # where there is none and maybe too large for a whole number, and the arity of its hole.
    n = holes.shape[1]
    linked, sizes = np.empty((n, n), np.bool_), np.empty(n)
    for p in range(holes.shape[0]):
        _link(p, holes, families, used, linked)
        for v in range(n):
            sizes[v] = _size(linked, v, families.arities)
        for k in range(keep.size):
            sizes[keep[k]] = np.inf
        at, t = begins[p], 0
        while True:
            v = 0
            for u in range(1, n):
                if sizes[u] < sizes[v]:
                    v = u
            if sizes[v] == np.inf:
                break
            cells[p, t], arities[p, t] = sizes[v] / families.arities[v], families.arities[v]
            t += 1
            sizes[v] = np.inf
            tables[at + 1], end = v, at + 2
            for u in range(n):
                if linked[v, u] and u != v:
                    tables[end] = u
                    end += 1
            tables[at] = end - at - 1
            for k in range(at + 2, end):
                u = tables[k]
                linked[u, v] = False
                for other in range(at + 2, end):
                    linked[u, tables[other]] = True
                if sizes[u] < np.inf:
                    sizes[u] = _size(linked, u, families.arities)
            at = end
        tables[at] = keep.size
        for k in range(keep.size):
            tables[at + 1 + k] = keep[k]


@kernel
def _link(
    p: int,
    holes: NDArray[np.bool_],
    families: FlatFamilies,
    used: NDArray[np.bool_],
    linked: NDArray[np.bool_],
) -> None:
    """Link the holes of each family, each with itself, too."""
    n = holes.shape[1]
    for v in range(n):
        linked[v, v] = False
        for u in range(n if holes[p, v] else 0):
            linked[v, u] = False
    for j in range(n):
        for m in range(families.bounds[j], families.bounds[j + 1] if used[p, j] else 0):
            u = families.members[m]
            for other in range(families.bounds[j], families.bounds[j + 1] if holes[p, u] else 0):
                linked[u, families.members[other]] |= holes[p, families.members[other]]


@kernel
def _size(linked: NDArray[np.bool_], v: int, arities: NDArray[np.int64]) -> float:
    """Return the size of the table of a hole, which is linked to itself, and infinity for other variables."""
    size = 1.0 if linked[v, v] else np.inf
    for u in range(arities.size if linked[v, v] else 0):
        if linked[v, u]:
            size *= arities[u]
    return size


@kernel
def write_programs(
    holes: NDArray[np.bool_],
    families: FlatFamilies,
    soft: NDArray[np.bool_],
    used: NDArray[np.bool_],
    tables: NDArray[np.int64],
    cells: NDArray[np.float64],
    begins: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Write the factors that join in each table, and turn `begins` of tables into those of programs."""
    # A step of a program is the number of axes of its table, these variables, the number of its factors, and
    # for each which one (j is the family of j, n_variables + j the soft evidence on j, 2 n_variables + s the
    # message of step s) and its strides along the axes.
    n = holes.shape[1]
    program, at = np.empty(4096, np.int64), 0
    joins, place, steps = np.empty(3 * n, np.int64), np.empty(n, np.int64), np.empty(n + 1, np.int64)
    for p in range(holes.shape[0]):
        n_steps = _find_joins(p, holes, families, soft, used, tables, cells, begins[p], place, steps, joins)
        for u in range(n):
            place[u] = -1
        begins[p] = at
        for t in range(n_steps + 1):
            table = steps[t]
            n_axes = tables[table]
            most = at + 2 + n_axes + 3 * n * (1 + n_axes)
            if most > program.size:
                longer = np.empty(2 * most, np.int64)
                for k in range(at):
                    longer[k] = program[k]
                program = longer
            for k in range(n_axes):
                program[at + 1 + k] = tables[table + 1 + k]
                place[tables[table + 1 + k]] = k
            program[at] = n_axes
            count = at + 1 + n_axes
            program[count] = 0
            at = count + 1
            for factor in range(3 * n):
                if joins[factor] == t:
                    program[count] += 1
                    program[at] = factor
                    for k in range(n_axes):
                        program[at + 1 + k] = 0
                    _write_strides(factor, families, place, tables, steps, program, at + 1)
                    at += 1 + n_axes
            for k in range(n_axes):
                place[tables[table + 1 + k]] = -1
    return program


@kernel
def _find_joins(
    p: int,
    holes: NDArray[np.bool_],
    families: FlatFamilies,
    soft: NDArray[np.bool_],
    used: NDArray[np.bool_],
    tables: NDArray[np.int64],
    cells: NDArray[np.float64],
    table: int,
    step_of: NDArray[np.int64],
    steps: NDArray[np.int64],
    joins: NDArray[np.int64],
) -> int:
    """Find where the table of each step begins, and the step of each factor, that of its first hole."""
    n, n_steps = holes.shape[1], 0
    while n_steps < cells.shape[1] and cells[p, n_steps] > 0:
        n_steps += 1
    for v in range(n):
        step_of[v] = n_steps
    for t in range(n_steps):
        steps[t] = table
        step_of[tables[table + 1]] = t
        table += 1 + tables[table]
    steps[n_steps] = table
    for j in range(n):
        joins[j] = n_steps if used[p, j] else -1
        for m in range(families.bounds[j], families.bounds[j + 1] if used[p, j] else 0):
            joins[j] = min(joins[j], step_of[families.members[m]])
        joins[n + j] = step_of[j] if soft[j] and holes[p, j] else -1
        joins[2 * n + j] = n_steps if j < n_steps else -1
    for t in range(n_steps):
        for k in range(steps[t] + 2, steps[t + 1]):
            joins[2 * n + t] = min(joins[2 * n + t], step_of[tables[k]])
    return n_steps


@kernel
def _write_strides(
    factor: int,
    families: FlatFamilies,
    place: NDArray[np.int64],
    tables: NDArray[np.int64],
    steps: NDArray[np.int64],
    program: NDArray[np.int64],
    at: int,
) -> None:
    """Write the strides of a factor along the axes of a table, each at its place."""
    n = place.size
    if factor < n:
        for m in range(families.bounds[factor], families.bounds[factor + 1]):
            if place[families.members[m]] >= 0:
                program[at + place[families.members[m]]] = families.strides[m]
    elif factor < 2 * n:
        program[at + place[factor - n]] = 1
    else:
        first, stride = steps[factor - 2 * n], 1
        for k in range(first + tables[first], first + 1, -1):  # without the hole, which is summed out
            program[at + place[tables[k]]] = stride
            stride *= families.arities[tables[k]]


@kernel
def fill_tables(
    program: NDArray[np.int64],
    cursors: NDArray[np.int64],
    first: NDArray[np.int64],
    codes: NDArray[np.int64],
    families: FlatFamilies,
    soft: SoftRows,
    messages: NDArray[np.float64],
    starts: NDArray[np.int64],
    out: NDArray[np.float64],
) -> None:
    """Add the factors of the step at the cursor of each row, and move the cursor to the next step."""
    # `codes` are (n_rows, n_variables), 0 for holes; `starts` (n_steps, n_rows), of the messages. The table
    # of row i begins at out[first[i]], with zeros; there is none, and no step, if that is negative.
    n = codes.shape[1]
    digits = np.empty(n, np.int64)
    for v in range(n):
        digits[v] = 0
    for i in range(codes.shape[0]):
        if first[i] < 0:
            continue
        at = cursors[i]
        n_axes, axes = program[at], at + 1
        at += 1 + n_axes
        n_factors = program[at]
        at += 1
        for _ in range(n_factors):
            factor = program[at]
            if factor < n:
                source, where = families.log_cpts, families.starts[factor]
                for m in range(families.bounds[factor], families.bounds[factor + 1]):
                    where += codes[i, families.members[m]] * families.strides[m]
            elif factor < 2 * n:
                source, where = soft.logs, i * soft.width + soft.starts[factor - n]
            else:
                source, where = messages, starts[factor - 2 * n, i]
            _add(source, where, program, axes, n_axes, at + 1, families.arities, digits, first[i], out)
            at += 1 + n_axes
        cursors[i] = at


@kernel
def _add(
    factor: NDArray[np.float64],
    where: int,
    program: NDArray[np.int64],
    axes: int,
    n_axes: int,
    strides: int,
    arities: NDArray[np.int64],
    digits: NDArray[np.int64],
    cell: int,
    out: NDArray[np.float64],
) -> None:
    """Add a factor to the table that begins at `cell`. The digits are 0 before and after."""
    last = n_axes - 1
    n_last = arities[program[axes + last]] if n_axes else 1
    stride = program[strides + last] if n_axes else 0
    axis = last
    while True:
        for x in range(n_last):
            out[cell + x] += factor[where + x * stride]
        cell += n_last
        axis = last - 1
        while axis >= 0:
            digits[axis] += 1
            where += program[strides + axis]
            if digits[axis] < arities[program[axes + axis]]:
                break
            where -= digits[axis] * program[strides + axis]
            digits[axis] = 0
            axis -= 1
        if axis < 0:
            break


@kernel
def subtract_largest(
    first: NDArray[np.int64],
    cells: NDArray[np.int64],
    arities: NDArray[np.int64],
    starts: NDArray[np.int64],
    tables: NDArray[np.float64],
    messages: NDArray[np.float64],
) -> None:
    """Subtract the largest number over the states (first axis) unless it is the log of 0, and store it."""
    for i in range(first.size):
        for k in range(cells[i]):
            most = -np.inf
            for x in range(arities[i]):
                most = max(most, tables[first[i] + x * cells[i] + k])
            messages[starts[i] + k] = most if most > -np.inf else 0.0
            for x in range(arities[i]):
                tables[first[i] + x * cells[i] + k] -= messages[starts[i] + k]


@kernel
def sum_states(
    first: NDArray[np.int64],
    cells: NDArray[np.int64],
    arities: NDArray[np.int64],
    tables: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    """Sum tables over the states, the first axis, one after the other."""
    at = 0
    for i in range(first.size):
        for k in range(cells[i]):
            total = tables[first[i] + k]
            for x in range(1, arities[i]):
                total += tables[first[i] + x * cells[i] + k]
            sums[at] = total
            at += 1
