"""Facts of a study's data sets: sizes of parts, numbers of attributes and classes, the largest class."""

from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.base.errors import WorkbenchError
from workbench.store import schema
from workbench.store.data_folder import DATASETS_KEY, known_datasets
from workbench.store.restored_study import restore
from workbench.study.known_data import KnownDataset
from workbench.study.rows_source import RowsSource

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["DataSetFacts"]

NO_STORE = "the study is in memory, without facts of its data sets: run it with a store"


@dataclass(frozen=True, eq=False)
class DataSetFacts:
    """What a store knows of its data sets."""

    results: "StudyResults"

    def value(self, source: str, fact: str) -> float:
        """Return a fact of a data set."""
        if fact in ("n_train", "n_test"):
            sizes = self._cells_of[source][fact]
            return float(sizes.mode().iloc[0])
        if fact == "majority_share":
            return self._majority_share(source)
        return float(getattr(self._known(source), fact))

    def _majority_share(self, source: str) -> float:
        sources = self._sources
        if isinstance(sources, WorkbenchError):
            raise sources
        if source not in sources:
            raise WorkbenchError(f"the rows of {source!r} were passed in Python and are not kept")
        counts = np.bincount(sources[source].content.codes)
        return float(counts.max() / counts.sum())

    def _known(self, source: str) -> KnownDataset:
        digest = self.results.study.digest(source)
        if digest not in self._by_digest:
            raise WorkbenchError(
                f"the store knows nothing of the data set {source!r} except the hash of its rows"
            )
        return self._by_digest[digest]

    @cached_property
    def _cells_of(self) -> dict[str, Any]:
        cells = self.results.cells()
        return {str(key): own for key, own in cells.groupby("source", observed=True)}

    @cached_property
    def _by_digest(self) -> dict[str, KnownDataset]:
        if self.results._path is None:
            raise WorkbenchError(NO_STORE)
        with (
            schema.plain_errors(self.results._path),
            closing(schema.read_only(self.results._path)) as connection,
        ):
            row = connection.execute("SELECT value FROM meta WHERE key = ?", (DATASETS_KEY,)).fetchone()
        known = known_datasets(row[0] if row else "{}", self.results._path)
        return {one.digest: one for one in known.values()}

    @cached_property
    def _sources(self) -> dict[str, RowsSource] | WorkbenchError:
        """The data sets to read again, or why there are none; cached, as it is used for each."""
        path = self.results._path
        if path is None:
            return WorkbenchError(NO_STORE)
        try:
            sources = restore(self.results.study, path).study.sources
        except WorkbenchError as error:
            return error
        return {source.key: source for source in sources if isinstance(source, RowsSource)}
