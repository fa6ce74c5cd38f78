"""Everything random about a truth: sizes, probability rows, trees and orders, from `Generator.random` alone.

Other numpy distributions may change their stream between versions; uniforms and our own transforms do not.
"""

import heapq
import math
import operator
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from generators.base.validation import shown

__all__ = [
    "Bounds",
    "LARGEST_TABLE",
    "RandomState",
    "Sizes",
    "as_generator",
    "batch_sizes",
    "check_n_entries",
    "check_n_rows",
    "random_between",
    "random_integer",
    "random_labelled_tree",
    "random_normals",
    "random_order",
    "random_rows",
    "random_sizes",
    "with_class_marginal",
    "rooted_parents",
]

RandomState = int | np.integer | np.random.Generator | np.random.SeedSequence | None
Bounds = int | tuple[int, int]

LARGEST_TABLE = 50_000_000  # entries; twice that takes a gigabyte to draw
LARGEST_NUMBER = 1_000_000  # of variables, or of states of one
SMALLEST_UNIFORM = 2.0**-54  # half a step of Generator.random, which can return 0


def check_n_rows(n: int) -> int:
    """Return a number of rows to draw, or raise ValueError if it is no whole number of at least 0.

    Examples
    --------
    >>> check_n_rows(-1)
    Traceback (most recent call last):
    ...
    ValueError: n is -1; give the number of rows to draw, 0 or more
    """
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
        raise ValueError(f"n is {n!r}; give the number of rows to draw, 0 or more")
    return int(n)


def batch_sizes(n: int, batch_rows: int) -> list[int]:
    """Split a number of rows into batches, all of one size but perhaps the last.

    Parameters
    ----------
    n : int
        Number of rows, 0 or more.
    batch_rows : int
        Rows of a batch, at least 1.

    Returns
    -------
    list of int

    Raises
    ------
    ValueError
        If either is no such number.

    Examples
    --------
    >>> batch_sizes(10, 4)
    [4, 4, 2]
    """
    n = check_n_rows(n)
    if isinstance(batch_rows, bool) or not isinstance(batch_rows, int | np.integer) or batch_rows < 1:
        raise ValueError(f"batch_rows is {batch_rows!r}; give the number of rows of a batch, 1 or more")
    whole, rest = divmod(n, int(batch_rows))
    return [int(batch_rows)] * whole + [rest] * (rest > 0)


def as_generator(random_state: RandomState = None) -> np.random.Generator:
    """Turn a seed into a generator of uniforms.

    Parameters
    ----------
    random_state : int, Generator, SeedSequence or None
        A generator is returned as it is (and advanced by who draws from it); None draws fresh entropy.

    Returns
    -------
    numpy.random.Generator
        On PCG64, whatever numpy's default is.

    Raises
    ------
    TypeError
        If `random_state` is anything else.

    Examples
    --------
    >>> as_generator(1).random() == as_generator(1).random()
    True
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, bool) or not isinstance(
        random_state, int | np.integer | np.random.SeedSequence | None
    ):
        raise TypeError(
            f"random_state is {random_state!r}; give an int, a numpy Generator, a SeedSequence or None"
        )
    return np.random.Generator(np.random.PCG64(random_state))


@dataclass(frozen=True)
class Sizes:
    """How large a truth with a class is: one arity per attribute, and the number of classes.

    Attributes
    ----------
    arities : tuple of int
        States of each attribute; the class is not among them.
    n_classes : int
        States of the class.
    """

    arities: tuple[int, ...]
    n_classes: int

    @property
    def n_attributes(self) -> int:
        """Number of attributes, without the class."""
        return len(self.arities)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the variables: x0, x1, ... and the class y, which is last."""
        return (*(f"x{j}" for j in range(self.n_attributes)), "y")

    @property
    def states(self) -> tuple[tuple[Hashable, ...], ...]:
        """States of each variable: 0, 1, ... up to its arity."""
        return tuple(tuple(range(arity)) for arity in (*self.arities, self.n_classes))


