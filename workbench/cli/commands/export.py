"""`workbench export`: write scores to a file that other programs read."""

from pathlib import Path
from typing import Annotated

import typer

from workbench.cli.options import Store

__all__ = ["export"]


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
    from workbench.cli.export import export_results
    from workbench.results import load

    typer.echo(f"{export_results(load(store), to)} rows written to {to}")
