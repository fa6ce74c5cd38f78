"""`workbench list`: what a study can name."""

from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["list_"]


def list_(
    family: Annotated[
        str | None, typer.Argument(help="learners, generators, metrics, designs, figures or datasets.")
    ] = None,
    data: Annotated[Path | None, typer.Option(help="Folder of data sets, for `list datasets`.")] = None,
) -> None:
    """List what a study can name; for learners also what data they need and what they return."""
    from rich.console import Console

    from workbench.base import catalogue
    from workbench.base.errors import check_known
    from workbench.cli.listing import dataset_lines, family_lines, print_learners

    if family == "learners":
        print_learners(Console())
        return
    families = [family] if family else catalogue.FAMILIES
    check_known("family", families, [*catalogue.FAMILIES, "datasets"])
    for line in chain.from_iterable(
        dataset_lines(data) if name == "datasets" else family_lines(name) for name in families
    ):
        typer.echo(line)
