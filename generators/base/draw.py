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
    """Return a number of rows to draw, or raise ValueError if it is no whole number of at least 0."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
        raise ValueError(f"n is {n!r}; give the number of rows to draw, 0 or more")
    return int(n)


def batch_sizes(n: int, batch_rows: int) -> list[int]:
    """Split a number of rows into batches, all of one size but perhaps the last."""
    n = check_n_rows(n)
    if isinstance(batch_rows, bool) or not isinstance(batch_rows, int | np.integer) or batch_rows < 1:
        raise ValueError(f"batch_rows is {batch_rows!r}; give the number of rows of a batch, 1 or more")
    whole, rest = divmod(n, int(batch_rows))
    return [int(batch_rows)] * whole + [rest] * (rest > 0)


def as_generator(random_state: RandomState = None) -> np.random.Generator:
    """Turn a seed into a generator of uniforms."""
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
    """Draw the number of attributes, then of classes, then the arity of each attribute."""
    bounds = {"n_attributes": n_attributes, "n_classes": n_classes, "arity": arity}
    checked = {name: _bounds(name, value) for name, value in bounds.items()}
    n_columns = random_integer(rng, *checked["n_attributes"])
    classes = random_integer(rng, *checked["n_classes"])
    return Sizes(tuple(random_integer(rng, *checked["arity"]) for _ in range(n_columns)), classes)


def random_between(rng: np.random.Generator, name: str, bounds: Bounds) -> int:
    """Draw an integer within bounds that a user gave; nothing is drawn if they are equal."""
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
    """Draw an integer between `low` and `high`, both included; nothing is drawn if they are equal."""
    if low == high:
        return low
    return low + min(int(rng.random() * (high - low + 1)), high - low)


def random_rows(
    rng: np.random.Generator, shape: Sequence[int], *, rows: str = "dirichlet", concentration: float = 1.0
) -> NDArray[np.float64]:
    """Draw probability rows: an array whose last axis sums to one.

    Notes
    -----
    At concentration 1 an entry is -log u over the sum of its row. Elsewhere it uses that a gamma variate of
    shape a is one of shape a + 1 (by inverse cdf) times u to the power 1 / a, in logs, so that a row never
    becomes 0 / 0.
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
    """Refuse tables that would not fit into memory, before they are drawn."""
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
    """Draw standard normal numbers by the inverse cumulative distribution of uniforms."""
    from scipy.special import ndtri

    return np.asarray(ndtri(_open_uniforms(rng, tuple(shape))), dtype=np.float64)


def with_class_marginal(
    drawn: NDArray[np.float64], class_marginal: Sequence[float] | None, class_skew: float | None = None
) -> NDArray[np.float64]:
    """Put a given distribution of the class, or one of given skew, in place of a drawn one.

    It takes the place of one that was drawn, so that all other draws of a seed stay what they are.
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
    """Draw one of the labelled trees on `n_nodes` nodes, each equally likely."""
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
    """Direct the edges of a tree away from its root."""
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
    """Draw an order of 0 .. n - 1, each equally likely."""
    return tuple(int(item) for item in np.argsort(rng.random(n), kind="stable"))
