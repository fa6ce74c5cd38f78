"""Timing of long runs: interruptible blocks, a limit in seconds, and a log line per second."""

import logging
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

from generators.base.compiled import when_compiling
from learners.networks.progress import advance

__all__ = ["ChainClock", "SearchTimeout"]

LOGGER = logging.getLogger("learners")
FEWEST_STEPS, MOST_STEPS = 256, 1 << 15


class SearchTimeout(Exception):
    """Error raised if a search reaches its time limit before it has a result."""


class ChainClock:
    """Clock of a chain. The division of steps into blocks does not affect them."""

    # within `searching()` it stands still while kernels are compiled, so that a cold cache costs no search;
    # `block` is the steps of the next block, about a twentieth of a second

    def __init__(self, what: str, max_seconds: float | None, n_steps: float = math.inf) -> None:
        if max_seconds is not None and not max_seconds > 0:
            raise ValueError(f"max_seconds must be None or positive, but was {max_seconds!r}.")
        self.block = FEWEST_STEPS
        self._what, self._limit = what, max_seconds
        self._n_steps, self._done = n_steps, 0
        self._start = self._last = self._logged = time.perf_counter()
        self._compiling_since = math.inf  # infinite while nothing is compiled

    @contextmanager
    def searching(self) -> Iterator[None]:
        """Exclude the time that this process spends on compilation in the block."""
        with when_compiling(self._stand_still):
            yield

    def _stand_still(self, begins: bool) -> None:
        now = time.perf_counter()
        if not begins:
            self._start += now - self._compiling_since
        self._compiling_since = now if begins else math.inf

    @property
    def seconds(self) -> float:
        """Seconds of the search since its start."""
        return min(time.perf_counter(), self._compiling_since) - self._start

    @property
    def is_up(self) -> bool:
        """Whether the time limit is reached."""
        return self._limit is not None and self.seconds >= self._limit

    def tick(self, length: float, n_steps: int = 0) -> None:
        """Record that a block of steps is done, and report the shortest message so far."""
        now = time.perf_counter()
        self._done += n_steps
        elapsed = 0.0 if self._limit is None else self.seconds / self._limit
        reached = "" if math.isfinite(self._n_steps) else f"shortest so far {length / math.log(2):.1f} bits"
        advance(min(max(self._done / self._n_steps, elapsed), 1.0), reached)
        took, self._last = now - self._last, now
        if took < 0.03:
            self.block = min(2 * self.block, MOST_STEPS)
        elif took > 0.1:
            self.block = max(self.block // 2, FEWEST_STEPS)
        if now - self._logged >= 1:
            self._logged = now
            found = f", shortest message {length:.4f} nats" if math.isfinite(length) else ""
            LOGGER.info("%s: %.0f s%s", self._what, self.seconds, found)
