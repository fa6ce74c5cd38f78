"""Checks of user input: integers, numbers of processes, names, and the direction of scores."""

import operator
from pathlib import PurePath, PureWindowsPath
from typing import Literal

from workbench.base.errors import WorkbenchError
from workbench.base.text import printable

__all__ = ["Direction", "as_integer", "check_file_name", "check_jobs", "check_name", "sign_of"]

Direction = Literal["higher", "lower"]

SIGNS = {"higher": 1.0, "lower": -1.0}
#: The largest number of characters in a name.
LONGEST = 200
#: Characters with which a spreadsheet begins a formula.
FORMULA = ("=", "+", "-", "@")


def as_integer(value: object) -> int | None:
    """Return a Python or numpy integer as an int, and None for anything else."""
    # numpy's bool is not an index either.
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def check_jobs(n_jobs: object) -> int:
    """Return a number of processes as an integer."""
    jobs = as_integer(n_jobs)
    if jobs is None or not (jobs == -1 or jobs >= 1):
        raise WorkbenchError(
            f"n_jobs is {n_jobs!r}: expected a number of processes of at least 1, or -1 for one per core"
        )
    return jobs


def check_name(name: object, what: str) -> None:
    r"""Raise WorkbenchError for a name that a table, figure or spreadsheet would not show unchanged."""
    if not isinstance(name, str) or not name.strip():
        raise WorkbenchError(f"{what} is {name!r:.200}: expected a word")
    if len(name) > LONGEST:
        raise WorkbenchError(
            f"{what} is {name[:40]!r}... of {len(name)} characters: expected {LONGEST} or fewer"
        )
    if printable(name) != name or len(name.splitlines()) > 1 or "\t" in name:
        raise WorkbenchError(f"{what} is {name!r}: expected one line without control characters")
    if name.lstrip().startswith(FORMULA):
        raise WorkbenchError(
            f"{what} is {name!r}: it must not begin with any of {' '.join(FORMULA)}, which spreadsheets read "
            "as formulas"
        )


def check_file_name(name: str, what: str, instead: str) -> None:
    """Raise WorkbenchError for a name that is not a file name, or leads out of the folder."""
    parts = {PurePath(name).name, PureWindowsPath(name).name}
    if parts != {name} or name in (".", "..") or ":" in name or not name.isprintable():
        raise WorkbenchError(f"{what} {name!r} is not a file name: {instead}")


def sign_of(direction: str) -> float:
    """Return 1 if larger scores are better, -1 if smaller scores are."""
    if not isinstance(direction, str) or direction not in SIGNS:
        raise ValueError(f'direction is {direction!r}: give "higher" or "lower", for which scores are better')
    return SIGNS[direction]
