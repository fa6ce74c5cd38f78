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

__all__ = ["FlatFamilies", "SoftRows", "fill_tables", "subtract_largest", "sum_states", "write_programs"]


class FlatFamilies(NamedTuple):
    """The families of a network, one after the other; child j has members[bounds[j] : bounds[j + 1]]."""

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
def write_programs(
    holes: NDArray[np.bool_],
    families: FlatFamilies,
    keep: NDArray[np.int64],
    soft: NDArray[np.bool_],
    connected: bool,
    begins: NDArray[np.int64],
    cells: NDArray[np.float64],
    arities: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Choose for each pattern (row) of holes the one with the smallest table each time, the first of ties."""
    # Fills where each program begins, the size of the message of each step, (n_steps, n_patterns), 0 where
    # there is none, and the arity of its hole. A step of a program is the number of axes of its table, these
    # variables, the number of its factors, and for each which one (j is the family of j, n_variables + j the
    # soft evidence on j, 2 n_variables + s the message of step s) and its strides along the axes. The last
    # step is that of the variables to keep. `connected` leaves out families that no hole links to these.
    program, at = np.empty(4096, np.int64), 0
    for p in range(holes.shape[0]):
        begins[p] = at
        used = _needed(holes[p], families, keep, soft)
        if connected:
            _leave_out_separated(holes[p], families, keep, used)
        program, at = _write(holes[p], families, keep, soft, used, cells[:, p], arities[:, p], program, at)
    return program


@kernel
def _needed(
    holes: NDArray[np.bool_], families: FlatFamilies, keep: NDArray[np.int64], soft: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Leave out barren variables: holes without an observed or kept descendant sum to one."""
    n = holes.size
    needed = np.empty(n, np.bool_)
    for v in range(n):
        needed[v] = soft[v] or not holes[v]
    for k in range(keep.size):
        needed[keep[k]] = True
    for k in range(n - 1, -1, -1):
        v = families.order[k]
        if needed[v]:
            for m in range(families.bounds[v], families.bounds[v + 1]):
                needed[families.members[m]] = True
    return needed


@kernel
def _leave_out_separated(
    holes: NDArray[np.bool_], families: FlatFamilies, keep: NDArray[np.int64], used: NDArray[np.bool_]
) -> None:
    """Leave out families without a hole that a chain of holes links to those to keep."""
    n = holes.size
    reached, touched = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    for k in range(keep.size):
        reached[keep[k]] = True
    grows = True
    while grows:
        grows = False
        for v in range(n):
            if not used[v] or touched[v]:
                continue
            for m in range(families.bounds[v], families.bounds[v + 1]):
                touched[v] |= reached[families.members[m]]
            if touched[v]:
                for m in range(families.bounds[v], families.bounds[v + 1]):
                    u = families.members[m]
                    if holes[u] and not reached[u]:
                        reached[u] = grows = True
    for v in range(n):
        used[v] = touched[v]


@kernel
def _write(
    holes: NDArray[np.bool_],
    families: FlatFamilies,
    keep: NDArray[np.int64],
    soft: NDArray[np.bool_],
    used: NDArray[np.bool_],
    cells: NDArray[np.float64],
    arities: NDArray[np.int64],
    program: NDArray[np.int64],
    at: int,
) -> tuple[NDArray[np.int64], int]:
    """Write the steps of one pattern from `at` on; return the program, maybe a longer copy, and its end."""
    n = holes.size
    hidden = np.flatnonzero(holes)
    linked = _linked(holes, families, used)
    sizes = np.full(n, np.inf)
    for k in range(hidden.size):
        if linked[hidden[k], hidden[k]]:
            sizes[hidden[k]] = _size(linked[hidden[k]], hidden, families.arities)
    for k in range(keep.size):
        sizes[keep[k]] = np.inf
    waiting = np.zeros(2 * n + hidden.size, np.bool_)  # factors that have joined no table yet
    for j in range(n):
        waiting[j], waiting[n + j] = used[j], soft[j] and holes[j]
    steps = np.empty(hidden.size, np.int64)
    axes = np.empty(n, np.int64)
    for t in range(hidden.size + 1):
        v = 0
        for k in range(hidden.size):
            if sizes[hidden[k]] < sizes[v]:
                v = hidden[k]
        if hidden.size == 0 or sizes[v] == np.inf:
            break
        axes[0], n_axes = v, 1
        for k in range(hidden.size):
            if linked[v, hidden[k]] and hidden[k] != v:
                axes[n_axes] = hidden[k]
                n_axes += 1
        steps[t] = at
        program, at = _write_step(v, axes[:n_axes], holes, families, waiting, steps, program, at)
        waiting[2 * n + t] = True
        cells[t], arities[t] = sizes[v] / families.arities[v], families.arities[v]
        sizes[v] = np.inf
        for k in range(1, n_axes):
            u = axes[k]
            for other in range(1, n_axes):
                linked[u, axes[other]] = True
            linked[u, v] = False
        for k in range(1, n_axes):
            if sizes[axes[k]] < np.inf:
                sizes[axes[k]] = _size(linked[axes[k]], hidden, families.arities)
    return _write_step(-1, keep, holes, families, waiting, steps, program, at)


@kernel
def _linked(holes: NDArray[np.bool_], families: FlatFamilies, used: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Link the holes of each family, each with itself, too."""
    n = holes.size
    linked = np.zeros((n, n), np.bool_)
    for j in range(n):
        if not used[j]:
            continue
        for m in range(families.bounds[j], families.bounds[j + 1]):
            for other in range(families.bounds[j], families.bounds[j + 1]):
                u, w = families.members[m], families.members[other]
                if holes[u] and holes[w]:
                    linked[u, w] = True
    return linked


@kernel
def _size(linked: NDArray[np.bool_], hidden: NDArray[np.int64], arities: NDArray[np.int64]) -> float:
    size = 1.0
    for k in range(hidden.size):
        if linked[hidden[k]]:
            size *= arities[hidden[k]]
    return size


@kernel
def _write_step(
    v: int,
    axes: NDArray[np.int64],
    holes: NDArray[np.bool_],
    families: FlatFamilies,
    waiting: NDArray[np.bool_],
    steps: NDArray[np.int64],
    program: NDArray[np.int64],
    at: int,
) -> tuple[NDArray[np.int64], int]:
    """Let all factors that wait and have the hole join; with -1 for the hole, all that wait."""
    n, n_axes = holes.size, axes.size
    most = at + 2 + n_axes + waiting.size * (1 + n_axes)
    if most > program.size:
        longer = np.empty(2 * most, np.int64)
        for k in range(at):
            longer[k] = program[k]
        program = longer
    place = np.full(n, -1)
    program[at] = n_axes
    for k in range(n_axes):
        program[at + 1 + k] = axes[k]
        place[axes[k]] = k
    count = at + 1 + n_axes
    program[count] = 0
    at = count + 1
    for factor in range(waiting.size):
        if not waiting[factor]:
            continue
        for k in range(1 + n_axes):
            program[at + k] = 0
        program[at] = factor
        has_it = v < 0
        if factor < n:
            for m in range(families.bounds[factor], families.bounds[factor + 1]):
                u = families.members[m]
                has_it |= u == v
                if holes[u] and place[u] >= 0:
                    program[at + 1 + place[u]] = families.strides[m]
        elif factor < 2 * n:
            has_it |= factor - n == v
            if place[factor - n] >= 0:
                program[at + 1 + place[factor - n]] = 1
        else:
            first, stride = steps[factor - 2 * n] + 1, 1
            for k in range(first + program[first - 1] - 1, first, -1):  # its first axis is summed over
                u = program[k]
                has_it |= u == v
                if place[u] >= 0:
                    program[at + 1 + place[u]] = stride
                stride *= families.arities[u]
        if has_it:
            waiting[factor] = False
            program[count] += 1
            at += 1 + n_axes
    return program, at


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
    digits = np.zeros(n + 1, np.int64)
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
    """Add a factor to the table that begins at `cell`; leave the digits 0, as they are."""
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
    """Subtract the largest number over the states, the first axis, unless it is the log of 0; keep it."""
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
