"""`workbench analyze correlations`: how metrics correlate."""

from typing import Annotated

import typer

from workbench.cli.options import Learners, Store, separated

__all__ = ["correlations"]


def correlations(
    store: Store,
    metrics: Annotated[
        str | None, typer.Option(help="Metrics, separated by commas. Default: all of the study.")
    ] = None,
    score: Annotated[
        str | None,
        typer.Option(
            help="Which score of each metric, without the metric: /PRIOR/ROWS/CUTOFF, such as //test."
        ),
    ] = None,
    learners: Learners = None,
    source: Annotated[str | None, typer.Option(help="Only this data set, or truths of this source.")] = None,
    method: Annotated[str, typer.Option(help="pearson, spearman or kendall (tau-b).")] = "pearson",
    aligned: Annotated[
        bool,
        typer.Option(
            "--aligned",
            help="Flip the sign of losses, so that metrics that agree correlate positively.",
        ),
    ] = False,
    level: Annotated[float, typer.Option(help="Confidence level of each single interval.")] = 0.95,
) -> None:
    """Correlate the metrics of each learner, over the splits of each data set or the truths of each size.

    Reports the interval of each coefficient and the number of splits or truths.
    """
    from workbench.report.renderers.terminal import lines_of
    from workbench.report.terminal.correlations import correlation_parts
    from workbench.results import load

    parts = correlation_parts(
        load(store), metrics=separated(metrics), score=score,
        learners=separated(learners), source=source, method=method, aligned=aligned, level=level,
    )  # fmt: skip
    for line in lines_of(parts):
        typer.echo(line)
