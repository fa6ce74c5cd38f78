"""Metropolis sampling of totally ordered models: posteriors of arcs and graphs for many nodes."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np
from numpy.typing import NDArray

from learners.code_lengths.network import check_arc_probability
from learners.networks._kernels.tom_chain import Rules, Tom
from learners.networks.search.annealing import check_search_factor
from learners.networks.search.chain_clock import ChainClock
from learners.networks.search.convergence import Convergence
from learners.networks.search.problem import NetworkProblem
from learners.networks.search.tom_sampling import ChainSample, SampledChain, pooled
from learners.networks.search.toms import Parents, TomSpace
from learners.networks.search.weighted_graphs import WeightedGraphs

__all__ = ["AGREE", "TomSample", "check_temperature", "sample_toms"]

N_CHECKPOINTS = 50
"""How many times the chains are compared."""

AGREE = 0.1  # largest difference between chains, in the posterior of an arc, without a warning
FEW = 0.01  # effective share of samples below which a temperature nearer to 1 is advised


@dataclass(frozen=True, eq=False)
class TomSample:
    """Sampled graphs, weighted by posterior probability.

    Attributes
    ----------
    graphs : WeightedGraphs
        Sampled graphs, without parents that do not shorten the message, and their shares of the total weight.
    ignored : float
        Share of the total weight of graphs that are not stored.
    arc_posteriors : ndarray of float64, shape (n_nodes, n_nodes)
        Probability of the arc from row to column. It is computed from the models as they were sampled,
        including parents that do not shorten the message.
    shortest_parents : tuple of tuple of int
        The sampled graph with the shortest message.
    shortest_length : float
        Length in nats of the message of `shortest_parents`.
    arc_probability : float
        Arc probability used to encode arcs.
    n_samples : int
        Number of samples from all chains.
    effective_samples : float
        (sum of weights)^2 / sum of squared weights: the number of equally weighted samples that would be as
        informative, at most `n_samples`. If this number is small, a temperature nearer to 1 is better.
    convergence : Convergence
        Comparison of the chains.
    interrupted : bool
        Whether the user or the time limit stopped the sampling.
    """

    graphs: WeightedGraphs
    ignored: float
    arc_posteriors: NDArray[np.float64]
    shortest_parents: tuple[tuple[int, ...], ...]
    shortest_length: float
    arc_probability: float
    n_samples: int
    effective_samples: float
    convergence: Convergence
    interrupted: bool = False

    def __repr__(self) -> str:
        return (
            f"TomSample({self.n_samples:,} samples, {len(self.graphs):,} graphs, chains differ by up to "
            f"{self.convergence.largest_difference:.2f})"
        )

    @property
    def disagreement(self) -> float:
        """Largest difference between two chains in the posterior of an arc, from 0 to 1.

        In practice this is an upper bound of the error of `arc_posteriors`. In 216 samples of easy and hard
        problems with 13 to 16 nodes, the largest error, compared with exact posteriors, exceeded the
        disagreement once, and was mostly about a third of it.
        """
        return self.convergence.largest_difference

    @property
    def arc_spreads(self) -> NDArray[np.float64]:
        """Largest difference between two chains in each arc's posterior, by [from, to]."""
        return self.convergence.differences

    @property
    def agreement(self) -> str:
        """Description of the agreement of the chains.

        A chain that never reached short messages differs much from the other chains, but has little weight.
        Agreement of only the other chains is weaker evidence than agreement of all chains.
        """
        if self.disagreement <= AGREE:
            return f"chains agree to within {self.disagreement:.2f}"
        text = f"chains differ by up to {self.disagreement:.2f}"
        n_weighty = int(self.convergence.has_weight.sum())
        if n_weighty == len(self.convergence.shares):
            return text
        if n_weighty == 1:
            return f"{text}, but one chain carries nearly all the weight"
        by = self.convergence.weighty_difference
        return f"{text}, and the {n_weighty} chains that carry nearly all the weight by up to {by:.2f}"

    @property
    def advice(self) -> str:
        """Advice on what to do if the chains differ."""
        advice = "raise search_factor for more steps"
        if self.interrupted:
            advice = "sampling was stopped early, by Ctrl-C or max_seconds: let it run longer"
        if self.effective_samples < FEW * self.n_samples:
            advice += (
                ", or bring temperature nearer to 1, since the weights are worth only "
                f"{self.effective_samples:,.0f} of {self.n_samples:,} samples"
            )
        return advice


