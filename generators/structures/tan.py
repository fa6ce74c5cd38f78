"""Random tree-augmented naive Bayes networks."""

from collections.abc import Sequence
from functools import partial
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from generators.base.draw import Bounds, RandomState, as_generator, random_integer, random_sizes
from generators.base.generator import generator
from generators.base.probabilities import random_rows, with_class_marginal
from generators.base.random_graph import random_labelled_tree, rooted_parents
from generators.base.validation import shown
from generators.laws._shared.law import Law
from generators.laws.intractable import IntractableLaw, law_of_rows
from generators.laws.naive_bayes import NaiveBayesLaw
from generators.laws.tan import TANLaw
from generators.networks.network import Network

__all__ = ["random_tan"]


@generator("tan")
def random_tan(
    *,
    n_attributes: Bounds = (3, 7),
    arity: Bounds = (2, 5),
    n_classes: Bounds = (2, 5),
    rows: str = "dirichlet",
    concentration: float = 1.0,
    class_marginal: Sequence[float] | None = None,
    class_imbalance: float | None = None,
    dependence: float = 1.0,
    random_state: RandomState = None,
) -> Network:
    """Draw a tree-augmented naive Bayes network (TAN).

    Every attribute depends on the class and on at most one other attribute, its parent in a tree. All labeled
    trees and all roots are equally likely.

    Parameters
    ----------
    n_attributes, arity, n_classes, rows, concentration, class_marginal, class_imbalance
        See `random_naive_bayes`.
    dependence : float, default=1.0
        Strength of the dependence of attributes on their attribute parent given the class, from 0 to 1. CPTs
        are ``dependence * P(x | class, parent) + (1 - dependence) * Q(x | class)``, where P and Q are drawn
        from the same distribution. At 0, the result is a naive Bayes network without the arcs of the tree.
        The optimum can be computed only at 0 and at 1.
    random_state : int, Generator, SeedSequence or None
        Seed. Random numbers are drawn in this order: n_attributes, n_classes, arities, tree, root, the class
        distribution, the CPTs of x0, x1, ... If `dependence` is below 1, Q is drawn last, for each attribute
        with an attribute parent.

    Returns
    -------
    Network
        Attributes x0, x1, ..., then the class y. States are 0, 1, ... The parents of an attribute are the
        class and an attribute, in this order.

    Raises
    ------
    ValueError
        If a bound is not an integer of at least 1, low exceeds high, or `rows`, `concentration`,
        `class_marginal`, `class_imbalance` or `dependence` is invalid.

    See Also
    --------
    random_naive_bayes, random_aode

    Examples
    --------
    >>> random_tan(n_attributes=4, n_classes=3, random_state=1)
    Network(5 variables, 7 arcs, class 'y' of 3)
    >>> random_tan(n_attributes=4, n_classes=3, dependence=0, random_state=1)
    Network(5 variables, 4 arcs, class 'y' of 3)
    """
    dependence = _checked_dependence(dependence)
    rng = as_generator(random_state)
    sizes = random_sizes(rng, n_attributes=n_attributes, arity=arity, n_classes=n_classes)
    n, target = sizes.n_attributes, sizes.n_attributes
    draw = partial(random_rows, rng, rows=rows, concentration=concentration)
    tree = rooted_parents(n, random_labelled_tree(rng, n), random_integer(rng, 0, n - 1))
    parents = (*((target,) if parent < 0 else (target, parent) for parent in tree), ())
    class_cpt = with_class_marginal(draw((sizes.n_classes,)), class_marginal, class_imbalance)
    all_arities = (*sizes.arities, sizes.n_classes)
    cpts = [draw([all_arities[v] for v in (*parents[child], child)]) for child in range(n)]
    if dependence < 1:
        for child, parent in enumerate(tree):
            if parent >= 0:
                own = draw((sizes.n_classes, sizes.arities[child]))
                cpts[child] = _mixed(own, cpts[child], dependence)
    if dependence == 0:
        parents = (*((target,) for _ in tree), ())
    law = law_of_rows(_law(dependence, concentration, class_marginal, class_imbalance), rows)
    return Network(sizes.names, sizes.states, parents, (*cpts, class_cpt), target, law)


def _checked_dependence(value: float) -> float:
    if isinstance(value, bool) or not (isinstance(value, Real) and 0 <= value <= 1):
        raise ValueError(f"dependence is {shown(value)}: expected a number from 0 to 1")
    return float(value)


def _mixed(own: NDArray[np.float64], below: NDArray[np.float64], dependence: float) -> NDArray[np.float64]:
    """Mix rows P(x | class) and P(x | class, parent). Without dependence, return only the former."""
    if dependence == 0:
        return own
    return (1 - dependence) * own[:, np.newaxis] + dependence * below


def _law(
    dependence: float,
    concentration: float,
    class_marginal: Sequence[float] | None,
    class_imbalance: float | None,
) -> Law:
    if 0 < dependence < 1:
        return IntractableLaw(
            "attributes depend on each other in part, so their rows have no posterior in closed form"
        )
    kind = TANLaw if dependence else NaiveBayesLaw
    return kind(concentration, class_marginal, class_imbalance)
