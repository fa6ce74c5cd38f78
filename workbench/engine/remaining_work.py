"""The remaining work of a round, by the seconds of cells of each learner and size."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.base.cell import Cell
    from workbench.store.outcome import Outcome

__all__ = ["WorkLeft"]

SECONDS_BETWEEN_ESTIMATES = 0.5


class WorkLeft:
    """Estimate the remaining work, as all cells of slow learners may come late."""

    def __init__(self, cells: Iterable["Cell"]) -> None:
        self._left = Counter((cell.learner, cell.n_train) for cell in cells)
        self._seconds: defaultdict[tuple[str, int], float] = defaultdict(float)
        self._ended: Counter[tuple[str, int]] = Counter()
        self._asked, self._estimate = -math.inf, 0.0
        self.done = 0.0  # seconds of work

    def end(self, cell: "Cell", outcome: "Outcome") -> None:
        """Count a cell that has ended."""
        kind = (cell.learner, cell.n_train)
        self._left[kind] -= 1
        self._ended[kind] += 1
        started, finished = map(datetime.fromisoformat, (outcome.started, outcome.finished))
        seconds = (finished - started).total_seconds()
        self._seconds[kind] += seconds
        self.done += seconds

    def left(self, now: float) -> float:
        """Return the remaining seconds of work, cached for a while, with new sizes scaled by their rows."""
        if now >= self._asked + SECONDS_BETWEEN_ESTIMATES:
            self._asked = now
            self._estimate = sum(n * self._expected(*kind) for kind, n in self._left.items() if n)
        return self._estimate

    def _expected(self, learner: str, n_train: int) -> float:
        """Return the mean seconds of such a cell, otherwise of the learner by row, otherwise of all cells."""
        kind = (learner, n_train)
        if self._ended[kind]:
            return self._seconds[kind] / self._ended[kind]
        own = [known for known in self._ended if known[0] == learner]
        if own:
            rows = sum(known[1] * self._ended[known] for known in own)
            return n_train * sum(self._seconds[known] for known in own) / max(rows, 1)
        return self.done / max(sum(self._ended.values()), 1)
