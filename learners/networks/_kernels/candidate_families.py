"""Cost of a family with one more parent, for all further parents, and the choice of those to keep.

Sets of parents are bits in words of 64.
"""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.networks._kernels.adaptive_code import adaptive
from learners.networks._kernels.local_cost import local_cost
from learners.networks._kernels.one_hot import LANES, count_lanes
from learners.tables._kernels.copying import copy_to

__all__ = ["extended_costs", "extended_local_costs", "keep_cheaper"]

MARGIN = 1e-9  # nats; less is the rounding of sums of logs


@kernel
def extended_costs(
    codes: NDArray[np.unsignedinteger],
    onehot: NDArray[np.uint16],
    arities: NDArray[np.int64],
    ln_factorials: NDArray[np.float64],
    parameter_cost: float,
    holes: bool,
    child: int,
    sets: NDArray[np.uint64],
    offered: NDArray[np.bool_],
    most_cells: float,
) -> NDArray[np.float64]:
    """Cost of a child with each set of parents and one more, without arcs, infinite where not computed."""
    # sets (n_sets, n_words), bit u % 64 of word u // 64 for attribute u; offered (n_sets, n_nodes) without
    # the child and members of the set; families of more than `most_cells` cells, child included, are not
    # costed. 5000 rows, 37 attributes: under 2 microseconds per family, of which `family_cost` takes 30.
    n_nodes, n_rows = codes.shape
    firsts = np.cumsum(arities) - arities
    n_blocks = -(-arities.sum() // LANES)
    arity = arities[child]
    costs = np.full((sets.shape[0], n_nodes), np.inf)
    counts = np.empty(0, np.uint16)
    totals = np.empty(0, np.uint32)
    rows = np.empty(n_rows, np.uint32)
    cells = np.empty(n_rows, np.uint32)
    sums = np.empty(n_blocks * LANES)
    together = np.zeros((n_nodes, arity), np.int64)
    alone = _alone(codes[child], arity, ln_factorials)
    for s in range(sets.shape[0]):
        n_kept, n_cells, n_single, configurations = _cells_of(
            codes, arities, child, sets[s], holes, rows, cells
        )
        n_lanes = n_cells * arity * LANES
        if counts.size < n_lanes:
            counts = np.empty(n_lanes, np.uint16)
            totals = np.empty(n_lanes, np.uint32)
        wanted = np.zeros(n_blocks, np.bool_)
        for u in range(n_nodes):
            if offered[s, u] and configurations * arities[u] * arity <= most_cells:
                costs[s, u] = 0.0
                wanted[firsts[u] // LANES : (firsts[u] + arities[u] - 1) // LANES + 1] = True
        together[:] = 0
        for block in range(n_blocks):
            if wanted[block]:
                start = block * n_rows * LANES
                count_lanes(onehot, start, rows[:n_kept], cells[:n_kept], counts[:n_lanes], totals[:n_lanes])
                _score(totals, n_cells, arity, ln_factorials, sums[block * LANES : (block + 1) * LANES])
                if holes:
                    _add_up(totals, n_cells, arity, firsts, arities, block, together)
        for u in range(n_nodes):
            if costs[s, u] == 0.0:
                free = parameter_cost * (arity - 1) * configurations * arities[u]
                costs[s, u] = sums[firsts[u] : firsts[u] + arities[u]].sum() + n_single * np.log(arity) + free
                if holes:
                    costs[s, u] += alone - adaptive(together[u], ln_factorials)
    return costs


@kernel
def extended_local_costs(
    codes: NDArray[np.unsignedinteger],
    arities: NDArray[np.int64],
    ln_factorials: NDArray[np.float64],
    parameter_cost: float,
    child: int,
    members: NDArray[np.bool_],
    offered: NDArray[np.bool_],
    most_cells: float,
    local_model: int,
) -> NDArray[np.float64]:
    """As `extended_costs` for any local model, one family at a time. The sets are rows of a mask."""
    n_sets, n_nodes = members.shape
    costs = np.full((n_sets, n_nodes), np.inf)
    for s in range(n_sets):
        parents = np.append(np.flatnonzero(members[s]), 0)
        cells = arities[parents[:-1]].astype(np.float64).prod() * arities[child]
        for u in range(n_nodes):
            if offered[s, u] and cells * arities[u] <= most_cells:
                parents[-1] = u
                costs[s, u] = local_cost(
                    codes, arities, ln_factorials, parameter_cost, child, np.sort(parents), local_model
                )
    return costs


@kernel
def keep_cheaper(
    sets: NDArray[np.uint64],
    costs: NDArray[np.float64],
    kept_sets: NDArray[np.uint64],
    kept_costs: NDArray[np.float64],
    n_kept: int,
) -> int:
    """Keep the larger sets that are cheaper than all their subsets kept, and return how many are kept now."""
    # costs (n_sets, n_nodes): of the set with the column's attribute added, infinite if it is not to be kept.
    # kept_* need room for all sets that are cheaper than the first one kept, a subset of all.
    larger = np.empty(sets.shape[1], np.uint64)
    for s in range(sets.shape[0]):
        least = kept_costs[0]
        for k in range(1, n_kept):
            if kept_costs[k] < least and _within(kept_sets[k], sets[s]):
                least = kept_costs[k]
        for u in range(costs.shape[1]):
            cost = costs[s, u]
            if cost >= least - MARGIN:
                continue
            copy_to(larger, sets[s])
            word, bit = u >> 6, np.uint64(1) << np.uint64(u & 63)
            larger[word] |= bit
            pays = True
            for k in range(n_kept - 1, -1, -1):  # what is within the larger but not within the set has u
                if (
                    kept_sets[k, word] & bit
                    and kept_costs[k] <= cost + MARGIN
                    and _within(kept_sets[k], larger)
                ):
                    pays = False
                    break
            if pays:
                kept_sets[n_kept] = larger
                kept_costs[n_kept] = cost
                n_kept += 1
    return n_kept


@kernel
def _within(members: NDArray[np.uint64], others: NDArray[np.uint64]) -> bool:
    outside = np.uint64(0)
    for w in range(members.size):
        outside |= members[w] & ~others[w]
    return outside == 0


@kernel
def _cells_of(
    codes: NDArray[np.unsignedinteger],
    arities: NDArray[np.int64],
    child: int,
    members: NDArray[np.uint64],
    holes: bool,
    rows: NDArray[np.uint32],
    cells: NDArray[np.uint32],
) -> tuple[int, int, int, float]:
    """Find each row's cell, and count rows kept, configurations numbered, rows alone, all configurations."""
    # Rows with a hole are left out, and without holes those that are alone in their configuration, once there
    # are many configurations: whatever parent is added, each costs ln arity.
    n_nodes, n_rows = codes.shape
    for i in range(n_rows):
        rows[i] = i
        cells[i] = 0
    n_kept, n_cells, n_single, configurations = n_rows, 1, 0, 1.0
    for u in range(n_nodes):
        if members[u >> 6] >> np.uint64(u & 63) & np.uint64(1):
            configurations *= arities[u]
            n_kept = _split(codes[u], arities[u], rows, cells, n_kept)
            n_cells *= arities[u]
            if 4 * n_cells > n_kept:
                n_kept, n_cells, alone = _renumber(rows, cells, n_kept, n_cells, 1 if holes else 2)
                n_single += alone
    n_kept = _split(codes[child], arities[child], rows, cells, n_kept)
    return n_kept, n_cells, n_single, configurations


@kernel
def _split(
    column: NDArray[np.unsignedinteger],
    arity: int,
    rows: NDArray[np.uint32],
    cells: NDArray[np.uint32],
    n_rows: int,
) -> int:
    """Split the cells by one attribute, writing before testing to avoid a branch."""
    n_kept = 0
    for i in range(n_rows):
        row = rows[i]
        code = np.uint32(column[row])
        rows[n_kept] = row
        cells[n_kept] = cells[i] * np.uint32(arity) + code
        n_kept += int(code < arity)
    return n_kept


@kernel
def _renumber(
    rows: NDArray[np.uint32], cells: NDArray[np.uint32], n_rows: int, n_cells: int, least: int
) -> tuple[int, int, int]:
    """Return the cells of at least so many rows the numbers from 0 on, and drop the other rows."""
    sizes = np.zeros(n_cells, np.int64)
    for i in range(n_rows):
        sizes[cells[i]] += 1
    n_open = 0
    for cell in range(n_cells):
        if sizes[cell] >= least:
            sizes[cell] = n_open
            n_open += 1
        else:
            sizes[cell] = -1
    n_kept = 0
    for i in range(n_rows):
        number = sizes[cells[i]]
        rows[n_kept] = rows[i]
        cells[n_kept] = number
        n_kept += number >= 0
    return n_kept, n_open, n_rows - n_kept


@kernel
def _score(
    totals: NDArray[np.uint32],
    n_cells: int,
    arity: int,
    ln_factorials: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    """Add up, for each value of the further parents, the child's adaptive code over the configurations."""
    sums[:] = 0.0
    sizes = np.empty(LANES, np.int64)
    for cell in range(n_cells):
        sizes[:] = 0
        for at in range(cell * arity, (cell + 1) * arity):
            for lane in range(LANES):
                count = np.int64(totals[np.uint64(at * LANES + lane)])
                sizes[lane] += count
                sums[lane] -= ln_factorials[np.uint64(count)]
        for lane in range(LANES):
            # nothing where the cell is empty
            sums[lane] += ln_factorials[np.uint64(sizes[lane] + arity - 1)] - ln_factorials[arity - 1]


@kernel
def _add_up(
    totals: NDArray[np.uint32],
    n_cells: int,
    arity: int,
    firsts: NDArray[np.int64],
    arities: NDArray[np.int64],
    block: int,
    together: NDArray[np.int64],
) -> None:
    """Count the child's values on the rows that have each further parent."""
    for u in range(arities.size):
        low = max(firsts[u], block * LANES)
        high = min(firsts[u] + arities[u], (block + 1) * LANES)
        for at in range(n_cells * arity):
            for column in range(low, high):
                together[u, at % arity] += totals[at * LANES + column - block * LANES]


@kernel
def _alone(column: NDArray[np.unsignedinteger], arity: int, ln_factorials: NDArray[np.float64]) -> float:
    counts = np.zeros(arity, np.int64)
    for code in column:
        if code < arity:
            counts[code] += 1
    return adaptive(counts, ln_factorials)
