"""Compiled eliminations for rows with different missing variables."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from generators.base._kernels.elimination import (
    FlatFamilies,
    SoftRows,
    fill_tables,
    leave_out_separated,
    order_holes,
    subtract_largest,
    sum_states,
    use_families,
    write_programs,
)
from generators.base.factorization import Factorization

__all__ = ["SoftEvidence", "check_memory", "run_programs"]

#: Most rows that go step by step together, and most entries of their tables.
MOST_ROWS, MOST_ENTRIES = 2**12, 2**20
#: Most bytes of the tables of a row.
MOST_BYTES = 2**31

# variable to the log-likelihood of its states, (n_rows, arity); used in rows where the variable is missing
SoftEvidence = Mapping[int, NDArray[np.float64]]


def check_memory(n_bytes: float, n_holes: int) -> None:
    """Raise an error for a row whose tables do not fit in memory."""
    if n_bytes > MOST_BYTES:
        raise ValueError(
            f"Summing out the {n_holes} missing values of a row takes {n_bytes / 2**30:,.3g} GiB. "
            "Fill in some of them, or use a network in which variables have fewer parents (for KDB, a "
            "smaller k)."
        )


def run_programs(
    network: Factorization,
    columns: NDArray[np.intp],
    holes: NDArray[np.bool_],
    pattern: NDArray[np.intp],
    keep: tuple[int, ...],
    soft: SoftEvidence,
    *,
    connected: bool,
) -> NDArray[np.float64]:
    """Return the log table of some variables for each row, with all other missing values summed out."""
    # `holes` are patterns, (n_patterns, n_variables); `pattern` says which one each row has, in ascending
    # order. With `connected`, families that no hole links to the variables to keep are left out.
    n_rows = len(pattern)
    if n_rows > MOST_ROWS:
        return _halved(network, columns, holes, pattern, keep, soft, connected)
    families = network.flat_families
    pattern, holes = pattern - pattern[0], holes[pattern[0] : pattern[-1] + 1]
    given = np.zeros(network.n_variables, dtype=np.bool_)
    given[list(soft)] = True
    kept = np.array(keep, dtype=np.int64)
    used = np.empty(holes.shape, dtype=np.bool_)
    use_families(holes, families, kept, given, used)
    if connected:
        leave_out_separated(holes, families, kept, used)
    n_holes = holes.sum(axis=1)
    most = (n_holes + 1) * (n_holes + 2) // 2  # axes of the tables, and how many each has
    begins = np.cumsum(most) - most
    cells = np.zeros((len(holes), n_holes.max()))
    arities = np.zeros(cells.shape, dtype=np.int64)
    tables = np.empty(most.sum(), dtype=np.int64)
    order_holes(holes, families, kept, used, begins, tables, cells, arities)
    entries = cells * arities
    needed = 8 * (entries.max(axis=1, initial=0) + 2 * cells.sum(axis=1))  # messages, and logs of some
    check_memory(needed.max(), n_holes[needed.argmax()] - len(keep))
    if n_rows > 1 and entries.sum(axis=1)[pattern].sum() > MOST_ENTRIES:
        return _halved(network, columns, holes, pattern, keep, soft, connected)
    program = write_programs(holes, families, given, used, tables, cells, begins)
    cells, arities = (np.ascontiguousarray(of_patterns[pattern].T) for of_patterns in (cells, arities))
    codes = np.where(holes[pattern], 0, np.ascontiguousarray(columns.T))
    return _run(
        families, program, begins[pattern], cells, arities, codes, kept, _rows_of(soft, given, n_rows)
    )


def _halved(
    network: Factorization,
    columns: NDArray[np.intp],
    holes: NDArray[np.bool_],
    pattern: NDArray[np.intp],
    keep: tuple[int, ...],
    soft: SoftEvidence,
    connected: bool,
) -> NDArray[np.float64]:
    parts = [
        run_programs(
            network, columns[:, rows], holes, pattern[rows], keep,
            {variable: values[rows] for variable, values in soft.items()}, connected=connected,
        )
        for rows in (slice(len(pattern) // 2), slice(len(pattern) // 2, None))
    ]  # fmt: skip
    return np.concatenate(parts)


@np.errstate(divide="ignore")  # the log of 0
def _run(
    families: FlatFamilies,
    program: NDArray[np.int64],
    cursors: NDArray[np.int64],
    cells: NDArray[np.float64],
    arities: NDArray[np.int64],
    codes: NDArray[np.intp],
    keep: NDArray[np.int64],
    soft: SoftRows,
) -> NDArray[np.float64]:
    """Run the program of each row, with `cells` and `arities` from `write_programs`."""
    starts = np.cumsum(cells).reshape(cells.shape) - cells
    messages = np.empty(int(cells.sum()))  # an error where tables are too large
    starts, cells = starts.astype(np.int64), cells.astype(np.int64)
    for of_step, own, arity in zip(starts, cells, arities, strict=True):
        if not own.any():
            break
        size = own * arity
        first = np.where(size > 0, np.cumsum(size) - size, -1)
        tables, sums = np.zeros(size.sum()), np.empty(own.sum())
        fill_tables(program, cursors, first, codes, families, soft, messages, starts, tables)
        subtract_largest(first, own, arity, of_step, tables, messages)
        np.exp(tables, out=tables)
        sum_states(first, own, arity, tables, sums)
        messages[of_step[0] : of_step[0] + len(sums)] += np.log(sums)
    shape = (len(codes), *families.arities[keep].tolist())
    out = np.zeros(shape)
    first = np.arange(len(codes)) * (out.size // len(codes))
    fill_tables(program, cursors, first, codes, families, soft, messages, starts, out.reshape(-1))
    return out


def _rows_of(soft: SoftEvidence, given: NDArray[np.bool_], n_rows: int) -> SoftRows:
    starts = np.zeros(len(given), dtype=np.int64)
    width = 0
    for variable, values in soft.items():
        starts[variable] = width
        width += values.shape[1]
    logs = np.concatenate([*soft.values(), np.empty((n_rows, 0))], axis=1)
    return SoftRows(given, starts, logs.reshape(-1), width)
