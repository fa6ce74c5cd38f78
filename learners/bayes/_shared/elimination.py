"""Class posteriors of rows with missing values, by eliminating these one after the other."""

from functools import reduce

import numpy as np
from numpy.typing import NDArray

from learners.bayes._kernels.elimination import (
    Elimination,
    LogFamilies,
    add_factors,
    add_values,
    plan_elimination,
)

__all__ = ["posterior_with_holes"]

#: Most links in the plans of the rows taken together, and most entries of their tables.
MOST_LINKS, MOST_ENTRIES = 2**22, 2**22
#: Most entries of the tables of a row, 2 GiB.
MOST_OF_A_ROW = 2**28


@np.errstate(divide="ignore")  # the log of 0
def posterior_with_holes(
    rows: NDArray[np.int64], families: LogFamilies, prior: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the class posterior of each row, of codes; one that is the arity is missing."""
    log_prior = np.log(prior)
    n_blocks = min(-(-rows.size * rows.shape[1] // MOST_LINKS), len(rows))
    blocks = np.array_split(rows, n_blocks)
    log_joint = np.concatenate([_log_joint(block, families, log_prior) for block in blocks])
    log_joint[np.isneginf(log_joint).all(axis=1)] = log_prior
    largest = log_joint.max(axis=1)
    total = reduce(np.add, np.exp(log_joint.T - largest))  # in this order for any number of rows
    return np.exp(log_joint - (np.log(total) + largest)[:, np.newaxis])


def _log_joint(
    rows: NDArray[np.int64], families: LogFamilies, log_prior: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return log P(row, class); halve the rows if their tables are too large together."""
    n_rows, n_features = rows.shape
    plan = Elimination(
        order=np.full((n_features, n_rows), -1),
        linked=np.zeros((n_rows, n_features, n_features), dtype=bool),
        joins=np.full((n_rows, 2 * n_features), -1),
        cells=np.zeros((n_features, n_rows)),
    )
    plan_elimination(rows, families, log_prior.size, plan)
    entries = plan.cells * families.arities[plan.order]
    if entries.sum(axis=0).max() > MOST_OF_A_ROW:
        row = entries.sum(axis=0).argmax()
        raise ValueError(
            f"Summing out the {np.count_nonzero(plan.order[:, row] >= 0)} missing values of a row takes "
            f"{entries[:, row].sum() / 2**27:.3g} GiB; use a smaller k, or fill in some of them."
        )
    if n_rows > 1 and entries.sum() > MOST_ENTRIES:
        return np.concatenate([_log_joint(half, families, log_prior) for half in np.array_split(rows, 2)])
    messages, starts = np.empty(int(plan.cells.sum())), _starts(plan.cells)
    for t in range(np.count_nonzero(plan.order.max(axis=1) >= 0)):
        first, table = _starts(entries[t]), np.zeros(int(entries[t].sum()))
        add_factors(t, rows, families, log_prior, plan, starts, first, messages, table)
        np.exp(table, out=table)
        sums = np.empty(int(plan.cells[t].sum()))
        add_values(t, families.arities, plan, first, table, sums)
        messages[starts[t, 0] : starts[t, 0] + sums.size] += np.log(sums)
    out = np.zeros(n_rows * log_prior.size)
    first = np.arange(n_rows) * log_prior.size
    add_factors(n_features, rows, families, log_prior, plan, starts, first, messages, out)
    return out.reshape(n_rows, -1)


def _starts(sizes: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return where each of some parts starts, one after the other."""
    ends = np.cumsum(sizes).reshape(sizes.shape)
    return (ends - sizes).astype(np.int64)
