"""A posterior sample of networks, and its equivalence classes."""

import contextlib
import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from generators.tables.caller import user_level
from learners.networks.classes.joined_classes import MessageClass, message_classes
from learners.networks.progress import phase
from learners.networks.search.annealing import check_search_factor
from learners.networks.search.equivalence import EquivalenceClass, equivalence_classes
from learners.networks.search.metropolis import AGREE, TomSample, check_temperature, sample_toms
from learners.networks.search.network_draws import (
    MOST_DRAWN_NODES,
    NetworkDraws,
    TimeIsShort,
    draw_networks,
)
from learners.networks.search.order_posterior import MAX_SUMMED_NODES
from learners.networks.search.problem import NetworkProblem

__all__ = ["ChainsDisagreeWarning", "SampledClasses", "SamplerOptions"]

N_CHAINS = 4


class ChainsDisagreeWarning(UserWarning):
    """Warning that Metropolis chains differ by more than 0.1 in the posterior of an arc.

    Examples
    --------
    >>> issubclass(ChainsDisagreeWarning, UserWarning)
    True
    """


@dataclass(frozen=True)
class SamplerOptions:
    """Options of sampling: independent draws if they are fast, else chains."""

    temperature: float = 1.8
    search_factor: float = 1.0
    max_seconds: float | None = None
    random_state: int | np.random.Generator | None = 0

    def __post_init__(self) -> None:
        check_temperature(self.temperature)
        check_search_factor(self.search_factor)
        _check_random_state(self.random_state)

    def draw(
        self,
        problem: NetworkProblem,
        parents: tuple[tuple[int, ...], ...],
        arc_probability: float,
        *,
        exact: bool,
    ) -> "SampledClasses":
        """Draw networks independently if posteriors are exact, for up to 16 nodes, else by chains."""
        # two of four chains start at a network that a search found, two at random
        if exact and problem.n_nodes <= MOST_DRAWN_NODES:
            with contextlib.suppress(TimeIsShort):  # a chain gives something at any time
                drawn = draw_networks(
                    problem,
                    arc_probability=arc_probability,
                    search_factor=self.search_factor,
                    max_seconds=self.max_seconds,
                    random_state=self.random_state,
                )
                return SampledClasses(problem, drawn)
        phase("sampling networks")
        sample = sample_toms(
            problem,
            arc_probability=arc_probability,
            temperature=self.temperature,
            search_factor=self.search_factor,
            n_chains=N_CHAINS,
            starts=[parents] * (N_CHAINS // 2),
            max_seconds=self.max_seconds,
            random_state=self.random_state,
        )
        return SampledClasses(problem, sample)


@dataclass(frozen=True, eq=False)
class SampledClasses:
    """A sample of networks by class. Warns once when posteriors of disagreeing chains are read."""

    problem: NetworkProblem
    sample: NetworkDraws | TomSample

    def __repr__(self) -> str:
        return (
            f"SampledClasses({self.sample.n_samples:,} samples, {len(self.sample.graphs):,} graphs, "
            f"{self.agreement})"
        )

    @property
    def disagreement(self) -> float:
        """Largest difference between two chains in the posterior of an arc, from 0 to 1. 0 without chains."""
        return float(self.arc_spreads.max(initial=0.0))

    @property
    def agreement(self) -> str:
        """Description of the agreement of the chains, if there are chains."""
        return self.sample.agreement

    @property
    def arc_posteriors(self) -> NDArray[np.float64]:
        """Posterior of each arc, by [from, to], pooled over all chains, or exact without chains."""
        self._warn_of_disagreement()
        return self.sample.arc_posteriors

    @property
    def arc_spreads(self) -> NDArray[np.float64]:
        """Largest difference between two chains in each arc's posterior, by [from, to]."""
        return self.sample.arc_spreads

    @property
    def equivalence(self) -> tuple[EquivalenceClass, ...]:
        """Markov equivalence classes of networks by posterior."""
        self._warn_of_disagreement()
        return self._classes

    @cached_property
    def message(self) -> tuple[MessageClass, ...]:
        """Classes by posterior, merged where these rows are too few to distinguish them."""
        return message_classes(self._classes, self.problem)

    @cached_property
    def _classes(self) -> tuple[EquivalenceClass, ...]:
        return equivalence_classes(self.sample.graphs)

    def _warn_of_disagreement(self) -> None:
        if not isinstance(self.sample, TomSample) or self.disagreement <= AGREE or "_warned" in self.__dict__:
            return
        self.__dict__["_warned"] = True
        text = f"Posteriors of arcs are sampled, and {self.agreement}: {self.sample.advice}."
        if self.problem.n_nodes <= MAX_SUMMED_NODES and self.problem.arc_costs.indirect is None:
            text += ' search="exact" makes them exact.'
        warnings.warn(text, ChainsDisagreeWarning, stacklevel=user_level())


def _check_random_state(random_state: int | np.random.Generator | None) -> None:
    """Raise an error early for a value that is not a seed."""
    try:
        np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise ValueError(
            "random_state must be None, a whole number of at least 0 or a numpy Generator, but was "
            f"{random_state!r}."
        ) from None
