"""Random mixtures of one-dependence networks, one network for each attribute."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from generators.base.draw import Bounds, RandomState, Sizes, as_generator, random_sizes
from generators.base.generator import generator
from generators.base.probabilities import check_n_entries, random_rows, with_class_marginal
from generators.laws.aode import AODELaw
from generators.laws.intractable import law_of_rows
from generators.networks.mixture import Mixture
from generators.networks.network import Network

__all__ = ["random_aode"]

DrawRows = Callable[[tuple[int, ...]], NDArray[np.float64]]


@generator("aode")
def random_aode(
    *,
    n_attributes: Bounds = (3, 7),
    arity: Bounds = (2, 5),
    n_classes: Bounds = (2, 5),
    rows: str = "dirichlet",
    concentration: float = 1.0,
    class_marginal: Sequence[float] | None = None,
    class_imbalance: float | None = None,
    shared_class_prior: bool = False,
    random_state: RandomState = None,
) -> Mixture:
    """Draw a mixture of one-dependence networks (AODE).

    In the network of attribute i, every attribute depends on the class and on attribute i. Each row comes
    from one network, chosen with equal probability. The chosen network is hidden.

    Parameters
    ----------
    shared_class_prior : bool, default=False
        Whether all networks have the same class distribution. All other CPTs are drawn independently.
    n_attributes, arity, n_classes, rows, concentration, class_marginal, class_imbalance
        See `random_naive_bayes`.
    random_state : int, Generator, SeedSequence or None
        Seed. Random numbers are drawn in this order: n_attributes, n_classes, arities, the class distribution
        if all networks have the same. Then for each network its class distribution if it is not shared, and
        the CPTs of x0, x1, ...

    Returns
    -------
    Mixture
        Attributes x0, x1, ..., then the class y. States are 0, 1, ... In network i, the parents of an
        attribute are the class and attribute i, in this order.

    Raises
    ------
    ValueError
        If a bound is not an integer of at least 1, low exceeds high, or `rows`, `concentration`,
        `class_marginal` or `class_imbalance` is invalid.

    See Also
    --------
    random_naive_bayes, random_tan

    Examples
    --------
    >>> random_aode(n_attributes=4, n_classes=3, random_state=1)
    Mixture(4 components of 5 variables, class 'y' of 3)
    """
    rng = as_generator(random_state)
    sizes = random_sizes(rng, n_attributes=n_attributes, arity=arity, n_classes=n_classes)
    check_n_entries(sizes.n_classes * sum(sizes.arities) ** 2)  # of all components together
    draw = partial(random_rows, rng, rows=rows, concentration=concentration)
    shared = draw((sizes.n_classes,)) if shared_class_prior else None
    given = partial(with_class_marginal, class_marginal=class_marginal, class_imbalance=class_imbalance)
    components = tuple(
        _one_dependence_network(draw, sizes, center, shared, given) for center in range(sizes.n_attributes)
    )
    law = law_of_rows(AODELaw(concentration, class_marginal, class_imbalance, shared_class_prior), rows)
    return Mixture(components, np.full(len(components), 1 / len(components)), law)


def _one_dependence_network(
    draw: DrawRows,
    sizes: Sizes,
    center: int,
    shared: NDArray[np.float64] | None,
    given: Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> Network:
    """Draw the network in which the attribute `center` is a parent of all others."""
    target = sizes.n_attributes
    drawn = draw((sizes.n_classes,)) if shared is None else shared
    class_cpt = given(drawn)
    parents = tuple((target,) if child == center else (target, center) for child in range(target))
    cpts = []
    for child, arity in enumerate(sizes.arities):
        above = (sizes.n_classes,) if child == center else (sizes.n_classes, sizes.arities[center])
        cpts.append(draw((*above, arity)))
    return Network(sizes.names, sizes.states, (*parents, ()), (*cpts, class_cpt), class_index=target)
