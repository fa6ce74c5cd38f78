"""The rows of a file of printed figures: those wanted, with the names that the study has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from workbench.errors import WorkbenchError, nearest
from workbench.recreation.printed_table import check_keys

__all__ = ["Names", "doubts_of", "read_rows"]

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
    where : mapping of str to str or list of str
        Column to the value, or the values, that it has in the rows wanted.
    what : str
        The table's name, for error messages.

    Returns
    -------
    DataFrame of str
        All columns of the file, and first those wanted, as ``@dataset`` and so on.

    Raises
    ------
    WorkbenchError
        If there is no such file or column, or no row is left.
    """
    try:
        rows = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise WorkbenchError(f"{what} names the file {path}, which cannot be read: {error}") from error
    for column in (*columns.values(), *where):
        if column not in rows:
            raise WorkbenchError(
                f"{what} names the column {column!r}, which {path.name} has not: {nearest(column, rows)}"
            )
    rows = rows[matching(rows, where)]
    if rows.empty:
        raise WorkbenchError(f"{what} is of no row of {path.name}: expected some where {dict(where)}")
    found = pd.DataFrame({f"@{name}": rows[column] for name, column in columns.items()})
    return found.join(rows).reset_index(drop=True)


def matching(rows: pd.DataFrame, where: Mapping[str, Any]) -> pd.Series:
    """Say which rows have the values wanted."""
    fits = pd.Series(True, index=rows.index)
    for column, wanted in where.items():
        fits &= rows[column].isin([wanted] if isinstance(wanted, str) else list(wanted))
    return fits


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
    for doubt in doubts:
        check_keys(doubt, DOUBT_KEYS, f"a doubt of {what}")
        if set(doubt) != set(DOUBT_KEYS):
            raise WorkbenchError(f"a doubt of {what} is {dict(doubt)!r}: expected where and why")
        check_keys(doubt["where"], rows.columns, f"the rows of {what}")
        fits = matching(rows, doubt["where"])
        if not fits.any():
            raise WorkbenchError(f"a doubt of {what} is of no row: none has {dict(doubt['where'])!r}")
        found = found.mask(fits, doubt["why"])
    return found