def random_sizes(
    rng: np.random.Generator, *, n_attributes: Bounds, arity: Bounds, n_classes: Bounds
) -> Sizes:
    """Draw the number of attributes, then of classes, then the arity of each attribute.

    Parameters
    ----------
    rng : numpy.random.Generator
        Advanced by one uniform for each size that is given as bounds.
    n_attributes, arity, n_classes : int or (low, high)
        Fixed, or drawn uniformly with both ends included; at least 1.

    Returns
    -------
    Sizes

    Raises
    ------
    ValueError
        If a bound is not an integer, is below 1, or low exceeds high.

    Examples
    --------
    >>> random_sizes(as_generator(0), n_attributes=3, arity=2, n_classes=4)
    Sizes(arities=(2, 2, 2), n_classes=4)
    """
    bounds = {"n_attributes": n_attributes, "n_classes": n_classes, "arity": arity}
    checked = {name: _bounds(name, value) for name, value in bounds.items()}
    n_columns = random_integer(rng, *checked["n_attributes"])
    classes = random_integer(rng, *checked["n_classes"])
    return Sizes(tuple(random_integer(rng, *checked["arity"]) for _ in range(n_columns)), classes)


def random_between(rng: np.random.Generator, name: str, bounds: Bounds) -> int:
    """Draw an integer within bounds that a user gave; nothing is drawn if they are equal.

    Parameters
    ----------
    rng : numpy.random.Generator
        Advanced by one uniform, or none.
    name : str
        What the bounds are for, in the error.
    bounds : int or (low, high)
        Fixed, or drawn uniformly with both ends included; at least 1.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If a bound is not an integer, is below 1, or low exceeds high.

    Examples
    --------
    >>> random_between(as_generator(0), "n_nodes", (2, 9))
    7
    """
    return random_integer(rng, *_bounds(name, bounds))


def _bounds(name: str, value: Bounds) -> tuple[int, int]:
    pair = value if isinstance(value, tuple | list) else (value, value)
    wanted = "give an int or a pair (low, high) of ints, both included and at least 1"
    if len(pair) != 2 or any(isinstance(bound, bool) for bound in pair):
        raise ValueError(f"{name} is {value!r}; {wanted}")
    try:
        low, high = (operator.index(bound) for bound in pair)
    except TypeError:
        raise ValueError(f"{name} is {value!r}; {wanted}") from None
    if low < 1:
        raise ValueError(f"{name} is {value!r}, which goes below 1; {wanted}")
    if low > high:
        raise ValueError(f"{name} is {value!r}, whose low end exceeds its high end; {wanted}")
    if high > LARGEST_NUMBER:
        raise ValueError(f"{name} goes up to {shown(high)}; give {LARGEST_NUMBER:,} at most")
    return low, high


def random_integer(rng: np.random.Generator, low: int, high: int) -> int:
    """Draw an integer between `low` and `high`, both included; nothing is drawn if they are equal.

    Parameters
    ----------
    rng : numpy.random.Generator
        Advanced by one uniform, or none.
    low, high : int
        Bounds.

    Returns
    -------
    int

    Examples
    --------
    >>> random_integer(as_generator(0), 2, 5)
    4
    """
    if low == high:
        return low
    return low + min(int(rng.random() * (high - low + 1)), high - low)


