"""Scores of learners on the places of a suite, truth by truth, as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from generators.suites.suite import Suite, suite
from workbench.base.errors import WorkbenchError, nearest

__all__ = ["CEILINGS", "DIRECTIONS", "LOSS", "SuiteScores"]

#: The score that ranks go by: bits by which forecasts diverge from the truth, after the cut-off of 2002.
LOSS = "kl_divergence"
#: All scores that are kept truth by truth, and the direction of better ones.
DIRECTIONS: Mapping[str, str] = {LOSS: "lower", "ir_b": "higher", "accuracy": "higher"}
#: What is no learner that anybody could use: the truth, the best possible forecasts, the class frequencies.
CEILINGS = ("truth", "optimal", "prior")

Array = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class SuiteScores:
    """Scores of learners on the places of a suite.

    Parameters
    ----------
    suite : str
        Name of the suite, such as "bias-v2".
    learners, places : tuple of str
        Keys, in the order of the axes.
    sizes : tuple of int
        All numbers of training rows, ascending; a place has some of them.
    values : mapping of str to ndarray of shape (n_learners, n_places, n_truths, n_sizes)
        Scores by metric; NaN where a learner has none. The same truth and rows for every learner.
    means : mapping of str to ndarray of shape (n_learners, n_places, n_sizes)
        What is known as a mean over truths: "fit" and "predict" seconds a cell, "forecast_entropy" (bits),
        "confidence_gap".
    """

    suite: str
    learners: tuple[str, ...]
    places: tuple[str, ...]
    sizes: tuple[int, ...]
    values: Mapping[str, Array] = field(repr=False)
    means: Mapping[str, Array] = field(repr=False, default_factory=dict)

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
        self, *, learners: Sequence[str] | None = None, places: Sequence[str] | None = None
    ) -> "SuiteScores":
        """Keep some learners and places, in the order given."""
        own = self.learners if learners is None else tuple(learners)
        kept = self.places if places is None else tuple(places)
        rows, columns = [self.at(key) for key in own], [self.places.index(key) for key in kept]
        return replace(
            self,
            learners=own,
            places=kept,
            values={name: one[rows][:, columns] for name, one in self.values.items()},
            means={name: one[rows][:, columns] for name, one in self.means.items()},
        )

    @cached_property
    def has_optimum(self) -> NDArray[np.bool_]:
        """Whether a place has an optimum, (n_places,)."""
        if "optimal" not in self.learners:
            return np.zeros(len(self.places), dtype=bool)
        own = self.values[LOSS][self.at("optimal")]
        return np.asarray(np.isfinite(own).any(axis=(1, 2)))

    @cached_property
    def regret(self) -> NDArray[np.float64]:
        """Bits lost to the optimum, or to the truth where there is none, in the shape of the values.

        NaN where the learner, or the optimum of a place that has one, has no score.
        """
        loss = self.values[LOSS].astype(np.float64)
        return np.asarray(loss - self.best)

    @property
    def best(self) -> NDArray[np.float64]:
        """Bits that the optimum, or else the truth, diverges from the truth: (n_places, n_truths, n_sizes).

        Those of the truth are what the cut-off costs its own probabilities.
        """
        loss = self.values[LOSS].astype(np.float64)
        truth = loss[self.at("truth")] if "truth" in self.learners else np.zeros(loss.shape[1:])
        if "optimal" not in self.learners:
            return truth
        return np.where(self.has_optimum[:, None, None], loss[self.at("optimal")], truth)
