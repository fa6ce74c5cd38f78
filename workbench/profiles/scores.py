"""Scores of learners on the places of a suite, truth by truth, as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from generators.suites.suite import Suite, suite
from workbench.base.errors import WorkbenchError, nearest

__all__ = ["CEILINGS", "DESCRIPTIONS", "DIRECTIONS", "LOSS", "SuiteScores", "joined"]

#: The score that ranks go by: bits by which forecasts diverge from the truth, after the cut-off of 2002.
LOSS = "kl_divergence"
#: All scores that are kept truth by truth, and the direction of better ones.
DIRECTIONS: Mapping[str, str] = {
    LOSS: "lower", "quadratic_loss": "lower", "ir_b": "higher", "accuracy": "higher",
}  # fmt: skip
#: What else is measured of forecasts: how cautious they are, and whether too much.
DESCRIPTIONS = ("forecast_entropy", "confidence_gap")
#: What is no learner that anybody could use: the truth, the best possible forecasts, the class frequencies.
CEILINGS = ("truth", "optimal", "prior")

Array = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class SuiteScores:
    """Scores of learners on the places of a suite."""

    # values by metric of `DIRECTIONS` and `DESCRIPTIONS`, (n_learners, n_places, n_truths, n_sizes), NaN
    # where there is none, on the same truths and rows for every learner; seconds "fit" and "predict" of a
    # cell, means over truths
    suite: str
    learners: tuple[str, ...]
    places: tuple[str, ...]
    sizes: tuple[int, ...]  # all numbers of training rows, ascending; a place has some of them
    values: Mapping[str, Array] = field(repr=False)
    seconds: Mapping[str, Array] = field(repr=False, default_factory=dict)

    @cached_property
    def content(self) -> Suite:
        """The suite itself: what each place is."""
        return suite(self.suite)

    @property
    def n_truths(self) -> int:
        """Most truths of a place."""
        return next(iter(self.values.values())).shape[2]

    def at(self, learner: str) -> int:
        """Return the index of a learner, or raise WorkbenchError."""
        if learner not in self.learners:
            raise WorkbenchError(f"unknown learner {learner!r}; {nearest(learner, self.learners)}")
        return self.learners.index(learner)

    def only(
        self,
        *,
        learners: Sequence[str] | None = None,
        places: Sequence[str] | None = None,
        n_truths: int | None = None,
        sizes: Sequence[int] | None = None,
    ) -> "SuiteScores":
        """Keep some learners, places and sizes, in the order given, and the first truths."""
        own = self.learners if learners is None else tuple(learners)
        kept = self.places if places is None else tuple(places)
        left = self.sizes if sizes is None else tuple(sizes)
        rows, columns = [self.at(key) for key in own], [self.places.index(key) for key in kept]
        ends = [self.sizes.index(size) for size in left]
        values = {name: one[rows][:, columns, :n_truths][..., ends] for name, one in self.values.items()}
        seconds = {name: one[rows][:, columns][..., ends] for name, one in self.seconds.items()}
        return replace(self, learners=own, places=kept, sizes=left, values=values, seconds=seconds)

    @cached_property
    def has_optimum(self) -> NDArray[np.bool_]:
        """Whether a place has an optimum, (n_places,)."""
        if "optimal" not in self.learners:
            return np.zeros(len(self.places), dtype=bool)
        own = self.values[LOSS][self.at("optimal")]
        return np.asarray(np.isfinite(own).any(axis=(1, 2)))

    @cached_property
    def regret(self) -> NDArray[np.float64]:
        """Bits lost to the optimum, or to the truth where there is none, in the shape of the values."""
        # NaN where the learner, or the optimum of a place that has one, has no score
        return np.asarray(self.values[LOSS].astype(np.float64) - self.best_of(LOSS))

    def best_of(self, metric: str) -> NDArray[np.float64]:
        """Return a measure of the optimum, or else of the truth: (n_places, n_truths, n_sizes)."""
        # the loss of the truth is what the cut-off costs its own probabilities
        values = self.values[metric].astype(np.float64)
        truth = values[self.at("truth")] if "truth" in self.learners else np.zeros(values.shape[1:])
        if "optimal" not in self.learners:
            return truth
        return np.where(self.has_optimum[:, None, None], values[self.at("optimal")], truth)


def joined(first: SuiteScores, *others: SuiteScores) -> SuiteScores:
    """Put learners together; places, truths and sizes are those of the first."""
    parts = [first, *(_like(first, other) for other in others)]
    return replace(
        first,
        learners=tuple(key for part in parts for key in part.learners),
        values={name: np.concatenate([part.values[name] for part in parts]) for name in first.values},
        seconds={name: np.concatenate([part.seconds[name] for part in parts]) for name in first.seconds},
    )


def _like(first: SuiteScores, other: SuiteScores) -> SuiteScores:
    """Arrange scores as others are; NaN where there are none."""
    if other.suite != first.suite:
        raise WorkbenchError(
            f"scores on {other.suite} cannot be compared with those on {first.suite}: profile on the same "
            "suite"
        )
    places = [first.places.index(key) for key in other.places if key in first.places]
    from_places = [i for i, key in enumerate(other.places) if key in first.places]
    sizes = [first.sizes.index(size) for size in other.sizes if size in first.sizes]
    from_sizes = [i for i, size in enumerate(other.sizes) if size in first.sizes]
    n = min(first.n_truths, other.n_truths)
    values, seconds = {}, {}
    for name, like in first.values.items():
        out = np.full((len(other.learners), *like.shape[1:]), np.nan, like.dtype)
        taken = other.values[name][:, from_places][:, :, :n][..., from_sizes]
        out[np.ix_(range(len(other.learners)), places, range(n), sizes)] = taken
        values[name] = out
    for name, like in first.seconds.items():
        out = np.full((len(other.learners), *like.shape[1:]), np.nan, like.dtype)
        out[np.ix_(range(len(other.learners)), places, sizes)] = other.seconds[name][:, from_places][
            ..., from_sizes
        ]
        seconds[name] = out
    return replace(first, learners=other.learners, values=values, seconds=seconds)
