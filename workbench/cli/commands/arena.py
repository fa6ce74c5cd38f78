"""`workbench arena`: a static site that ranks learners by their profiles."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workbench.cli.options import find_own_modules, say, typed

if TYPE_CHECKING:
    from workbench.arena.newcomers import ArenaField
    from workbench.profiles.reference import Reference

__all__ = ["arena"]

Added = Annotated[
    list[str] | None,
    typer.Option(help="A learner to add: package.module:Class, or a key.", show_default=False),
]
EntrantsFile = Annotated[
    Path | None,
    typer.Option(help="A TOML file of learners to add, with titles and parameters.", show_default=False),
]
Minutes = Annotated[float, typer.Option(help="Time for each added learner, in minutes.")]
Truths = Annotated[
    int | None,
    typer.Option(
        help="Instead of --minutes: number of truths of each place (kind, width and difficulty).",
        show_default=False,
    ),
]
Largest = Annotated[
    int | None, typer.Option(help="Instead of --minutes: the largest training size.", show_default=False)
]
Stores = Annotated[Path, typer.Option(help="Folder for the stores of scores, so that the command resumes.")]
Profiles = Annotated[
    bool, typer.Option(help="Whether to write the whole profile of each learner, which takes minutes.")
]


def arena(
    to: Annotated[Path, typer.Option(help="The folder of the site.")] = Path("site"),
    add: Added = None,
    entrants: EntrantsFile = None,
    minutes: Minutes = 5.0,
    truths: Truths = None,
    largest: Largest = None,
    jobs: Annotated[int, typer.Option(help="Worker processes (-1: one per core).")] = 1,
    stores: Stores = Path(),
    profiles: Profiles = True,
) -> None:
    """Write a site that ranks learners: leaderboard, cost, a page for each learner, and how to add learners.

    The site opens from disk. Reference results are part of the package. Learners of installed packages that
    add keys are included automatically. To rank learners on your own tables, use workbench compare FOLDER.
    """
    from workbench.arena.newcomers import entered, newcomers
    from workbench.arena.site import check_folder
    from workbench.engine.progress import for_stderr
    from workbench.profiles.part import SuitePart
    from workbench.profiles.reference import read_reference

    find_own_modules()
    check_folder(to)
    reference = read_reference()
    try:
        entering, notes = newcomers(add or [], entrants, reference)
        stores.mkdir(parents=True, exist_ok=True)
        field = entered(
            entering, reference,
            minutes=minutes, part=SuitePart.named(truths, largest),
            folder=stores, n_jobs=jobs, progress=for_stderr(),
        )  # fmt: skip
        for note in (*notes, *field.notes):  # before the minutes that the site takes
            say(note)
        index = _written(to, field, reference, jobs if profiles else None)
    except KeyboardInterrupt:
        say(f"stopped: what is computed is kept; resume with: {typed()}")
        raise typer.Exit(130) from None
    typer.echo(f"site: {index}")


def _written(to: Path, field: "ArenaField", reference: "Reference", jobs: int | None) -> Path:
    """Write the site; with a number of processes, with the profile of every learner as its page."""
    from workbench.arena.profile_pages import profile_pages
    from workbench.arena.site import write_arena

    pages = {} if jobs is None else profile_pages(field, reference, n_jobs=jobs)
    about = {**reference.about["versions"], "reference results of": str(reference.about["commit"])[:12]}
    say("now the leaderboards of all views, which takes minutes")
    return write_arena(
        field.scores,
        field.entrants,
        to,
        provenance={name: str(value) for name, value in about.items() if value},
        profile_page=pages.get,
        failures={key: n for key, n in field.failures.items() if n},
        newcomers=tuple(field.measured),
    )
