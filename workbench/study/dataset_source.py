"""A data set as a source: existing rows whose truth is unknown."""

import functools
import reprlib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from workbench.base.errors import InferredClassWarning, WorkbenchError
from workbench.base.text import printable
from workbench.datasets._shared.split import HOW_TO_NAME
from workbench.datasets.dataset import Dataset
from workbench.datasets.delimited.options import TextOptions
from workbench.datasets.folder import FileState, data_folders, state_of
from workbench.datasets.tables import TEXT_ENDINGS, TableFile, names_a_class, without
from workbench.study.known_data import KnownDataset, Memory
from workbench.study.rows_source import RowsSource

__all__ = ["FILE_ENDINGS", "FILE_OPTIONS", "DatasetSource", "is_file_name", "keys_of", "named_dataset"]

#: Endings of data files; any other word is the name of a data set.
FILE_ENDINGS = tuple(
    ending + packed
    for ending in (".arff", *TEXT_ENDINGS, ".parquet")
    for packed in ("", ".gz")
    if (ending, packed) != (".parquet", ".gz")
)
#: Endings of other files, which are no names of data sets either, and are refused by what they are.
FOREIGN_ENDINGS = (
    *(".xlsx", ".xls", ".ods", ".sav", ".dta", ".sas7bdat", ".pkl", ".pickle", ".joblib", ".npy", ".npz"),
    *(".rds", ".rdata", ".json", ".jsonl", ".zip", ".feather", ".html", ".sql", ".sqlite", ".h5"),
)
#: Options of a file in a study's entry, a dictionary of `compare` or a command, and the fields that take
#: them.
FILE_OPTIONS = {
    "class": "class_name",
    **{
        name: name
        for name in ("nominal", "drop", "groups", "sep", "decimal", "encoding", "header", "missing")
    },
}


