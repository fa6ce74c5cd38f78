"""Random networks in which each attribute depends on the class and on up to k preceding attributes."""

from collections.abc import Sequence

import numpy as np

from generators.base.draw import Bounds, RandomState, as_generator, random_order, random_sizes
from generators.base.generator import generator
from generators.base.probabilities import with_class_marginal
from generators.base.random_graph import random_cpts
from generators.laws.intractable import law_of_rows
from generators.laws.kdb import KDBLaw
from generators.networks.network import Network

__all__ = ["random_kdb"]


@generator("kdb")
def random_kdb(
    *,
    k: int = 2,
    n_attributes: Bounds = (3, 7),
    arity: Bounds = (2, 5),
    n_classes: Bounds = (2, 5),
    rows: str = "dirichlet",
    concentration: float = 1.0,
    class_marginal: Sequence[float] | None = None,
    class_imbalance: float | None = None,
    random_state: RandomState = None,
) -> Network:
    """Draw a k-dependence network (KDB).

    Every attribute depends on the class and on k attributes that precede it in a hidden order, or on all
    preceding attributes if there are fewer than k. All orders are equally likely, and so are all sets of k
    preceding attributes.

    Parameters
    ----------
    k : int, default=2
        Number of attribute parents. At 0 the network is naive Bayes, at n_attributes - 1 it has no
        conditional independences.
    n_attributes, arity, n_classes, rows, concentration, class_marginal, class_imbalance
        See `random_naive_bayes`.
    random_state : int, Generator, SeedSequence or None
        Seed. Random numbers are drawn in this order: n_attributes, n_classes, arities, order, then for each
        attribute in this order which attributes are its parents, then the CPTs of x0, x1, ..., y.

    Returns
    -------
    Network
        Attributes x0, x1, ..., then the class y. States are 0, 1, ... The parents of an attribute are the
        class, followed by attributes.

    Raises
    ------
    ValueError
        If a bound is not an integer of at least 1, low exceeds high, or another argument is invalid.

    See Also
    --------
    random_naive_bayes, random_tan, random_dag_with_class

    References
    ----------
    .. [1] M. Sahami, "Learning limited dependence Bayesian classifiers", KDD 1996, definition 1.

    Examples
    --------
    >>> random_kdb(k=2, n_attributes=4, n_classes=3, random_state=1)
    Network(5 variables, 9 arcs, class 'y' of 3)
    """
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 0:
        raise ValueError(f"k is {k!r}: expected the number of attribute parents, 0 or more")
    rng = as_generator(random_state)
    sizes = random_sizes(rng, n_attributes=n_attributes, arity=arity, n_classes=n_classes)
    target = sizes.n_attributes
    order = random_order(rng, target)
    parents: list[tuple[int, ...]] = [()] * (target + 1)
    for place, child in enumerate(order):
        chosen = random_order(rng, place)[:k]
        parents[child] = (target, *sorted(order[i] for i in chosen))
    arities = (*sizes.arities, sizes.n_classes)
    *cpts, drawn = random_cpts(rng, sizes.names, arities, parents, rows=rows, concentration=concentration)
    class_cpt = with_class_marginal(drawn, class_marginal, class_imbalance)
    law = law_of_rows(KDBLaw(concentration, class_marginal, class_imbalance, k), rows)
    return Network(sizes.names, sizes.states, tuple(parents), (*cpts, class_cpt), target, law)
