"""The one error that the workbench raises for input it cannot use."""

from collections.abc import Iterable
from difflib import get_close_matches

from workbench.base.text import sentence

__all__ = ["FailedCells", "WorkbenchError", "nearest"]


class WorkbenchError(ValueError):
    r"""Input that cannot be used, said in one sentence.

    The command line prints the sentence and ends with code 2; Python code catches it as a ValueError. What it
    quotes of the input can neither break the line nor command a terminal.

    Examples
    --------
    >>> issubclass(WorkbenchError, ValueError)
    True
    >>> str(WorkbenchError("no learner is called a\nb\x1b[2J"))
    'no learner is called a b\\x1b[2J'
    """

    def __init__(self, message: object = "") -> None:
        super().__init__(sentence(str(message)))


class FailedCells(UserWarning):
    """Cells of a study have failed, so tables are of the others alone.

    Examples
    --------
    >>> issubclass(FailedCells, UserWarning)
    True
    """


def nearest(word: object, known: Iterable[str]) -> str:
    """Say which known word was probably meant, as the end of an error message."""
    words = sorted(known)
    close = get_close_matches(str(word), words, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return "known are " + ", ".join(repr(w) for w in words) if words else "none is known"
