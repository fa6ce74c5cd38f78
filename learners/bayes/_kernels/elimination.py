"""Kernels that sum missing values out of a network in which the class is a parent of every attribute.

The *holes* of a row are eliminated one after the other. Its factors are the families, in order, then the
*messages*: all factors of a hole are added in logs, into a table over its values, the holes linked to it and
the classes, and the log of the sum over its values is the message. Rows go step by step together, and numpy
takes the exponentials and logs of all of them: so forecasts have the bits of a network's `posterior`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

__all__ = ["Elimination", "LogFamilies", "add_factors", "add_values", "plan_elimination"]


class LogFamilies(NamedTuple):
    """Logs of families in one flat array, see `learners.bayes._kernels.class_families`."""

    arities: NDArray[np.int64]
    tables: NDArray[np.float64]
    starts: NDArray[np.int64]
    members: NDArray[np.int64]
    strides: NDArray[np.int64]
    ends: NDArray[np.int64]


class Elimination(NamedTuple):
    """In which order the holes of each row are eliminated."""

    order: NDArray[np.int64]  # (n_features, n_rows): the hole of each step, then -1
    linked: NDArray[np.bool_]  # (n_rows, n_features, n_features): the other holes in the message of each
    # (n_rows, 2 n_features): the step that uses each family, and the message of each hole: n_features where
    # none does, -1 for families that sum to one
    joins: NDArray[np.int64]
    cells: NDArray[np.float64]  # size of the message of each step; maybe too large for whole numbers


@kernel
def plan_elimination(
    rows: NDArray[np.int64], families: LogFamilies, n_classes: int, plan: Elimination
) -> None:
    """Choose the hole with the smallest table each time; the first of ties."""
    order, linked, joins, cells = plan
    n_features = rows.shape[1]
    sizes = np.empty(n_features)
    for i in range(rows.shape[0]):
        _link_families(rows[i], families, linked[i], joins[i])
        for j in range(n_features):
            sizes[j] = _size(linked[i, j], families.arities)
        for t in range(n_features):
            v = 0
            for j in range(1, n_features):
                if sizes[j] < sizes[v]:
                    v = j
            if sizes[v] == np.inf:
                break
            order[t, i], cells[t, i] = v, sizes[v] / families.arities[v] * n_classes
            _eliminate(v, t, families, linked[i], joins[i])
            sizes[v] = np.inf
            for j in range(n_features):
                if linked[i, v, j]:
                    sizes[j] = _size(linked[i, j], families.arities)


@kernel
def _link_families(
    row: NDArray[np.int64], families: LogFamilies, linked: NDArray[np.bool_], joins: NDArray[np.int64]
) -> None:
    """Find the families that matter, those of known attributes and above, and link the holes of each."""
    arities, members, ends = families.arities, families.members, families.ends
    waiting = np.empty(row.size, np.int64)
    n_waiting = 0
    for j in range(row.size):
        if row[j] < arities[j]:
            joins[j], waiting[n_waiting] = row.size, j
            n_waiting += 1
    while n_waiting:
        n_waiting -= 1
        j = waiting[n_waiting]
        begin = ends[j - 1] if j else 0
        for m in range(begin, ends[j]):
            u = members[m]
            if joins[u] < 0:
                joins[u], waiting[n_waiting] = row.size, u
                n_waiting += 1
            for other in range(begin, ends[j]):
                w = members[other]
                if row[u] >= arities[u] and row[w] >= arities[w]:
                    linked[u, w] = True


@kernel
def _size(linked: NDArray[np.bool_], arities: NDArray[np.int64]) -> float:
    """Return the size of a hole's table for a class; it is linked to itself, and other attributes are not."""
    size, is_hole = 1.0, False
    for j in range(arities.size):
        if linked[j]:
            size *= arities[j]
            is_hole = True
    return size if is_hole else np.inf


@kernel
def _eliminate(
    v: int, t: int, families: LogFamilies, linked: NDArray[np.bool_], joins: NDArray[np.int64]
) -> None:
    """Let all factors of a hole join at step t, and link the holes of its message."""
    n_features = families.arities.size
    begin = 0
    for j in range(n_features):
        has_it = False
        for m in range(begin, families.ends[j]):
            has_it |= families.members[m] == v
        begin = families.ends[j]
        if has_it and joins[j] == n_features:
            joins[j] = t
        if linked[j, v] and joins[n_features + j] == n_features:
            joins[n_features + j] = t
    joins[n_features + v] = n_features
    linked[v, v] = False
    for j in range(n_features):
        if linked[v, j]:
            linked[j, v] = False
            for other in range(n_features):
                linked[j, other] |= linked[v, other]


