"""`workbench score`: add scores from stored predictions."""

import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from workbench.cli.options import Store, find_own_modules, say

__all__ = ["score"]


def score(
    store: Store,
    metric: Annotated[
        list[str],
        typer.Option(
            help="The metric to add: a key of `workbench list metrics`, or a table with options, "
            '\'{ key = "ece_10", metric = "expected_calibration_error", n_bins = 10 }\'.'
        ),
    ],
    prior: Annotated[
        list[str] | None,
        typer.Option(help="Priors: training, marginal, test or uniform. Default: those of the study."),
    ] = None,
    cutoff: Annotated[
        list[str] | None, typer.Option(help="Cut-offs: none, 2001 or 2002. Default: those of the study.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="Folder of data sets. Default: as for `workbench run`."),
    ] = None,
) -> None:
    """Add scores to a finished study, computed from the predictions in its store without fitting anything.

    Running the same command again resumes an interrupted run. Exit code 2 if nothing can be added.
    """
    from workbench.api import rescore
    from workbench.base.errors import LeftOutWarning
    from workbench.base.text import count_of
    from workbench.engine.progress import for_stderr
    from workbench.study.metric_spec import entry_of

    find_own_modules()
    entries: Any = [entry_of(word) for word in metric]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LeftOutWarning)  # the lines below say it
            added = rescore(
                store, entries, priors=prior or (), cutoffs=cutoff or (), data=data, progress=for_stderr()
            )
    except KeyboardInterrupt:
        say("stopped: what was written is kept, and the same command resumes")
        raise typer.Exit(130) from None
    for line in added.left_out:
        typer.echo(line)
    typer.echo(
        f"{count_of(added.n_scores, 'score')} added to {count_of(added.n_cells, 'cell')}, "
        f"{added.n_found} had them already; store {store}"
    )
