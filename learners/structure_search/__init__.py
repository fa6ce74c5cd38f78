"""Search for the network that makes the message shortest."""

from learners.structure_search.annealing import anneal
from learners.structure_search.arc_prices import ArcPrices
from learners.structure_search.arc_probability import (
    CheapestDag,
    ShortestAtProbability,
    shortest_at,
    shortest_at_fixed_point,
    shortest_over_arc_probabilities,
)
from learners.structure_search.averaging import MAX_AVERAGED_NODES, ExactAverage
from learners.structure_search.equivalence import EquivalenceClass, equivalence_classes
from learners.structure_search.exact import shortest_network
from learners.structure_search.families import MAX_NODES, FamilyTable
from learners.structure_search.fast import fast_search
from learners.structure_search.found_network import FoundNetwork
from learners.structure_search.metropolis import TomSample, sample_toms
from learners.structure_search.named import find_network
from learners.structure_search.order_posterior import OrderPosterior
from learners.structure_search.search_problem import SearchProblem
from learners.structure_search.weighted_graphs import WeightedGraphs

__all__ = [
    "ArcPrices",
    "SearchProblem",
    "FoundNetwork",
    "find_network",
    "MAX_NODES",
    "FamilyTable",
    "shortest_network",
    "anneal",
    "fast_search",
    "sample_toms",
    "TomSample",
    "WeightedGraphs",
    "EquivalenceClass",
    "equivalence_classes",
    "OrderPosterior",
    "ExactAverage",
    "MAX_AVERAGED_NODES",
    "CheapestDag",
    "ShortestAtProbability",
    "shortest_at",
    "shortest_at_fixed_point",
    "shortest_over_arc_probabilities",
]
