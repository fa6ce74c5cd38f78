"""How often Dietterich's 5x2cv t test of two learners has each outcome, over sets of five replications."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.comparisons import LEVEL
from workbench.comparisons._shared.base import ROUNDING, t_critical
from workbench.reproduction.predictive import N_DRAWS

__all__ = ["FIVE", "OutcomeShares", "chances_of_rarity", "outcome_shares", "t_values"]

Array = NDArray[np.float64]

#: Replications of a test, which are its degrees of freedom too.
FIVE = 5
#: How many studies like ours, and sets in each, tell how often an outcome is rare in such a study.
N_STUDIES, N_SETS = 50, 500


@dataclass(frozen=True, eq=False)
class OutcomeShares:
    """Shares of sets of five replications, one entry a pair.

    Parameters
    ----------
    first, second, neither : ndarray of shape (n_pairs,)
        In which the first learner wins, the second, or neither. They add up to 1, or are NaN where no set
        can be tested.
    """

    first: Array
    second: Array
    neither: Array

    @property
    def table(self) -> Array:
        """The three as rows."""
        return np.stack([self.first, self.second, self.neither])


def outcome_shares(differences: Array, *, seed: int) -> OutcomeShares:
    """Test sets of five replications, drawn with replacement."""
    rng = np.random.default_rng([seed, len(differences), FIVE])
    return _shares(differences, rng.integers(0, len(differences), size=(N_DRAWS, FIVE)))


def chances_of_rarity(differences: Array, *, seed: int) -> Array:
    """Estimate how likely a study like ours gives less than 5% to each outcome.

    Notes
    -----
    Studies of as many replications are drawn with replacement from ours, and each has shares of its own.
    With few replications these scatter, so that an outcome of 20% may well be rare in another such study.
    Simulated with 10 replications, of means near to each other and far apart: 1.8% of outcomes of the same
    process were told to differ, and 1.6% were expected by these chances.
    """
    n = len(differences)
    rng = np.random.default_rng([seed, n, FIVE, N_STUDIES])
    found = np.zeros((4, differences.shape[2]))
    for _ in range(N_STUDIES):
        study = differences[rng.integers(0, n, size=n)]
        own = _shares(study, rng.integers(0, n, size=(N_SETS, FIVE)))
        found += np.vstack([own.table, own.second + own.neither]) < LEVEL
    return found / N_STUDIES


def t_values(differences: Array, sets: NDArray[np.int64]) -> Array:
    """Return Dietterich's t of sets of five replications."""
    # What doubles leave of equal scores is no difference, and of equal differences no spread.
    tolerance = ROUNDING * np.maximum(1.0, np.abs(differences).max(axis=(0, 1)))
    d = np.where(np.abs(differences) <= tolerance, 0.0, differences)
    spread = ((d - d.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    spread = np.where(spread <= tolerance**2, 0.0, spread)
    total = sum(spread[own] for own in sets.T)
    changed = (d != 0).any(axis=1)
    differing = sum(changed[own].astype(np.int64) for own in sets.T) > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        t = d[sets[:, 0], 0] / np.sqrt(total / FIVE)
    return np.where(total > 0, t, np.where(differing, np.nan, 0.0))


def _shares(differences: Array, sets: NDArray[np.int64]) -> OutcomeShares:
    t = t_values(differences, sets)
    critical = t_critical(LEVEL, FIVE)
    n = np.isfinite(t).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        first, second = (t > critical).sum(axis=0) / n, (t < -critical).sum(axis=0) / n
    return OutcomeShares(first, second, np.maximum(0.0, 1 - first - second))
