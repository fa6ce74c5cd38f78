"""Which cells failed and why, each reason once."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    from workbench.results import Results

__all__ = ["failures_of", "first_clause"]

#: What may end a clause, where blanks follow.
ENDS = re.compile(r"[.,;:](?=\s|$)|\n")


def failures_of(results: "Results", most: int = 5) -> Iterator[str]:
    """Tell which cells failed and why.

    Parameters
    ----------
    results : Results
    most : int
        How many reasons are told; the most frequent first.

    Yields
    ------
    str
        One line each. Cells of a learner that failed with the same words are one line, with their sources.

    Examples
    --------
    >>> import warnings
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from workbench import compare
    >>> with warnings.catch_warnings(action="ignore"):
    ...     iris = load_iris(return_X_y=True, as_frame=True)
    ...     results = compare({"tree": DecisionTreeClassifier(max_depth=0)}, on={"iris": iris})
    >>> [line[:44] for line in failures_of(results)]
    ['10 cells failed; `workbench run ... --retry ', '  tree on iris (10 cells): InvalidParameterE']
    """
    cells = results.cells()
    failed = cells[cells["state"] == "failed"]
    if failed.empty:
        return
    cell = "cell" if len(failed) == 1 else "cells"
    yield f"{len(failed)} {cell} failed; `workbench run ... --retry failed` tries them again:"
    reasons = [own for _, own in failed.groupby(["learner", "message"], observed=True, sort=False)]
    reasons.sort(key=len, reverse=True)
    for own in reasons[:most]:
        yield f"  {own['learner'].iloc[0]} on {_place(own)}: {own['message'].iloc[0]}"
    rest = sum(map(len, reasons[most:]))
    if rest:
        yield f"  and {rest} more, for other reasons"


def first_clause(message: str) -> str:
    """Give the first clause of why a cell failed, without the name of the error.

    Parameters
    ----------
    message : str
        As `Results.cells` has it.

    Returns
    -------
    str
        The whole message where its clause would be empty.

    Examples
    --------
    >>> first_clause("ValueError: it takes 20 variables (with the class), but there are 23; drop it.")
    'it takes 20 variables (with the class)'
    >>> first_clause("MemoryError")
    'MemoryError'
    """
    words = re.sub(r"^\w+: ", "", message)
    ends = [
        end.start()
        for end in ENDS.finditer(words)
        if words.count("(", 0, end.start()) <= words.count(")", 0, end.start())
    ]
    return words[: ends[0]].strip() if ends and ends[0] else words.strip() or message


def _place(cells: pd.DataFrame) -> str:
    if len(cells) == 1:
        (cell,) = cells.itertuples()
        return f"{cell.source} {cell.replicate}, {cell.n_train} rows"
    return f"{', '.join(map(str, cells['source'].unique()))} ({len(cells)} cells)"