def sample_toms(
    problem: NetworkProblem,
    *,
    arc_probability: float,
    temperature: float = 1.8,
    search_factor: float = 1.0,
    n_chains: int = 4,
    parent_swap: str = "symmetric",
    starts: Sequence[Parents] = (),
    burn_in: float = 0.1,
    max_seconds: float | None = None,
    random_state: int | np.random.Generator | None = None,
) -> TomSample:
    """Sample totally ordered models with probability proportional to exp(-length / temperature).

    A totally ordered model (TOM) is an order of the nodes, together with arcs that obey it. A graph occurs
    with each order that it allows, so its prior is proportional to the number of these orders.

    Notes
    -----
    A third of the steps add or remove an arc between a random pair. A third exchange two neighbors in the
    order, which reverses an arc between them. A sixth choose three nodes, and add or remove the arcs from the
    two earlier nodes to the latest. A sixth exchange a parent of a node for an earlier node that is not a
    parent. A step that makes the message d nats longer is accepted with probability exp(-d / temperature).
    These moves are the same as in the CaMML program. While a message is 40 nats longer than the best message,
    the program accepts only shorter messages. This rule is left out here, since it violates detailed balance.

    The first three moves are symmetric: each move is proposed as often as its reverse. The exchange of a
    parent chooses the child at position j + 2, with j = floor((n - 2)(1 - u^2)) and a uniform random u, and
    drops each of its k parents with probability 1 / k. "symmetric" then chooses each of the j + 2 - k earlier
    nodes that are not parents with equal probability. The child's position and k do not change, so the
    reverse move is equally probable. "original" chooses only among the first j - k of these nodes, in the
    order of the nodes. If the dropped parent is one of the last two, the reverse move is never proposed. This
    happens if there are five nodes or more, and changes the distribution slightly.

    Each chain makes 200 n^3 / `n_chains` steps, or 200,000 if that is more, times `search_factor`. The CaMML
    program makes 200 max(10, n)^3 steps in one chain. Graphs are stored if their message is within 30 nats of
    the shortest message. If they exceed 64 MB in a chain, the graphs with the smallest weights are dropped.

    At temperature 1, all samples have equal weight, so a chain that never left a bad start spoils the result,
    which `convergence` shows. Above 1, such a chain has almost no weight. With many nodes, chains that start
    far from each other may not meet. Start half of the chains from the result of a search and the others at
    random: if all chains start from the same network, they agree with each other even if they never leave its
    neighborhood. This was compared with exact posteriors on 13 nodes that are hard to sample (noisy copies of
    an unobserved variable, and parities of three), with 300 and 3000 rows, temperatures 1.2 and 1.8, and 64
    samples each. If all four chains started from the shortest network, the chains of 4 samples agreed to
    within 0.1 although an error was above 0.1. In 10 samples an error exceeded the largest difference between
    the chains. If only two chains started from the shortest network, neither happened. The mean errors were
    similar, and on random networks of 16 and 60 nodes the starts made no difference.

    On one thread, 4 x 220,000 steps with 8 nodes take 0.2 to 0.4 s. On the Alarm network (37 nodes), 11
    million steps take 1.3 s with 5000 rows, and 9 s with 500 rows, where more steps are accepted.

    References
    ----------
    .. [1] Wallace, C. S. & Korb, K. B. 1999, "Learning linear causal models by MML sampling", in Causal
       Models and Intelligent Data Management.
    """
    _check(arc_probability, temperature, n_chains, parent_swap, burn_in)
    space = TomSpace(problem)
    rules = space.rules(arc_probability, original_swap=parent_swap == "original")
    rngs = np.random.default_rng(random_state).spawn(n_chains)
    chains = [
        SampledChain(space, rules, temperature, rng, _start(space, rules, rng, i, starts))
        for i, rng in enumerate(rngs)
    ]
    least = max(200 * 10**3, 200 * problem.n_nodes**3 / n_chains)
    n_steps = max(1, int(least * check_search_factor(search_factor)))
    n_burned = int(burn_in * n_steps)
    clock = ChainClock("Sampling", max_seconds, n_chains * (n_burned + n_steps))
    checkpoints = []
    interrupted = True
    try:
        with clock.searching():
            for chain in chains:
                chain.burn_in(n_burned, clock)
            for k in range(1, N_CHECKPOINTS + 1):
                for chain in chains:
                    chain.sample(n_steps * k // N_CHECKPOINTS, clock)
                checkpoints.append([chain.snapshot() for chain in chains])
        interrupted = any(chain.n_samples < n_steps for chain in chains)
    except KeyboardInterrupt:
        pass
    now = [chain.snapshot() for chain in chains]
    return _sample(problem, arc_probability, chains, [*checkpoints, now], interrupted)


def _sample(
    problem: NetworkProblem,
    arc_probability: float,
    chains: list[SampledChain],
    checkpoints: list[list[ChainSample]],
    interrupted: bool,
) -> TomSample:
    now = checkpoints[-1]
    everything = pooled(now)
    bits, weights = zip(*(chain.graphs(everything.reference) for chain in chains), strict=True)
    merged = WeightedGraphs.merged(np.concatenate(bits), np.concatenate(weights) / everything.weight)
    candidates = [parents for chain in chains for parents in chain.shortest()]
    length, parents = min((problem.length(parents, arc_probability), parents) for parents in candidates)
    return TomSample(
        merged,
        max(0.0, 1.0 - float(merged.weights.sum())),
        everything.arcs / everything.weight,
        parents,
        length,
        float(arc_probability),
        everything.n_samples,
        everything.weight**2 / everything.squares,
        Convergence.of(checkpoints),
        interrupted,
    )


def _start(space: TomSpace, rules: Rules, rng: np.random.Generator, i: int, starts: Sequence[Parents]) -> Tom:
    if i < len(starts):
        return space.tom(rules, space.random_order(starts[i], rng), starts[i])
    return space.filled(rules, rng) if (i - len(starts)) % 2 else space.empty(rules, rng)


def check_temperature(temperature: float) -> None:
    """Raise an error unless the temperature is a number of at least 1."""
    if not isinstance(temperature, Real) or not 1 <= temperature < np.inf:
        raise ValueError(f"temperature must be a number of at least 1, but was {temperature!r}.")


def _check(
    arc_probability: float, temperature: float, n_chains: int, parent_swap: str, burn_in: float
) -> None:
    check_arc_probability(arc_probability)
    if isinstance(arc_probability, str):
        raise ValueError(
            f"arc_probability must be a number between 0 and 1, but was {arc_probability!r}. Search for the "
            "shortest message first, and give the probability that it found."
        )
    check_temperature(temperature)
    if not isinstance(n_chains, Integral) or isinstance(n_chains, bool) or n_chains < 1:
        raise ValueError(f"n_chains must be a whole number of at least 1, but was {n_chains!r}.")
    if parent_swap not in ("symmetric", "original"):
        raise ValueError(f'parent_swap must be "symmetric" or "original", but was {parent_swap!r}.')
    if not isinstance(burn_in, Real) or not 0 <= burn_in < 1:
        raise ValueError(f"burn_in must be a share of at least 0 and below 1, but was {burn_in!r}.")
