"""`workbench compare`: compare learners with one, or all pairs."""

from typing import Annotated

import typer

from workbench.base.errors import WorkbenchError
from workbench.cli.options import Learners, Score, Store, separated

__all__ = ["compare"]


def compare(
    store: Store,
    base: Annotated[
        str | None,
        typer.Option(help="The learner to compare the others with; on data sets all pairs by default."),
    ] = None,
    score: Score = None,
    learners: Learners = None,
    test: Annotated[
        str | None,
        typer.Option(help="friedman (mean ranks, Nemenyi, Holm) or bayes (probabilities; needs --rope)."),
    ] = None,
    rope: Annotated[
        float | None,
        typer.Option(help="For bayes: the region of practical equivalence, in the metric's unit."),
    ] = None,
) -> None:
    """Compare learners with a base: means, v for better, * for worse; wins, ties and losses.

    On data sets: every pair of learners on every data set, by every metric unless one is named. With --test:
    mean ranks over data sets or truths, or the probability that each learner is worse, practically equal or
    better.
    """
    from workbench.analyses import VersusBase
    from workbench.report.renderers.terminal import lines_of
    from workbench.report.terminal.comparison import comparison_parts
    from workbench.report.terminal.pairs import pairs_parts
    from workbench.report.terminal.versus import versus_parts
    from workbench.results import load

    results = load(store)
    chosen = separated(learners)
    if test is not None or rope is not None:
        parts = comparison_parts(results, test, rope=rope, base=base, learners=chosen, score=score)
    elif results.on_datasets:
        parts = pairs_parts(results, base=base, learners=chosen, score=score)
    elif base is None:
        raise WorkbenchError(
            f"{store} is a study of truths: name the learner to compare with, --base LEARNER"
        )
    else:
        parts = versus_parts(VersusBase.of(results, base, learners=chosen, score=score))
    for line in lines_of(parts):
        typer.echo(line)
