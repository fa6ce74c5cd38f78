"""The error that the workbench raises for input that it cannot use."""

import functools
import sys
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import ParamSpec, TypeVar

from workbench.base.text import sentence

__all__ = [
    "Confounded",
    "FailedCells",
    "InferredClassWarning",
    "Interrupted",
    "LeftOutWarning",
    "MissingScores",
    "NotReproducible",
    "OneClass",
    "OrderOfClasses",
    "RareClass",
    "SameTruths",
    "Untested",
    "WorkbenchError",
    "brief_errors",
    "check_known",
    "nearest",
]


#: Packages whose frames say nothing to a user.
INSIDE = ("generators", "learners", "workbench", "numpy", "pandas", "sklearn", "scipy")
P = ParamSpec("P")
T = TypeVar("T")


class WorkbenchError(ValueError):
    """Input that cannot be used, in one sentence. The command line prints it and exits with code 2."""

    def __init__(self, message: object = "") -> None:
        super().__init__(sentence(str(message)))


class Confounded(UserWarning):
    """The compared sources also differ in other parameters than the one in question."""


class FailedCells(UserWarning):
    """Cells of a study have failed, so tables show only the others."""


class InferredClassWarning(UserWarning):
    """The last column of a file was taken as the class, as no class was named."""


class Interrupted(UserWarning):
    """A run was stopped by Ctrl-C and returns the finished cells."""


class LeftOutWarning(UserWarning):
    """Files of a folder, or sources of a store or trend, are left out: they cannot be read, split or used."""


class MissingScores(UserWarning):
    """A study asks for scores that cells of earlier runs do not have."""


class NotReproducible(UserWarning):
    """A learner's forecasts differ when it is refitted to the same rows with the same seed."""


class OneClass(UserWarning):
    """Training rows of some cells are of one class, which a learner rejected."""


class OrderOfClasses(UserWarning):
    """Costs without names are matched by the order of classes that have names."""


class RareClass(UserWarning):
    """A class has fewer rows than a design has folds, so it is missing in some folds."""


class SameTruths(UserWarning):
    """Replicates draw other rows of given truths, so there are fewer truths than tests count."""


class Untested(UserWarning):
    """A learner is in no test, or only with some of its truths, for lack of finite scores."""


def brief_errors(function: Callable[P, T]) -> Callable[P, T]:
    """Show a WorkbenchError of a public function at its call and not in the frames inside."""

    @functools.wraps(function)
    def brief(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except WorkbenchError as error:
            error.__cause__ = error.__cause__ if _is_of_others(error.__cause__) else None
            error.__suppress_context__ = True
            raise error.with_traceback(None)  # noqa: B904 - the cause is what is left out

    return brief


def _is_of_others(cause: BaseException | None) -> bool:
    """Return whether an exception was raised outside this project, for example in a user's code."""
    place = None if cause is None else cause.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    name = "" if place is None else str(place.tb_frame.f_globals.get("__name__"))
    return place is not None and name.partition(".")[0] not in (*INSIDE, *sys.stdlib_module_names)


def nearest(word: object, known: Iterable[str]) -> str:
    """Return the end of an error message: the known word that was probably meant, or all known words."""
    words = sorted(known)
    close = get_close_matches(str(word), words, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return "expected one of " + ", ".join(repr(w) for w in words) if words else "none is known"


def check_known(what: str, words: Iterable[str], known: Iterable[str]) -> None:
    """Raise WorkbenchError for the first unknown word of a kind."""
    choices = list(known)
    for word in words:
        if word not in choices:
            raise WorkbenchError(f"unknown {what} {word!r}; {nearest(word, choices)}")
