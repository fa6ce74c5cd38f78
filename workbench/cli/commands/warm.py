"""`workbench warm`: compile what learners need, before a fit has to wait for it."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workbench.base.errors import check_known
from workbench.cli.options import find_own_modules, say

if TYPE_CHECKING:
    from workbench.study.study import Study

__all__ = ["warm"]


def warm(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            help="Keys of learners, or a study (.toml). Default: all learners.", show_default=False
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(help="Worker processes (-1: one per core).")] = 1,
    data: Annotated[Path | None, typer.Option(help="Folder of the data sets that a study names.")] = None,
) -> None:
    """Compile the learners' kernels, so that the first fit on a machine need not wait for compilation.

    Fits each learner to a few rows and forecasts. Compiled code is kept for all later processes of this user,
    and compiled again only after an update.
    """
    from generators.base.compiled import cache_folder
    from workbench.engine.progress import for_stderr
    from workbench.engine.warming import warm as warmed

    studies = _studies(what or [], data)
    begun = time.monotonic()
    try:
        found = warmed(studies, n_jobs=jobs, progress=for_stderr("fits"))
    except KeyboardInterrupt:
        say("stopped: what was compiled is kept")
        raise typer.Exit(130) from None
    for key, why in found.failed.items():
        say(f"{key} failed: {why}")
    folder = cache_folder("workbench")
    kept = f"kept in {Path(folder).parent}" if folder else "not kept, as no folder can be written"
    typer.echo(
        f"{len(found.learners)} learners ready after {time.monotonic() - begun:.0f} s; compiled code {kept}"
    )
    if found.failed:
        raise typer.Exit(1)


def _studies(what: list[str], data: Path | None) -> "list[Study]":
    from workbench.base import catalogue
    from workbench.engine.warming import small_studies
    from workbench.study.toml import read_study

    files = [word for word in what if word.endswith(".toml")]
    keys = [catalogue.key_of("learners", word) for word in what if word not in files]
    check_known("learner", keys, catalogue.keys("learners"))
    find_own_modules()
    studies = [read_study(Path(file), data=data) for file in files]
    return [*studies, *(small_studies(keys) if keys or not files else ())]
