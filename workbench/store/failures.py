"""Which cells ended without scores and why, each reason once."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from workbench.base.cell import ENDED_WITHOUT_SCORES
from workbench.base.text import count_of, first_of, sentence

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["Ended", "failure_lines", "failures_of", "first_clause"]

#: What may end a clause, where blanks follow.
ENDS = re.compile(r"[.,;:](?=\s|$)|\n")


class Ended(NamedTuple):
    """A cell that came to nothing: its place, how it ended, and what was said."""

    source: str
    replicate: int
    n_train: int
    learner: str
    state: str
    message: str


def failures_of(results: "StudyResults", most: int = 5) -> Iterator[str]:
    """Tell which cells of a study ended without scores and why.

    Parameters
    ----------
    results : Results
    most : int
        How many reasons are told; the most frequent first.

    Yields
    ------
    str
        As `failure_lines`.

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
    ended = cells.loc[cells["state"].isin(ENDED_WITHOUT_SCORES), list(Ended._fields)]
    yield from failure_lines(map(Ended._make, ended.itertuples(index=False)), most)


def failure_lines(ended: Iterable[Ended], most: int = 5) -> Iterator[str]:
    """Tell which cells ended without scores and why, state by state.

    Parameters
    ----------
    ended : iterable of Ended
        In the order of the study.
    most : int
        How many reasons are told; the most frequent first.

    Yields
    ------
    str
        One line each. Cells of a learner that ended with the same words are one line, with their sources.

    Examples
    --------
    >>> for line in failure_lines([Ended("tan", 3, 50, "nb", "timed_out", "longer than 2 s")]): print(line)
    1 cell timed out; `workbench run ... --retry timed_out` tries them again:
      nb on tan 3, 50 rows: longer than 2 s
    """
    by_state: dict[str, dict[tuple[str, str], list[Ended]]] = {state: {} for state in ENDED_WITHOUT_SCORES}
    for cell in ended:
        by_state[cell.state].setdefault((cell.learner, cell.message), []).append(cell)
    for state, reasons in by_state.items():
        n = sum(map(len, reasons.values()))
        if not n:
            continue
        words = state.replace("_", " ")
        yield f"{count_of(n, 'cell')} {words}; `workbench run ... --retry {state}` tries them again:"
        told = sorted(reasons.items(), key=lambda reason: -len(reason[1]))
        for (learner, message), own in told[:most]:
            yield f"  {learner} on {_place(own)}: {sentence(message)}"
        rest = sum(len(own) for _, own in told[most:])
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


def _place(cells: Sequence[Ended]) -> str:
    if len(cells) == 1:
        (cell,) = cells
        return f"{cell.source} {cell.replicate}, {cell.n_train} rows"
    sources = list(dict.fromkeys(cell.source for cell in cells))
    return f"{first_of(sources)} ({len(cells)} cells)"
