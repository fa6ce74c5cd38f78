"""`workbench export`: write scores to a file that other programs read."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workbench.base.errors import WorkbenchError
from workbench.cli.options import Store

if TYPE_CHECKING:
    from workbench.results import Results

__all__ = ["export", "export_results"]


def export(
    store: Store,
    to: Annotated[
        Path,
        typer.Option(
            help="scores.csv or scores.parquet: one row per cell and score; .tex: the table of means."
        ),
    ],
) -> None:
    """Write the scores of a store to a file."""
    from workbench.results import load

    typer.echo(f"{export_results(load(store), to)} rows written to {to}")


def export_results(results: "Results", to: str | Path) -> int:
    """Write scores as .csv or .parquet, or the printed table as .tex."""
    path = Path(to)
    if path.suffix not in (".csv", ".parquet", ".tex"):
        raise WorkbenchError(f"{path} ends in {path.suffix!r}: expected .csv, .parquet or .tex")
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".tex":
        return _tex(results, path)
    frame = results.frame()
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path, index=False)
    return len(frame)


def _tex(results: "Results", path: Path) -> int:
    from workbench.report.renderers.latex import tabular
    from workbench.report.table import Table
    from workbench.report.terminal.summary import summary_table

    tables = {key: summary_table(results, key) for key in results.study.source_keys}
    columns = next(iter(tables.values())).columns
    rows = tuple((key, *row) for key, table in tables.items() for row in table.rows)
    path.write_text(tabular(Table("", ("source", *columns), rows)), encoding="utf-8")
    return len(rows)
