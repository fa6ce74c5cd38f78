"""Random directed acyclic graphs, and conditional distributions for a graph that is known."""

import math
import operator
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from generators.base.draw import LARGEST_TABLE, random_integer, random_order, random_rows

__all__ = ["checked_max_parents", "random_cpts", "random_parents"]


def checked_max_parents(max_parents: int) -> int:
    """Return a number of parents as int, or raise ValueError if it is no whole number of at least 0.

    Examples
    --------
    >>> checked_max_parents(2)
    2
    """
    try:
        limit = -1 if isinstance(max_parents, bool) else operator.index(max_parents)
    except TypeError:
        limit = -1
    if limit < 0:
        raise ValueError(f"max_parents is {max_parents!r}; give a whole number, 0 or more")
    return limit


def random_parents(rng: np.random.Generator, n_nodes: int, max_parents: int) -> tuple[tuple[int, ...], ...]:
    """Draw a directed acyclic graph.

    The order of the nodes is uniform; each node has 0 to `max_parents` parents (as many as stand before it at
    most), each number equally likely, and each set of that size among the nodes before it.

    Parameters
    ----------
    rng : numpy.random.Generator
        Advanced by `n_nodes` uniforms for the order; then for each node in the order by one for the number of
        its parents, if it can differ, and one for each node before it.
    n_nodes, max_parents : int
        At least 1 and 0.

    Returns
    -------
    tuple of tuple of int
        The parents of each node, ascending.

    Examples
    --------
    >>> from generators.base.draw import as_generator
    >>> random_parents(as_generator(2), 4, 2)
    ((3,), (), (0,), ())
    """
    order = random_order(rng, n_nodes)
    parents: list[tuple[int, ...]] = [()] * n_nodes
    for place, node in enumerate(order):
        n_parents = random_integer(rng, 0, min(max_parents, place))
        chosen = random_order(rng, place)[:n_parents]
        parents[node] = tuple(sorted(order[i] for i in chosen))
    return tuple(parents)


def random_cpts(
    rng: np.random.Generator,
    names: Sequence[str],
    arities: Sequence[int],
    parents: Sequence[Sequence[int]],
    *,
    rows: str,
    concentration: float,
) -> tuple[NDArray[np.float64], ...]:
    """Draw P(node | parents) for every node of a graph.

    Parameters
    ----------
    rng : numpy.random.Generator
        Advanced by the tables of the nodes in their order.
    names, arities, parents : sequences of length n_nodes
    rows, concentration
        As for `generators.base.draw.random_rows`.

    Returns
    -------
    tuple of ndarray
        Axes: the parents in their order, the node last.

    Raises
    ------
    ValueError
        If a table would have more than 50,000,000 cells, before any is drawn.

    Examples
    --------
    >>> from generators.base.draw import as_generator
    >>> cpts = random_cpts(as_generator(0), "ab", (2, 3), ((), (0,)), rows="dirichlet", concentration=1.0)
    >>> [cpt.shape for cpt in cpts]
    [(2,), (2, 3)]
    """
    shapes = [[arities[u] for u in (*others, v)] for v, others in enumerate(parents)]
    for name, shape in zip(names, shapes, strict=True):
        if math.prod(shape) > LARGEST_TABLE:
            raise ValueError(
                f"the table of {name} with {len(shape) - 1} parents would have {math.prod(shape):,} cells, "
                f"more than {LARGEST_TABLE:,}; lower max_parents or arity"
            )
    return tuple(random_rows(rng, shape, rows=rows, concentration=concentration) for shape in shapes)
