"""Names that people give to studies, sources, learners and metrics: what may stand in tables and files."""

from pathlib import PurePath, PureWindowsPath

from workbench.base.errors import WorkbenchError
from workbench.base.text import printable

__all__ = ["LONGEST", "check_file_name", "check_name"]

LONGEST = 200
#: What a spreadsheet takes for the beginning of a formula.
FORMULA = ("=", "+", "-", "@")


def check_name(name: object, what: str) -> None:
    r"""Refuse a name that a table, a figure, a terminal or a spreadsheet would not show as it is."""
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
            f"{what} is {name!r}: begin it with none of {' '.join(FORMULA)}, which spreadsheets take for "
            "formulas"
        )


def check_file_name(name: str, what: str, instead: str) -> None:
    """Refuse a name that would be a file outside the folder, or none."""
    parts = {PurePath(name).name, PureWindowsPath(name).name}
    if parts != {name} or name in (".", "..") or ":" in name or not name.isprintable():
        raise WorkbenchError(f"{what} {name!r} is no name of a file: {instead}")
