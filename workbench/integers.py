"""What counts as an integer where a number of things is asked for."""

import operator

__all__ = ["as_integer"]


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
