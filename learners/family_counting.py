"""Count the values of a node by configuration of its parents."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners._kernels.family_counts import family_counts

__all__ = ["count_family"]

LARGEST_TABLE = 50_000_000  # cells; a table of twice that takes a gigabyte with its counts


def count_family(
    codes: NDArray[Any],
    arities: NDArray[np.int64],
    child: int,
    parents: Sequence[int],
    names: Sequence[str] | None = None,
) -> NDArray[np.int64]:
    """Count a node's values by configuration of its parents, on the rows that have them all.

    Parameters
    ----------
    codes : ndarray of unsigned integers, shape (n_nodes, n_rows)
        Codes; the arity itself is a hole.
    arities : ndarray of int64, shape (n_nodes,)
        Number of values of each node.
    child : int
    parents : sequence of int
    names : sequence of str, optional
        Names of the nodes, for the error.

    Returns
    -------
    ndarray of int64
        Axes = parents in order, child last.

    Raises
    ------
    ValueError
        If the table would have more than fifty million cells.

    Examples
    --------
    >>> codes = np.array([[0, 0, 1], [0, 1, 1]], dtype=np.uint8)
    >>> count_family(codes, np.array([2, 2]), 1, (0,)).tolist()
    [[1, 1], [0, 1]]
    """
    members = np.array([*parents, child], dtype=np.int64)
    shape = arities[members].tolist()
    if math.prod(shape) > LARGEST_TABLE:
        raise ValueError(
            f"The table of {names[child] if names else child!r} given its {len(parents)} parents has "
            f"{math.prod(shape):,} cells, more than {LARGEST_TABLE:,}; give it fewer parents."
        )
    counts = np.zeros(shape, dtype=np.int64)
    family_counts(codes, arities, members, counts.reshape(-1))
    return counts
