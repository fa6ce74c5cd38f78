"""A table as source: rows that exist already, whose truth nobody knows."""

import functools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.errors import WorkbenchError
from workbench.table import Table

__all__ = ["FILE_ENDINGS", "TableSource", "is_file_name"]

#: Files of tables by their endings; any other word is the name of a data set.
FILE_ENDINGS = (".arff", ".arff.gz", ".csv", ".csv.gz", ".tsv", ".tsv.gz", ".parquet")


@dataclass(frozen=True)
class TableSource:
    """A data set by name, or rows that are given.

    Parameters
    ----------
    key : str
        The name in tables.
    dataset : str, optional
        A name that `workbench.datasets.load_dataset` knows, or the path of a file that `load_arff` or
        `load_table` reads.
    data : str, optional
        Folder in which to look for the data set; it is not part of the identity.
    rows : (X, y), optional
        Instead of a data set.
    class_name : str, optional
        Which column of a file is the class; the last by default.

    Raises
    ------
    WorkbenchError
        If there are both or neither, or `class_name` is given without a file.

    Examples
    --------
    >>> import pandas as pd
    >>> source = TableSource("mine", rows=(pd.DataFrame({"a": [1.0, 2.0]}), ["no", "yes"]))
    >>> source.n_rows, sorted(source.identity(0))
    (2, ['table'])
    """

    key: str
    dataset: str | None = None
    data: str | None = field(default=None, compare=False)
    rows: tuple[Any, Any] | None = field(default=None, compare=False, repr=False)
    class_name: str | None = None

    def __post_init__(self) -> None:
        if (self.dataset is None) == (self.rows is None):
            raise WorkbenchError(f"source {self.key!r} needs either a data set or rows, and not both")
        if self.dataset is not None and not isinstance(self.dataset, str):
            raise WorkbenchError(f"source {self.key!r} has the data set {self.dataset!r}: expected its name")
        if self.class_name is None:
            return
        if not isinstance(self.class_name, str) or self.dataset is None or not is_file_name(self.dataset):
            raise WorkbenchError(
                f"source {self.key!r} is {self.dataset or 'rows'} with the class {self.class_name!r}: only "
                f"of a file ({', '.join(FILE_ENDINGS)}) can the class be named, by the name of its column"
            )

    @property
    def n_truths(self) -> int:
        """1: a table is one world."""
        return 1

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.table.codes)

    @property
    def table(self) -> Table:
        """The rows; read when they are first asked for, once in a process."""
        if self.rows is not None:
            return self._given
        return _load(str(self.dataset), self.data, self.class_name)

    @property
    def is_named(self) -> bool:
        """Whether it is a data set that is looked for in a folder: neither rows nor a file."""
        return self.dataset is not None and not is_file_name(self.dataset)

    @functools.cached_property
    def _given(self) -> Table:
        assert self.rows is not None
        return Table.of(*self.rows, what=f"source {self.key!r}")

    def identity(self, replicate: int) -> dict[str, Any]:
        """Describe the rows by their hash, so that another file of the same name is another source."""
        return {"table": self.table.digest}

    def only(self, replicate: int) -> "TableSource":
        """Give what a worker needs: all of it."""
        return self

    def check_draws(self, seed: int) -> None:
        """Read the rows, so that what is missing or cannot be used is told before anything is computed."""
        self.table  # noqa: B018


def is_file_name(word: str | Path) -> bool:
    """Tell the path of a file of rows from the name of a data set.

    Examples
    --------
    >>> is_file_name("some/iris.csv"), is_file_name("breast-w")
    (True, False)
    """
    return str(word).lower().endswith(FILE_ENDINGS)


@functools.lru_cache(maxsize=64)
def _load(name: str, data: str | None, class_name: str | None) -> Table:
    from workbench.datasets import load_arff, load_dataset, load_table

    if not is_file_name(name):
        return Table.of(*load_dataset(name, data=data), what=name)
    read = load_arff if name.lower().removesuffix(".gz").endswith(".arff") else load_table
    return Table.of(*read(Path(name), class_name=class_name), what=name)
