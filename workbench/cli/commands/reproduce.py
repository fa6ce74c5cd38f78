"""`workbench reproduce`: compare a study with a paper's published values."""

from pathlib import Path
from typing import Annotated

import typer

from workbench.base.errors import WorkbenchError
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
        typer.Option(help="The store of a study of ablations: learners with one setting changed."),
    ] = None,
    before: Annotated[
        Path | None,
        typer.Option(help="The store of an earlier study, whose verdicts are compared."),
    ] = None,
    before_printed: Annotated[
        Path | None,
        typer.Option(
            help="The published tables for --before, if that study has other keys of data sets and learners "
            "than --printed."
        ),
    ] = None,
    to: Annotated[
        list[Path] | None,
        typer.Option(
            help="Write the page: .html (one file), .md or .tex (figures next to it), or .csv (only tables). "
            "A .md page keeps the text around the markers <!-- generated --> and <!-- end -->. It also keeps "
            "its sections of --ablations and --before if these options are not given."
        ),
    ] = None,
) -> None:
    """Compare a study with a paper: every published value, the study's value, and whether both agree."""
    from workbench.report.renderers.forms import check_places
    from workbench.report.renderers.terminal import lines_of
    from workbench.reproduction import Printed, Reproduction, write_reproduction
    from workbench.reproduction.page.sentences import counts_lines, without_ablations
    from workbench.reproduction.page.tables import before_and_after_tables
    from workbench.results import load

    if before_printed is not None and before is None:
        raise WorkbenchError("--before-printed describes the tables for a store: name it with --before")
    places = check_places(to or [])
    changed = load(ablations) if ablations else None
    found = Reproduction.of(load(store), Printed.from_toml(printed), changed)
    earlier = Reproduction.of(load(before), Printed.from_toml(before_printed or printed)) if before else None
    for line in counts_lines(found):
        typer.echo(line)
    if earlier is not None:
        by_table, _ = before_and_after_tables(found, earlier)
        for line in lines_of([by_table]):
            typer.echo(line)
    if places:
        write_reproduction(found, *places, before=earlier)
        for line in without_ablations(found):
            typer.echo(line)
    for place in places:
        typer.echo(f"page: {place}")
