"""Random Bayesian networks in which the class can be any node."""

from generators.base.draw import Bounds, RandomState, as_generator, random_sizes
from generators.base.generator import generator
from generators.base.random_graph import checked_max_parents, random_cpts, random_parents
from generators.laws.dag import DAGLaw
from generators.laws.intractable import law_of_rows
from generators.networks.network import Network

__all__ = ["random_dag_with_class"]


@generator("dag")
def random_dag_with_class(
    *,
    n_attributes: Bounds = (3, 7),
    arity: Bounds = (2, 5),
    n_classes: Bounds = (2, 5),
    max_parents: int = 3,
    rows: str = "dirichlet",
    concentration: float = 1.0,
    random_state: RandomState = None,
) -> Network:
    """Draw a Bayesian network in which the class can be any node.

    The class may have parents and children, or be isolated. Given the attributes in the class's Markov
    blanket, all other attributes are irrelevant.

    Parameters
    ----------
    max_parents : int, default=3
        Maximum number of parents of a node. The number is uniform from 0 to `max_parents`, or to the number
        of preceding nodes if that is smaller.
    n_attributes, arity, n_classes, rows, concentration
        See `random_naive_bayes`.
    random_state : int, Generator, SeedSequence or None
        Seed. Random numbers are drawn in this order: n_attributes, n_classes, arities, the order of
        attributes and class, then for each node in this order the number of its parents and which nodes they
        are, then the CPTs of x0, x1,
        ..., y.

    Returns
    -------
    Network
        Attributes x0, x1, ..., then the class y. States are 0, 1, ...

    Raises
    ------
    ValueError
        If a bound is not an integer of at least 1, low exceeds high, or another argument is invalid.

    See Also
    --------
        random_dag : Network without a class.
        random_kdb : Network in which the class is a parent of all attributes.

    Examples
    --------
    >>> random_dag_with_class(n_attributes=4, n_classes=3, random_state=1)
    Network(5 variables, 2 arcs, class 'y' of 3)
    """
    limit, rng = checked_max_parents(max_parents), as_generator(random_state)
    sizes = random_sizes(rng, n_attributes=n_attributes, arity=arity, n_classes=n_classes)
    parents = random_parents(rng, sizes.n_attributes + 1, limit)
    arities = (*sizes.arities, sizes.n_classes)
    cpts = random_cpts(rng, sizes.names, arities, parents, rows=rows, concentration=concentration)
    law = law_of_rows(DAGLaw(limit, concentration), rows)
    return Network(sizes.names, sizes.states, parents, cpts, sizes.n_attributes, law)
