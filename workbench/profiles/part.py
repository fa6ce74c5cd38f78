"""A part of a suite: the first truths of every place, up to some training size; parts are nested."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from generators.suites.places import SuitePlace
from generators.suites.suite import Suite, suite
from workbench.base.checks import as_integer
from workbench.base.errors import WorkbenchError, nearest
from workbench.designs import SizesBySource
from workbench.profiles.scores import DESCRIPTIONS, DIRECTIONS
from workbench.study.learner_spec import LearnerSpec
from workbench.study.scores import Scores
from workbench.study.source import Source
from workbench.study.study import Study

__all__ = ["LEAST_TRUTHS", "N_TEST", "SEED", "SUITE", "SuitePart"]

#: The suite of profiles, and the seed of their rows; with another one all reference results would be void.
SUITE, SEED = "bias-v2", 2026
#: Rows on which forecasts are scored where the attribute space is too large.
N_TEST = 1000
#: Fewest truths of a place, as one has no interval, and the smallest training size of probes.
LEAST_TRUTHS, LEAST_ROWS = 2, 50
#: Attributes beyond which a place is wide, for the time that it takes.
MOST_OF_NARROW = 10
#: Probabilities are kept from 0 and 1 as in 2002, and rewards compare with the true class distribution.
SCORES = Scores(
    metrics=(*DIRECTIONS, *DESCRIPTIONS), priors=("marginal",), rows=("exact", "test"), cutoffs=("2002",)
)


@dataclass(frozen=True)
class SuitePart:
    """The first truths of every place of a suite, up to some training size."""

    n_truths: int  # of each place
    largest: int  # no larger training sets
    suite: str = SUITE

    @classmethod
    def whole(cls, name: str = SUITE) -> "SuitePart":
        """Return all of a suite."""
        content = _suite(name)
        return cls(
            max(place.n_truths for place in content.places),
            max(max(place.sizes) for place in content.places),
            name,
        )

    @classmethod
    def named(cls, truths: int | None, largest: int | None) -> "SuitePart | None":
        """Return the part with so many truths up to a size; None if neither is given."""
        if truths is None and largest is None:
            return None
        whole = cls.whole()
        for what, value, least, most in (
            ("truths", truths, LEAST_TRUTHS, whole.n_truths),
            ("largest", largest, LEAST_ROWS, whole.largest),
        ):
            if value is not None and not (as_integer(value) is not None and least <= value <= most):
                raise WorkbenchError(f"{what} is {value!r}: expected an integer from {least} to {most:,}")
        return cls(truths or whole.n_truths, largest or whole.largest)

    @cached_property
    def content(self) -> Suite:
        """The suite."""
        return _suite(self.suite)

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the suite is left out."""
        return self == SuitePart.whole(self.suite)

    def sizes(self, place: SuitePlace) -> tuple[int, ...]:
        """Return the training sizes of a place in this part."""
        return tuple(size for size in place.sizes if size <= self.largest)

    @cached_property
    def counts(self) -> Mapping[tuple[str, int], int]:
        """Number of cells of a learner with few attributes ("narrow") and with many ("wide"), by size."""
        found: dict[tuple[str, int], int] = {}
        for place in self.content.places:
            width = "wide" if max(place.n_attributes) > MOST_OF_NARROW else "narrow"
            for size in self.sizes(place):
                found[width, size] = found.get((width, size), 0) + self.n_truths
        return found

    @property
    def n_cells(self) -> int:
        """Number of cells of a learner."""
        return sum(self.counts.values())

    @property
    def words(self) -> str:
        """What the part is, and what is left out."""
        whole = SuitePart.whole(self.suite)
        if self == whole:
            return f"all of {self.suite}: {self.n_truths} truths of each place, up to {self.largest:,} rows"
        fewer = f"{self.n_truths} of the {whole.n_truths} truths of each place of {self.suite}"
        smaller = "" if self.largest == whole.largest else f", without more than {self.largest:,} rows"
        return f"{fewer}{smaller}: {self.n_cells:,} of {whole.n_cells:,} fits"

    def study(self, learners: Sequence[LearnerSpec], places: Iterable[str] | None = None) -> Study:
        """Make the study of learners on the part, or on some places of it."""
        chosen = [
            place
            for place in self.content.places
            if self.sizes(place) and (places is None or place.key in places)
        ]
        return Study(
            name=f"profile-{self.suite}",
            seed=SEED,
            sources=tuple(Source(place.key, suite=self.suite, place=place.key) for place in chosen),
            learners=tuple(learners),
            design=SizesBySource(
                sizes={place.key: self.sizes(place) for place in chosen},
                replicates=self.n_truths,
                n_test=N_TEST,
            ),
            scores=SCORES,
            keep_predictions=False,
        )

    def to_document(self) -> dict[str, Any]:
        """Return the part as plain data."""
        return {"suite": self.suite, "n_truths": self.n_truths, "largest": self.largest}


def _suite(name: str) -> Suite:
    try:
        found = suite(name)
    except ValueError as error:
        raise WorkbenchError(str(error)) from error
    if not found.places:
        raise WorkbenchError(f"the suite {name!r} has no places to profile on; {nearest(name, [SUITE])}")
    return found
