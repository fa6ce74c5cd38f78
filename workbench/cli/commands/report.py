"""`workbench report`: write a report."""

from pathlib import Path
from typing import Annotated

import typer

from workbench.cli.options import Score, Store, answer_line

__all__ = ["report"]


def report(
    store: Store,
    to: Annotated[
        list[Path] | None,
        typer.Option(help=".html (one file), .md or .tex (figures next to it), .csv. Default: .html."),
    ] = None,
    score: Score = None,
) -> None:
    """Write a report: the answer, figures, tables, tests, settings and provenance."""
    from workbench.report import write_report
    from workbench.results import load

    places = to or [store.with_suffix(".html")]
    results = load(store)
    write_report(results, *places, score=score)
    typer.echo(answer_line(results, score))
    for place in places:
        typer.echo(f"report: {place}")
