"""How many rows a wished loss would take: a range of doublings, or "cannot say"."""

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
        Ends of the range, doublings of the present number; None if it cannot be said.
    words : str
        The range in words, or "cannot say" and why.

    Examples
    --------
    >>> RowsNeeded("nb", 0.5, 1000, 4000, "1,000 to 4,000 rows").words
    '1,000 to 4,000 rows'
    """

    workbench_identity = "workbench.planning:RowsNeeded"
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
    sizes = [n for n in plan.sizes if _is_doubling(n, plan.n_rows)]
    places = [plan.sizes.index(n) for n in sizes]
    perhaps = [n for n, k in zip(sizes, places, strict=True) if plan.low[i, k] <= loss]
    surely = [n for n, k in zip(sizes, places, strict=True) if plan.high[i, k] <= loss]
    if surely and plan.disagree[i, plan.sizes.index(surely[0])]:
        return RowsNeeded(learner, float(loss), None, None, f"{CANNOT_SAY}: the two ways disagree")
    if surely:
        low, high = perhaps[0], surely[0]
        return RowsNeeded(learner, float(loss), low, high, _range_words(low, high, plan.n_rows))
    most = f"{sizes[-1]:,}"
    more = "perhaps more" if perhaps == sizes[-1:] else f"perhaps more than {most}"
    why = f"perhaps {perhaps[0]:,} rows, {more}" if perhaps else f"more than {most} rows, if any"
    return RowsNeeded(learner, float(loss), None, None, f"{CANNOT_SAY}: {why}")


def check_loss(loss: object) -> None:
    """Refuse anything but a number of bits above 0."""
    if not isinstance(loss, float | int | np.number) or isinstance(loss, bool) or not 0 < loss < np.inf:
        raise WorkbenchError(f"loss is {loss!r}: expected a number of bits above 0")


def _is_doubling(n: int, n_rows: int) -> bool:
    times, rest = divmod(n, n_rows)
    return rest == 0 and times & (times - 1) == 0


def _range_words(low: int, high: int, n_rows: int) -> str:
    if high == n_rows:
        return f"no more than the {n_rows:,} rows that there are"
    few, many = (round(np.log2(n / n_rows)) for n in (low, high))
    if few == many:
        return f"about {low:,} rows, {few} {'doubling' if few == 1 else 'doublings'}"
    return f"{low:,} to {high:,} rows, {few} to {many} doublings"
