"""Which folder of data sets a study used, and what its store remembers of it."""

import os
from contextlib import closing
from pathlib import Path

from workbench import schema
from workbench.errors import WorkbenchError

__all__ = ["FOLDER_KEY", "data_folder", "remembered_folder"]

#: Names the folder in the store's table `meta`.
FOLDER_KEY = "data"
VARIABLE = "WORKBENCH_DATA"


def data_folder(data: str | Path | None) -> str | None:
    """Give the folder that is named, or else the one of the environment, by its full path.

    Parameters
    ----------
    data : str, Path or None

    Returns
    -------
    str or None
        None if neither names one.

    Examples
    --------
    >>> data_folder("/data/../uci")
    '/uci'
    """
    given = data or os.environ.get(VARIABLE)
    return str(Path(given).expanduser().resolve()) if given else None


def remembered_folder(store: str | Path | None) -> str | None:
    """Give the folder that the last run of a store used, for a run that is told of none.

    Parameters
    ----------
    store : str, Path or None
        There need be no such file.

    Returns
    -------
    str or None
        None if the environment names a folder, or the store remembers none.

    Raises
    ------
    WorkbenchError
        If the folder is gone, or the file is no store.

    Examples
    --------
    >>> remembered_folder(None)
    """
    if (
        store is None
        or os.environ.get(VARIABLE)
        or not Path(store).is_file()
        or not Path(store).stat().st_size
    ):
        return None
    path = Path(store)
    with schema.told(path), closing(schema.read_only(path)) as connection:
        row = connection.execute("SELECT value FROM meta WHERE key = ?", (FOLDER_KEY,)).fetchone()
    if row is None or Path(row[0]).is_dir():
        return row and row[0]
    raise WorkbenchError(
        f"{path} remembers the data folder {row[0]}, which is gone: pass --data (data= in Python)"
    )
