"""Random decision trees with a class distribution in each leaf."""

from generators.base.draw import Bounds, RandomState, as_generator
from generators.base.generator import generator
from generators.base.probabilities import random_rows
from generators.concepts._shared.concept import Concept
from generators.concepts._shared.random_parts import random_attributes, random_paths
from generators.concepts._shared.rule import Rule

__all__ = ["random_decision_tree"]


@generator("decision_tree")
def random_decision_tree(
    *,
    n_attributes: Bounds = (4, 8),
    arity: Bounds = (2, 4),
    n_classes: Bounds = (2, 4),
    n_relevant: Bounds | None = None,
    n_leaves: Bounds = (4, 10),
    max_depth: int = 4,
    split: str = "multiway",
    concentration: float = 0.1,
    max_parents: int = 0,
    attribute_concentration: float = 5.0,
    random_state: RandomState = None,
) -> Concept:
    """Draw a decision tree in which every leaf has its own class distribution.

    The tree grows by splitting a random leaf on a random attribute. Attributes that the tree does not test
    are irrelevant.

    Parameters
    ----------
    n_attributes : int or (low, high), default=(4, 8)
        Number of attributes without the class. A range is sampled uniformly, both ends included.
    arity : int or (low, high), default=(2, 4)
        Number of states of each attribute. If a range is given, the number is drawn independently for
        each attribute.
    n_classes : int or (low, high), default=(2, 4)
        Number of classes.
    n_relevant : int or (low, high), optional
        Number of attributes that the tree may test. The other attributes are irrelevant. By default the tree
        may test all attributes.
    n_leaves : int or (low, high), default=(4, 10)
        Number of leaves. It is smaller if `max_depth` or the attributes allow fewer leaves.
    max_depth : int, default=4
        Maximum number of tests on a path.
    split : {"multiway", "binary"}, default="multiway"
        "multiway" makes one branch for each state, "binary" two branches for two groups of states.
    concentration : float, default=0.1
        Dirichlet parameter of the class distributions. Near 0, one class has almost all probability, as in
        noise-free concepts (at 1e-6 practically always). At 1, all distributions are equally likely.
    max_parents : int, default=0
        Maximum number of parents of an attribute in the random graph among the attributes. At 0, attributes
        are independent.
    attribute_concentration : float, default=5.0
        Dirichlet parameter of the attributes' distributions. Larger values give distributions closer to
        uniform.
    random_state : int, Generator, SeedSequence or None
        Seed. Random numbers are drawn in the order sizes and attributes (see
        `generators.concepts._shared.random_parts`), n_leaves, splits, class distributions.

    Returns
    -------
    Concept
        Attributes x0, x1, ..., then the class y. States are 0, 1, ...

    Raises
    ------
    ValueError
        If a bound is not an integer of at least 1, low exceeds high, or another argument is invalid.

    See Also
    --------
    random_decision_graph, random_rules

    Examples
    --------
    >>> print(random_decision_tree(n_attributes=3, arity=2, n_leaves=3, n_classes=2, random_state=1))
    y depends on x0, x2
      if x0 = 0 and x2 = 0: y = 0 (0.928), 1 (0.072)
      if x0 = 0 and x2 = 1: y = 0
      if x0 = 1: y = 1
    """
    rng = as_generator(random_state)
    attributes = random_attributes(
        rng,
        n_attributes=n_attributes,
        arity=arity,
        n_classes=n_classes,
        n_relevant=n_relevant,
        max_parents=max_parents,
        concentration=attribute_concentration,
    )
    paths = random_paths(rng, attributes, n_leaves=n_leaves, max_depth=max_depth, split=split)
    leaves = random_rows(rng, (len(paths), attributes.n_classes), concentration=concentration)
    rules = tuple(Rule(tuple(path.items()), leaf) for leaf, path in enumerate(paths))
    return Concept(attributes.network, rules, leaves)
