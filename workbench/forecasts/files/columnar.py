"""Tables of predictions in Parquet and Feather files."""

from typing import Any

import pandas as pd

from workbench.base.errors import WorkbenchError
from workbench.forecasts.files.prediction_table import PredictionTable

__all__ = ["columnar_table"]

READERS = {"Parquet": pd.read_parquet, "Feather": pd.read_feather}


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
