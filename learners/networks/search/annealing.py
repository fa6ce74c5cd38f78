"""Simulated annealing over totally ordered models, as in the CaMML program."""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real

import numpy as np

from learners.code_lengths.network import check_arc_probability, estimated_arc_probability
from learners.networks._kernels.tom_chain import Rules, Tom, search_block
from learners.networks.search.chain_clock import ChainClock
from learners.networks.search.problem import NetworkProblem
from learners.networks.search.search_problem import FoundNetwork
from learners.networks.search.toms import TomSpace

__all__ = ["anneal", "check_search_factor"]

MARGIN = 40.0  # nats above the best beyond which only steps down are taken
MOST_REFINING = 50_000  # steps of a unit from a network that was found, as for 37 nodes
ESTIMATES = 10  # rounds of cleaning the best model and estimating the arc probability after an epoch


@dataclass(frozen=True)
class _Epoch:
    start: str  # what it starts from
    length: int  # steps, as a multiple of the unit
    temperature: float


SCHEDULE = (
    _Epoch("empty", 7, 1.0),
    *[_Epoch("filled", 7, 1.0)] * 10,
    *[_Epoch("empty", 7, 1.0)] * 10,
    *[_Epoch("best", 10, 2 - k / 12) for k in range(1, 13)],
)


def anneal(
    problem: NetworkProblem,
    *,
    arc_probability: float | str = "fixed_point",
    search_factor: float = 1.0,
    max_seconds: float | None = None,
    start: FoundNetwork | None = None,
    random_state: int | np.random.Generator | None = None,
) -> FoundNetwork:
    """Search by simulated annealing over totally ordered models.

    If `start` is a network that another search found, only the last 12 epochs are run, beginning with this
    network, and S is at most 50,000 `search_factor`.

    Notes
    -----
    There are 33 epochs with 267 S steps in total, where S = max(1000, n^3) `search_factor`. The first epoch
    starts without arcs, the next 10 start from a random order with each node's nearest predecessors as
    parents, and another 10 start without arcs. All these have temperature 1. The last 12 epochs start from
    the best model in a new random order, at temperatures from 1.917 down to 1. The steps are the same as in
    `sample_toms`, with the parent swap of the CaMML program. As long as a message is longer than the best
    message by more than 40 nats, only shorter messages are accepted. After each epoch, two steps are repeated
    ten times: parents that do not shorten the message are dropped, and the arc probability p = (a + 1/2) / (M
    + 1) is estimated.

    On one thread, 267,000 steps with 8 nodes take 0.05 s. On the Alarm network (37 nodes), 13.5 million steps
    take 2.5 s with 5000 rows, and 10 s with 500 rows, where more steps are accepted.

    References
    ----------
    .. [1] Wallace, C. S. & Korb, K. B. 1999, "Learning linear causal models by MML sampling", in Causal
       Models and Intelligent Data Management.
    .. [2] O'Donnell, R. T. 2010, "Flexible causal discovery with MML", thesis, Monash University.
    """
    check_arc_probability(arc_probability)
    steps = max(1000, problem.n_nodes**3 if start is None else min(problem.n_nodes**3, MOST_REFINING))
    unit = int(steps * check_search_factor(search_factor))
    schedule = SCHEDULE if start is None else [epoch for epoch in SCHEDULE if epoch.start == "best"]
    n_steps = sum(int(unit * epoch.length) for epoch in schedule)
    clock = ChainClock("Annealing", max_seconds, n_steps)
    chain = _Annealing(problem, arc_probability, np.random.default_rng(random_state), clock, start)
    interrupted = True
    try:
        with clock.searching():
            interrupted = not all(chain.run(epoch, unit * epoch.length) for epoch in schedule)
    except KeyboardInterrupt:
        chain.settle()
    return chain.found(interrupted)


def check_search_factor(search_factor: float) -> float:
    """Raise an error unless the factor is a positive number."""
    if not isinstance(search_factor, Real) or not 0 < search_factor < np.inf:
        raise ValueError(f"search_factor must be a positive number, but was {search_factor!r}.")
    return float(search_factor)


class _Annealing:
    """The best model so far, and the arc probability used to encode it."""

    def __init__(
        self,
        problem: NetworkProblem,
        arc_probability: float | str,
        rng: np.random.Generator,
        clock: ChainClock,
        start: FoundNetwork | None,
    ) -> None:
        self.space, self.rng, self.clock = TomSpace(problem), rng, clock
        self.estimates = isinstance(arc_probability, str)
        first = 0.5 if start is None else start.arc_probability
        self.p = first if isinstance(arc_probability, str) else float(arc_probability)
        self.rules = self.space.rules(self.p, original_swap=True)
        parents = self.space.required if start is None else start.parents
        self.best = self.space.tom(self.rules, self.space.random_order(parents, rng), parents)
        self.trace = [(clock.seconds, float(self.best.cost[0]))]

    def run(self, epoch: _Epoch, n_steps: int) -> bool:
        """Run one epoch, and return False if the time limit was reached before its end."""
        starts: dict[str, Callable[[Rules, np.random.Generator], Tom]] = {
            "empty": self.space.empty,
            "filled": self.space.filled,
            "best": self._best_reordered,
        }
        tom = starts[epoch.start](self.rules, self.rng)
        while n_steps > 0 and not self.clock.is_up:
            draws = self.rng.random((min(n_steps, self.clock.block), 5))
            search_block(self.space.cache, self.rules, tom, draws, epoch.temperature, MARGIN, self.best)
            n_steps -= len(draws)
            self._note(len(draws))
        self.settle()
        return n_steps <= 0

    def settle(self) -> None:
        """Clean the best model, and estimate the arc probability from it."""
        pairs = self.space.problem.arc_costs
        for _ in range(ESTIMATES):
            parents = self.space.cleaned(self.rules, self.best)
            if self.estimates:
                self.p = estimated_arc_probability(pairs.n_free_arcs(parents), pairs.n_pairs)
                self.rules = self.space.rules(self.p, original_swap=True)
            self.best = self.space.tom(self.rules, self.best.order, parents)
        self._note()

    def found(self, interrupted: bool) -> FoundNetwork:
        parents = self.space.cleaned(self.rules, self.best)
        length = self.space.problem.length(parents, self.p)
        return FoundNetwork(parents, length, self.p, np.array(self.trace), interrupted)

    def _best_reordered(self, rules: Rules, rng: np.random.Generator) -> Tom:
        parents = self.space.cleaned(rules, self.best)
        return self.space.tom(rules, self.space.random_order(parents, rng), parents)

    def _note(self, n_steps: int = 0) -> None:
        length = float(self.best.cost[0])
        self.clock.tick(length, n_steps)
        if length < self.trace[-1][1]:
            self.trace.append((self.clock.seconds, length))
