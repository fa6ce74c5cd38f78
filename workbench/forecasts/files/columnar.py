"""Tables of predictions in Parquet and Feather files."""

from os import PathLike, fspath
from typing import Any

import pandas as pd

from workbench.base.errors import WorkbenchError
from workbench.datasets._shared.lines import Readable
from workbench.forecasts.files.prediction_table import PredictionTable

__all__ = ["columnar_kind", "columnar_table", "name_of"]

#: First bytes of a format.
MAGIC = {b"PAR1": "Parquet", b"ARROW1": "Feather", b"FEA1": "Feather"}
READERS = {"Parquet": pd.read_parquet, "Feather": pd.read_feather}


def name_of(source: Readable) -> str:
    """Return the name of a file for errors."""
    if isinstance(source, str | PathLike):
        return str(fspath(source))
    return str(getattr(source, "name", "the given file"))


def columnar_kind(source: Any) -> str | None:
    """Return Parquet or Feather, or None for other files, and for those that cannot be opened."""
    if isinstance(source, str | PathLike):
        try:
            with open(source, "rb") as stream:
                start = stream.read(8)
        except (OSError, ValueError):
            return None
    elif not hasattr(source, "read") or isinstance(source.read(0), str) or not source.seekable():
        return None
    else:
        at = source.tell()
        start = bytes(source.read(8))
        source.seek(at)
    return next((kind for magic, kind in MAGIC.items() if start.startswith(magic)), None)


def columnar_table(file: str, source: Any, kind: str) -> PredictionTable:
    """Read a table, its numbers with the digits that they need."""
    try:
        frame = READERS[kind](source)
    except (ValueError, OSError) as error:  # pyarrow's errors are both
        raise WorkbenchError(f"{file} is a {kind} file that cannot be read: {error}") from error
    if not isinstance(frame.index, pd.RangeIndex):
        frame = frame.reset_index()
    texts = zip(*(_texts(frame.iloc[:, place]) for place in range(frame.shape[1])), strict=True)
    return PredictionTable(
        file, [str(name) for name in frame.columns], list(enumerate(texts, start=1)), "row"
    )


def _texts(column: pd.Series) -> list[str]:
    # Cells of single precision are written with their own digits, which `tolist` would extend.
    cells = zip(column.to_numpy(), column.isna(), strict=True)
    return ["" if is_missing else str(value) for value, is_missing in cells]
