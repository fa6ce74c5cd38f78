"""The cost of coding the arcs of a Bayesian network."""

import math
from numbers import Real

__all__ = [
    "structure_length",
    "arc_cost",
    "estimated_arc_probability",
    "n_pairs",
    "check_arc_probability",
]


def structure_length(n_arcs: int, n_nodes: int, arc_probability: float) -> float:
    """Return the nats that state which pairs of nodes are joined by an arc, given the order of the nodes."""
    # the order itself costs the same for every network, and is left out, as is the arc probability
    return n_arcs * arc_cost(arc_probability) - n_pairs(n_nodes) * math.log1p(-arc_probability)


def arc_cost(arc_probability: float) -> float:
    """Return the cost of an arc relative to no arc, ln((1 - p) / p), negative above p = 1/2."""
    return math.log1p(-arc_probability) - math.log(arc_probability)


def estimated_arc_probability(n_arcs: int, n_pairs: int) -> float:
    """Estimate the probability of an arc from the arcs of one network, (a + 1/2) / (M + 1)."""
    return (n_arcs + 0.5) / (n_pairs + 1)


def n_pairs(n_nodes: int) -> int:
    """Count the pairs of nodes, M = n (n - 1) / 2."""
    return n_nodes * (n_nodes - 1) // 2


def check_arc_probability(arc_probability: float | str) -> None:
    """Raise an error unless the value is an arc probability or a rule that finds one."""
    if isinstance(arc_probability, Real) and 0 < arc_probability < 1:
        return
    if not isinstance(arc_probability, str) or arc_probability not in ("joint", "fixed_point"):
        raise ValueError(
            'arc_probability must be "joint", "fixed_point" or a number between 0 and 1, '
            f"but was {arc_probability!r}."
        )
