"""What commands share: options, error messages in one sentence, output lines."""

import contextlib
import functools
import shlex
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.base.errors import FailedCells, GuessedClass, LeftOutWarning, WorkbenchError

if TYPE_CHECKING:
    from workbench.results import Results

__all__ = [
    "Learners",
    "OnlySource",
    "Score",
    "Store",
    "answer_line",
    "find_own_modules",
    "one_sentence",
    "own_warnings_as_lines",
    "program",
    "say",
    "separated",
    "typed",
]

Store = Annotated[Path, typer.Argument(help="The store of a study.", show_default=False)]
# Which score to use, which learners, which sources.
Score = Annotated[
    str | None,
    typer.Option(
        help="METRIC/PRIOR/ROWS/CUTOFF, such as ir_b/marginal/exact/2002; parts may be left out or empty, as "
        "in ir_b//test; the study's first metric by default."
    ),
]
Learners = Annotated[
    str | None, typer.Option(help="Learners, separated by commas; by default those that the study compares.")
]
OnlySource = Annotated[str | None, typer.Option(help="Only generating models of this source.")]


def one_sentence(command: Callable[..., None]) -> Callable[..., None]:
    """Report bad input in one sentence with exit code 2."""

    @functools.wraps(command)
    def guarded(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except BrokenPipeError:
            raise  # the reader of the pipe is gone; click exits silently
        except (WorkbenchError, OSError) as error:
            say(f"workbench: {error}")
            raise typer.Exit(2) from error

    return guarded


def program() -> str:
    """Return how the program was called, for commands that it suggests."""
    called = sys.argv[0] if sys.argv else ""
    if Path(called).parts[-2:] == ("workbench", "__main__.py"):
        return shlex.join([sys.orig_argv[0] or "python", "-m", "workbench"])
    return shlex.quote(called) if Path(called).stem == "workbench" else "workbench"


def typed() -> str:
    """Return the command as it was typed."""
    return shlex.join([*shlex.split(program()), *sys.argv[1:]])


def find_own_modules() -> None:
    """Let a study name modules of the current folder, after those that are installed."""
    # Only commands that run what a study names look there: a store may come from anywhere, and a file beside
    # it that is named like a package must not run.
    sys.path.append(str(Path.cwd()))


def separated(words: str | None) -> list[str] | None:
    """Split text at its commas."""
    return [key.strip() for key in words.split(",")] if words else None


def say(line: str) -> None:
    """Write a line to stderr."""
    typer.echo(line, err=True)


@contextlib.contextmanager
def own_warnings_as_lines() -> Iterator[None]:
    """Show warnings of our own kinds on one line, without file and line number, and others as before."""
    from learners.tables.columns import IntegerColumnWarning

    before = warnings.showwarning

    def line(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if category.__module__.partition(".")[0] in ("learners", "workbench"):
            say(f"workbench: {message}")
        else:
            before(message, category, *place, **more)

    with warnings.catch_warnings():
        for kind in (FailedCells, GuessedClass, IntegerColumnWarning, LeftOutWarning):
            warnings.simplefilter("always", kind)
        warnings.showwarning = line
        yield


def answer_line(results: "Results", score: str | None = None) -> str:
    """Return which learner wins, or why there is no winner."""
    try:
        return results.answer(score)
    except WorkbenchError as error:
        return f"there is no winner: {error}"
