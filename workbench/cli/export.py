"""Write results to a file that other programs read."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from workbench.base.errors import WorkbenchError
from workbench.report.renderers.latex_text import escape
from workbench.report.terminal.summary import summary_frame
from workbench.results import Results

__all__ = ["export_results"]


def export_results(results: Results, to: str | Path) -> int:
    """Write scores as .csv or .parquet, or the printed table as .tex."""
    path = Path(to)
    writers: dict[str, Callable[[Results, Path], int]] = {".csv": _csv, ".parquet": _parquet, ".tex": _tex}
    if path.suffix not in writers:
        raise WorkbenchError(f"{path} ends in {path.suffix!r}: expected .csv, .parquet or .tex")
    path.parent.mkdir(parents=True, exist_ok=True)
    return writers[path.suffix](results, path)


def _csv(results: Results, path: Path) -> int:
    frame = results.frame()
    frame.to_csv(path, index=False)
    return len(frame)


def _parquet(results: Results, path: Path) -> int:
    frame = results.frame()
    try:
        frame.to_parquet(path, index=False)
    except ImportError as error:
        raise WorkbenchError(
            'parquet needs pyarrow: pip install "learner-workbench[parquet]", or export to .csv'
        ) from error
    return len(frame)


def _tex(results: Results, path: Path) -> int:
    parts = []
    for key in results.study.source_keys:
        frame = summary_frame(results, key)
        frame.insert(0, "source", key)
        parts.append(frame)
    table = pd.concat(parts, ignore_index=True)
    words = ("source", "learner")
    layout = "".join("l" if name in words else "r" for name in table.columns)
    table.columns = [escape(name.replace("\n", " ")) for name in table.columns]
    text = table.map(lambda value: escape(str(value))).to_latex(index=False, column_format=layout)
    path.write_text("".join(f"{line.rstrip()}\n" for line in text.splitlines()), encoding="utf-8")
    return len(table)
