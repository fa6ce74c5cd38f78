"""What commands share: options, error messages in one sentence, output lines."""

import contextlib
import functools
import re
import shlex
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.base.errors import (
    FailedCells,
    InferredClassWarning,
    LeftOutWarning,
    MissingScores,
    NotReproducible,
    OneClass,
    OrderOfClasses,
    RareClass,
    SameTruths,
    WorkbenchError,
)

if TYPE_CHECKING:
    from workbench.results import Results

__all__ = [
    "ClassName",
    "Decimal",
    "Drop",
    "Encoding",
    "Groups",
    "Header",
    "Learners",
    "Missing",
    "Nominal",
    "Sep",
    "OnlySource",
    "Score",
    "Store",
    "answer_line",
    "as_typed",
    "file_options",
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
        help="METRIC/PRIOR/ROWS/CUTOFF, such as ir_b/marginal/exact/2002. Parts may be left out or empty: "
        "ir_b//test leaves the prior open, ir_b///2002 also the rows. Default: the study's first metric."
    ),
]
Learners = Annotated[
    str | None, typer.Option(help="Learners, separated by commas. Default: those that the study compares.")
]
OnlySource = Annotated[str | None, typer.Option(help="Only generating models of this source.")]

# How a file of rows is read; what is not said is found out.
ClassName = Annotated[
    str | None,
    typer.Option("--class", help="The class column. Default: the last column.", show_default=False),
]
Nominal = Annotated[
    str | None, typer.Option(help="Columns whose numbers are codes, separated by commas.", show_default=False)
]
Drop = Annotated[
    str | None, typer.Option(help="Columns to leave out, separated by commas.", show_default=False)
]
Groups = Annotated[
    str | None,
    typer.Option(
        help="The column with the group of each row. A group is not split into training and test rows.",
        show_default=False,
    ),
]
Sep = Annotated[
    str | None,
    typer.Option(help='The character between values, or "tab" or "blank".', show_default=False),
]
Decimal = Annotated[str | None, typer.Option(help='The decimal mark: "." or ",".', show_default=False)]
Encoding = Annotated[
    str | None, typer.Option(help="The encoding, such as utf-8 or cp1252.", show_default=False)
]
Header = Annotated[
    str | None,
    typer.Option(
        help="Whether the first line names the columns (yes or no), or their names, separated by commas.",
        show_default=False,
    ),
]
Missing = Annotated[
    str | None,
    typer.Option(
        help="More codes for missing values, separated by commas, such as -9. For one column: age=-9.",
        show_default=False,
    ),
]


def file_options(
    *,
    class_: str | None,
    nominal: str | None,
    drop: str | None,
    sep: str | None,
    decimal: str | None,
    encoding: str | None,
    header: str | None,
    missing: str | None,
    groups: str | None = None,
) -> dict[str, Any]:
    """Return the options of a file of rows that were typed, as a study's entry has them."""
    from workbench.datasets.delimited.options import words_of

    typed_in: dict[str, Any] = {
        "class": class_,
        "groups": groups,
        "sep": sep,
        "decimal": decimal,
        "encoding": encoding,
    }
    typed_in |= {"nominal": separated(nominal), "drop": separated(drop)}
    yes_or_no = {"yes": True, "no": False, "true": True, "false": False}
    typed_in["header"] = yes_or_no.get(header.lower(), separated(header)) if header else None
    typed_in["missing"] = words_of(missing) if missing is not None else None
    return {word: value for word, value in typed_in.items() if value is not None}


#: An option in a sentence, as a study file has it.
OPTION = re.compile(r'\b(drop|missing|nominal|groups|decimal) = (\[[^]]*\]|"[^"]*")')


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


def as_typed(sentence: str) -> str:
    """Write the options that a sentence names as a command takes them."""

    def option(match: re.Match[str]) -> str:
        words = [word.strip().strip('"') for word in match[2].strip("[]").split(",")]
        return f"--{match[1]} {shlex.quote(','.join(words))}"

    return OPTION.sub(option, sentence)


@contextlib.contextmanager
def own_warnings_as_lines(*, of_file: bool = False) -> Iterator[None]:
    """Show warnings of our own kinds on one line, of one file with options as commands take them."""
    from learners.tables.columns import IntegerColumnWarning
    from workbench.datasets import TableWarning

    before = warnings.showwarning

    def line(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if category.__module__.partition(".")[0] in ("learners", "workbench"):
            say(f"workbench: {as_typed(str(message)) if of_file else message}")
        else:
            before(message, category, *place, **more)

    with warnings.catch_warnings():
        for kind in (
            FailedCells,
            InferredClassWarning,
            IntegerColumnWarning,
            LeftOutWarning,
            NotReproducible,
            OneClass,
            OrderOfClasses,
            RareClass,
            SameTruths,
            TableWarning,
        ):
            warnings.simplefilter("always", kind)
        # commands say it in a line, with a command that adds them
        warnings.simplefilter("ignore", MissingScores)
        warnings.showwarning = line
        yield


def answer_line(results: "Results", score: str | None = None) -> str:
    """Return which learner wins, or why there is no winner."""
    try:
        return results.answer(score)
    except WorkbenchError as error:
        return f"there is no winner: {error}"
