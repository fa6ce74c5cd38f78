"""What can be found by trying everything."""

import itertools
import math

from learners.networks.search import SearchProblem


def shortest_of_all_graphs(problem: SearchProblem, arc_probability: float) -> float:
    """Return the length of the shortest message, by all orders and all sets of parents in each."""
    arc = math.log((1 - arc_probability) / arc_probability)
    best = math.inf
    for order in itertools.permutations(range(problem.n_nodes)):
        total = problem.arc_costs.no_arcs(arc_probability)
        for place, v in enumerate(order):
            sets = itertools.chain.from_iterable(
                itertools.combinations(order[:place], k) for k in range(place + 1)
            )
            total += min(problem.family_cost(v, s) + len(s) * arc for s in sets)
        best = min(best, total)
    return best
