"""The rows of a file of printed numbers, under the study's names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from generators.tables.cells import repeated_name
from workbench.base.errors import WorkbenchError, nearest
from workbench.datasets.delimited.content import content_of
from workbench.datasets.delimited.options import TextOptions
from workbench.datasets.delimited.reading import read_fields
from workbench.reproduction.printed.table import check_keys

__all__ = ["PrintedNames", "PLACE", "check_once", "doubts_of", "read_rows"]

#: The column with the line of a row, for error messages.
PLACE = "@place"
DOUBT_KEYS = ("where", "why")


@dataclass(frozen=True)
class PrintedNames:
    """The study's keys for a paper's names of all learners, and of data sets that are called otherwise."""

    learners: Mapping[str, str]
    datasets: Mapping[str, str]

    def dataset(self, printed: str) -> str:
        """Return the key of a printed data set."""
        return self.datasets.get(printed, printed)

    def learner(self, printed: str, what: str) -> str:
        """Return the key of a printed learner."""
        if printed not in self.learners:
            raise WorkbenchError(
                f"{what} prints the learner {printed!r}, which has no key: add "
                f'"{printed}" = "KEY" under [learners] ({nearest(printed, self.learners)})'
            )
        return self.learners[printed]


def read_rows(path: Path, columns: Mapping[str, str], where: Mapping[str, Any], what: str) -> pd.DataFrame:
    """Read the rows of a file that belong to a table."""
    rows = csv_rows(path, what)
    known = rows.columns.drop(PLACE)
    for column in (*columns.values(), *where):
        if column not in known:
            apart = " (columns must be separated by commas)" if len(known) == 1 else ""
            raise WorkbenchError(
                f"unknown column {column!r} of {path.name} in {what}; {nearest(column, known)}{apart}"
            )
    if rows.empty:
        raise WorkbenchError(f"{what} names the file {path}, which has a header and no rows")
    rows = rows[matching(rows, where, what)]
    if rows.empty:
        raise WorkbenchError(f"{what} selects no row of {path.name}: expected rows where {dict(where)}")
    found = pd.DataFrame({f"@{name}": rows[column] for name, column in columns.items()})
    return found.join(rows).reset_index(drop=True)


def matching(rows: pd.DataFrame, where: Mapping[str, Any], what: str) -> pd.Series:
    """Return which rows have the values of `where`."""
    fits = pd.Series(True, index=rows.index)
    for column, wanted in where.items():
        values = wanted if isinstance(wanted, list) else [wanted]
        for value in values:
            if isinstance(value, bool) or not isinstance(value, str | int | float):
                raise WorkbenchError(
                    f"{what} has where = {{ {column} = {wanted!r} }}: expected a word, a number, or a list "
                    "of these"
                )
        fits &= rows[column].isin([str(value) for value in values])
    return fits


def check_once(rows: pd.DataFrame, learners: Sequence[str], names: PrintedNames, what: str) -> None:
    """Raise WorkbenchError if two rows describe the same cell."""
    seen: dict[object, str] = {}
    for row in rows.to_dict("records"):
        printed = [row["@dataset"], *(row[column] for column in learners)]
        key = (names.dataset(printed[0]), frozenset(names.learner(word, what) for word in printed[1:]))
        if key in seen:
            raise WorkbenchError(
                f"{what} has the cell of {', '.join(printed)} twice, on {seen[key]} and on {row[PLACE]}: "
                "remove one, or select one with `where`"
            )
        seen[key] = row[PLACE]


def doubts_of(rows: pd.DataFrame, doubts: Sequence[Mapping[str, Any]], what: str) -> pd.Series:
    """Return the doubt of each row, from its column and the table's TOML."""
    found = rows["@doubt"] if "@doubt" in rows else pd.Series("", index=rows.index)
    if not isinstance(doubts, list) or not all(isinstance(doubt, Mapping) for doubt in doubts):
        raise WorkbenchError(f"{what} has doubts = {doubts!r}: expected [[tables.doubts]] with where and why")
    for doubt in doubts:
        check_keys(doubt, DOUBT_KEYS, f"a doubt of {what}")
        if set(doubt) != set(DOUBT_KEYS):
            raise WorkbenchError(f"a doubt of {what} is {dict(doubt)!r}: expected where and why")
        where, why = doubt["where"], doubt["why"]
        if not isinstance(where, Mapping) or not isinstance(why, str):
            raise WorkbenchError(
                f"a doubt of {what} is {dict(doubt)!r}: expected where = {{ COLUMN = VALUE }} and why in "
                "words"
            )
        check_keys(where, rows.columns, f"the rows of {what}")
        fits = matching(rows, where, f"a doubt of {what}")
        if not fits.any():
            raise WorkbenchError(f"a doubt of {what} is of no row: none has {dict(where)!r}")
        found = found.mask(fits, why)
    return found


def csv_rows(path: Path, what: str) -> pd.DataFrame:
    r"""Read all rows of a file as text, without converting numbers or missing values."""
    if not path.is_file():
        raise WorkbenchError(f"{what} names the file {path}, which is not there")
    try:
        fields = read_fields(content_of(path, "utf-8"), TextOptions(sep=",", header=True))
    except WorkbenchError as error:
        raise WorkbenchError(f"{what} names the file {path}, which cannot be used: {error}") from error
    header = list(fields.names)
    if (twice := repeated_name(header)) is not None:
        raise WorkbenchError(f"{what}: {path.name} has two columns named {twice!r}: give each its own name")
    rows = pd.DataFrame([record for _, record in fields.rows], columns=header, dtype="str")
    return rows.assign(**{PLACE: [f"line {line} of {path.name}" for line, _ in fields.rows]})
