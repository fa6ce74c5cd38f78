"""The error that the workbench raises for input that it cannot use."""

from collections.abc import Iterable
from difflib import get_close_matches

from workbench.base.text import sentence

__all__ = ["FailedCells", "WorkbenchError", "check_known", "nearest"]


class WorkbenchError(ValueError):
    r"""Input that cannot be used; the message is one sentence.

    The command line prints the message and exits with code 2; in Python it is a ValueError. Line breaks and
    control characters in what it quotes are escaped or removed.

    Examples
    --------
    >>> issubclass(WorkbenchError, ValueError)
    True
    >>> str(WorkbenchError("unknown learner a\nb\x1b[2J"))
    'unknown learner a b\\x1b[2J'
    """

    def __init__(self, message: object = "") -> None:
        super().__init__(sentence(str(message)))


class FailedCells(UserWarning):
    """Cells of a study have failed, so tables show the others only.

    Examples
    --------
    >>> issubclass(FailedCells, UserWarning)
    True
    """


def nearest(word: object, known: Iterable[str]) -> str:
    """Return the end of an error message: the known word that was probably meant, or all of them."""
    words = sorted(known)
    close = get_close_matches(str(word), words, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return "expected one of " + ", ".join(repr(w) for w in words) if words else "none is known"


def check_known(what: str, words: Iterable[str], known: Iterable[str]) -> None:
    """Raise WorkbenchError for the first word that is not a known one of its kind."""
    choices = list(known)
    for word in words:
        if word not in choices:
            raise WorkbenchError(f"unknown {what} {word!r}; {nearest(word, choices)}")
