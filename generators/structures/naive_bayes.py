"""Random networks in which the attributes are independent given the class."""

from collections.abc import Sequence

from generators.base.draw import Bounds, RandomState, as_generator, random_sizes
from generators.base.generator import generator
from generators.base.probabilities import random_rows, with_class_marginal
from generators.laws.intractable import law_of_rows
from generators.laws.naive_bayes import NaiveBayesLaw
from generators.networks.network import Network

__all__ = ["random_naive_bayes"]


@generator("naive_bayes")
def random_naive_bayes(
    *,
    n_attributes: Bounds = (3, 7),
    arity: Bounds = (2, 5),
    n_classes: Bounds = (2, 5),
    rows: str = "dirichlet",
    concentration: float = 1.0,
    class_marginal: Sequence[float] | None = None,
    class_imbalance: float | None = None,
    random_state: RandomState = None,
) -> Network:
    """Draw a naive Bayes network.

    Every attribute depends only on the class.

    Parameters
    ----------
    n_attributes : int or (low, high), default=(3, 7)
        Number of attributes without the class. A range is sampled uniformly, both ends included.
    arity : int or (low, high), default=(2, 5)
        Number of states of each attribute. If a range is given, the number is drawn independently for
        each attribute.
    n_classes : int or (low, high), default=(2, 5)
        Number of classes.
    rows : {"dirichlet", "normalized_uniform", "logit"}, default="dirichlet"
        Distribution of each row of each CPT. See `generators.base.probabilities.random_rows`.
    concentration : float, default=1.0
        Parameter of the symmetric Dirichlet, from 1e-6 to 1e6. Below 1, rows are closer to deterministic
        distributions. Above 1, rows are closer to uniform.
    class_marginal : sequence of float, optional
        Distribution of the class. By default it is drawn like a row of a CPT. `n_classes` must equal its
        length.
    class_imbalance : float, optional
        Alternative to `class_marginal`: ratio of the first class probability to the last, at least 1.
    random_state : int, Generator, SeedSequence or None
        Seed. Random numbers are drawn in this order: n_attributes, n_classes, arities, the class
        distribution, the CPTs of x0, x1, ...

    Returns
    -------
    Network
        Attributes x0, x1, ..., then the class y. States are 0, 1, ...

    Raises
    ------
    ValueError
        If a bound is not an integer of at least 1, low exceeds high, or `rows`, `concentration`,
        `class_marginal` or `class_imbalance` is invalid.

    See Also
    --------
    random_tan, random_aode

    Examples
    --------
    >>> random_naive_bayes(n_attributes=4, n_classes=3, random_state=1)
    Network(5 variables, 4 arcs, class 'y' of 3)
    """
    rng = as_generator(random_state)
    sizes = random_sizes(rng, n_attributes=n_attributes, arity=arity, n_classes=n_classes)
    drawn = random_rows(rng, (sizes.n_classes,), rows=rows, concentration=concentration)
    class_cpt = with_class_marginal(drawn, class_marginal, class_imbalance)
    cpts = [
        random_rows(rng, (sizes.n_classes, r), rows=rows, concentration=concentration) for r in sizes.arities
    ]
    parents = (*((sizes.n_attributes,) for _ in sizes.arities), ())
    law = law_of_rows(NaiveBayesLaw(concentration, class_marginal, class_imbalance), rows)
    return Network(sizes.names, sizes.states, parents, (*cpts, class_cpt), sizes.n_attributes, law)
