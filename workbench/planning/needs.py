"""How many rows a wished loss would take: a range of doublings, or "cannot say"."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.base.errors import WorkbenchError, nearest
from workbench.planning.findings import PlanFindings

__all__ = ["CANNOT_SAY", "RowsNeeded", "check_loss", "rows_needed"]

CANNOT_SAY = "cannot say"


@dataclass(frozen=True)
class RowsNeeded:
    """Rows needed for a loss.

    Parameters
    ----------
    learner : str
    loss : float
        The wished log loss, in bits.
    low, high : int or None
        Ends of the range, sizes of the curves; None if it cannot be said.
    words : str
        The range in words, or "cannot say" and why.

    Examples
    --------
    >>> RowsNeeded("nb", 0.5, 1000, 4000, "1,000 to 4,000 rows").words
    '1,000 to 4,000 rows'
    """

    learner: str
    loss: float
    low: int | None
    high: int | None
    words: str


def rows_needed(plan: PlanFindings, learner: str, loss: float) -> RowsNeeded:
    """Read the rows that a loss takes off the two ends of a learner's intervals."""
    if learner not in plan.learners:
        raise WorkbenchError(f"the plan has no learner {learner!r}; {nearest(learner, plan.learners)}")
    check_loss(loss)
    i = plan.learners.index(learner)
    sizes = plan.sizes
    perhaps = [k for k in range(len(sizes)) if plan.low[i, k] <= loss]
    surely = [k for k in range(len(sizes)) if plan.high[i, k] <= loss]
    if not surely:
        return RowsNeeded(learner, float(loss), None, None, f"{CANNOT_SAY}: {_why(sizes, perhaps)}")
    # The loss may come anywhere after the last size at which it cannot have come.
    low, high = max(perhaps[0] - 1, 0), surely[0]
    if plan.disagree[i, low : high + 1].any():
        return RowsNeeded(learner, float(loss), None, None, f"{CANNOT_SAY}: the two ways disagree")
    words = _range_words(sizes[low], sizes[high], plan.n_rows)
    return RowsNeeded(learner, float(loss), sizes[low], sizes[high], words)


def _why(sizes: Sequence[int], perhaps: Sequence[int]) -> str:
    """Return what can be said where no size surely suffices."""
    most = f"{sizes[-1]:,}"
    if not perhaps:
        return f"more than {most} rows, if any"
    if perhaps[0] == 0:
        return f"perhaps already now, and not surely with {most} rows"
    return f"hardly with {sizes[perhaps[0] - 1]:,} rows, and not surely with {most}"


def check_loss(loss: object) -> None:
    """Refuse anything but a number of bits above 0."""
    if not isinstance(loss, float | int | np.number) or isinstance(loss, bool) or not 0 < loss < np.inf:
        raise WorkbenchError(f"loss is {loss!r}: expected a number of bits above 0")


def _range_words(low: int, high: int, n_rows: int) -> str:
    if high == n_rows:
        return f"no more than the {n_rows:,} rows that there are"
    few, many = (np.log2(n / n_rows) for n in (low, high))
    doublings = f", {few:.0f} to {many:.0f} doublings" if few.is_integer() and many.is_integer() else ""
    return f"{low:,} to {high:,} rows{doublings}"
