"""Prior distributions of networks along an order of their nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from learners.options import is_whole

__all__ = ["DagLaw", "KDependenceLaw", "OrderLaw"]


@dataclass(frozen=True)
class DagLaw:
    """Any directed acyclic graph with the class as an ordinary node."""

    # The order of the nodes is uniform. The node at place p = 0, 1, ... has 0 to min(max_parents, p) parents,
    # each number equally likely, and each set of that size among the nodes before it.

    class_first: ClassVar[bool] = False
    class_probabilities: ClassVar[None] = None
    max_parents: int

    def __post_init__(self) -> None:
        """Check the number."""
        _check_size("max_parents", self.max_parents)

    def chances(self, n_places: int) -> NDArray[np.float64]:
        """Return the probabilities of the two ways to draw parents, (2, n_places) (see `OrderLaw`)."""
        places = np.arange(n_places)
        free = places <= self.max_parents
        return np.array([free / (places + 1), 1 / (places + free)])


@dataclass(frozen=True, eq=False)
class KDependenceLaw:
    """The class as parent of all attributes, each with k attribute parents (Sahami, 1996)."""

    # The order of the attributes is uniform. The one at place p = 0, 1, ... has the class and min(k, p)
    # attributes as parents, each set of that size among those before it equally likely.

    class_first: ClassVar[bool] = True
    k: int
    class_probabilities: NDArray[np.float64] | None = None  # known ones; None is a Dirichlet prior

    def __post_init__(self) -> None:
        """Check the number and the probabilities."""
        _check_size("k", self.k)
        if self.class_probabilities is not None:
            object.__setattr__(self, "class_probabilities", _checked(self.class_probabilities))

    def chances(self, n_places: int) -> NDArray[np.float64]:
        """Return the probabilities of the two ways to draw parents, (2, n_places) (see `OrderLaw`)."""
        places = np.arange(n_places)
        free = places <= self.k
        return np.array([free, ~free / np.maximum(places, 1)])


#: A law that draws a uniform order, and the parents of each node among those before it.
OrderLaw = DagLaw | KDependenceLaw
"""With p nodes before it, by `chances`: either all of them are the parents, or a certain one of them is left
out, and the parents are drawn among the others in the same way. That makes sets of the same size equally
likely; how likely the sizes are depends on the chances."""


def _check_size(name: str, size: int) -> None:
    if not (is_whole(size) and size >= 0):
        raise ValueError(f"{name} must be a whole number, 0 or more, but was {size!r}.")


def _checked(class_probabilities: ArrayLike) -> NDArray[np.float64]:
    given = np.asarray(class_probabilities, dtype=np.float64)
    if given.ndim != 1 or not (given > 0).all() or abs(given.sum() - 1) > 1e-8:
        raise ValueError(
            "class_probabilities must be positive probabilities of the classes that sum to 1, but were "
            f"{given.tolist()}."
        )
    return given / given.sum()
