"""What a plan found: scores now, gains by twins and by extrapolation, intervals, and where these disagree."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.planning.extrapolation import PowerLaw, power_law
from workbench.planning.fits import Array
from workbench.planning.present import Present

__all__ = ["WIDENING", "PlanFindings"]

#: Half an interval, in times the error of cross-validation and the spread of twins together.
WIDENING = 1.5
#: Gains by the two ways disagree if they are farther apart than this share of the present loss: on generated
#: truths (experiments/studies/planning) the gains so flagged were about twice as wrong as the others.
APART = 0.2


@dataclass(frozen=True, eq=False, repr=False)
class PlanFindings:
    """Everything that a plan found."""

    learners: tuple[str, ...]
    n_rows: int  # of the table
    rows: tuple[int, ...]  # that were asked about
    sizes: tuple[int, ...]  # of the curves, ascending: the table's own, its doublings, and `rows`
    present: Present  # repeated cross-validation
    kinds: tuple[str, ...]  # of each twin
    # log loss after as many rows as a training part has, then `sizes`: (n_twins, n_learners, n_sizes + 1)
    twin_losses: Array
    seed: int
    notes: tuple[str, ...]  # what was left out, and what is doubtful, in sentences

    @property
    def prior_loss(self) -> float:
        """Log loss of the class frequencies now, by the same cross-validation."""
        return float(self.present.prior.mean())

    @property
    def gains(self) -> Array:
        """Bits saved on each twin, (n_twins, n_learners, n_sizes)."""
        return np.asarray(self.twin_losses[:, :, :1] - self.twin_losses[:, :, 1:])

    @property
    def gain(self) -> Array:
        """Bits saved, the mean over twins: (n_learners, n_sizes)."""
        return np.asarray(self.gains.mean(axis=0))

    @property
    def spread(self) -> Array:
        """Standard deviation of the gains over draws and kinds of twins, (n_learners, n_sizes)."""
        return np.asarray(self.gains.std(axis=0, ddof=1))

    @property
    def expected(self) -> Array:
        """Expected log loss, (n_learners, n_sizes)."""
        return np.asarray(np.maximum(self.present.mean[:, None] - self.gain, 0.0))

    @property
    def half_width(self) -> Array:
        """How far the intervals reach to either side, (n_learners, n_sizes)."""
        return np.asarray(WIDENING * np.hypot(self.present.error[:, None], self.spread))

    @property
    def low(self) -> Array:
        """Lower ends of the intervals of the expected loss."""
        return np.asarray(np.maximum(self.expected - self.half_width, 0.0))

    @property
    def high(self) -> Array:
        """Upper ends of the intervals of the expected loss."""
        return np.asarray(self.expected + self.half_width)

    @cached_property
    def laws(self) -> tuple[PowerLaw, ...]:
        """The power law of each learner, without the smallest subsample."""
        return tuple(power_law(self.present.sizes[1:], own[1:]) for own in self.present.by_size)

    @property
    def extrapolated(self) -> Array:
        """Bits saved by the power laws, (n_learners, n_sizes)."""
        return np.array([law.gain(self.present.n_train, self.sizes) for law in self.laws])

    @property
    def disagree(self) -> NDArray[np.bool_]:
        """Where gains by the two ways are far apart, or twins save more than is lost now."""
        present = self.present.mean[:, None]
        apart = np.abs(self.gain - self.extrapolated) > APART * present
        return np.asarray(apart | (self.gain > present))

    @property
    def extrapolated_loss(self) -> Array:
        """Loss by the power laws, (n_learners, n_sizes)."""
        return np.asarray(np.maximum(self.present.mean[:, None] - self.extrapolated, 0.0))

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row for each number of rows that was asked about, and each learner, the best first."""
        rank_low, rank_high = self.present.ranks
        order = np.argsort(self.present.mean, kind="stable")
        records = []
        for n in self.rows:
            k = self.sizes.index(n)
            records += [
                {
                    "rows": n, "learner": self.learners[i],
                    "rank_low": rank_low[i], "rank_high": rank_high[i],
                    "present": self.present.mean[i], "error": self.present.error[i],
                    "ir_b": self.present.reward[i],
                    "gain_twins": self.gain[i, k], "gain_extrapolated": self.extrapolated[i, k],
                    "expected": self.expected[i, k], "low": self.low[i, k], "high": self.high[i, k],
                    "disagree": bool(self.disagree[i, k]),
                }
                for i in order
            ]  # fmt: skip
        return pd.DataFrame(records)

    @cached_property
    def curve(self) -> pd.DataFrame:
        """One row for each learner and size of the curves."""
        return pd.DataFrame(
            [
                {
                    "learner": key, "rows": n, "expected": self.expected[i, k],
                    "low": self.low[i, k], "high": self.high[i, k],
                    "extrapolated": self.extrapolated_loss[i, k],
                }
                for i, key in enumerate(self.learners)
                for k, n in enumerate(self.sizes)
            ]
        )  # fmt: skip

    @property
    def leaders(self) -> tuple[str, ...]:
        """Learners that may be the best now, the lowest loss first."""
        order = np.argsort(self.present.mean, kind="stable")
        return tuple(self.learners[i] for i in order if self.present.ranks[0][i] == 1)
