"""`workbench best`: the best learner of each source and size."""

import typer

from workbench.cli.options import Learners, OnlySource, Score, Store, separated

__all__ = ["best"]


def best(
    store: Store,
    score: Score = None,
    learners: Learners = None,
    source: OnlySource = None,
) -> None:
    """Report the best learner of each source and size, and the probability that it is the best."""
    from workbench.report.renderers.terminal import lines_of
    from workbench.report.terminal.sizes import best_parts
    from workbench.results import load

    parts = best_parts(load(store), learners=separated(learners), source=source, score=score)
    for line in lines_of(parts):
        typer.echo(line)
