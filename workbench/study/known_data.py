"""What a study knows of its data: the folder, and of each data set enough to recognize it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workbench.base.errors import WorkbenchError
from workbench.datasets.folder import VARIABLE

__all__ = ["KnownDataset", "Memory", "data_folder"]


@dataclass(frozen=True)
class KnownDataset:
    """What identifies a data set, and its size: enough to recognize what has been computed of it.

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
    datasets : mapping of str to KnownDataset
        By the names of the data sets.
    """

    store: Path
    folder: str
    datasets: Mapping[str, KnownDataset]

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

    def known(self, dataset: str) -> KnownDataset | None:
        """Return what stands for a data set whose folder is gone."""
        if not self.is_gone:
            return None
        if dataset not in self.datasets:
            raise WorkbenchError(self.sentence)
        return self.datasets[dataset]


def data_folder(data: str | Path | None) -> str | None:
    """Return the folder that is named, or else the one of the environment, by its full path."""
    given = data or os.environ.get(VARIABLE)
    return str(Path(given).expanduser().resolve()) if given else None