@dataclass(frozen=True)
class DatasetSource(RowsSource):
    """A data set as a source of a study: by name, from a file, or as given rows.

    Parameters
    ----------
    key : str
        Name of the source in tables.
    dataset : str or Path
        A name that `workbench.datasets.load_dataset` knows, or the path of a file.
    data : str, optional
        Folder in which a data set given by name is searched.
    rows : tuple of (X, y)
        Rows to use instead of `dataset`.
    class_name : str, optional
        The class column of a file. By default the last column.
    nominal, drop : sequence of str
        Columns of a file whose numbers are codes, and columns to leave out.
    sep, decimal, encoding, header, missing : optional
        The format of a text file, as in `workbench.datasets.load_table`. Detected by default.
    groups : str or array-like, optional
        Groups of rows, such as the rows of each patient. No group is split between training and test rows.
        For a file the name of a column, which is then not an attribute. For given rows an array with the
        group of each row, or a name of a column.

    Raises
    ------
    WorkbenchError
        If both or neither of `dataset` and `rows` are given, or options of files are given without a file.

    See Also
    --------
    Source : A source of truths, from which rows are drawn.
    workbench.compare : Compares learners on sources, or on names, paths and rows.

    Examples
    --------
    >>> DatasetSource("mine", "patients.csv", class_name="died", nominal=["ward"]).is_file
    True
    """

    # known: stands for a data set that cannot be read, for the reason `unread`, to recognize its cells
    dataset: str | Path | None = None
    data: str | None = field(default=None, compare=False)
    rows: tuple[Any, ...] | None = field(default=None, compare=False, repr=False)
    class_name: str | None = None
    nominal: Sequence[str] = ()
    drop: Sequence[str] = ()
    sep: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    header: bool | Sequence[str] | None = None
    missing: Sequence[str] | Mapping[str, Sequence[str]] | None = None
    groups: Any = None  # of given rows they stand in `rows`, as the third member
    known: KnownDataset | None = field(default=None, compare=False, repr=False)
    unread: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        if (self.dataset is None) == (self.rows is None):
            raise WorkbenchError(f"source {self.key!r} needs either a data set or rows, not both")
        if isinstance(self.dataset, Path):
            object.__setattr__(self, "dataset", str(self.dataset))
        if self.dataset is not None and not isinstance(self.dataset, str):
            raise WorkbenchError(f"source {self.key!r} has the data set {self.dataset!r}: expected a name")
        if self.dataset is not None and printable(self.dataset) != self.dataset:
            raise WorkbenchError(
                f"source {self.key!r} has the data set {self.dataset!r}: expected a name without control "
                "characters"
            )
        if self.rows is not None and self.groups is not None:
            object.__setattr__(self, "rows", (*self.rows[:2], self.groups))
            object.__setattr__(self, "groups", None)
        self._check_columns()
        text = self.text_options
        for name in ("sep", "header", "missing"):  # in their plain form
            object.__setattr__(self, name, getattr(text, name))
        given = [f"{word} = {value!r}" for word, value in self.options.items()]
        if given and not self.is_file:
            raise WorkbenchError(
                f"source {self.key!r} is {self.dataset or 'rows'} with {' and '.join(given)}: "
                f"{', '.join(FILE_OPTIONS)} are options of files"
            )

    def _check_columns(self) -> None:
        for word, name in (("class", "class_name"), ("groups", "groups")):
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise WorkbenchError(
                    f"source {self.key!r} has the {word} {reprlib.repr(value)}: expected the name of a column"
                )
        for word in ("nominal", "drop"):
            columns = getattr(self, word)
            if not isinstance(columns, list | tuple) or not all(isinstance(name, str) for name in columns):
                raise WorkbenchError(
                    f"source {self.key!r} has {word} = {columns!r}: expected a list of names of columns"
                )
            object.__setattr__(self, word, tuple(columns))

    @property
    def text_options(self) -> TextOptions:
        """The checked options for reading a text file."""
        names = ("sep", "decimal", "encoding", "header", "missing")
        return TextOptions.of(f"source {self.key!r}", **{name: getattr(self, name) for name in names})

    @property
    def options(self) -> dict[str, Any]:
        """The options of a file that differ from the defaults, in the form of a study file."""
        found = {word: getattr(self, name) for word, name in FILE_OPTIONS.items()}
        plain = {word: list(v) if isinstance(v, tuple) else v for word, v in found.items()}
        of_columns = {
            word: {name: list(words) for name, words in v.items()} if isinstance(v, Mapping) else v
            for word, v in plain.items()
        }
        return {word: v for word, v in of_columns.items() if v is not None and (v != [] or word == "missing")}

    @property
    def facts(self) -> KnownDataset:
        """Hash and size of the data set."""
        return super().facts if self.known is None else self.known

    @property
    def content(self) -> Dataset:
        """The rows, read on first use, once per process."""
        if self.known is not None:
            raise WorkbenchError(self.unread)
        return super().content

    @functools.cached_property
    def _content(self) -> Dataset:
        if self.rows is not None:
            return super()._content
        name = str(self.dataset)
        # a mapping of words is no key of a cache; its text is
        asked = (self.class_name, self.nominal, self.drop, self.groups, repr(self.text_options))
        return _load(_Asked(self, (name, self.data, *asked), _state_of(name, self.data)))

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the rows that a worker process reads from the file."""
        return {k: v for k, v in vars(self).items() if self.rows is not None or k != "_content"}

    def renewed(self) -> "DatasetSource":
        """Return the source for another run, which reads the file again."""
        return self if self.rows is not None else replace(self)

    @property
    def is_file(self) -> bool:
        """Whether the data set is given by the path of a file."""
        return self.dataset is not None and is_file_name(self.dataset)

    @property
    def takes_last_column(self) -> bool:
        """Whether the class is the last column of a file, because no class was named."""
        return self.is_file and self.class_name is None

    @property
    def doubt_of_class(self) -> str:
        """The warning that the last column of a file is taken as the class. Empty if there is no doubt."""
        from workbench.datasets.arff.reading import doubt_of_class

        if not self.takes_last_column:
            return ""
        name = self.content.y.name
        if str(self.dataset).lower().removesuffix(".gz").endswith(".arff"):
            return doubt_of_class([*self.content.X.columns, str(name)])
        if names_a_class(name):
            return ""
        return f"the last column, {name!r}, is taken as the class: to be sure, name the class, {HOW_TO_NAME}"

    @property
    def is_named(self) -> bool:
        """Whether the data set is given by its name, and not as a file or rows."""
        return self.dataset is not None and not self.is_file

    def fetch(self) -> tuple[Any, ...]:
        """Return the given rows, or the rows of the data set or file."""
        return (self.content.X, self.content.y) if self.rows is None else self.rows


def named_dataset(
    key: str, dataset: Any, data: str | Path | None, memory: Memory | None, **options: Any
) -> DatasetSource:
    """Make the source of a data set or a file."""
    named = isinstance(dataset, str) and not is_file_name(dataset)
    if not named or data is not None or memory is None:
        return DatasetSource(key, dataset, data=None if data is None or not named else str(data), **options)
    known = memory.known(dataset)
    folder = None if known else memory.folder
    return DatasetSource(key, dataset, data=folder, known=known, unread=memory.sentence, **options)


def is_file_name(word: str | Path) -> bool:
    """Return whether a word is the path of a file of rows, and not the name of a data set."""
    return str(word).lower().endswith((*FILE_ENDINGS, *FOREIGN_ENDINGS))


def keys_of(names: Sequence[str]) -> list[str]:
    """Name data sets by their names, and files by as much of their paths as makes them distinct."""
    parts = []
    for name in names:
        ending = max((e for e in FILE_ENDINGS if name.lower().endswith(e)), key=len, default="")
        parts.append(Path(name[: len(name) - len(ending)]).parts if is_file_name(name) else (name,))
    keys = [own[-1] for own in parts]
    for depth in range(2, max(map(len, parts), default=0) + 1):
        keys = [
            Path(*own[-depth:]).as_posix() if keys.count(key) > 1 else key
            for own, key in zip(parts, keys, strict=True)
        ]
    for i, key in enumerate(keys):
        if key in keys[:i]:
            raise WorkbenchError(
                f"{names[keys.index(key)]!r} and {names[i]!r} would both have the name {key!r}: leave one "
                "out, or name them (key = in a study, on={name: data set} in Python)"
            )
    return keys


def _state_of(name: str, data: str | None) -> FileState | None:
    """Return the state of the file that is read, None if a name stands for a copy of a package."""
    from workbench.datasets.loading import file_of

    path = Path(name) if is_file_name(name) else file_of(name, data_folders(data))
    return None if path is None else state_of(path)


@dataclass(frozen=True)
class _Asked:
    """The key of a cache of data sets: a file that changed, or has other options, is read again."""

    source: DatasetSource = field(compare=False)
    asked: tuple[Any, ...]
    state: FileState | None


@functools.lru_cache(maxsize=64)
def _load(asked: _Asked) -> Dataset:
    from workbench.datasets import load_arff, load_dataset

    source = asked.source
    name = str(source.dataset)
    if not source.is_file:
        return Dataset.of(*load_dataset(name, data=source.data), what=name)
    path, nominal = Path(name), source.nominal
    if not name.lower().removesuffix(".gz").endswith(".arff"):
        file = TableFile(path, source.class_name, nominal, source.drop, source.text_options)
        X, y, said = file.read()
        return Dataset.of(
            X, y, name, file.lines_of, said=said, nominal=nominal, of_file=True, groups=source.groups
        )
    if source.text_options != TextOptions(encoding=source.encoding):
        raise WorkbenchError(f"{name} is ARFF, which needs none of sep, decimal, header and missing")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InferredClassWarning)  # who runs the study warns, once
        X, y = load_arff(
            path, class_name=source.class_name, nominal=nominal, encoding=source.encoding or "utf-8"
        )
    kept = without(X, source.drop, name)
    return Dataset.of(kept, y, name, nominal=nominal, of_file=True, groups=source.groups)
