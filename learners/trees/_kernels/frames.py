"""The path to the node being pruned: a frame of numbers for each node on it, in one array."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel
from learners.trees._kernels.rows import hand_down, longer, sort_by_branch

__all__ = [
    "BRANCH",
    "FRAME",
    "NODE",
    "PLACE",
    "REGROW",
    "count_rows",
    "gather_rows",
    "go_down",
    "sort_rows",
    "top_frame",
]

# Fields of a frame: the node's number, its rows (a range of `row`, and one of the stack `extra`, shares of
# rows that missed a value further up), the next branch (-1 before the rows are counted), where its
# entries of `place` and `known` begin, and whether branches may be regrown.
NODE, LO, HI, X_LO, X_HI, BRANCH, PLACE, REGROW = range(8)
FRAME = 8


@kernel
def top_frame(n_rows: int, regrow: bool) -> NDArray[np.int64]:
    """Return an array of frames that holds the root's."""
    frame = np.zeros(64 * FRAME, np.int64)
    frame[HI], frame[BRANCH], frame[REGROW] = n_rows, -1, regrow
    return frame


@kernel
def count_rows(
    frame: NDArray[np.int64],
    f: int,
    row: NDArray[np.int64],
    row_weight: NDArray[np.float64],
    extra: NDArray[np.int64],
    extra_weight: NDArray[np.float64],
    y: NDArray[np.int32],
    out: NDArray[np.float64],
) -> int:
    """Weigh the rows of the frame that begins at `f`, class by class, and return how many there are."""
    lo, hi, x_lo, x_hi = frame[f + LO], frame[f + HI], frame[f + X_LO], frame[f + X_HI]
    out[:] = 0.0
    for i in range(lo, hi):
        out[y[row[i]]] += row_weight[i]
    for i in range(x_lo, x_hi):
        out[y[extra[i]]] += extra_weight[i]
    return hi - lo + x_hi - x_lo


@kernel
def sort_rows(
    frame: NDArray[np.int64],
    f: int,
    test: tuple[NDArray[Any], int, bool, int, int],
    row: NDArray[np.int64],
    row_weight: NDArray[np.float64],
    extra: NDArray[np.int64],
    extra_weight: NDArray[np.float64],
    place: NDArray[np.int64],
    known: NDArray[np.float64],
    held: NDArray[np.int64],
    held_weight: NDArray[np.float64],
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Sort both parts of a frame's rows by branch, and return `place` and `known`, enlarged."""
    # With m branches, `place` receives from the frame's entry on where each branch, the missing values and
    # the end are in `row` (m + 2 numbers), then those of `extra`; `known` the weight of each branch.
    m, p = test[4], frame[f + PLACE]
    place, known = longer(place, p + 2 * m + 4), longer(known, p + 2 * m + 4)
    weights, rest = known[p : p + m], place[p + m + 2 :]
    weights[:] = 0.0
    lo, hi, x_lo, x_hi = frame[f + LO], frame[f + HI], frame[f + X_LO], frame[f + X_HI]
    sort_by_branch(row, row_weight, lo, hi, test, place[p:], weights, held, held_weight)
    sort_by_branch(extra, extra_weight, x_lo, x_hi, test, rest, weights, held, held_weight)
    return place, known


@kernel
def go_down(
    frame: NDArray[np.int64],
    f: int,
    child: int,
    branch: int,
    m: int,
    share: float,
    row: NDArray[np.int64],
    row_weight: NDArray[np.float64],
    extra: NDArray[np.int64],
    extra_weight: NDArray[np.float64],
    place: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Append the frame of a child: the rows of its branch, and its share of those with the value missing."""
    p, x_hi = frame[f + PLACE], frame[f + X_HI]
    extra, extra_weight, top = hand_down(
        row, row_weight, extra, extra_weight, place[p:], branch, m, share, x_hi
    )
    below = f + FRAME
    frame = longer(frame, below + FRAME)
    frame[below + NODE], frame[below + BRANCH] = child, -1
    frame[below + LO], frame[below + HI] = place[p + branch], place[p + branch + 1]
    frame[below + X_LO], frame[below + X_HI] = x_hi, top
    frame[below + PLACE], frame[below + REGROW] = p + 2 * m + 4, frame[f + REGROW]
    return frame, extra, extra_weight


@kernel
def gather_rows(
    frame: NDArray[np.int64],
    f: int,
    row: NDArray[np.int64],
    row_weight: NDArray[np.float64],
    extra: NDArray[np.int64],
    extra_weight: NDArray[np.float64],
    out: NDArray[np.int64],
    out_weight: NDArray[np.float64],
) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
    """Copy both parts of a frame's rows to the front of `out`, and return it, enlarged, and their number."""
    lo, hi, x_lo, x_hi = frame[f + LO], frame[f + HI], frame[f + X_LO], frame[f + X_HI]
    n, size = hi - lo, hi - lo + x_hi - x_lo
    out, out_weight = longer(out, size), longer(out_weight, size)
    out[:n], out_weight[:n] = row[lo:hi], row_weight[lo:hi]
    out[n:size], out_weight[n:size] = extra[x_lo:x_hi], extra_weight[x_lo:x_hi]
    return out, out_weight, size
