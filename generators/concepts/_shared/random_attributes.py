"""The attributes of a random concept: their distribution, and which of them conditions may name."""

from dataclasses import dataclass

import numpy as np

from generators.base.draw import Bounds, random_between, random_order, random_sizes
from generators.base.random_graph import checked_max_parents, random_cpts, random_parents
from generators.networks.network import Network

__all__ = ["RandomAttributes", "random_attributes"]


@dataclass(frozen=True)
class RandomAttributes:
    """What a concept is drawn over.

    Attributes
    ----------
    network : Network
        The distribution of the attributes, without a class.
    relevant : tuple of int
        Indices of the attributes that conditions may name, in random order.
    n_classes : int
        States of the class.
    """

    network: Network
    relevant: tuple[int, ...]
    n_classes: int

    @property
    def arities(self) -> tuple[int, ...]:
        """Number of states of each attribute."""
        return tuple(self.network.arities.tolist())


def random_attributes(
    rng: np.random.Generator,
    *,
    n_attributes: Bounds,
    arity: Bounds,
    n_classes: Bounds,
    n_relevant: Bounds | None,
    max_parents: int,
    concentration: float,
) -> RandomAttributes:
    """Draw the attributes of a concept."""
    limit = checked_max_parents(max_parents)
    sizes = random_sizes(rng, n_attributes=n_attributes, arity=arity, n_classes=n_classes)
    n, names = sizes.n_attributes, sizes.names[:-1]
    n_named = n if n_relevant is None else min(n, random_between(rng, "n_relevant", n_relevant))
    relevant = random_order(rng, n)[:n_named]
    parents = random_parents(rng, n, limit) if limit else ((),) * n
    cpts = random_cpts(rng, names, sizes.arities, parents, rows="dirichlet", concentration=concentration)
    return RandomAttributes(Network(names, sizes.states[:-1], parents, cpts), relevant, sizes.n_classes)
