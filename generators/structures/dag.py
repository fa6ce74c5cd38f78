"""Random Bayesian networks without a class, over any directed acyclic graph."""

from generators.base.draw import Bounds, RandomState, as_generator, random_between
from generators.base.random_graph import checked_max_parents, random_cpts, random_parents
from generators.networks.network import Network

__all__ = ["random_dag"]


def random_dag(
    *,
    n_nodes: Bounds = 10,
    arity: Bounds = (2, 4),
    max_parents: int = 3,
    rows: str = "dirichlet",
    concentration: float = 1.0,
    random_state: RandomState = None,
) -> Network:
    """Draw a Bayesian network without a class.

    The order of the nodes is uniform. The number of a node's parents is uniform from 0 to `max_parents`, or
    to the number of preceding nodes if that is smaller. All parent sets of that size are equally likely.

    Parameters
    ----------
    n_nodes : int or (low, high), default=10
        Number of variables. A range is sampled uniformly, both ends included.
    arity : int or (low, high), default=(2, 4)
        Number of states of each variable, drawn independently.
    max_parents : int, default=3
        Maximum number of parents of a variable. At 0 the variables are independent.
    rows : {"dirichlet", "normalized_uniform", "logit"}, default="dirichlet"
        Distribution of each row of each CPT. See `generators.base.probabilities.random_rows`.
    concentration : float, default=1.0
        Parameter of the symmetric Dirichlet, from 1e-6 to 1e6. Below 1, rows are closer to deterministic
        distributions. Above 1, rows are closer to uniform.
    random_state : int, Generator, SeedSequence or None
        Seed. Random numbers are drawn in this order: n_nodes, arities, order, then for each node in this
        order the number of its parents and which nodes they are, then the CPTs of x0, x1, ...

    Returns
    -------
    Network
        Variables x0, x1, ... with states 0, 1, ... `with_class` returns the network with one of the variables
        as class. That network has no law, so no optimum can be computed. `random_dag_with_class` draws the
        same graphs with a law.

    Raises
    ------
    ValueError
        If a bound is not an integer of at least 1, low exceeds high, or another argument is invalid.

    See Also
    --------
        random_dag_with_class : Network with the class at any node, and with a law.
        random_naive_bayes, random_tan, random_aode : Models in which the class is a parent of all attributes.

    Examples
    --------
    >>> random_dag(n_nodes=6, max_parents=2, random_state=1)
    Network(6 variables, 2 arcs, no class)
    """
    limit = checked_max_parents(max_parents)
    rng = as_generator(random_state)
    n = random_between(rng, "n_nodes", n_nodes)
    arities = [random_between(rng, "arity", arity) for _ in range(n)]
    parents = random_parents(rng, n, limit)
    names = tuple(f"x{v}" for v in range(n))
    cpts = random_cpts(rng, names, arities, parents, rows=rows, concentration=concentration)
    return Network(names, tuple(tuple(range(r)) for r in arities), parents, cpts)
