"""Random concepts in which the class is the parity of some attributes."""

import itertools
from numbers import Real
from typing import Any

import numpy as np

from generators.base.draw import Bounds, RandomState, as_generator, random_integer
from generators.base.generator import generator
from generators.base.validation import shown
from generators.concepts._shared.concept import Concept
from generators.concepts._shared.random_parts import random_attributes
from generators.concepts._shared.rule import Rule

__all__ = ["random_parity"]

HIGHEST_ORDER = 8  # 256 rules


@generator("parity")
def random_parity(
    *,
    n_attributes: Bounds = 6,
    order: int = 2,
    strength: float = 0.8,
    attribute_concentration: float = 30.0,
    random_state: RandomState = None,
) -> Concept:
    """Draw a concept in which the class is the noisy parity of some attributes.

    Attributes are binary, independent and nearly uniform. Any set of fewer than `order` relevant attributes
    carries little information about the class: the interaction has no lower-order effects. All other
    attributes are irrelevant.

    Parameters
    ----------
    n_attributes : int or (low, high), default=6
        Number of attributes without the class. A range is sampled uniformly, both ends included.
    order : int, default=2
        Number of relevant attributes, from 1 (a main effect) to 8, and at most the number of attributes.
    strength : float, default=0.8
        Strength of the dependence, from 0 to 1. The class follows the parity with probability ``(1 +
        strength) / 2``. At 0, the class is independent of the attributes. At 1, the parity determines the
        class.
    attribute_concentration : float, default=30.0
        Dirichlet parameter of the attributes' distributions. Larger values give distributions closer to
        uniform.
    random_state : int, Generator, SeedSequence or None
        Seed. Random numbers are drawn in the order sizes and attributes (see
        `generators.concepts._shared.random_parts`), including which attributes are relevant, then the class
        of rows with even parity.

    Returns
    -------
    Concept
        Attributes x0, x1, ..., then the class y of two classes. States are 0 and 1.

    Raises
    ------
    ValueError
        If a bound is not an integer of at least 1, low exceeds high, or another argument is invalid.

    See Also
    --------
    random_decision_tree, random_rules

    Examples
    --------
    >>> print(random_parity(n_attributes=4, random_state=1))
    y depends on x0, x2
      if x0 = 0 and x2 = 0: y = 1 (0.900), 0 (0.100)
      if x0 = 0 and x2 = 1: y = 0 (0.900), 1 (0.100)
      if x0 = 1 and x2 = 0: y = 0 (0.900), 1 (0.100)
      if x0 = 1 and x2 = 1: y = 1 (0.900), 0 (0.100)
    """
    order, strength = _checked_order(order), _checked_strength(strength)
    rng = as_generator(random_state)
    attributes = random_attributes(
        rng,
        n_attributes=n_attributes,
        arity=2,
        n_classes=2,
        n_relevant=order,
        max_parents=0,
        concentration=attribute_concentration,
    )
    relevant = sorted(attributes.relevant)
    class_of_even = random_integer(rng, 0, 1)
    rules = tuple(
        Rule(tuple((v, (code,)) for v, code in zip(relevant, codes, strict=True)), sum(codes) % 2)
        for codes in itertools.product((0, 1), repeat=len(relevant))
    )
    right, wrong = (1 + strength) / 2, (1 - strength) / 2
    leaves = np.array([[right, wrong], [wrong, right]])
    return Concept(attributes.network, rules, leaves[::-1] if class_of_even else leaves)


def _checked_order(value: Any) -> int:
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not (is_whole and 1 <= value <= HIGHEST_ORDER):
        raise ValueError(f"order is {shown(value)}: expected a whole number from 1 to {HIGHEST_ORDER}")
    return int(value)


def _checked_strength(value: float) -> float:
    if isinstance(value, bool) or not (isinstance(value, Real) and 0 <= value <= 1):
        raise ValueError(f"strength is {shown(value)}: expected a number from 0 to 1")
    return float(value)
