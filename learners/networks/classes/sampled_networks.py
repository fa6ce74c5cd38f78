"""A posterior sample of networks, and its classes."""

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from learners.networks.classes.joined_classes import MessageClass, message_classes
from learners.networks.search.annealing import check_search_factor
from learners.networks.search.equivalence import EquivalenceClass, equivalence_classes
from learners.networks.search.metropolis import TomSample, check_temperature, sample_toms
from learners.networks.search.problem import Problem
from learners.tables.columns import user_level

__all__ = ["ChainsDisagreeWarning", "SampledClasses", "Sampling"]

N_CHAINS = 4
AGREE = 0.1  # largest difference between chains, in the posterior of an arc, without a warning
FEW = 0.01  # effective share of samples below which a temperature nearer to 1 is advised


class ChainsDisagreeWarning(UserWarning):
    """Chains of a sample differ by more than 0.1 in the posterior of an arc.

    Examples
    --------
    >>> issubclass(ChainsDisagreeWarning, UserWarning)
    True
    """


@dataclass(frozen=True)
class Sampling:
    """How networks are sampled, see `sample_toms`.

    Attributes
    ----------
    temperature, search_factor : float
    max_seconds : float or None
    random_state : int, Generator or None
    """

    temperature: float = 1.8
    search_factor: float = 1.0
    max_seconds: float | None = None
    random_state: int | np.random.Generator | None = 0

    def __post_init__(self) -> None:
        check_temperature(self.temperature)
        check_search_factor(self.search_factor)
        _check_random_state(self.random_state)

    def draw(
        self, problem: Problem, parents: tuple[tuple[int, ...], ...], arc_probability: float
    ) -> "SampledClasses":
        """Sample: two of the four chains start at a network that a search found, two at random."""
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
    """A sample of networks, in classes.

    Attributes
    ----------
    problem : Problem
        The rows, and what families and arcs cost.
    sample : TomSample
        Networks weighted by their posterior.

    Warns
    -----
    ChainsDisagreeWarning
        Once, when posteriors of arcs or equivalence classes are read on which the chains do not agree.
    """

    problem: Problem
    sample: TomSample

    def __repr__(self) -> str:
        return (
            f"SampledClasses({self.sample.n_samples:,} samples, {len(self.sample.graphs):,} graphs, "
            f"{self.agreement})"
        )

    @property
    def disagreement(self) -> float:
        """Largest difference between two chains in the posterior of an arc, 0 to 1.

        An upper bound of the error of `arc_posteriors` in practice: in 216 samples of 13 to 16 nodes, easy
        and hard ones, the largest error against exact posteriors was above it once, and mostly about a third
        of it.
        """
        return self.sample.convergence.largest_difference

    @property
    def agreement(self) -> str:
        """Whether the chains agree, in words.

        A chain that never reached short messages differs much from the others, but hardly counts; that the
        others agree then shows less than agreement of all.
        """
        if self.disagreement <= AGREE:
            return f"chains agree to within {self.disagreement:.2f}"
        text = f"chains differ by up to {self.disagreement:.2f}"
        convergence = self.sample.convergence
        n_weighty = int(convergence.has_weight.sum())
        if n_weighty == len(convergence.shares):
            return text
        if n_weighty == 1:
            return f"{text}, but one carries nearly all the weight"
        by = convergence.weighty_difference
        return f"{text}, the {n_weighty} that carry nearly all the weight by {by:.2f}"

    @property
    def arc_posteriors(self) -> NDArray[np.float64]:
        """Probability of each arc, by [from, to], from all chains together."""
        self._warn_of_disagreement()
        return self.sample.arc_posteriors

    @property
    def arc_spreads(self) -> NDArray[np.float64]:
        """Largest difference between two chains in each arc's posterior, by [from, to]."""
        return self.sample.convergence.differences

    @property
    def equivalence(self) -> tuple[EquivalenceClass, ...]:
        """Classes of networks that the rows cannot distinguish, by posterior."""
        self._warn_of_disagreement()
        return self._classes

    @cached_property
    def message(self) -> tuple[MessageClass, ...]:
        """Classes merged where these rows are too few to distinguish them, by posterior."""
        return message_classes(self._classes, self.problem)

    @cached_property
    def _classes(self) -> tuple[EquivalenceClass, ...]:
        return equivalence_classes(self.sample.graphs)

    def _warn_of_disagreement(self) -> None:
        if self.disagreement <= AGREE or "_warned" in self.__dict__:
            return
        self.__dict__["_warned"] = True
        advice = "raise search_factor for more steps"
        if self.sample.interrupted:
            advice = "it was stopped early, by Ctrl-C or max_seconds: let it run longer"
        effective, n_samples = self.sample.effective_samples, self.sample.n_samples
        if effective < FEW * n_samples:
            advice += (
                f", or bring temperature nearer to 1, since the weights are worth only {effective:,.0f} of "
                f"{n_samples:,} samples"
            )
        text = f"Posteriors of arcs are sampled, and {self.agreement}; {advice}."
        warnings.warn(text, ChainsDisagreeWarning, stacklevel=user_level())


def _check_random_state(random_state: int | np.random.Generator | None) -> None:
    """Refuse early what numpy cannot turn into a generator."""
    try:
        np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise ValueError(
            "random_state must be None, a whole number of at least 0 or a numpy Generator, but was "
            f"{random_state!r}."
        ) from None
