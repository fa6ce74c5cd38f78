"""The length of the message that encodes a network and the rows, in parts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.networks.search.problem import NetworkProblem

__all__ = ["MessageLength", "length_in_parts"]

Parents = Sequence[Sequence[int]]


@dataclass(frozen=True, eq=False)
class MessageLength:
    """Length of the message that encodes a network and then the data, in bits.

    Attributes
    ----------
    structure : float
        Bits for the arcs.
    parameters : ndarray of shape (n_nodes,)
        Bits for each node's probabilities, or coefficients and noise: the node's cost beyond `data`. They
        include the loss by rounding the parameters.
    data : ndarray of shape (n_nodes,)
        Bits for each node's values, encoded with the estimated probabilities: (n + 1/2) / (N + r/2) in tables
        and leaves, or the estimates of logits. Numbers are encoded with a precision of one standard deviation
        of the variable.
    arc_probability : float
        Arc probability used to encode the arcs.
    """

    structure: float
    parameters: NDArray[np.float64]
    data: NDArray[np.float64]
    arc_probability: float

    @property
    def total(self) -> float:
        """Length of the whole message, in bits."""
        return math.fsum([self.structure, *self.parameters, *self.data])


def length_in_parts(
    problem: NetworkProblem, parents: Parents, data: Sequence[float], arc_probability: float
) -> MessageLength:
    """Split the length of a message, given in nats, into arcs, parameters and values."""
    bit = math.log(2)
    values = np.array(data, dtype=np.float64)
    whole = np.array([problem.family_cost(v, others) for v, others in enumerate(parents)])
    structure = problem.arc_costs.structure_length(parents, arc_probability)
    return MessageLength(structure / bit, (whole - values) / bit, values / bit, arc_probability)
