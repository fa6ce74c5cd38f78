"""A source of existing rows, whose truth is unknown. Subclasses define where they come from."""

import functools
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from workbench.base.errors import WorkbenchError
from workbench.base.text import article, error_line
from workbench.datasets.dataset import Dataset
from workbench.study.known_data import KnownDataset
from workbench.study.source import Source

__all__ = ["AnySource", "RowsSource"]


@dataclass(frozen=True)
class RowsSource(ABC):
    """Base class of sources with existing rows and classes, which can be given as ``on=``.

    A subclass is a frozen dataclass. Its fields describe where the rows are, and its method `fetch` reads the
    rows. `fetch` is called once for each object.

    Parameters
    ----------
    key : str
        Name of the source in tables.

    See Also
    --------
    DatasetSource : Data sets by name, from files, and as given rows.
    workbench.compare : Compares learners on sources.

    Examples
    --------
    >>> import sqlite3
    >>> from dataclasses import dataclass
    >>> import pandas as pd
    >>> @dataclass(frozen=True)
    ... class Query(RowsSource):
    ...     database: str
    ...     query: str
    ...     target: str
    ...
    ...     def fetch(self):
    ...         return pd.read_sql(self.query, sqlite3.connect(self.database)), self.target
    >>> Query("patients", "hospital.db", "SELECT age, ward, died FROM patients", "died").key
    'patients'
    """

    key: str

    def __init_subclass__(cls) -> None:
        """Reject a field that would hide an attribute of the base class."""
        taken = [name for name in vars(cls).get("__annotations__", ()) if hasattr(RowsSource, name)]
        if taken and not cls.__module__.startswith("workbench."):
            raise WorkbenchError(f"{cls.__name__} has the field {taken[0]!r}, which is reserved: rename it")

    @abstractmethod
    def fetch(self) -> tuple[Any, Any] | tuple[Any, Any, Any]:
        """Return the rows.

        Returns
        -------
        X : DataFrame or array
            The attributes, one row per sample, or a DataFrame that also contains the class column.
        y : array-like or str
            The classes, or the name of the class column of X.
        groups : array-like or str, optional
            The group of each row, such as the patient, or the name of the column of X with the groups.
            `fetch` then returns three values.
        """

    @property
    def content(self) -> Dataset:
        """The checked rows. Worker processes receive the rows with the source."""
        return self._content

    @functools.cached_property
    def _content(self) -> Dataset:
        what = f"source {self.key!r}"
        try:
            found: Any = self.fetch()
        except (WorkbenchError, KeyboardInterrupt):
            raise
        except Exception as error:  # of a database or a file
            raise WorkbenchError(f"the rows of {what} cannot be fetched: {error_line(error)}") from error
        if not (isinstance(found, tuple) and len(found) in (2, 3)):
            raise WorkbenchError(
                f"{what} gives {article(type(found).__name__)} as its rows: expected (X, y) or (X, y, "
                "groups), or a DataFrame and the name of its class column"
            )
        X, y, *groups = found
        return Dataset.of(X, y, what, groups=groups[0] if groups else None)

    def renewed(self) -> "RowsSource":
        """Return the source for another run. Rows that were fetched are not fetched again."""
        return self

    @property
    def known(self) -> KnownDataset | None:
        """Recorded hash and size of rows that cannot be read, which identify their cells. Otherwise None."""
        return None

    @property
    def unread(self) -> str:
        """The reason why the rows cannot be read. Empty if they can be read."""
        return ""

    @property
    def rows(self) -> tuple[Any, ...] | None:
        """The given rows, if any."""
        return None

    @property
    def doubt_of_class(self) -> str:
        """The warning that the class is guessed. Usually empty."""
        return ""

    @property
    def takes_last_column(self) -> bool:
        """Whether the class is the last column of a file, because no class was named."""
        return False

    def known_classes(self, seed: int) -> tuple[tuple[Any, ...], ...]:
        """Return a tuple with the classes of the rows, empty if the rows cannot be read."""
        return (self.content.classes,) if self.known is None else ()

    @property
    def n_truths(self) -> int:
        """Always 1, because a data set counts as one truth."""
        return 1

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.facts.n_rows

    @property
    def facts(self) -> KnownDataset:
        """Hash and size of the rows."""
        rows = self.content
        return KnownDataset(rows.digest, len(rows.codes), rows.X.shape[1], len(rows.classes), rows.n_groups)

    def identity(self, replicate: int) -> dict[str, Any]:
        """Describe the rows by their hash, so that different rows of the same name are different sources."""
        facts = self.facts
        # the numbers are for those who read a store without its rows
        groups = {"rows": facts.n_rows, "groups": facts.n_groups} if facts.n_groups else {}
        return {"table": facts.digest, **groups}

    @property
    def whole_identity(self) -> dict[str, Any]:
        """Description of the source for all replicates."""
        return self.identity(0)

    def only(self, replicate: int) -> "RowsSource":
        """Return the part that a worker process needs: the whole source."""
        return self

    def check_draws(self, seed: int) -> None:
        """Read the rows, so that errors are raised before anything is computed."""
        self.facts  # noqa: B018


AnySource = Source | RowsSource