@kernel
def add_factors(
    t: int,
    rows: NDArray[np.int64],
    families: LogFamilies,
    log_prior: NDArray[np.float64],
    plan: Elimination,
    starts: NDArray[np.int64],
    first: NDArray[np.int64],
    messages: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Add the factors of the holes of step t, less the largest number over the values of each."""
    # The table of row i begins at out[first[i]], with zeros; the values of the hole are its first axis. The
    # largest numbers go where the message will be, at messages[starts[t, i]]. At step n_features, the last,
    # all factors that are left add up to the log joint of the classes; the prior is one of them.
    n_features, n_classes, arities = rows.shape[1], log_prior.size, families.arities
    axes, digits = np.zeros(n_features, np.int64), np.zeros(n_features, np.int64)
    jumps = np.zeros(n_features, np.int64)
    for i in range(rows.shape[0]):
        v, n_axes = n_features, 0
        if t < n_features:
            v = plan.order[t, i]
            if v < 0:
                continue
            axes[0], n_axes = v, 1
            for j in range(n_features):
                if plan.linked[i, v, j]:
                    axes[n_axes] = j
                    n_axes += 1
        begin = 0
        for j in range(n_features):
            at = families.starts[j]
            for m in range(begin, families.ends[j] if plan.joins[i, j] == t else begin):
                u = families.members[m]
                if rows[i, u] < arities[u]:
                    at += rows[i, u] * families.strides[m]
                else:
                    jumps[u] = families.strides[m]
            if plan.joins[i, j] == t:
                _add(families.tables, at, axes, n_axes, jumps, arities, digits, n_classes, first[i], out)
            begin = families.ends[j]
        if t == n_features:
            _add(log_prior, 0, axes, n_axes, jumps, arities, digits, n_classes, first[i], out)
        for step in range(t):
            u, jump = plan.order[step, i], n_classes
            if u < 0:
                break
            if plan.joins[i, n_features + u] == t:
                for j in range(n_features - 1, -1, -1):
                    if plan.linked[i, u, j]:
                        jumps[j] = jump
                        jump *= arities[j]
                at = starts[step, i]
                _add(messages, at, axes, n_axes, jumps, arities, digits, n_classes, first[i], out)
        if t < n_features:
            size = np.int64(plan.cells[t, i])
            _subtract_largest(out, first[i], arities[v], size, messages, starts[t, i])


@kernel
def _add(
    factor: NDArray[np.float64],
    at: int,
    axes: NDArray[np.int64],
    n_axes: int,
    jumps: NDArray[np.int64],
    arities: NDArray[np.int64],
    digits: NDArray[np.int64],
    n_classes: int,
    cell: int,
    out: NDArray[np.float64],
) -> None:
    """Add a factor to the table that begins at `cell`; leave its steps 0, as the digits are."""
    axis = n_axes
    while axis >= 0:
        for c in range(n_classes):
            out[cell + c] += factor[at + c]
        cell += n_classes
        axis = n_axes - 1
        while axis >= 0:
            j = axes[axis]
            digits[axis] += 1
            at += jumps[j]
            if digits[axis] < arities[j]:
                break
            at -= digits[axis] * jumps[j]
            digits[axis] = 0
            axis -= 1
    for axis in range(n_axes):
        jumps[axes[axis]] = 0


@kernel
def _subtract_largest(
    table: NDArray[np.float64], first: int, n_values: int, size: int, largest: NDArray[np.float64], start: int
) -> None:
    """Subtract the largest number over the values, the first axis, unless it is the log of 0."""
    for k in range(size):
        most = -np.inf
        for x in range(n_values):
            most = max(most, table[first + x * size + k])
        largest[start + k] = most if most > -np.inf else 0.0
        for x in range(n_values):
            table[first + x * size + k] -= largest[start + k]


@kernel
def add_values(
    t: int,
    arities: NDArray[np.int64],
    plan: Elimination,
    first: NDArray[np.int64],
    tables: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Sum the tables of step t over the values of the holes, one after the other."""
    at = 0
    for i in range(first.size):
        if plan.order[t, i] >= 0:
            size = int(plan.cells[t, i])
            for k in range(size):
                total = 0.0
                for x in range(arities[plan.order[t, i]]):
                    total += tables[first[i] + x * size + k]
                out[at + k] = total
            at += size
