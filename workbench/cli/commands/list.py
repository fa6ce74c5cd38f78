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
    keys: Annotated[
        list[str] | None,
        typer.Argument(metavar="[key]...", help="Keys to describe, with their parameters."),
    ] = None,
    data: Annotated[Path | None, typer.Option(help="Folder of data sets, for `list datasets`.")] = None,
) -> None:
    """List the learners, generators, metrics and so on that a study can name, or describe some of them."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    from workbench.base import catalogue
    from workbench.base.errors import check_known
    from workbench.cli.listing import dataset_lines, family_lines, member_lines, print_learners

    console = Console()
    if family and keys:
        check_known("family", [family], catalogue.FAMILIES)
        for line in chain.from_iterable(member_lines(family, key) for key in keys):
            text = line.lstrip()
            console.print(Padding(Text(text), (0, 0, 0, len(line) - len(text))))
        return
    if family == "learners":
        print_learners(console)
        return
    families = [family] if family else catalogue.FAMILIES
    check_known("family", families, [*catalogue.FAMILIES, "datasets"])
    for line in chain.from_iterable(
        dataset_lines(data) if name == "datasets" else family_lines(name, console.width) for name in families
    ):
        typer.echo(line)
