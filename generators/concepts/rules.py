"""Random ordered rule lists with a default rule."""

from collections.abc import Sequence

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
from generators.concepts._shared.random_parts import RandomAttributes, random_attributes
from generators.concepts._shared.rule import Rule, box_of, disjoint_boxes

__all__ = ["random_rules"]

MOST_TRIES = 100

Conditions = tuple[tuple[int, tuple[int, ...]], ...]


@generator("rules")
def random_rules(
    *,
    n_attributes: Bounds = (4, 8),
    arity: Bounds = (2, 4),
    n_classes: Bounds = (2, 4),
    n_relevant: Bounds | None = None,
    n_rules: Bounds = (3, 6),
    n_conditions: Bounds = (1, 3),
    concentration: float = 0.1,
    max_parents: int = 0,
    attribute_concentration: float = 5.0,
    random_state: RandomState = None,
) -> Concept:
    """Draw an ordered rule list in which the first rule that holds determines the class distribution.

    A condition requires one state of an attribute. If no rule holds, the default rule applies. A rule is
    drawn again unless it is the first to hold for some combination of states and leaves some combination to
    the default rule.

    Parameters
    ----------
    n_rules : int or (low, high), default=(3, 6)
        Number of rules without the default rule. It is smaller if a hundred draws in a row give no valid
        rule.
    n_conditions : int or (low, high), default=(1, 3)
        Number of conditions of each rule, drawn independently for each rule and at most `n_relevant`.
    n_attributes, arity, n_classes, n_relevant
        See `random_decision_tree`.
    concentration, max_parents, attribute_concentration
        See `random_decision_tree`.
    random_state : int, Generator, SeedSequence or None
        Seed. Random numbers are drawn in the order sizes and attributes (see
        `generators.concepts._shared.random_parts`), n_rules, rules, class distributions.

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
    random_decision_tree, random_decision_graph

    Examples
    --------
    >>> print(random_rules(n_attributes=4, arity=2, n_rules=2, n_classes=2, random_state=1))
    y depends on x0, x1, x2, x3
      if x2 = 1 and x0 = 1 and x1 = 0: y = 1 (0.977), 0 (0.023)
      if x3 = 1: y = 0 (0.996), 1 (0.004)
      otherwise: y = 0 (0.999), 1 (0.001)
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
    conditions: list[Conditions] = []
    for _ in range(random_between(rng, "n_rules", n_rules)):
        fresh = _random_rule(rng, attributes, n_conditions, conditions)
        if fresh is None:
            break
        conditions.append(fresh)
    leaves = random_rows(rng, (len(conditions) + 1, attributes.n_classes), concentration=concentration)
    rules = tuple(Rule(found, leaf) for leaf, found in enumerate([*conditions, ()]))
    return Concept(attributes.network, rules, leaves)


def _random_rule(
    rng: np.random.Generator,
    attributes: RandomAttributes,
    n_conditions: Bounds,
    earlier: Sequence[Conditions],
) -> Conditions | None:
    """Draw a rule that applies to new combinations and leaves some to the default."""
    for _ in range(MOST_TRIES):
        n = min(random_between(rng, "n_conditions", n_conditions), len(attributes.relevant))
        named = [attributes.relevant[place] for place in random_order(rng, len(attributes.relevant))[:n]]
        rule = tuple((v, (random_integer(rng, 0, attributes.arities[v] - 1),)) for v in named)
        ordered = [box_of(dict(found), attributes.arities) for found in (*earlier, rule, ())]
        if all(disjoint_boxes(ordered)[-2:]):
            return rule
    return None
