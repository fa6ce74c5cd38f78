"""Random concepts in the form of decision trees."""

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
    """Draw a concept in which every path of a decision tree has its own class distribution.

    The tree grows by splitting a random leaf on a random attribute; attributes that it does not test are
    irrelevant.

    Parameters
    ----------
    n_attributes : int or (low, high), default=(4, 8)
        Number of attributes, without the class; drawn uniformly, both ends included.
    arity : int or (low, high), default=(2, 4)
        States of each attribute, drawn independently.
    n_classes : int or (low, high), default=(2, 4)
        States of the class.
    n_relevant : int or (low, high), optional
        Number of attributes that tests may use; the others are irrelevant. All by default.
    n_leaves : int or (low, high), default=(4, 10)
        Number of leaves; fewer if depth or attributes do not allow them.
    max_depth : int, default=4
        Most tests on a path.
    split : {"multiway", "binary"}, default="multiway"
        One branch for each state, or two groups of states.
    concentration : float, default=0.1
        Parameter of the Dirichlet of the class distributions: near 0 one class has all probability, as in
        classical noise-free concepts (at 1e-6 practically always); at 1 all distributions are equally likely.
    max_parents : int, default=0
        0 for independent attributes; otherwise a random graph among them, with at most this many parents.
    attribute_concentration : float, default=5.0
        Parameter of the Dirichlet of the attributes' own distributions; above 1 nearer to uniform.
    random_state : int, Generator, SeedSequence or None
        The stream: sizes and attributes (see `generators.concepts._shared.random_parts`), n_leaves and
        the splits, then the class distributions.

    Returns
    -------
    Concept
        Attributes x0, x1, ..., then the class y; states 0, 1, ...

    Raises
    ------
    ValueError
        If a bound is not an integer from 1, low exceeds high, or another argument is not as above.

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
