"""Which networks the rows leave probable: a sample, and its classes."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from learners.structure_search.annealing import check_search_factor
from learners.structure_search.equivalence import EquivalenceClass, equivalence_classes
from learners.structure_search.message_classes import MessageClass, message_classes
from learners.structure_search.metropolis import TomSample, check_temperature, sample_toms
from learners.structure_search.search_problem import SearchProblem

__all__ = ["SampledClasses", "Sampling"]


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

    def draw(
        self, problem: SearchProblem, parents: tuple[tuple[int, ...], ...], arc_probability: float
    ) -> "SampledClasses":
        """Sample, the first chain from a network that a search found."""
        sample = sample_toms(
            problem,
            arc_probability=arc_probability,
            temperature=self.temperature,
            search_factor=self.search_factor,
            starts=[parents],
            max_seconds=self.max_seconds,
            random_state=self.random_state,
        )
        return SampledClasses(problem, sample)


@dataclass(frozen=True, eq=False)
class SampledClasses:
    """A sample of networks, in classes.

    Attributes
    ----------
    problem : SearchProblem
        The rows, and what families and arcs cost.
    sample : TomSample
        Networks weighted by their posterior.
    """

    problem: SearchProblem
    sample: TomSample

    def __repr__(self) -> str:
        return f"SampledClasses({self.sample.n_samples:,} samples, {len(self.sample.graphs):,} graphs)"

    @cached_property
    def equivalence(self) -> tuple[EquivalenceClass, ...]:
        """Classes of networks that rows cannot tell apart, by posterior."""
        return equivalence_classes(self.sample.graphs)

    @cached_property
    def message(self) -> tuple[MessageClass, ...]:
        """Classes joined where these rows are too few to tell them apart, by posterior."""
        return message_classes(self.equivalence, self.problem)
