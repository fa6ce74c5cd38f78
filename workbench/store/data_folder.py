"""Which folder of data sets a study used, and what its store remembers of it and of the tables."""

import json
import os
from collections.abc import Mapping
from contextlib import closing
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from workbench.base.errors import WorkbenchError
from workbench.store import schema

__all__ = [
    "FOLDER_KEY",
    "TABLES_KEY",
    "KnownTable",
    "Memory",
    "data_folder",
    "known_tables",
    "remembered",
    "written",
]

#: Name the folder, and what is known of each data set, in the store's table `meta`.
FOLDER_KEY, TABLES_KEY = "data", "tables"
VARIABLE = "WORKBENCH_DATA"


@dataclass(frozen=True)
class KnownTable:
    """What tells a table from another, and its size: enough to recognize what has been computed of it.

    Parameters
    ----------
    digest : str
        Hash of names, types, declared values and content.
    n_rows, n_attributes, n_classes : int
    """

    digest: str
    n_rows: int
    n_attributes: int
    n_classes: int


@dataclass(frozen=True)
class Memory:
    """What a store remembers of the data of its last run.

    Parameters
    ----------
    store : Path
    folder : str
        The folder of data sets; it may be gone.
    tables : mapping of str to KnownTable
        By the names of the data sets.
    """

    store: Path
    folder: str
    tables: Mapping[str, KnownTable]

    @property
    def is_gone(self) -> bool:
        """Whether the folder is there no more."""
        return not Path(self.folder).is_dir()

    @property
    def sentence(self) -> str:
        """Say that the folder is gone."""
        return (
            f"{self.store} remembers the data folder {self.folder}, which is gone: "
            "pass --data (data= in Python)"
        )

    def known(self, dataset: str) -> KnownTable | None:
        """Return what stands for a data set whose folder is gone."""
        if not self.is_gone:
            return None
        if dataset not in self.tables:
            raise WorkbenchError(self.sentence)
        return self.tables[dataset]


def data_folder(data: str | Path | None) -> str | None:
    """Return the folder that is named, or else the one of the environment, by its full path."""
    given = data or os.environ.get(VARIABLE)
    return str(Path(given).expanduser().resolve()) if given else None


def remembered(store: str | Path | None) -> Memory | None:
    """Return what the last run of a store used, for a run that is told of no folder."""
    if (
        store is None
        or os.environ.get(VARIABLE)
        or not Path(store).is_file()
        or not Path(store).stat().st_size
    ):
        return None
    path = Path(store)
    with schema.told(path), closing(schema.read_only(path)) as connection:
        found = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    if FOLDER_KEY not in found:
        return None
    return Memory(path, str(found[FOLDER_KEY]), known_tables(found.get(TABLES_KEY, "{}"), path))


def known_tables(text: Any, store: Path) -> dict[str, KnownTable]:
    """Read what `written` wrote, as far as it can be believed."""
    try:
        tables = json.loads(text)
        found = {name: KnownTable(*facts) for name, facts in tables.items()}
        sound = all(_is_sound(known) for known in found.values())
    except (TypeError, ValueError, AttributeError, RecursionError):
        sound = False
    if not sound:
        raise WorkbenchError(
            f"{store} is damaged: what it remembers of data sets cannot be read; put back a copy of it, or "
            "give another --store"
        )
    return found


def _is_sound(known: KnownTable) -> bool:
    digest, *numbers = astuple(known)
    return isinstance(digest, str) and all(type(n) is int and 0 <= n < 2**62 for n in numbers)


def written(tables: Mapping[str, KnownTable]) -> str:
    """Write what is known of data sets as the text that a store keeps."""
    return json.dumps({name: astuple(known) for name, known in tables.items()})
