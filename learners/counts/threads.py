"""Distribution of rows over threads, with bitwise equal results for any number of threads."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from learners.options import is_whole

__all__ = ["check_threads", "in_threads", "shares"]

#: A thread for fewer rows costs more than it saves.
LEAST_ROWS = 10_000

Part = TypeVar("Part")
Result = TypeVar("Result")


def check_threads(n_jobs: Any) -> int:
    """Return the number of threads an option asks for: -1 is one per core for this process, None is 1."""
    if n_jobs is None:
        return 1
    if not is_whole(n_jobs) or n_jobs == 0 or n_jobs < -1:
        raise ValueError(f"n_jobs must be a whole number of at least 1, or -1, but was {n_jobs!r}.")
    if n_jobs > 0:
        return int(n_jobs)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shares(n_rows: int, n_threads: int) -> list[slice]:
    """Divide rows into ranges of nearly the same length, one for each thread that pays."""
    n = max(1, min(n_threads, n_rows // LEAST_ROWS))
    return [slice(i * n_rows // n, (i + 1) * n_rows // n) for i in range(n)]


def in_threads(function: Callable[[Part], Result], parts: Iterable[Part], n_threads: int) -> list[Result]:
    """Call a function with each part, in threads: kernels do not hold the interpreter."""
    if n_threads == 1:
        return [function(part) for part in parts]
    with ThreadPoolExecutor(n_threads) as threads:
        return list(threads.map(function, parts))
