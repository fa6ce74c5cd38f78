"""`workbench arena`: a static site that ranks learners, by their profiles or on the tables of a folder."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workbench.base.errors import WorkbenchError
from workbench.cli.options import find_own_modules, say, separated, typed

if TYPE_CHECKING:
    from workbench.arena.entering import ArenaField
    from workbench.profiles.reference import Reference

__all__ = ["arena"]

Data = Annotated[
    Path | None,
    typer.Option(help="A folder of tables, to rank learners on these instead.", show_default=False),
]
Keys = Annotated[
    list[str] | None,
    typer.Option(help="With --data: keys of learners, separated by commas.", show_default=False),
]
Added = Annotated[
    list[str] | None,
    typer.Option(help="A learner that enters: package.module:Class, or a key.", show_default=False),
]
EntrantsFile = Annotated[
    Path | None,
    typer.Option(help="A TOML file of learners that enter, with titles and parameters.", show_default=False),
]
Minutes = Annotated[
    float, typer.Option(help="Time for each learner that enters; with --data, for each fit and forecast.")
]
Truths = Annotated[
    int | None, typer.Option(help="Instead of minutes: truths of each place.", show_default=False)
]
Largest = Annotated[
    int | None, typer.Option(help="Instead of minutes: the largest training size.", show_default=False)
]
Stores = Annotated[Path, typer.Option(help="Folder of the stores of scores, so that the command resumes.")]
Profiles = Annotated[
    bool, typer.Option(help="Whether the page of each learner is its whole profile; takes minutes.")
]


def arena(
    to: Annotated[Path, typer.Option(help="The folder of the site.")] = Path("site"),
    data: Data = None,
    learners: Keys = None,
    add: Added = None,
    entrants: EntrantsFile = None,
    minutes: Minutes = 5.0,
    truths: Truths = None,
    largest: Largest = None,
    jobs: Annotated[int, typer.Option(help="Worker processes; -1 for one per core.")] = 1,
    stores: Stores = Path(),
    profiles: Profiles = True,
) -> None:
    """Write a site that ranks learners: leaderboard, cost, a page for each learner, and how to enter.

    Opens from disk. Reference results are part of the package; learners of installed packages that add keys
    enter by themselves. With --data, learners are ranked on the tables of a folder, by cross-validation.
    """
    from workbench.arena.site import check_folder

    find_own_modules()
    check_folder(to)
    try:
        if data is None:
            if learners:
                raise WorkbenchError("--learners is of tables: name their folder with --data, or use --add")
            index, notes = _on_truths(
                to, add or [], entrants,
                minutes=minutes, truths=truths, largest=largest, jobs=jobs, stores=stores, profiles=profiles,
            )  # fmt: skip
        else:
            _refuse_options_of_truths(truths, largest, profiles)
            keys = [key for words in learners or [] for key in separated(words) or []]
            index, notes = _on_tables(
                to, data, keys, add or [], entrants, minutes=minutes, jobs=jobs, stores=stores
            )
    except KeyboardInterrupt:
        say(f"stopped: what is computed is kept; resume with: {typed()}")
        raise typer.Exit(130) from None
    for note in notes:
        say(note)
    typer.echo(f"site: {index}")


def _refuse_options_of_truths(truths: int | None, largest: int | None, profiles: bool) -> None:
    given = {"--truths": truths is not None, "--largest": largest is not None, "--no-profiles": not profiles}
    for name, is_given in given.items():
        if is_given:
            raise WorkbenchError(f"{name} is of generated truths, and --data names tables: leave one out")


def _on_tables(
    to: Path,
    data: Path,
    keys: list[str],
    added: list[str],
    entrants: Path | None,
    *,
    minutes: float,
    jobs: int,
    stores: Path,
) -> tuple[Path, tuple[str, ...]]:
    """Rank learners on the tables of a folder; return the page, and what is left out."""
    from workbench.arena.site import write_arena_page
    from workbench.arena.tables.board import board_of
    from workbench.arena.tables.field import contestants, study_of, tables_of
    from workbench.arena.tables.page import table_document
    from workbench.arena.tables.scores import measured
    from workbench.engine.progress import for_stderr

    if not 0 < minutes < math.inf:
        raise WorkbenchError(f"--minutes is {minutes:g}: expected a number above 0")
    field = contestants(keys, added, entrants)
    tables = tables_of(data)
    study = study_of(tables, field)
    stores.mkdir(parents=True, exist_ok=True)
    scores = measured(
        study, stores / f"{study.name}.db", time_limit=60 * minutes, n_jobs=jobs, progress=for_stderr()
    )
    document = table_document(board_of(scores), scores, tables, field)
    return write_arena_page(document, to), document.failures


def _on_truths(
    to: Path,
    added: list[str],
    entrants: Path | None,
    *,
    minutes: float,
    truths: int | None,
    largest: int | None,
    jobs: int,
    stores: Path,
    profiles: bool,
) -> tuple[Path, tuple[str, ...]]:
    """Rank learners on the suite; return the page, and who does not take part."""
    from workbench.arena.entering import entered, newcomers
    from workbench.engine.progress import for_stderr
    from workbench.profiles.part import SuitePart
    from workbench.profiles.reference import read_reference

    reference = read_reference()
    entering, notes = newcomers(added, entrants, reference)
    stores.mkdir(parents=True, exist_ok=True)
    field = entered(
        entering, reference,
        minutes=minutes, part=SuitePart.named(truths, largest),
        folder=stores, n_jobs=jobs, progress=for_stderr(),
    )  # fmt: skip
    return _written(to, field, reference, jobs if profiles else None), (*notes, *field.notes)


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
