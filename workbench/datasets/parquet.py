"""Parquet files as batches of attributes and classes, never fully in memory."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.tables.cells import repeated_name
from generators.tables.codes import LARGEST_CODE, MISSING
from generators.tables.columns import Column, looked_up
from workbench.base.checks import as_integer
from workbench.base.errors import WorkbenchError, nearest

__all__ = ["encoded", "kind_of", "labels_of", "ParquetRows"]

BUFFER = 2**20  # bytes read ahead per column; otherwise a whole column of a row group is read
MAGIC = b"PAR1"


def kind_of(arrow: Any) -> str:
    """Return the kind of a type's values. Types that learners treat alike are one kind."""
    from pyarrow import types

    if types.is_dictionary(arrow):
        return "text" if is_text(arrow.value_type) else f"a dictionary of {arrow.value_type}"
    if types.is_integer(arrow):
        return "integers"
    if types.is_floating(arrow):
        return "floating-point numbers"
    return "text" if is_text(arrow) else str(arrow)


def is_text(arrow: Any) -> bool:
    """Return whether a type is plain text, not a dictionary."""
    from pyarrow import types

    return types.is_string(arrow) or types.is_large_string(arrow)


def holds_labels(arrow: Any) -> bool:
    """Return whether a column of this type is always nominal."""
    from pyarrow import types

    return types.is_dictionary(arrow) or types.is_boolean(arrow) or is_text(arrow)


def labels_of(column: Any) -> pd.Categorical:
    """Return a column of labels, with nulls as missing."""
    names, places = encoded(column)
    column = Column.of_values(None, pd.Index(np.sort(names, kind="stable")))
    return column.labels(looked_up(column.positions(names), places))


def encoded(column: Any) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Return the distinct labels of a column in arrow's order, and the place of each cell's, -1 for nulls."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    if column.dictionary.null_count or len(column.dictionary.unique()) < len(column.dictionary):
        column = column.dictionary_decode().dictionary_encode()
    places = column.indices.cast(pa.int32()).fill_null(MISSING).to_numpy(zero_copy_only=False)
    return column.dictionary.to_numpy(zero_copy_only=False), places


def integers_of(column: Any) -> NDArray[Any]:
    """Return a column of integers as an array, with -1 for nulls."""
    import pyarrow as pa
    from pyarrow import compute

    if column.type == pa.uint64():  # values too large for a code stay too large instead of overflowing
        largest = pa.scalar(LARGEST_CODE + 1, pa.uint64())
        column = compute.min_element_wise(column, largest, skip_nulls=False).cast(pa.int64())
    if column.null_count:
        column = column.cast(pa.int64()).fill_null(-1)
    return column.to_numpy(zero_copy_only=False)


@dataclass(frozen=True)
class Piece:
    """Adjacent row groups of one file that are read together."""

    path: str
    row_groups: tuple[int, ...]
    first_row: int
    n_rows: int


