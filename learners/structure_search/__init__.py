"""Search for the network that makes the message shortest."""

from learners.structure_search.exact import MAX_NODES, ShortestNetwork, shortest_network
from learners.structure_search.prior import ShortestAtProbability, shortest_over_arc_probabilities

__all__ = [
    "MAX_NODES",
    "ShortestNetwork",
    "shortest_network",
    "ShortestAtProbability",
    "shortest_over_arc_probabilities",
]
