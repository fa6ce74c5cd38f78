"""Who is ahead in one setting, and from whom that cannot be told apart."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from workbench.analyses._shared.differences import Differences

__all__ = ["Standing", "standings_of"]


@dataclass(frozen=True)
class Standing:
    """The leader at one size of one source."""

    kind: str  # the kind of truths, in words
    n_train: int
    leader: str  # the learner with the best mean
    # the next best; or all whose interval of the difference to the leader contains zero
    rivals: tuple[str, ...]
    wins: bool  # whether every interval of a difference to the leader excludes zero
    gap: float  # how much better the leader is than the first rival, at least 0
    low: float
    high: float

    def of(self, learner: str) -> str:
        """Return how a compared learner stands: "wins", "leads", "tied" or "worse"."""
        if learner == self.leader:
            return "wins" if self.wins else "leads"
        return "tied" if not self.wins and learner in self.rivals else "worse"


def standings_of(differences: Differences) -> Iterator[Standing]:
    """Return the leader at each size of an experiment."""
    experiment = differences.experiment
    for j, size in enumerate(experiment.sizes):
        means = experiment.sign * experiment.values[:, :, j].mean(axis=0)
        order = [experiment.learners[i] for i in np.argsort(-means, kind="stable")]
        leader = order[0]
        pairs = {other: differences.paired.between(leader, other, size) for other in order[1:]}
        # The printed intervals decide, so that no winner's contains zero.
        close = tuple(other for other, pair in pairs.items() if pair.low <= 0.0 <= pair.high)
        rivals = close or (order[1],)
        pair = pairs[rivals[0]]
        low, high = sorted((experiment.sign * pair.low, experiment.sign * pair.high))
        gap = max(0.0, experiment.sign * pair.difference)  # rounding may order equal means either way
        yield Standing(experiment.kind, size, leader, rivals, not close, gap, low, high)
