"""Marginal likelihood of families, with weighted rows and Dirichlet priors of any concentration."""

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.counts._kernels.dirichlet import log_evidence
from learners.networks._kernels.family_cost import refine
from learners.networks._kernels.node_sets import spread

__all__ = ["log_evidences"]


@kernel
def log_evidences(
    codes: NDArray[np.unsignedinteger],
    weights: NDArray[np.float64],
    arities: NDArray[np.int64],
    n_ordered: int,
    alpha: float,
    sets: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the log evidence of each ordered node's values given each set of parents, -inf elsewhere."""
    # Rows of tables have Dirichlet(alpha, ..., alpha) priors. With holes (codes of the arity): the evidence
    # of the child given the common parents, on all rows that have these, times what the other parents add on
    # the rows complete in the family. The first `n_ordered` nodes have a place in the order, the others are
    # parents of all of these. 14 nodes, up to three parents: 500 rows 0.02 s, 5000 rows 0.07 s.
    n_rows = codes.shape[1]
    common = np.zeros(n_rows, np.int32)
    n_common = 1
    for u in range(n_ordered, codes.shape[0]):
        n_common = refine(codes[u], arities[u], common, n_common)
    evidences = np.full((n_ordered, 1 << (n_ordered - 1)), -np.inf)
    cells = np.empty(n_rows, np.int32)
    first = np.empty(n_rows, np.int32)
    for v in range(n_ordered):
        column, arity = codes[v], arities[v]
        for i in range(n_rows):
            first[i] = common[i] if column[i] < arity else -1
        alone = _of_child(column, arity, weights, first, n_common, alpha)
        for short in sets:
            members = spread(short, v)
            cells[:] = first
            n_cells = n_common
            for u in range(n_ordered):
                if members >> u & 1:
                    n_cells = refine(codes[u], arities[u], cells, n_cells)
            evidences[v, short] = _of_child(column, arity, weights, cells, n_cells, alpha)
            lacking = False
            for i in range(n_rows):
                lacking |= cells[i] < 0 <= first[i]
                cells[i] = first[i] if cells[i] >= 0 else -1
            if lacking:
                together = _of_child(column, arity, weights, cells, n_common, alpha)
                evidences[v, short] += alone - together
    return evidences


@kernel
def _of_child(
    column: NDArray[np.unsignedinteger],
    arity: int,
    weights: NDArray[np.float64],
    cells: NDArray[np.int32],
    n_cells: int,
    alpha: float,
) -> float:
    """Return the log of the probability of a child's values. Rows in cell -1 do not count."""
    counts = np.zeros((n_cells, arity))
    for i in range(column.size):
        if cells[i] >= 0:
            counts[cells[i], column[i]] += weights[i]
    return log_evidence(counts, alpha)
