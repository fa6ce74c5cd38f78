"""The formats of a benchmark's files of rows, by name.

A new format is one file here, with `write` and `read`, and one line below.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from workbench.base.errors import WorkbenchError, nearest
from workbench.benchmark.columns import Block, FileColumn
from workbench.benchmark.formats import arff, csv, parquet

__all__ = ["FORMATS", "Format", "format_of"]


@dataclass(frozen=True)
class Format:
    """The functions that write and read the rows of one file format.

    Attributes
    ----------
    write : callable
        ``write(path, columns, blocks)`` writes a file from blocks of rows.
    read : callable
        ``read(path, columns)`` yields the blocks of rows of a file.
    """

    write: Callable[[Path, Sequence[FileColumn], Iterable[Block]], None]
    read: Callable[[Path, Sequence[FileColumn]], Iterator[Block]]


#: The formats by name, which is also the ending of the files.
FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "parquet": Format(parquet.write, parquet.read),
        "csv": Format(csv.write, csv.read),
        "arff": Format(arff.write, arff.read),
    }
)


def format_of(name: object) -> Format:
    """Return the format with this name, such as "csv"."""
    if not isinstance(name, str) or name not in FORMATS:
        raise WorkbenchError(f"unknown format {name!r}; {nearest(name, FORMATS)}")
    return FORMATS[name]
