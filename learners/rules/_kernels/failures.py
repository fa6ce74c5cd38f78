"""Rows that fail conditions of a rule, as sets of bits: word w has rows 64 w .. 64 w + 63, the lowest first.

Conditions of a path that bound the same number on the same side are a group: the last one on the path is the
tightest, and a row that fails another one fails it, too. So without the tightest, a row passes that fails no
other group, nor the next bound of this one.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.compiled import kernel

__all__ = ["ONE_VALUE", "collect_failures", "fill_failing", "weigh"]

ONE_VALUE = 2  # side of a group that requires a value; 0 and 1 are the low and the high side of cuts
ONE, TWO, FOUR, LAST_BYTE = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
#: Every second bit, every second pair, every second four, and the lowest bit of each byte.
BITS, PAIRS, FOURS, BYTES = (np.uint64(0x0101010101010101 * byte) for byte in (0x55, 0x33, 0x0F, 0x01))


@kernel
def fill_failing(
    column: NDArray[Any],
    size: int,
    side: int,
    bound: int,
    fails: NDArray[np.bool_],
    out: NDArray[np.uint64],
) -> None:
    """Fill in the rows that fail a condition, as rows with the value missing do."""
    # `fails` has 64 entries for each word; those beyond the last row stay False. 48,842 rows: 5 us.
    if side == ONE_VALUE:
        for i in range(column.size):
            fails[i] = column[i] != bound
    elif side == 0:
        for i in range(column.size):
            fails[i] = column[i] > bound
    else:
        for i in range(column.size):
            fails[i] = (column[i] <= bound) | (column[i] == size)
    for w in range(out.size):
        word = np.uint64(0)
        for b in range(64):
            word |= np.uint64(fails[64 * w + b]) << np.uint64(b)
        out[w] = word


@kernel
def collect_failures(
    failing: NDArray[np.uint64],
    top: NDArray[np.int64],
    before: NDArray[np.int64],
    n_groups: int,
    once: NDArray[np.uint64],
    more: NDArray[np.uint64],
) -> None:
    """Fill in the rows that fail a condition, and those that fail two groups or the next bound of one."""
    # `failing` has a line for each condition; `top`: the tightest of a group, `before`: the next to each
    for w in range(once.size):
        once[w] = more[w] = np.uint64(0)
    for g in range(n_groups):
        if top[g] >= 0:
            own = failing[top[g]]
            for w in range(own.size):
                more[w] |= once[w] & own[w]
                once[w] |= own[w]
            if before[top[g]] >= 0:
                own = failing[before[top[g]]]
                for w in range(own.size):
                    more[w] |= own[w]


@kernel
def weigh(
    rows: NDArray[np.uint64],
    apart: NDArray[np.uint64],
    wrong: NDArray[np.uint64],
    weight: NDArray[np.float64],
) -> tuple[float, float]:
    """Weigh the rows that are not `apart`, and the wrong ones among them. `weight` of length 0 means ones."""
    total = of_wrong = 0.0
    n = n_wrong = np.uint64(0)
    for w in range(rows.size):
        left = rows[w] & ~apart[w]
        n += _n_set(left)
        n_wrong += _n_set(left & wrong[w])
        while weight.size and left:
            lowest = left & (~left + ONE)
            of_row = weight[64 * w + np.int64(_n_set(lowest - ONE))]
            total += of_row
            of_wrong += of_row if lowest & wrong[w] else 0.0
            left ^= lowest
    return (total, of_wrong) if weight.size else (float(n), float(n_wrong))


@kernel
def _n_set(word: Any) -> Any:
    """Count the bits of a word that are set, in a way that LLVM recognizes."""
    word -= (word >> ONE) & BITS
    word = (word & PAIRS) + ((word >> TWO) & PAIRS)
    return (((word + (word >> FOUR)) & FOURS) * BYTES) >> LAST_BYTE
