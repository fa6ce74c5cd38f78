"""Random Bayesian networks without a class: any directed acyclic graph."""

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

    The order of the nodes is uniform; each node has 0 to `max_parents` parents (at most as many as precede
    it), each number equally likely, and each set of that size among the nodes before it.

    Parameters
    ----------
    n_nodes : int or (low, high), default=10
        Number of variables; drawn uniformly, both ends included.
    arity : int or (low, high), default=(2, 4)
        States of each variable, drawn independently.
    max_parents : int, default=3
        Most parents of a variable; 0 makes them independent.
    rows : {"dirichlet", "normalized_uniform", "logit"}, default="dirichlet"
        How each row of each CPT is drawn; see `generators.base.probabilities.random_rows`.
    concentration : float, default=1.0
        Parameter of the Dirichlet, from 1e-6 to 1e6: below 1 nearer to deterministic, above 1 nearer to
        uniform.
    random_state : int, Generator, SeedSequence or None
        The stream: n_nodes, arities, order, then for each node in the order the number of its parents and
        their places, then the CPT of x0, x1, ...

    Returns
    -------
    Network
        Variables x0, x1, ..., states 0, 1, ...; `with_class` makes one of them the class. It then states no
        law, so that there is no optimum: `random_dag_with_class` draws the same graphs with one.

    Raises
    ------
    ValueError
        If a bound is not an integer from 1, low exceeds high, or another argument is not as above.

    See Also
    --------
    random_dag_with_class : A graph with the class anywhere, which states its law.
    random_naive_bayes, random_tan, random_aode : Truths with a class above all attributes.

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
