"""`workbench analyze sample-size`: the training rows that each learner needs."""

from typing import Annotated

import typer

from workbench.cli.options import Learners, OnlySource, Score, Store, separated

__all__ = ["sample_size"]


def sample_size(
    store: Store,
    share: Annotated[
        list[float] | None, typer.Option(help="Shares of the score of --of. Default: 0.5 and 0.9.")
    ] = None,
    of: Annotated[
        str,
        typer.Option(help="The score to reach: truth, or optimal (the optimum with the same training rows)."),
    ] = "truth",
    score: Score = None,
    learners: Learners = None,
    source: OnlySource = None,
) -> None:
    """Report how many training rows each learner needs to reach a share of the truth's or optimum's score."""
    from workbench.report.renderers.terminal import lines_of
    from workbench.report.terminal.sizes import sample_size_parts
    from workbench.results import load

    parts = sample_size_parts(
        load(store), shares=share or (0.5, 0.9), of=of,
        learners=separated(learners), source=source, score=score,
    )  # fmt: skip
    for line in lines_of(parts):
        typer.echo(line)
