"""`workbench analyze best`: the best learner of each source and size."""

from typing import Annotated

import typer

from workbench.cli.options import Learners, OnlySource, Score, Store, separated

__all__ = ["best"]


def best(
    store: Store,
    score: Score = None,
    learners: Learners = None,
    source: OnlySource = None,
    within: Annotated[
        float, typer.Option(help="Largest distance from the optimum that is close, in the score's unit.")
    ] = 0.01,
) -> None:
    """Report the best learner of each source and size, and the probability that it is the best.

    If the study has the learner optimal, also report the probability that the best learner is close to it.
    """
    from workbench.report.renderers.terminal import lines_of
    from workbench.report.terminal.sizes import best_parts
    from workbench.results import load

    parts = best_parts(load(store), learners=separated(learners), source=source, score=score, within=within)
    for line in lines_of(parts):
        typer.echo(line)
