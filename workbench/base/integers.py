"""What counts as an integer where a number of things is asked for."""

import operator

from workbench.base.errors import WorkbenchError

__all__ = ["as_integer", "check_jobs"]


def as_integer(value: object) -> int | None:
    """Give an integer of Python or numpy as Python's, and None for anything else.

    Parameters
    ----------
    value : object

    Returns
    -------
    int or None
        None for bools too, and for floats, also whole ones.

    Examples
    --------
    >>> import numpy as np
    >>> as_integer(np.int64(50)), as_integer(True), as_integer(50.0)
    (50, None, None)
    """
    # numpy's own bool is no index either.
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def check_jobs(n_jobs: object) -> int:
    """Give a number of processes as an integer.

    Parameters
    ----------
    n_jobs : object

    Returns
    -------
    int
        At least 1, or -1.

    Raises
    ------
    WorkbenchError
        If it is anything else.

    Examples
    --------
    >>> check_jobs(2)
    2
    """
    jobs = as_integer(n_jobs)
    if jobs is None or not (jobs == -1 or jobs >= 1):
        raise WorkbenchError(
            f"n_jobs is {n_jobs!r}: expected a number of processes of at least 1, or -1 for one a core"
        )
    return jobs
