"""What it costs to tell a Bayesian network: its arcs, and for each node its table and its values."""

import math
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from learners.code_lengths.multinomial import adaptive_code_length

__all__ = [
    "family_length",
    "structure_length",
    "arc_cost",
    "estimated_arc_probability",
    "n_pairs",
    "check_arc_probability",
]


def family_length(counts: NDArray[np.int64], parameter_cost: float) -> float:
    """Tell one node's table and its values, given its parents' values.

    Parameters
    ----------
    counts : ndarray of shape (n_configurations, r)
        Rows of the table by configuration of the parents (all of them, seen or not) and by own value.
    parameter_cost : float
        Nats for each free parameter, see `parameter_constant`.

    Returns
    -------
    float
        Nats: sum over configurations of the adaptive code + parameter_cost * (r - 1).

    References
    ----------
    .. [1] Wallace, C. S., Korb, K. B. & Dai, H. 1996, "Causal discovery via MML", ICML.

    Examples
    --------
    >>> import numpy as np
    >>> round(family_length(np.array([[2, 0, 0], [0, 0, 0]]), 0.25), 6)   # ln 6 + 2 * 0.25 * 2
    2.791759
    """
    return float(
        adaptive_code_length(counts).sum() + parameter_cost * counts.shape[0] * (counts.shape[1] - 1)
    )


def structure_length(n_arcs: int, n_nodes: int, arc_probability: float) -> float:
    """Tell which pairs of nodes are joined by an arc, given the order of the nodes.

    The order itself costs the same for every network, and is left out, as is the arc probability.

    Parameters
    ----------
    n_arcs, n_nodes : int
        Size of the network.
    arc_probability : float
        Probability p that a pair is joined, strictly between 0 and 1.

    Returns
    -------
    float
        Nats: -[a ln p + (M - a) ln(1 - p)], M = n (n - 1) / 2.

    Examples
    --------
    >>> round(structure_length(7, 8, 7.5 / 29), 4)
    15.7509
    """
    return n_arcs * arc_cost(arc_probability) - n_pairs(n_nodes) * math.log1p(-arc_probability)


def arc_cost(arc_probability: float) -> float:
    """Give the price of an arc over no arc, ln((1 - p) / p); negative above p = 1/2.

    Parameters
    ----------
    arc_probability : float
        Strictly between 0 and 1.

    Returns
    -------
    float
        Nats.

    Examples
    --------
    >>> arc_cost(0.5)
    0.0
    """
    return math.log1p(-arc_probability) - math.log(arc_probability)


def estimated_arc_probability(n_arcs: int, n_pairs: int) -> float:
    """Estimate the probability of an arc from the arcs of one network, (a + 1/2) / (M + 1).

    Parameters
    ----------
    n_arcs : int
        Number of arcs, a.
    n_pairs : int
        Number of pairs of nodes that an arc could join, M.

    Returns
    -------
    float
        Strictly between 0 and 1.

    Examples
    --------
    >>> estimated_arc_probability(7, 28) == 7.5 / 29
    True
    """
    return (n_arcs + 0.5) / (n_pairs + 1)


def n_pairs(n_nodes: int) -> int:
    """Count the pairs of nodes, M = n (n - 1) / 2.

    Parameters
    ----------
    n_nodes : int
        Number of nodes.

    Returns
    -------
    int

    Examples
    --------
    >>> n_pairs(8)
    28
    """
    return n_nodes * (n_nodes - 1) // 2


def check_arc_probability(arc_probability: float | str) -> None:
    """Refuse what is neither a probability of an arc nor a rule that finds one.

    Parameters
    ----------
    arc_probability : float, "joint" or "fixed_point"
        What the user gave.

    Raises
    ------
    ValueError
        If it is another word, or not strictly between 0 and 1.

    Examples
    --------
    >>> check_arc_probability(1.0)
    Traceback (most recent call last):
    ValueError: arc_probability must be "joint", "fixed_point" or a number between 0 and 1, but was 1.0.
    """
    if isinstance(arc_probability, Real) and 0 < arc_probability < 1:
        return
    if not isinstance(arc_probability, str) or arc_probability not in ("joint", "fixed_point"):
        raise ValueError(
            'arc_probability must be "joint", "fixed_point" or a number between 0 and 1, '
            f"but was {arc_probability!r}."
        )
