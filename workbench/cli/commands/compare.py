"""`workbench compare`: compare learners with one, or all pairs."""

from pathlib import Path
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
    uncorrected: Annotated[
        bool,
        typer.Option(
            "--uncorrected", help="With --base: mark by the tests without Holm's correction, as Weka does."
        ),
    ] = False,
    to: Annotated[
        Path | None, typer.Option(help="Write the tables to this file instead: .tex or .md.")
    ] = None,
) -> None:
    """Compare learners with a base: means, v for better, * for worse; wins, ties and losses.

    On data sets by every metric unless one is named; without --base every pair of learners on every data set.
    With --test: mean ranks over data sets or truths, or the probability that each learner is worse,
    practically equal or better.
    """
    from workbench.report.renderers.forms import write_tables
    from workbench.report.renderers.terminal import lines_of
    from workbench.report.terminal.comparison import comparison_parts
    from workbench.report.terminal.pairs import pairs_parts
    from workbench.report.terminal.versus import versus_lines
    from workbench.results import load

    results = load(store)
    chosen = separated(learners)
    if uncorrected and (base is None or test is not None or rope is not None):
        raise WorkbenchError("--uncorrected is of the comparison with a base: give --base LEARNER alone")
    if test is not None or rope is not None:
        parts = comparison_parts(results, test, rope=rope, base=base, learners=chosen, score=score)
    elif base is not None:
        parts = versus_lines(results, base, learners=chosen, score=score, corrected=not uncorrected)
    elif results.on_datasets:
        parts = pairs_parts(results, learners=chosen, score=score)
    else:
        raise WorkbenchError(
            f"{store} is a study of truths: name the learner to compare with, --base LEARNER"
        )
    if to is not None:
        write_tables(parts, to)
        typer.echo(f"tables written to {to}")
        return
    for line in lines_of(parts):
        typer.echo(line)
