"""What a store records of a study's data: the folder, and enough to identify each data set."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workbench.base.errors import WorkbenchError
from workbench.datasets.folder import VARIABLE

__all__ = ["KnownDataset", "Memory", "data_folder"]


@dataclass(frozen=True)
class KnownDataset:
    """Identity and size of a data set, by which its computed cells are identified."""

    digest: str  # hash of names, types, declared values and content
    n_rows: int
    n_attributes: int
    n_classes: int
    n_groups: int = 0  # 0 where rows belong to none


@dataclass(frozen=True)
class Memory:
    """What a store records of the data of its last run."""

    store: Path
    folder: str  # of data sets; it may no longer exist
    datasets: Mapping[str, KnownDataset]  # by name

    @property
    def is_gone(self) -> bool:
        """Whether the folder no longer exists."""
        return not Path(self.folder).is_dir()

    @property
    def sentence(self) -> str:
        """The error message for a folder that no longer exists."""
        return (
            f"the data folder {self.folder}, which {self.store} recorded, no longer exists: "
            "pass --data (data= in Python)"
        )

    def known(self, dataset: str) -> KnownDataset | None:
        """Return the record of a data set whose folder no longer exists."""
        if not self.is_gone:
            return None
        if dataset not in self.datasets:
            raise WorkbenchError(self.sentence)
        return self.datasets[dataset]


def data_folder(data: str | Path | None) -> str | None:
    """Return the full path of the named folder, otherwise of WORKBENCH_DATA."""
    given = data or os.environ.get(VARIABLE)
    return str(Path(given).expanduser().resolve()) if given else None