def random_rows(
    rng: np.random.Generator, shape: Sequence[int], *, rows: str = "dirichlet", concentration: float = 1.0
) -> NDArray[np.float64]:
    """Draw probability rows: an array whose last axis sums to one.

    Parameters
    ----------
    rng : numpy.random.Generator
        Advanced by one uniform per entry (two for a Dirichlet whose concentration is not 1).
    shape : sequence of int
        Shape of the result; the last axis is the distribution.
    rows : {"dirichlet", "normalized_uniform"}, default="dirichlet"
        Symmetric Dirichlet (uniform over the simplex at concentration 1), or uniforms divided by their
        sum, which are less extreme.
    concentration : float, default=1.0
        Parameter of every state of the Dirichlet, positive: small rows are nearly deterministic, large
        ones nearly uniform. Not used by "normalized_uniform".

    Returns
    -------
    ndarray of the given shape
        All entries positive, save those that fall below the smallest double (tiny concentrations).

    Raises
    ------
    ValueError
        If `rows` is unknown, `concentration` is not a positive finite number, or there would be more than
        50,000,000 entries.

    Notes
    -----
    At concentration 1 an entry is -log u over the sum of its row. Elsewhere it uses that a gamma variate of
    shape a is one of shape a + 1 (by inverse cdf) times u to the power 1 / a, in logs, so that a row never
    becomes 0 / 0.

    Examples
    --------
    >>> random_rows(as_generator(0), (2, 3)).sum(axis=-1)
    array([1., 1.])
    """
    if rows not in _LOG_VARIATES:
        raise ValueError(f"rows is {rows!r}; give one of {', '.join(map(repr, _LOG_VARIATES))}")
    if isinstance(concentration, bool) or not (
        isinstance(concentration, Real) and 0 < concentration < np.inf
    ):
        raise ValueError(f"concentration is {concentration!r}; give a positive finite number")
    check_n_entries(math.prod(shape))
    log_variates = _LOG_VARIATES[rows](rng, tuple(shape), float(concentration))
    weights = np.exp(log_variates - log_variates.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def check_n_entries(n: int) -> None:
    """Refuse tables that would not fit into memory, before they are drawn.

    Raises
    ------
    ValueError
        If there would be more than 50,000,000 entries.

    Examples
    --------
    >>> check_n_entries(1000)
    """
    if n > LARGEST_TABLE:
        raise ValueError(
            f"a table of the truth would have {shown(n)} entries; give fewer states or attributes, for "
            f"{LARGEST_TABLE:,} at most"
        )


def _open_uniforms(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
    return np.maximum(rng.random(shape), SMALLEST_UNIFORM)


def _log_gammas(
    rng: np.random.Generator, shape: tuple[int, ...], concentration: float
) -> NDArray[np.float64]:
    if concentration == 1.0:
        return np.log(-np.log(_open_uniforms(rng, shape)))
    from scipy.special import gammaincinv

    larger = np.log(gammaincinv(concentration + 1.0, _open_uniforms(rng, shape)))
    return larger + np.log(_open_uniforms(rng, shape)) / concentration


def _log_uniforms(rng: np.random.Generator, shape: tuple[int, ...], _: float) -> NDArray[np.float64]:
    return np.log(_open_uniforms(rng, shape))


_LOG_VARIATES: dict[str, Callable[[np.random.Generator, tuple[int, ...], float], NDArray[np.float64]]] = {
    "dirichlet": _log_gammas,
    "normalized_uniform": _log_uniforms,
}


def random_normals(rng: np.random.Generator, shape: Sequence[int]) -> NDArray[np.float64]:
    """Draw standard normal numbers by the inverse cumulative distribution of uniforms.

    Parameters
    ----------
    rng : numpy.random.Generator
        Advanced by one uniform per entry.
    shape : sequence of int

    Returns
    -------
    ndarray of the given shape
        Finite.

    Examples
    --------
    >>> random_normals(as_generator(0), (2,)).round(3)
    array([ 0.35 , -0.613])
    """
    from scipy.special import ndtri

    return np.asarray(ndtri(_open_uniforms(rng, tuple(shape))), dtype=np.float64)


def with_class_marginal(
    drawn: NDArray[np.float64], class_marginal: Sequence[float] | None, class_skew: float | None = None
) -> NDArray[np.float64]:
    """Put a given distribution of the class, or one of given skew, in place of a drawn one.

    It takes the place of one that was drawn, so that all other draws of a seed stay what they are.

    Parameters
    ----------
    drawn : ndarray of shape (n_classes,)
    class_marginal : sequence of float or None
        None keeps what was drawn.
    class_skew : float or None
        How many times as frequent the first class is as the last, at least 1; those between fall by one
        factor. None keeps what was drawn.

    Returns
    -------
    ndarray of shape (n_classes,)

    Raises
    ------
    ValueError
        If it has another number of classes, or is no distribution with positive probabilities; if the skew is
        below 1 or not finite; or if both are given.

    Examples
    --------
    >>> with_class_marginal(np.array([0.4, 0.6]), [0.9, 0.1])
    array([0.9, 0.1])
    >>> with_class_marginal(np.array([0.2, 0.3, 0.5]), None, class_skew=4).round(3)
    array([0.571, 0.286, 0.143])
    """
    if class_skew is not None:
        if class_marginal is not None:
            raise ValueError("class_marginal and class_skew are both given; give one of them")
        return _skewed(drawn.size, class_skew)
    if class_marginal is None:
        return drawn
    given = np.asarray(class_marginal, dtype=np.float64)
    if given.shape != drawn.shape:
        raise ValueError(
            f"class_marginal has shape {given.shape} and the truth has {drawn.size} classes; "
            f"give n_classes={given.size} with it, or {drawn.size} probabilities"
        )
    if not (given > 0).all() or abs(given.sum() - 1) > 1e-8:
        raise ValueError(
            f"class_marginal is {given.tolist()}; give positive probabilities of the classes that sum to one"
        )
    return given / given.sum()


def _skewed(n_classes: int, skew: float) -> NDArray[np.float64]:
    if isinstance(skew, bool) or not (isinstance(skew, Real) and 1 <= skew < np.inf):
        raise ValueError(f"class_skew is {skew!r}; give a finite number of at least 1, 1 for equal classes")
    weights = float(skew) ** -(np.arange(n_classes) / max(n_classes - 1, 1))
    return weights / weights.sum()


def random_labelled_tree(rng: np.random.Generator, n_nodes: int) -> tuple[tuple[int, int], ...]:
    """Draw one of the labelled trees on `n_nodes` nodes, each equally likely.

    Parameters
    ----------
    rng : numpy.random.Generator
        Advanced by n_nodes - 2 uniforms: the Prüfer sequence.
    n_nodes : int
        At least 1.

    Returns
    -------
    tuple of (int, int)
        The n_nodes - 1 edges, undirected.

    Examples
    --------
    >>> random_labelled_tree(as_generator(0), 4)
    ((0, 2), (2, 1), (1, 3))
    """
    if n_nodes == 1:
        return ()
    sequence = [random_integer(rng, 0, n_nodes - 1) for _ in range(n_nodes - 2)]
    degree = np.bincount(np.asarray(sequence, dtype=np.intp), minlength=n_nodes) + 1
    leaves = [node for node in range(n_nodes) if degree[node] == 1]
    edges = []
    for node in sequence:
        edges.append((heapq.heappop(leaves), node))
        degree[node] -= 1
        if degree[node] == 1:
            heapq.heappush(leaves, node)
    return (*edges, (heapq.heappop(leaves), heapq.heappop(leaves)))


def rooted_parents(n_nodes: int, edges: Sequence[tuple[int, int]], root: int) -> tuple[int, ...]:
    """Direct the edges of a tree away from its root.

    Parameters
    ----------
    n_nodes : int
        Number of nodes.
    edges : sequence of (int, int)
        The n_nodes - 1 undirected edges of a tree.
    root : int
        Node that gets no parent.

    Returns
    -------
    tuple of int
        Parent of each node, and -1 for the root.

    Examples
    --------
    >>> rooted_parents(3, [(0, 1), (1, 2)], root=2)
    (1, 2, -1)
    """
    neighbors: list[list[int]] = [[] for _ in range(n_nodes)]
    for one, other in edges:
        neighbors[one].append(other)
        neighbors[other].append(one)
    parents, waiting = [-1] * n_nodes, [root]
    while waiting:
        node = waiting.pop()
        for child in neighbors[node]:
            if child != parents[node]:
                parents[child] = node
                waiting.append(child)
    return tuple(parents)


def random_order(rng: np.random.Generator, n: int) -> tuple[int, ...]:
    """Draw an order of 0 .. n - 1, each equally likely.

    Parameters
    ----------
    rng : numpy.random.Generator
        Advanced by `n` uniforms, whose ranks are the order.
    n : int
        Number of items.

    Returns
    -------
    tuple of int

    Examples
    --------
    >>> random_order(as_generator(0), 4)
    (3, 2, 1, 0)
    """
    return tuple(int(item) for item in np.argsort(rng.random(n), kind="stable"))
