"""Choice among the search methods."""

import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from numbers import Real

import numpy as np

from generators.tables.caller import user_level
from learners.networks._kernels.local_cost import TABLE
from learners.networks.progress import phase
from learners.networks.search.annealing import anneal
from learners.networks.search.blanket import blanket_search
from learners.networks.search.chain_clock import ChainClock, SearchTimeout
from learners.networks.search.exact import shortest_network
from learners.networks.search.family_costs import MAX_NODES, memory_of
from learners.networks.search.fast import fast_search
from learners.networks.search.problem import NetworkProblem
from learners.networks.search.search_problem import FoundNetwork, SearchProblem

__all__ = ["find_network", "is_quickly_exact"]

SEARCHES = ("auto", "exact", "fast", "metropolis", "blanket")
MOST_PLAIN, MOST_HOLED, MOST_TREES = 16, 12, 9
"""Nodes up to which "auto" is exact: within about a second for 5000 rows."""

SECONDS_WORTH_KEEPING = 1.0
"""What Ctrl-C stops sooner leaves nothing: a loop over small tables ends."""

LARGE = 1e9
"""Bytes of the exact search that a warning announces."""

SECONDS_AFTER, LITTLE_WORK = 1.0, 0.1
"""Left, or a tenth of the limit, for the fast search when the exact one is stopped; its search factor."""


def find_network(
    problem: NetworkProblem,
    *,
    search: str = "auto",
    arc_probability: float | str = "joint",
    search_factor: float = 1.0,
    max_seconds: float | None = None,
    random_state: int | np.random.Generator | None = None,
    target: int | None = None,
) -> FoundNetwork:
    """Search for the network with the shortest message, by the method that `search` names."""
    if search not in SEARCHES:
        raise ValueError(f"search must be one of {', '.join(SEARCHES)}, but was {search!r}.")
    positive = isinstance(max_seconds, Real) and not isinstance(max_seconds, bool) and max_seconds > 0
    if max_seconds is not None and not positive:
        raise ValueError(f"max_seconds must be None or a number above 0, but was {max_seconds!r}.")
    if search == "exact" or (search == "auto" and is_quickly_exact(problem)):
        return _exact_or_fast(problem, arc_probability, max_seconds, random_state)
    if search == "blanket":
        if target is None:
            raise ValueError(
                'search="blanket" searches the Markov blanket of a class, but there is no class. '
                'Use CaMMLClassifier, or search="fast".'
            )
        find: Callable[..., FoundNetwork] = partial(blanket_search, target=target)
    else:
        find = anneal if search == "metropolis" else fast_search
    return find(
        problem,
        arc_probability=arc_probability,
        search_factor=search_factor,
        max_seconds=max_seconds,
        random_state=random_state,
    )


def _exact_or_fast(
    problem: NetworkProblem,
    arc_probability: float | str,
    max_seconds: float | None,
    random_state: int | np.random.Generator | None,
) -> FoundNetwork:
    """Search exactly, or by a fast search if the exact one is stopped before it has a network."""
    after = SECONDS_AFTER if max_seconds is None else min(SECONDS_AFTER, max_seconds / 10)
    clock = ChainClock("Exact search", None if max_seconds is None else max_seconds - after)
    _say_if_large(problem)
    try:
        return shortest_network(problem, arc_probability=arc_probability, clock=clock)
    except KeyboardInterrupt:
        if clock.seconds < SECONDS_WORTH_KEEPING:  # compilation does not count
            raise
    except SearchTimeout:
        pass
    phase(f"stopped: a quick search of networks of {problem.n_nodes} variables")
    found = fast_search(  # by work, not by time, so that it ends with a network on a busy machine, too
        problem, arc_probability=arc_probability, search_factor=LITTLE_WORK, random_state=random_state
    )
    return replace(found, interrupted=True)


def _say_if_large(problem: NetworkProblem) -> None:
    """Report the memory to be used if it is large."""
    needed = memory_of(problem)
    if problem.n_nodes <= MAX_NODES and needed >= LARGE:
        warnings.warn(
            f"The exact search of {problem.n_nodes} variables takes {needed / 1e9:.1f} GB of memory.",
            UserWarning,
            stacklevel=user_level(),
        )


def is_quickly_exact(problem: NetworkProblem) -> bool:
    """Return whether there are few enough families for an exact search by default."""
    if problem.arc_costs.indirect is not None:
        return False
    if isinstance(problem, SearchProblem) and problem.local_model != TABLE:
        return problem.n_nodes <= MOST_TREES
    return problem.n_nodes <= (MOST_HOLED if problem.holes else MOST_PLAIN)
