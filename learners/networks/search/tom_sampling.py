"""Chains of sampled models, and their pooled sums."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.networks._kernels.tom_chain import Rules, Tom, search_block
from learners.networks._kernels.tom_tally import (
    LENGTHS,
    N_GRAPHS,
    N_STEPS,
    REFERENCE,
    SQUARES,
    TOTAL,
    begin,
    bring_up_to_date,
    new_tally,
    sample_block,
)
from learners.networks.search.chain_clock import ChainClock
from learners.networks.search.toms import TomSpace, parents_of
from learners.networks.search.weighted_graphs import WeightedGraphs

__all__ = ["ChainSample", "SampledChain", "pooled"]

MEMORY = 64_000_000
"""Bytes for the graphs of one chain."""


@dataclass(frozen=True, eq=False)
class ChainSample:
    """Sums over the samples of one or several chains, with weights exp((reference - length) rate)."""

    reference: float  # nats of a message whose weight is 1
    weight: float
    squares: float  # of the weights
    lengths: float  # sum of weight times nats beyond the reference
    arcs: NDArray[np.float64]  # weight of the models with the arc from row to column
    n_samples: int
    rate: float  # 1 - 1 / temperature

    def at(self, reference: float) -> "ChainSample":
        """Rescale the weights to another reference length."""
        factor = float(np.exp((reference - self.reference) * self.rate))
        return ChainSample(
            reference,
            self.weight * factor,
            self.squares * factor**2,
            (self.lengths + (self.reference - reference) * self.weight) * factor,
            self.arcs * factor,
            self.n_samples,
            self.rate,
        )

    @property
    def mean_length(self) -> float:
        """Posterior mean of the message length, in nats."""
        return self.reference + self.lengths / self.weight


def pooled(samples: Sequence[ChainSample]) -> ChainSample:
    """Add up chains, with weights relative to the shortest message of all."""
    reference = min(sample.reference for sample in samples)
    moved = [sample.at(reference) for sample in samples]
    return ChainSample(
        reference,
        sum(sample.weight for sample in moved),
        sum(sample.squares for sample in moved),
        sum(sample.lengths for sample in moved),
        np.sum([sample.arcs for sample in moved], axis=0),
        sum(sample.n_samples for sample in moved),
        samples[0].rate,
    )


class SampledChain:
    """A chain of models with its own draws, which burns in before its first sample."""

    def __init__(
        self, space: TomSpace, rules: Rules, temperature: float, rng: np.random.Generator, start: Tom
    ) -> None:
        n_nodes = len(start.order)
        graph = n_nodes * ((n_nodes + 63) // 64) * 8 + 40
        self.tally = new_tally(n_nodes, 2 * min(MEMORY // graph // 2, 1 << 17))
        self._space, self._rules, self._temperature, self._rng = space, rules, temperature, rng
        self._tom = start
        self._best = space.tom(rules, start.order, parents_of(start.parents))
        self._rate = 1 - 1 / temperature

    @property
    def n_samples(self) -> int:
        """Samples so far."""
        return int(self.tally.numbers[N_STEPS])

    def burn_in(self, n_steps: int, clock: ChainClock) -> None:
        """Run without sampling."""
        while n_steps > 0 and not clock.is_up:
            draws = self._rng.random((min(n_steps, clock.block), 5))
            search_block(
                self._space.cache, self._rules, self._tom, draws, self._temperature, np.inf, self._best
            )
            n_steps -= len(draws)
            clock.tick(float(self._best.cost[0]), len(draws))

    def sample(self, until: int, clock: ChainClock) -> None:
        """Continue until there are `until` samples, or the time is up."""
        self._begin()
        while (left := until - self.n_samples) > 0 and not clock.is_up:
            draws = self._rng.random((min(left, clock.block), 5))
            sample_block(self._space.cache, self._rules, self._tom, self.tally, draws, self._temperature)
            clock.tick(float(self.tally.sums[REFERENCE]), len(draws))

    def snapshot(self) -> ChainSample:
        """Return the sums so far, which contain at least the present model."""
        self._begin()
        bring_up_to_date(self._tom, self.tally)
        sums = self.tally.sums
        return ChainSample(
            float(sums[REFERENCE]),
            float(sums[TOTAL]),
            float(sums[SQUARES]),
            float(sums[LENGTHS]),
            self.tally.arcs.copy(),
            self.n_samples,
            self._rate,
        )

    def graphs(self, reference: float) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
        """Return bits and weights of the stored graphs, with weights relative to `reference`."""
        n = self.tally.numbers[N_GRAPHS]
        factor = np.exp((reference - self.tally.sums[REFERENCE]) * self._rate)
        return self.tally.graph_bits[:n], self.tally.graph_weights[:n] * factor

    def shortest(self) -> list[tuple[tuple[int, ...], ...]]:
        """Return the shortest cleaned graphs: the one before sampling, and the one among the stored."""
        found = [self._space.cleaned(self._rules, self._best)]
        n = self.tally.numbers[N_GRAPHS]
        if n:
            bits = self.tally.graph_bits[[np.argmin(self.tally.graph_lengths[:n])]]
            found.append(WeightedGraphs(bits, np.ones(1)).parents(0))
        return found

    def _begin(self) -> None:
        if self.n_samples == 0:
            shortest = float(self._best.cost[0])
            begin(self._space.cache, self._rules, self._tom, self.tally, shortest, self._rate)
