"""How learners do now: repeated cross-validation, the ranks that it leaves open, and losses on fewer rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.base.seeds import generator_for, integer_seed
from workbench.comparisons import corrected_t, holm
from workbench.datasets.dataset import Dataset
from workbench.designs import RepeatedFolds
from workbench.metrics import class_prior, clip_probabilities, log_loss
from workbench.planning.fits import Array, Fits, Indices
from workbench.planning.table import FOLDS

__all__ = ["REPEATS", "SHARES", "Present", "present_of"]

REPEATS = 2
#: Shares of the training rows on which learners are fitted as well, the smallest first.
SHARES = (1 / 8, 1 / 4, 1 / 2, 0.7071, 1.0)
#: Test rows over training rows of a part.
TEST_SHARE = 1 / (FOLDS - 1)
LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class Present:
    """Scores of repeated cross-validation."""

    sizes: tuple[int, ...]  # training rows, ascending; the last is a whole training part
    losses: Array  # (n_learners, n_parts, n_sizes): log loss in bits; NaN for a learner that failed
    rewards: Array  # (n_learners, n_parts): IR_B after a whole training part, in bits
    prior: Array  # (n_parts,): log loss of its class frequencies

    @property
    def n_train(self) -> int:
        """Rows of a whole training part."""
        return self.sizes[-1]

    @property
    def mean(self) -> Array:
        """Log loss of each learner after a whole training part."""
        return np.asarray(self.losses[:, :, -1].mean(axis=1))

    @property
    def reward(self) -> Array:
        """IR_B of each learner."""
        return np.asarray(self.rewards.mean(axis=1))

    @property
    def by_size(self) -> Array:
        """Mean log loss, (n_learners, n_sizes); NaN at sizes at which a learner failed."""
        return np.asarray(self.losses.mean(axis=1))

    @property
    def errors(self) -> Array:
        """Standard error of each mean, (n_learners, n_sizes), with Nadeau and Bengio's correction."""
        # for rows that parts share: test rows over training rows
        shares = TEST_SHARE * self.n_train / np.asarray(self.sizes)
        return np.asarray(np.sqrt(1 / self.losses.shape[1] + shares) * self.losses.std(axis=1, ddof=1))

    @property
    def error(self) -> Array:
        """Standard error of each mean after a whole training part."""
        return np.asarray(self.errors[:, -1])

    @cached_property
    def ranks(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The best and the worst rank that each learner may have; all hold at once with 95%."""
        # found better is by corrected t tests of all pairs with Holm's adjustment
        own = self.losses[:, :, -1]
        n = len(own)
        first, second = np.triu_indices(n, 1)
        tests = [
            corrected_t(own[i] - own[j], test_share=TEST_SHARE) for i, j in zip(first, second, strict=True)
        ]
        p = holm(np.nan_to_num([test.p for test in tests], nan=1.0)) if tests else np.empty(0)
        better = np.zeros((n, n), dtype=bool)
        for i, j, test, one in zip(first, second, tests, p, strict=True):
            better[i, j], better[j, i] = (
                one <= 1 - LEVEL and test.mean < 0,
                one <= 1 - LEVEL and test.mean > 0,
            )
        return 1 + better.sum(axis=0), n - better.sum(axis=1)

    def only(self, kept: NDArray[np.bool_]) -> "Present":
        """Keep some learners."""
        return Present(self.sizes, self.losses[kept], self.rewards[kept], self.prior)


def present_of(fits: Fits, dataset: Dataset, *, seed: int) -> Present:
    """Cross-validate learners, in each part also on fewer of its training rows."""
    whole = round(len(dataset.codes) * (1 - 1 / FOLDS))
    sizes = tuple(round(whole * share) for share in SHARES)
    losses, rewards, prior = [], [], []
    for train, test in _parts(dataset, seed):
        found = [
            fits.scores(dataset.X, dataset.codes, train if n == whole else train[:n], test, spare=n != whole)
            for n in sizes
        ]
        losses.append([own for own, _ in found])
        rewards.append(found[-1][1])
        prior.append(_prior_loss(dataset, train, test))
    # (parts, sizes, learners) to (learners, parts, sizes)
    return Present(sizes, np.array(losses).transpose(2, 0, 1), np.array(rewards).T, np.array(prior))


def _prior_loss(dataset: Dataset, train: Indices, test: Indices) -> float:
    """Return the log loss of the class frequencies of the training rows."""
    prior = class_prior(dataset.codes[train], classes=range(len(dataset.classes)))
    y_prob = clip_probabilities(np.tile(prior, (len(test), 1)), n_train=len(train))
    return float(log_loss(dataset.codes[test], y_prob))


def _parts(dataset: Dataset, seed: int) -> Iterator[tuple[Indices, Indices]]:
    """Yield training rows in random order, so that the first ones are a sample of them, and test rows."""
    design = RepeatedFolds(folds=FOLDS, repeats=REPEATS)
    for repeat in range(REPEATS):
        own = integer_seed("split of a plan", seed, repeat)
        for fold in range(FOLDS):
            train, test = design.split(dataset.codes, fold=fold, seed=own)
            yield generator_for("order of a plan", seed, repeat, fold).permutation(train), test
