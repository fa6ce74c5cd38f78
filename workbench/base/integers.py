"""What counts as an integer where a number of things is asked for."""

import operator

from workbench.base.errors import WorkbenchError

__all__ = ["as_integer", "check_jobs"]


def as_integer(value: object) -> int | None:
    """Return an integer of Python or numpy as Python's, and None for anything else."""
    # numpy's own bool is no index either.
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def check_jobs(n_jobs: object) -> int:
    """Return a number of processes as an integer."""
    jobs = as_integer(n_jobs)
    if jobs is None or not (jobs == -1 or jobs >= 1):
        raise WorkbenchError(
            f"n_jobs is {n_jobs!r}: expected a number of processes of at least 1, or -1 for one a core"
        )
    return jobs
