"""The posterior of a difference: the probabilities of worse, practically equal and better."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from workbench.base.checks import Direction
from workbench.base.text import shown
from workbench.comparisons._shared.base import as_number

__all__ = ["Decision", "RopePosterior", "check_rope"]

Decision = Literal["worse", "equal", "better"]


@dataclass(frozen=True)
class RopePosterior:
    """Probabilities that one learner is worse than, practically equal to, or better than another.

    The three probabilities sum to 1.

    Attributes
    ----------
    p_worse, p_equal, p_better : float
        The three probabilities.
    rope : float
        Half width of the region of practical equivalence (ROPE), in the unit of the scores. Differences from
        -rope to rope count as practically equal.
    n : int
        Number of differences behind the posterior.
    direction : {"higher", "lower"}
        Whether higher or lower scores are better.
    level : float
        An outcome is decided if its probability is at least this.

    Examples
    --------
    >>> RopePosterior(0.01, 0.03, 0.96, rope=0.01, n=25, direction="higher", level=0.95).decision
    'better'
    """

    p_worse: float
    p_equal: float
    p_better: float
    rope: float
    n: int
    direction: Direction
    level: float

    @property
    def decision(self) -> Decision | None:
        """The outcome "worse", "equal" or "better" whose probability reaches `level`, or None."""
        found: dict[Decision, float] = {
            "worse": self.p_worse,
            "equal": self.p_equal,
            "better": self.p_better,
        }
        likeliest = max(found, key=lambda outcome: found[outcome])
        return likeliest if found[likeliest] >= self.level else None


def check_rope(rope: float) -> float:
    """Return the half width of a region of practical equivalence as a float, or raise."""
    if not 0 <= as_number(rope) < np.inf:
        raise ValueError(
            f"rope is {shown(rope)}: give the largest difference that does not matter, 0 or more, in the "
            "unit of the scores"
        )
    return float(rope)
