"""The rows of a file of printed figures: those wanted, with the names that the study has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from workbench.base.errors import WorkbenchError, nearest
from workbench.reproduction.csv_rows import PLACE, csv_rows
from workbench.reproduction.printed_table import check_keys

__all__ = ["Names", "check_once", "doubts_of", "read_rows"]

DOUBT_KEYS = ("where", "why")


@dataclass(frozen=True)
class Names:
    """What a study calls what a paper prints.

    Parameters
    ----------
    learners : mapping of str to str
        Printed name to key; every printed learner needs one.
    datasets : mapping of str to str
        Printed name to key; a name that is not here is the same in the study.
    """

    learners: Mapping[str, str]
    datasets: Mapping[str, str]

    def dataset(self, printed: str) -> str:
        """Give the key of a printed data set."""
        return self.datasets.get(printed, printed)

    def learner(self, printed: str, what: str) -> str:
        """Give the key of a printed learner.

        Parameters
        ----------
        printed : str
        what : str
            Where it is printed, for the error message.

        Returns
        -------
        str

        Raises
        ------
        WorkbenchError
            If it has none.
        """
        if printed not in self.learners:
            raise WorkbenchError(
                f"{what} prints the learner {printed!r}, which has no key: add "
                f'"{printed}" = "KEY" under [learners] ({nearest(printed, self.learners)})'
            )
        return self.learners[printed]


def read_rows(path: Path, columns: Mapping[str, str], where: Mapping[str, Any], what: str) -> pd.DataFrame:
    """Read the rows of a file that belong to a table.

    Parameters
    ----------
    path : Path
        A CSV file with a header.
    columns : mapping of str to str
        What is wanted, and the file's column that has it.
    where : mapping of str to str, number or list of these
        Column to the value, or the values, that it has in the rows wanted; a number is compared as it is
        written.
    what : str
        The table's name, for error messages.

    Returns
    -------
    DataFrame of str
        All columns of the file, first those wanted, as ``@dataset`` and so on, and where each row stands,
        as ``@place``.

    Raises
    ------
    WorkbenchError
        If there is no such file or column, a row has not the fields of the header, a value wanted is neither
        word nor number, or no row is left.
    """
    rows = csv_rows(path, what)
    for column in (*columns.values(), *where):
        if column not in rows:
            raise WorkbenchError(
                f"{what} names the column {column!r}, which {path.name} has not: {nearest(column, rows)}"
            )
    rows = rows[matching(rows, where, what)]
    if rows.empty:
        raise WorkbenchError(f"{what} is of no row of {path.name}: expected some where {dict(where)}")
    found = pd.DataFrame({f"@{name}": rows[column] for name, column in columns.items()})
    return found.join(rows).reset_index(drop=True)


def matching(rows: pd.DataFrame, where: Mapping[str, Any], what: str) -> pd.Series:
    """Say which rows have the values wanted."""
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


def check_once(rows: pd.DataFrame, learners: Sequence[str], names: Names, what: str) -> None:
    """Raise WorkbenchError if two rows are of the same cell.

    Parameters
    ----------
    rows : DataFrame
        As `read_rows` gives them.
    learners : sequence of str
        The columns that name learners; their order is no difference.
    names : Names
        Two printed names with one key are one.
    what : str
        The table's name, for the error message.
    """
    seen: dict[object, str] = {}
    for row in rows.to_dict("records"):
        printed = [row["@dataset"], *(row[column] for column in learners)]
        key = (names.dataset(printed[0]), frozenset(names.learner(word, what) for word in printed[1:]))
        if key in seen:
            raise WorkbenchError(
                f"{what} has the cell of {', '.join(printed)} twice, on {seen[key]} and on {row[PLACE]}: "
                "leave one, or tell them apart with `where`"
            )
        seen[key] = row[PLACE]


def doubts_of(rows: pd.DataFrame, doubts: Sequence[Mapping[str, Any]], what: str) -> pd.Series:
    """Give the doubt of each row: what its column says, and what the printed table's file adds.

    Parameters
    ----------
    rows : DataFrame
        As `read_rows` gives them.
    doubts : sequence of mapping
        Each with ``where``, as in `read_rows`, and ``why``.
    what : str
        The table's name, for error messages.

    Returns
    -------
    Series of str
        Empty where there is none.

    Raises
    ------
    WorkbenchError
        If a key or a column is unknown, or no row is meant.
    """
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
