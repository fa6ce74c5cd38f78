"""The record of the data of the last run of a store."""

import json
import os
from collections.abc import Mapping
from contextlib import closing
from dataclasses import astuple
from pathlib import Path
from typing import Any

from workbench.base.errors import WorkbenchError
from workbench.datasets.folder import VARIABLE
from workbench.store import schema
from workbench.study.known_data import KnownDataset, Memory

__all__ = ["FOLDER_KEY", "DATASETS_KEY", "known_datasets", "remembered", "written"]

#: Keys in the table `meta`: the folder, and what is known of each data set.
FOLDER_KEY, DATASETS_KEY = "data", "tables"


def remembered(store: str | Path | None) -> Memory | None:
    """Return the data that the last run of a store used."""
    if (
        store is None
        or os.environ.get(VARIABLE)
        or not Path(store).is_file()
        or not Path(store).stat().st_size
    ):
        return None
    path = Path(store)
    with schema.plain_errors(path), closing(schema.read_only(path)) as connection:
        found = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    if FOLDER_KEY not in found:
        return None
    return Memory(path, str(found[FOLDER_KEY]), known_datasets(found.get(DATASETS_KEY, "{}"), path))


def known_datasets(text: Any, store: Path) -> dict[str, KnownDataset]:
    """Read what `written` wrote."""
    try:
        return {name: KnownDataset(*facts) for name, facts in json.loads(text).items()}
    except (TypeError, ValueError, AttributeError) as error:
        raise WorkbenchError(
            f"{store} is damaged (its record of data sets cannot be read): restore a copy of it, or use "
            "another --store"
        ) from error


def written(datasets: Mapping[str, KnownDataset]) -> str:
    """Write the record of data sets as text for a store."""
    return json.dumps({name: astuple(known) for name, known in datasets.items()})
