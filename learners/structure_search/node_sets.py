"""Sets of nodes as words of 64 bits, bit u % 64 of word u // 64 for node u."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["bits_of", "members_of"]


def bits_of(members: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Pack rows of a mask, of shape (n_sets, n_nodes), into words of 64 bits.

    Examples
    --------
    >>> bits_of(np.array([[True, False, True]])).tolist()
    [[5]]
    """
    n_sets, n_nodes = members.shape
    padded = np.zeros((n_sets, -(-n_nodes // 64) * 64), dtype=np.bool_)
    padded[:, :n_nodes] = members
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64, copy=False)


def members_of(sets: NDArray[np.uint64], n_nodes: int) -> NDArray[np.bool_]:
    """Unpack what `bits_of` packs.

    Examples
    --------
    >>> members_of(np.array([[5]], dtype=np.uint64), 3).tolist()
    [[True, False, True]]
    """
    words = np.ascontiguousarray(sets.astype("<u8", copy=False))
    return np.unpackbits(words.view(np.uint8), axis=1, count=n_nodes, bitorder="little").astype(np.bool_)
