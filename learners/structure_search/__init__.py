"""Search for the network that makes the message shortest."""

from learners.structure_search.exact import MAX_NODES, ShortestNetwork, shortest_network
from learners.structure_search.named import search_named
from learners.structure_search.prior import (
    CheapestDag,
    ShortestAtProbability,
    shortest_over_arc_probabilities,
)

__all__ = [
    "search_named",
    "MAX_NODES",
    "ShortestNetwork",
    "shortest_network",
    "CheapestDag",
    "ShortestAtProbability",
    "shortest_over_arc_probabilities",
]
