"""Search for the network with the shortest message."""

from learners.networks.search.annealing import anneal
from learners.networks.search.arc_costs import ArcCosts
from learners.networks.search.arc_probability import (
    CheapestDag,
    ShortestAtProbability,
    shortest_at,
    shortest_at_fixed_point,
    shortest_over_arc_probabilities,
)
from learners.networks.search.averaging import MAX_AVERAGED_NODES, ExactAverage
from learners.networks.search.blanket import blanket_search
from learners.networks.search.chain_clock import SearchTimeout
from learners.networks.search.equivalence import EquivalenceClass, equivalence_classes
from learners.networks.search.exact import shortest_network
from learners.networks.search.family_costs import MAX_NODES, FamilyTable
from learners.networks.search.fast import fast_search
from learners.networks.search.metropolis import TomSample, sample_toms
from learners.networks.search.order_posterior import OrderPosterior
from learners.networks.search.search_choice import find_network
from learners.networks.search.search_problem import FoundNetwork, SearchProblem
from learners.networks.search.weighted_graphs import WeightedGraphs

__all__ = [
    "ArcCosts",
    "SearchProblem",
    "FoundNetwork",
    "find_network",
    "MAX_NODES",
    "FamilyTable",
    "shortest_network",
    "SearchTimeout",
    "anneal",
    "blanket_search",
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
