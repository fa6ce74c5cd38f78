"""Random truths with a tree among the attributes, below the class."""

from collections.abc import Sequence

from generators.base.draw import Bounds, RandomState, as_generator, random_integer, random_sizes
from generators.base.generator import generator
from generators.base.probabilities import random_rows, with_class_marginal
from generators.base.random_graph import random_labelled_tree, rooted_parents
from generators.laws.intractable import law_of_rows
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
    class_skew: float | None = None,
    random_state: RandomState = None,
) -> Network:
    """Draw a tree-augmented naive Bayes network.

    Every attribute depends on the class and on at most one other attribute; all labelled trees, and all
    roots, are equally likely.

    Parameters
    ----------
    n_attributes, arity, n_classes, rows, concentration, class_marginal, class_skew
        As for `random_naive_bayes`.
    random_state : int, Generator, SeedSequence or None
        The stream: n_attributes, n_classes, arities, tree, root, the class distribution, the CPT of x0, x1,
        ...

    Returns
    -------
    Network
        Attributes x0, x1, ..., then the class y; states 0, 1, ...; parents are (class, attribute) in this
        order.

    Raises
    ------
    ValueError
        If a bound is not an integer from 1, low exceeds high, or `rows`, `concentration`,
        `class_marginal` or `class_skew` is not as above.

    See Also
    --------
    random_naive_bayes, random_aode

    Examples
    --------
    >>> random_tan(n_attributes=4, n_classes=3, random_state=1)
    Network(5 variables, 7 arcs, class 'y' of 3)
    """
    rng = as_generator(random_state)
    sizes = random_sizes(rng, n_attributes=n_attributes, arity=arity, n_classes=n_classes)
    n, target = sizes.n_attributes, sizes.n_attributes
    tree = rooted_parents(n, random_labelled_tree(rng, n), random_integer(rng, 0, n - 1))
    parents = (*((target,) if parent < 0 else (target, parent) for parent in tree), ())
    drawn = random_rows(rng, (sizes.n_classes,), rows=rows, concentration=concentration)
    class_cpt = with_class_marginal(drawn, class_marginal, class_skew)
    all_arities = (*sizes.arities, sizes.n_classes)
    cpts = [
        random_rows(
            rng, [all_arities[v] for v in (*parents[child], child)], rows=rows, concentration=concentration
        )
        for child in range(n)
    ]
    law = law_of_rows(TANLaw(concentration, class_marginal, class_skew), rows)
    return Network(sizes.names, sizes.states, parents, (*cpts, class_cpt), target, law)


vars(random_tan)["workbench_identity"] = "generators.tan:random_tan"
