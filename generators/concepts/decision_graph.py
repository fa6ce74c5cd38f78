"""Random decision graphs: decision trees in which paths join in common leaves."""

import numpy as np

from generators.base.draw import (
    Bounds,
    RandomState,
    as_generator,
    random_between,
    random_integer,
    random_order,
)
from generators.base.generator import generator
from generators.base.probabilities import random_rows
from generators.concepts._shared.concept import Concept
from generators.concepts._shared.random_parts import random_attributes, random_paths
from generators.concepts._shared.rule import Rule

__all__ = ["random_decision_graph"]


@generator("decision_graph")
def random_decision_graph(
    *,
    n_attributes: Bounds = (4, 8),
    arity: Bounds = (2, 4),
    n_classes: Bounds = (2, 4),
    n_relevant: Bounds | None = None,
    n_paths: Bounds = (6, 12),
    n_leaves: Bounds = (2, 4),
    max_depth: int = 4,
    split: str = "multiway",
    concentration: float = 0.1,
    max_parents: int = 0,
    attribute_concentration: float = 5.0,
    random_state: RandomState = None,
) -> Concept:
    """Draw a decision graph: a decision tree in which several paths share a leaf.

    All paths to a leaf have one class distribution, so a graph describes disjunctions briefly.

    Parameters
    ----------
    n_paths : int or (low, high), default=(6, 12)
        Number of paths before they are joined. It is smaller if `max_depth` or the attributes allow fewer
        paths.
    n_leaves : int or (low, high), default=(2, 4)
        Number of leaves in which the paths end, at most the number of paths. Each leaf has at least one path.
    n_attributes, arity, n_classes, n_relevant, max_depth, split
        See `random_decision_tree`.
    concentration, max_parents, attribute_concentration
        See `random_decision_tree`.
    random_state : int, Generator, SeedSequence or None
        Seed. Random numbers are drawn in the order sizes and attributes (see
        `generators.concepts._shared.random_parts`), n_paths, splits, n_leaves, which paths join, class
        distributions.

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
    random_decision_tree, random_rules

    Examples
    --------
    >>> truth = random_decision_graph(n_attributes=3, arity=2, n_paths=4, n_leaves=2, random_state=1)
    >>> len(truth.rules), len(truth.leaves)
    (4, 2)
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
    paths = random_paths(rng, attributes, n_leaves=n_paths, max_depth=max_depth, split=split)
    n = min(random_between(rng, "n_leaves", n_leaves), len(paths))
    leaf_of = _random_onto(rng, len(paths), n)
    leaves = random_rows(rng, (n, attributes.n_classes), concentration=concentration)
    rules = tuple(Rule(tuple(path.items()), leaf) for path, leaf in zip(paths, leaf_of, strict=True))
    return Concept(attributes.network, rules, leaves)


def _random_onto(rng: np.random.Generator, n_items: int, n_groups: int) -> list[int]:
    """Assign items to groups at random so that no group is empty."""
    groups = [0] * n_items
    for place, item in enumerate(random_order(rng, n_items)):
        groups[item] = place if place < n_groups else random_integer(rng, 0, n_groups - 1)
    return groups
