"""Seeds, sizes and orders of random models, drawn only by `Generator.random`.

Other numpy distributions may change their stream between versions. Uniforms and the transforms here do not.
"""

import operator
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from generators.base.validation import shown

__all__ = [
    "Bounds",
    "RandomState",
    "Sizes",
    "as_generator",
    "batch_sizes",
    "check_n_rows",
    "random_between",
    "random_integer",
    "random_order",
    "random_sizes",
]

RandomState = int | np.integer | np.random.Generator | np.random.SeedSequence | None
Bounds = int | tuple[int, int]

LARGEST_NUMBER = 1_000_000  # of variables, or of states of one


def check_n_rows(n: int) -> int:
    """Return a number of rows to draw, or raise ValueError if it is not a whole number of at least 0."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
        raise ValueError(f"n is {n!r}: expected the number of rows to draw, 0 or more")
    return int(n)


def batch_sizes(n: int, batch_rows: int) -> list[int]:
    """Split a number of rows into batches of one size, except possibly the last."""
    n = check_n_rows(n)
    if isinstance(batch_rows, bool) or not isinstance(batch_rows, int | np.integer) or batch_rows < 1:
        raise ValueError(f"batch_rows is {batch_rows!r}: expected the number of rows of a batch, 1 or more")
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
            f"random_state is {random_state!r}: expected an int, a numpy Generator, a SeedSequence or None"
        )
    return np.random.Generator(np.random.PCG64(random_state))


@dataclass(frozen=True)
class Sizes:
    """The size of a truth with a class: one arity per attribute, and the number of classes."""

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
    """Draw an integer within a user's bounds. Nothing is drawn if they are equal."""
    return random_integer(rng, *_bounds(name, bounds))


def _bounds(name: str, value: Bounds) -> tuple[int, int]:
    pair = value if isinstance(value, tuple | list) else (value, value)
    wanted = "expected an int or a pair (low, high) of ints, both included and at least 1"
    if len(pair) != 2 or any(isinstance(bound, bool) for bound in pair):
        raise ValueError(f"{name} is {value!r}: {wanted}")
    try:
        low, high = (operator.index(bound) for bound in pair)
    except TypeError:
        raise ValueError(f"{name} is {value!r}: {wanted}") from None
    if low < 1:
        raise ValueError(f"{name} is {value!r}, which goes below 1: {wanted}")
    if low > high:
        raise ValueError(f"{name} is {value!r}, whose low end exceeds its high end: {wanted}")
    if high > LARGEST_NUMBER:
        raise ValueError(f"{name} goes up to {shown(high)}: expected {LARGEST_NUMBER:,} at most")
    return low, high


def random_integer(rng: np.random.Generator, low: int, high: int) -> int:
    """Draw an integer between `low` and `high`, both included. Nothing is drawn if they are equal."""
    if low == high:
        return low
    return low + min(int(rng.random() * (high - low + 1)), high - low)


def random_order(rng: np.random.Generator, n: int) -> tuple[int, ...]:
    """Draw a uniformly distributed order of 0 .. n - 1."""
    return tuple(int(item) for item in np.argsort(rng.random(n), kind="stable"))