@dataclass(frozen=True)
class ParquetRows:
    """Rows of Parquet files, read in batches, that can be sent to other processes."""

    pieces: tuple[Piece, ...]  # in the order of files and rows; no batch spans two
    columns: tuple[str, ...]
    target: str  # the class
    nominal: frozenset[str]  # numeric columns whose numbers are labels
    codes: bool  # whether all attributes are codes; then X is an array of integers
    batch_rows: int  # at most

    @classmethod
    def open(
        cls,
        paths: Any,
        target: str,
        *,
        columns: Sequence[str] | None = None,
        nominal: Iterable[str] = (),
        codes: bool = False,
        batch_rows: int = 1_000_000,
    ) -> Self:
        """Read the schemas and sizes of the files, but no rows."""
        size = as_integer(batch_rows)
        if size is None or size < 1:
            raise WorkbenchError(
                f"batch_rows is {batch_rows!r}: give the number of rows of a batch, 1 or more"
            )
        if isinstance(columns, str):
            raise WorkbenchError(f"columns is {columns!r}: give a list of names, [{columns!r}]")
        files = _files(paths)
        first, pieces = None, []
        for path in files:
            with _opened(path) as file:
                kinds = _kinds(path, file.schema_arrow)
                if first is None:
                    first = kinds
                    wanted = _wanted(path, kinds, target, columns, codes)
                _check_kinds(path, kinds, files[0], first, wanted, every=columns is None)
                pieces += _pieces(path, file.metadata, size)
        if not pieces:
            raise WorkbenchError(f"{files[0]} {'and the others have' if files[1:] else 'has'} no rows")
        return cls(tuple(pieces), wanted[1:], target, frozenset(nominal), codes, size)

    @property
    def n_rows(self) -> int:
        """Number of rows of all pieces."""
        return sum(piece.n_rows for piece in self.pieces)

    def batches(self) -> Generator[tuple[Any, pd.Series]]:
        """Read the rows."""
        for piece, batch, row in self._read([*self.columns, self.target]):
            y = self._classes_of(piece, batch, row)
            yield (self._codes_of(batch) if self.codes else self._frame_of(batch)), y

    def classes(self) -> NDArray[Any]:
        """Read only the target, and return its sorted labels, of shape (n_classes,)."""
        found: pd.Index | None = None
        for piece, batch, row in self._read([self.target]):
            y = self._classes_of(piece, batch, row)
            labels = y.cat.categories if isinstance(y.dtype, pd.CategoricalDtype) else pd.Index(y.unique())
            found = labels if found is None else found.append(labels[~labels.isin(found)])
        return np.sort(found.to_numpy())  # type: ignore[union-attr]

    def _read(self, columns: list[str]) -> Iterator[tuple[Piece, Any, int]]:
        """Yield record batches, each with its piece and its first row in the file."""
        for piece in self.pieces:
            row = piece.first_row
            with _opened(piece.path) as file:
                text = [f.name for f in file.schema_arrow if is_text(f.type) and f.name in columns]
            with _opened(piece.path, text) as file, _damage_reported(piece.path):
                for batch in self._batches_of(file, list(piece.row_groups), columns):
                    yield piece, batch, row
                    row += batch.num_rows

    def _batches_of(self, file: Any, row_groups: list[int], columns: list[str]) -> Iterator[Any]:
        if len(row_groups) == 1:
            return file.iter_batches(self.batch_rows, row_groups, columns)
        together = file.read_row_groups(row_groups, columns)  # no more rows than a batch
        return iter(together.unify_dictionaries().combine_chunks().to_batches())

    def _classes_of(self, piece: Piece, batch: Any, row: int) -> pd.Series:
        column = batch.column(self.target)
        if column.null_count:
            first = row + int(np.asarray(column.is_null()).argmax())
            raise WorkbenchError(
                f"{piece.path} lacks the target {self.target!r} in row {first} (counted from 0): leave "
                "out rows without a class"
            )
        labels = labels_of(column) if holds_labels(column.type) else column.to_numpy(zero_copy_only=False)
        return pd.Series(labels, name=self.target)

    def _codes_of(self, batch: Any) -> NDArray[Any]:
        columns = [integers_of(batch.column(name)) for name in self.columns]
        X = np.empty((len(columns), batch.num_rows), dtype=np.result_type(*columns))
        for j, column in enumerate(columns):
            X[j] = column
        return X.T

    def _frame_of(self, batch: Any) -> pd.DataFrame:
        table = {}
        for name in self.columns:
            column = batch.column(name)
            if name in self.nominal or holds_labels(column.type):
                table[name] = labels_of(column)
            else:
                table[name] = column.to_pandas()
        return pd.DataFrame(table, copy=False)


# -- files ---------------------------------------------------------------------------------------


def _files(paths: Any) -> list[str]:
    """List the files, including those in folders."""
    given = [paths] if isinstance(paths, str | Path) else list(paths)
    if not given:
        raise WorkbenchError("paths is empty: give at least one Parquet file or folder")
    found: list[str] = []
    for path in map(Path, given):
        if path.is_dir():
            inside = sorted(path.glob("*.parquet"))
            if not inside:
                raise WorkbenchError(f"the folder {path} has no file that ends in .parquet")
            found += map(str, inside)
        elif path.exists():
            found.append(str(path))
        else:
            raise WorkbenchError(f"there is no file or folder {path}")
    return found


