"""`workbench reproduce`: compare a study with a paper's published values."""

from pathlib import Path
from typing import Annotated

import typer

from workbench.cli.options import Store

__all__ = ["reproduce"]


def reproduce(
    store: Store,
    printed: Annotated[
        Path,
        typer.Option(help="The published tables, as TOML.", show_default=False),
    ],
    ablations: Annotated[
        Path | None,
        typer.Option(help="The store of a study whose learners each have one setting changed."),
    ] = None,
    to: Annotated[
        list[Path] | None,
        typer.Option(
            help="Write the page: .html (one file), .md or .tex (figures next to it), .csv (tables alone); a "
            ".md page keeps the text around the markers <!-- generated --> and <!-- end -->."
        ),
    ] = None,
) -> None:
    """Compare a study with a paper: every published value, ours, and whether they agree."""
    from workbench.report.renderers.forms import check_places
    from workbench.reproduction import Printed, Reproduction, write_reproduction
    from workbench.reproduction.page.sentences import counts_lines, without_ablations
    from workbench.results import load

    places = check_places(to or [])
    changed = load(ablations) if ablations else None
    found = Reproduction.of(load(store), Printed.from_toml(printed), changed)
    for line in counts_lines(found):
        typer.echo(line)
    if places:
        write_reproduction(found, *places)
        for line in without_ablations(found):
            typer.echo(line)
    for place in places:
        typer.echo(f"page: {place}")
