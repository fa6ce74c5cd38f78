"""`workbench plan`: what more rows of a table would bring each learner."""

import textwrap
from pathlib import Path
from typing import Annotated

import typer

from workbench.base.errors import WorkbenchError
from workbench.cli.options import find_own_modules, say, separated

__all__ = ["plan"]

#: Width of sentences in a terminal.
WIDTH = 100


def plan(
    table: Annotated[
        Path,
        typer.Argument(
            help="A table: .csv, .tsv, .arff (or these with .gz) or .parquet.", show_default=False
        ),
    ],
    class_: Annotated[
        str | None,
        typer.Option("--class", help="The column of the class; by default the last.", show_default=False),
    ] = None,
    rows: Annotated[
        str | None,
        typer.Option(
            help="Numbers of rows to ask about, separated by commas; by default four times the present one."
        ),
    ] = None,
    learners: Annotated[
        str, typer.Option(help="Learners, separated by commas: keys, or package.module:Class.")
    ] = "nb,tan,aode,kdb,ande",
    loss: Annotated[
        float | None,
        typer.Option(help="A log loss in bits: how many rows may it take?", show_default=False),
    ] = None,
    nominal: Annotated[
        str | None,
        typer.Option(help="Columns whose numbers are codes, separated by commas.", show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option(help="All random numbers derive from it.")] = 0,
    to: Annotated[
        Path | None,
        typer.Option(help="The page, .html or .md; by default the table's name with .plan.html."),
    ] = None,
) -> None:
    """Estimate what more rows of a table would bring each learner, with intervals.

    Cross-validates learners now, and expects their losses after more rows by twins of the table and by
    extrapolation. Prints the answer and a table, and writes a page with learning curves.
    """
    from workbench.engine.progress import for_stderr
    from workbench.planning.document import table_at
    from workbench.planning.needs import check_loss
    from workbench.planning.plan import plan as plan_rows
    from workbench.report.renderers.forms import check_places
    from workbench.report.renderers.terminal import lines_of
    from workbench.study.dataset_source import DatasetSource, is_file_name

    find_own_modules()
    if not is_file_name(table):
        raise WorkbenchError(
            f"{table} is no table: expected a file that ends in .csv, .tsv, .arff or .parquet"
        )
    page = to or Path(f"{table.name.partition('.')[0]}.plan.html")
    check_places((page,))
    if loss is not None:
        check_loss(loss)
    source = DatasetSource("table", str(table), class_name=class_, nominal=tuple(separated(nominal) or ()))
    if source.doubt_of_class:
        say(source.doubt_of_class)
    try:
        found = plan_rows(
            source.content.X,
            source.content.y,
            learners=separated(learners),
            rows=None if rows is None else [_number(word) for word in rows.split(",")],
            seed=seed,
            progress=for_stderr("fits"),
        )
    except KeyboardInterrupt:
        say("stopped: nothing was written")
        raise typer.Exit(130) from None
    found.report(page)
    for sentence in (*found.notes, *found.sentences):
        typer.echo(textwrap.fill(sentence, WIDTH))
    for line in lines_of([table_at(found, n) for n in found.rows]):
        typer.echo(line)
    if loss is not None:
        for key in found.learners:
            typer.echo(f"{loss:g} bits, {key}: {found.rows_needed(key, loss).words}")
    typer.echo(f"page {page}")


def _number(word: str) -> int:
    """Read a number of rows, also one with thousands set apart by underscores."""
    try:
        return int(word)
    except ValueError:
        raise WorkbenchError(
            f"--rows has {word.strip()!r}: expected whole numbers, such as 4000 or 4000,8000"
        ) from None