@contextmanager
def _opened(path: str, text: Sequence[str] = ()) -> Iterator[Any]:
    """Open a file. The columns `text` are read as dictionaries."""
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(path, read_dictionary=list(text), buffer_size=BUFFER, pre_buffer=False)
    except (ValueError, OSError) as error:  # pyarrow's errors are both
        raise WorkbenchError(_what_is_wrong(Path(path))) from error
    with file:
        yield file


def _what_is_wrong(path: Path) -> str:
    if not path.is_file():
        return f"there is no file {path}"
    with path.open("rb") as file:
        start = file.read(len(MAGIC))
    if not start:
        return f"{path} is empty: write the file again"
    if start == MAGIC:
        return f"{path} is cut off or damaged: write or copy the file again"
    return f"{path} is not a Parquet file"


@contextmanager
def _damage_reported(path: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, OSError) as error:
        raise WorkbenchError(f"{path} is damaged, and cannot be read to its end: {error}") from error


def _pieces(path: str, metadata: Any, batch_rows: int) -> list[Piece]:
    """Combine small row groups, up to the rows of a batch."""
    pieces: list[Piece] = []
    row = 0
    for group in range(metadata.num_row_groups):
        n_rows = metadata.row_group(group).num_rows
        last = pieces[-1] if pieces else None
        if last is not None and last.n_rows + n_rows <= batch_rows:
            pieces[-1] = Piece(path, (*last.row_groups, group), last.first_row, last.n_rows + n_rows)
        elif n_rows:
            pieces.append(Piece(path, (group,), row, n_rows))
        row += n_rows
    return pieces


# -- columns -------------------------------------------------------------------------------------


def _kinds(path: str, schema: Any) -> dict[str, str]:
    """Return the kind of each column."""
    if (name := repeated_name(schema.names)) is not None:
        raise WorkbenchError(f"{path} has two columns named {name!r}: give every column its own name")
    return {field.name: kind_of(field.type) for field in schema}


def _wanted(
    path: str, kinds: dict[str, str], target: str, columns: Sequence[str] | None, codes: bool
) -> tuple[str, ...]:
    """Return the target and the attributes, or raise if one is missing or does not have codes."""
    attributes = [name for name in kinds if name != target] if columns is None else list(columns)
    for name in (target, *attributes):
        if name not in kinds:
            role = " for the target" if name == target else ""
            raise WorkbenchError(f"{path} has no column {name!r}{role}: {nearest(name, kinds)}")
    if target in attributes:
        raise WorkbenchError(f"the target {target!r} is among columns: leave it out there")
    if not attributes:
        raise WorkbenchError(
            f"{path} has no column besides the target {target!r}: at least one attribute is needed"
        )
    for name in attributes:
        if codes and kinds[name] != "integers":
            raise WorkbenchError(
                f"the columns are declared as codes, but {name!r} has {kinds[name]}: leave out arities (and "
                "codes), and name columns of codes in categorical_features"
            )
    return (target, *attributes)


def _check_kinds(
    path: str,
    kinds: dict[str, str],
    first_path: str,
    first: dict[str, str],
    wanted: tuple[str, ...],
    *,
    every: bool,
) -> None:
    """Compare a file with the first one."""
    for name in wanted:
        if name not in kinds:
            raise WorkbenchError(
                f"{path} has no column {name!r}, which {first_path} has: give all files the same columns"
            )
        if kinds[name] != first[name]:
            raise WorkbenchError(
                f"column {name!r} has {kinds[name]} in {path}, but {first[name]} in {first_path}: write it "
                "with one type"
            )
    further = [name for name in kinds if name not in first]
    if every and further:
        raise WorkbenchError(
            f"{path} has a column {further[0]!r}, which {first_path} does not have: name the columns to use "
            "in columns"
        )
