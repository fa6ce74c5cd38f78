"""Rows as ARFF: every attribute declared with all its labels."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from generators.tables.columns import declared_codes
from workbench.base.errors import WorkbenchError
from workbench.benchmark.columns import Block, FileColumn
from workbench.datasets.arff import ArffAttribute, read_arff, write_arff

__all__ = ["read", "write"]


def write(path: Path, columns: Sequence[FileColumn], blocks: Iterable[Block]) -> None:
    """Write blocks of codes and numbers below the declarations."""
    write_arff(path, _attributes(columns), blocks, relation=path.stem)


def read(path: Path, columns: Sequence[FileColumn]) -> Iterator[Block]:
    """Read the rows as one block, or raise WorkbenchError if the file is damaged or declares otherwise."""
    table = read_arff(path)
    if table.attributes != _attributes(columns):
        raise WorkbenchError(f"{path.name} does not declare the attributes and values that were written")
    frame = table.frame
    if len(frame):
        yield [
            declared_codes(frame[column.label]).astype(np.int32)
            if column.nominal
            else frame[column.label].to_numpy()
            for column in columns
        ]


def _attributes(columns: Sequence[FileColumn]) -> tuple[ArffAttribute, ...]:
    return tuple(
        ArffAttribute(column.label, "nominal" if column.nominal else "numeric", column.labels)
        for column in columns
    )
