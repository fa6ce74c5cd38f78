"""Columns whose numbers lie so close that C4.5 and J48 take them for equal."""

import warnings

import numpy as np

from learners.tables.attributes import Schema
from learners.trees.growing.training_rows import TreeRows

__all__ = ["GAP", "CloseNumbersWarning", "warn_of_close_numbers"]

#: C4.5 and J48 cut between two neighboring numbers only if they are further apart.
GAP = 1e-5


class CloseNumbersWarning(UserWarning):
    """No two neighboring numbers of a column are more than 1e-5 apart, so that none of its cuts is tried.

    Examples
    --------
    >>> issubclass(CloseNumbersWarning, UserWarning)
    True
    """


def warn_of_close_numbers(rows: TreeRows, schema: Schema, *, single_precision: bool = False) -> None:
    """Warn once, for `fit`, of all columns with several numbers between which there is no cut."""
    names = [
        repr(schema.names[a]) for a in np.flatnonzero(rows.n_cuts) if _is_close(rows, a, single_precision)
    ]
    if names:
        one = len(names) == 1
        columns = f"column {names[0]}" if one else f"the columns {', '.join(names)}"
        warnings.warn(
            f"Neighboring numbers of {columns} are at most {GAP:g} apart, which this learner takes for "
            f"equal; rescale {'it' if one else 'them'}, for instance to a standard deviation of 1.",
            CloseNumbersWarning,
            stacklevel=3,
        )


def _is_close(rows: TreeRows, attribute: np.intp, single_precision: bool) -> bool:
    numbers = rows.values[rows.value_start[attribute] : rows.value_start[attribute + 1]]
    if single_precision:
        with np.errstate(over="ignore"):
            numbers = numbers.astype(np.float32).astype(np.float64)
        return not bool((numbers[:-1] < numbers[1:] - GAP).any())
    return not bool((numbers[:-1] + GAP < numbers[1:]).any())
