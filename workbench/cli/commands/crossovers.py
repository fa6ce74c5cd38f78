"""`workbench analyze crossovers`: the sizes at which one learner overtakes another."""

from typing import Annotated

import typer

from workbench.cli.options import OnlySource, Score, Store, separated

__all__ = ["crossovers"]


def crossovers(
    store: Store,
    pair: Annotated[
        str | None,
        typer.Option(help="Two learners, such as nb,tan. Default: all pairs that the study compares."),
    ] = None,
    score: Score = None,
    source: OnlySource = None,
) -> None:
    """Report at how many training rows one learner overtakes another, with intervals over truths."""
    from workbench.report.terminal.sizes import crossover_lines
    from workbench.results import load

    chosen = separated(pair)
    for line in crossover_lines(load(store), pair=chosen, source=source, score=score):
        typer.echo(line)
