"""Which networks the rows leave probable: a sample, and its classes."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from learners.structure_search.equivalence import EquivalenceClass, equivalence_classes
from learners.structure_search.message_classes import MessageClass, message_classes
from learners.structure_search.metropolis import TomSample, sample_toms
from learners.structure_search.search_problem import SearchProblem

__all__ = ["SampledClasses"]


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

    @classmethod
    def of(
        cls,
        problem: SearchProblem,
        parents: tuple[tuple[int, ...], ...],
        arc_probability: float,
        *,
        temperature: float = 1.8,
        search_factor: float = 1.0,
        max_seconds: float | None = None,
        random_state: int | np.random.Generator | None = None,
    ) -> "SampledClasses":
        """Sample by `sample_toms`, the first chain from a network that a search found."""
        sample = sample_toms(
            problem,
            arc_probability=arc_probability,
            temperature=temperature,
            search_factor=search_factor,
            starts=[parents],
            max_seconds=max_seconds,
            random_state=random_state,
        )
        return cls(problem, sample)

    @cached_property
    def equivalence(self) -> tuple[EquivalenceClass, ...]:
        """Classes of networks that rows cannot tell apart, by posterior."""
        return equivalence_classes(self.sample.graphs)

    @cached_property
    def message(self) -> tuple[MessageClass, ...]:
        """Classes joined where these rows are too few to tell them apart, by posterior."""
        return message_classes(self.equivalence, self.problem)
