"""What a store remembers of the data of its last run."""

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

#: Name the folder, and what is known of each data set, in the store's table `meta`.
FOLDER_KEY, DATASETS_KEY = "data", "tables"


def remembered(store: str | Path | None) -> Memory | None:
    """Return what the last run of a store used, for a run without a folder of its own."""
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
    """Read what `written` wrote, as far as it can be believed."""
    try:
        datasets = json.loads(text)
        found = {name: KnownDataset(*facts) for name, facts in datasets.items()}
        sound = all(_is_sound(known) for known in found.values())
    except (TypeError, ValueError, AttributeError, RecursionError):
        sound = False
    if not sound:
        raise WorkbenchError(
            f"{store} is damaged: what it remembers of data sets cannot be read; put back a copy of it, or "
            "give another --store"
        )
    return found


def _is_sound(known: KnownDataset) -> bool:
    digest, *numbers = astuple(known)
    return isinstance(digest, str) and all(type(n) is int and 0 <= n < 2**62 for n in numbers)


def written(datasets: Mapping[str, KnownDataset]) -> str:
    """Write what is known of data sets as the text that a store keeps."""
    return json.dumps({name: astuple(known) for name, known in datasets.items()})
