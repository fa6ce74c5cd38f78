"""Rows as Parquet: nominal columns as dictionaries with all declared labels."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.tables.codes import MISSING
from generators.tables.columns import class_codes, looked_up
from workbench.base.errors import WorkbenchError
from workbench.benchmark.columns import Block, FileColumn
from workbench.datasets.parquet import encoded

__all__ = ["read", "write"]

READ_ROWS = 2**17


def write(path: Path, columns: Sequence[FileColumn], blocks: Iterable[Block]) -> None:
    """Write blocks of codes and numbers, a row group each."""
    import pyarrow as pa
    from pyarrow import parquet

    labels = [pa.array(column.labels, pa.string()) for column in columns]
    index = [pa.from_numpy_dtype(_index_type(column)) for column in columns]
    types = [
        pa.dictionary(codes, pa.string()) if column.nominal else pa.float64()
        for column, codes in zip(columns, index, strict=True)
    ]
    schema = pa.schema([(column.label, kind) for column, kind in zip(columns, types, strict=True)])
    # the dictionary has every label, so that values that no row has are declared, too
    with parquet.ParquetWriter(path, schema, dictionary_pagesize_limit=2**30) as file:
        for block in blocks:
            arrays = [_array(pa, *each) for each in zip(columns, block, labels, index, strict=True)]
            file.write_batch(pa.record_batch(arrays, schema=schema))


def read(path: Path, columns: Sequence[FileColumn]) -> Iterator[Block]:
    """Read blocks, or raise WorkbenchError if the file is damaged or has other columns or labels."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            names = [column.label for column in columns]
            if file.schema_arrow.names != names:
                raise WorkbenchError(
                    f"{path.name} has the columns {file.schema_arrow.names}: expected {names}"
                )
            first = 0
            for batch in file.iter_batches(READ_ROWS):
                yield [_values(path, first, *each) for each in zip(columns, batch.columns, strict=True)]
                first += batch.num_rows
    except (OSError, ValueError, pa.ArrowException) as error:
        if isinstance(error, WorkbenchError):
            raise
        raise WorkbenchError(f"{path.name} cannot be read as Parquet: {error}") from error


def _index_type(column: FileColumn) -> np.dtype[Any]:
    return np.min_scalar_type(-max(len(column.labels), 1))


def _array(pa: Any, column: FileColumn, values: NDArray[Any], labels: Any, index: Any) -> Any:
    if not column.nominal:
        return pa.array(values, pa.float64(), mask=np.isnan(values))
    codes = pa.array(values.astype(_index_type(column)), index, mask=values < 0)
    return pa.DictionaryArray.from_arrays(codes, labels)


def _values(path: Path, first: int, column: FileColumn, array: Any) -> NDArray[Any]:
    import pyarrow as pa

    if not column.nominal:
        if not pa.types.is_floating(array.type):
            raise WorkbenchError(
                f"column {column.label!r} of {path.name} is of {array.type}: expected numbers"
            )
        return array.to_numpy(zero_copy_only=False).astype(np.float64)
    found, places = encoded(array)
    codes = looked_up(class_codes(found, column.labels), places).astype(np.int32)
    unknown = np.flatnonzero((codes == MISSING) & (places != MISSING))
    if unknown.size:
        row = int(unknown[0])
        raise WorkbenchError(
            f"{path.name} has in row {first + row + 1}, column {column.label!r}, the value "
            f"{found[places[row]]!r}, which is not declared"
        )
    return codes
