"""`workbench analyze bias`: bias and variance of each learner."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from workbench.base.errors import WorkbenchError
from workbench.cli.options import Learners, OnlySource, separated

__all__ = ["bias"]


def bias(
    store: Annotated[
        Path | None, typer.Argument(help="The store of a study. Omit it with --refit.", show_default=False)
    ] = None,
    score: Annotated[
        str | None,
        typer.Option(
            help="The loss: kl_divergence (default) or quadratic_loss, with rows and cut-off as in "
            "kl_divergence//test/2002. Exact rows (all inputs) need --refit and are its default."
        ),
    ] = None,
    learners: Learners = None,
    source: OnlySource = None,
    refit: Annotated[
        Path | None,
        typer.Option(help="Fit the learners of this study (TOML) again instead of reading a store."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(help="For --refit: worker processes, 1 by default (-1: one per core).")
    ] = None,
) -> None:
    """Split the loss of each learner into bias and variance, from the predictions in the store.

    The study needs several training sets of each truth and size. With --refit no store is needed.
    """
    options = {"score": score, "learners": separated(learners), "source": source}
    if (store is None) == (refit is None):
        both = "" if store is None else ", not both"
        raise WorkbenchError(f"give the store of a study, or --refit STUDY.toml to fit it again{both}")
    for line in _lines(store, refit, jobs, options):
        typer.echo(line)


def _lines(
    store: Path | None, refit: Path | None, jobs: int | None, options: dict[str, Any]
) -> Iterator[str]:
    """Decompose the losses from a store's predictions, or refit the learners of a study."""
    from workbench.api import read_study
    from workbench.engine.progress import for_stderr
    from workbench.report.renderers.terminal import lines_of
    from workbench.report.terminal.bias import bias_parts, refitted_parts
    from workbench.results import load

    if store is not None:
        if jobs is not None:
            raise WorkbenchError(
                "--jobs is for --refit: nothing is fitted when predictions come from a store"
            )
        return lines_of(bias_parts(load(store), **options))
    assert refit is not None  # one of them is
    return lines_of(refitted_parts(read_study(refit), n_jobs=jobs or 1, **options, progress=for_stderr))
