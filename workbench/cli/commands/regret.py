"""`workbench analyze regret`: what learners lose to the best possible."""

import typer

from workbench.cli.options import Learners, OnlySource, Score, Store, separated

__all__ = ["regret"]


def regret(
    store: Store,
    score: Score = None,
    learners: Learners = None,
    source: OnlySource = None,
) -> None:
    """Report each learner's loss relative to the truth, divided into irreducible loss and regret."""
    from workbench.report.renderers.terminal import lines_of
    from workbench.report.terminal.sizes import regret_parts
    from workbench.results import load

    parts = regret_parts(load(store), learners=separated(learners), source=source, score=score)
    for line in lines_of(parts):
        typer.echo(line)
