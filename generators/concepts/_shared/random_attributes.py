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
    """Draw the attributes of a concept.

    Parameters
    ----------
    rng : numpy.random.Generator
        The stream: n_attributes, n_classes, arities, n_relevant if it is given, the order in which attributes
        may be named, the graph if there is one, then the CPT of x0, x1, ...
    n_attributes, arity, n_classes : int or (low, high)
        As for `generators.base.draw.random_sizes`.
    n_relevant : int or (low, high) or None
        How many attributes conditions may name (all, if there are fewer); None for all.
    max_parents : int
        0 for independent attributes; else a random graph among them, as `random_dag` draws.
    concentration : float
        Parameter of the Dirichlet of their CPTs.

    Returns
    -------
    RandomAttributes

    Raises
    ------
    ValueError
        If a bound or another argument is not as above.

    Examples
    --------
    >>> from generators.base.draw import as_generator
    >>> sizes = {"n_attributes": 5, "arity": 2, "n_classes": 3}
    >>> options = {"n_relevant": 2, "max_parents": 0, "concentration": 1.0}
    >>> random_attributes(as_generator(0), **sizes, **options).relevant
    (3, 2)
    """
    limit = checked_max_parents(max_parents)
    sizes = random_sizes(rng, n_attributes=n_attributes, arity=arity, n_classes=n_classes)
    n, names = sizes.n_attributes, sizes.names[:-1]
    n_named = n if n_relevant is None else min(n, random_between(rng, "n_relevant", n_relevant))
    relevant = random_order(rng, n)[:n_named]
    parents = random_parents(rng, n, limit) if limit else ((),) * n
    cpts = random_cpts(rng, names, sizes.arities, parents, rows="dirichlet", concentration=concentration)
    return RandomAttributes(Network(names, sizes.states[:-1], parents, cpts), relevant, sizes.n_classes)
