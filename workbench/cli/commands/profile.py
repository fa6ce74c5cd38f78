"""`workbench profile`: measure the inductive bias of any classifier."""

import textwrap
from pathlib import Path
from typing import Annotated

import typer

from workbench.base.errors import WorkbenchError
from workbench.cli.options import find_own_modules, say, separated, typed

__all__ = ["profile"]

#: Width of the paragraph in a terminal.
WIDTH = 100


def profile(
    learner: Annotated[
        str,
        typer.Argument(
            help="A learner: package.module:Class, or a key of `workbench list learners` or of the arena."
        ),
    ],
    set: Annotated[
        list[str] | None,
        typer.Option(help="A parameter of the learner, as in TOML: alpha=0.5.", show_default=False),
    ] = None,
    input: Annotated[
        str | None,
        typer.Option(
            help="Form of the learner's input: categories, table, one_hot or codes. Default: a form that "
            "suits the learner.",
            show_default=False,
        ),
    ] = None,
    next_to: Annotated[
        str, typer.Option("--learners", help="Reference learners that figures show, separated by commas.")
    ] = "nb,tan,c45,boosting",
    minutes: Annotated[
        float, typer.Option(help="Time in minutes, which determines how much of the suite is used.")
    ] = 5.0,
    full: Annotated[bool, typer.Option("--full", help="Use the whole suite, without a time limit.")] = False,
    truths: Annotated[
        int | None,
        typer.Option(
            help="Instead of --minutes: number of truths of each place (kind, width and difficulty).",
            show_default=False,
        ),
    ] = None,
    largest: Annotated[
        int | None, typer.Option(help="Instead of --minutes: the largest training size.", show_default=False)
    ] = None,
    jobs: Annotated[int, typer.Option(help="Worker processes (-1: one per core).")] = 1,
    store: Annotated[
        Path | None, typer.Option(help="The store for the cells. Default: the learner's name with .db.")
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option(help="The page, .html or .md. Default: the learner's name with .html."),
    ] = None,
    invariances: Annotated[bool, typer.Option(help="Whether to check invariances, too.")] = True,
) -> None:
    """Measure the inductive bias of a classifier: its loss by kind of problem, next to reference learners.

    Writes a page and a store, and prints one paragraph. The same command again computes only what is missing.
    """
    from workbench.benchmark.plan import parameters_of
    from workbench.engine.progress import for_stderr
    from workbench.profiles.entrants import ENTRANTS, name_of
    from workbench.profiles.profile import profile as profile_learner
    from workbench.report.renderers.forms import check_places
    from workbench.study.learner_spec import LearnerSpec

    find_own_modules()
    name = name_of(learner)
    page, place = to or Path(f"{name}.html"), store or Path(f"{name}.db")
    check_places((page,))
    if full and (truths or largest):
        raise WorkbenchError("--full uses the whole suite: leave out either --full or --truths and --largest")
    parameters = parameters_of(set or [])
    if learner in ENTRANTS:
        spec = ENTRANTS[learner].with_options(parameters, input)
    else:
        spec = LearnerSpec(name, learner=learner, parameters=parameters, input=input)
    try:
        found = profile_learner(
            spec,
            learners=separated(next_to) or (),
            minutes=None if full else minutes,
            truths=truths,
            largest=largest,
            store=place,
            n_jobs=jobs,
            invariances=invariances,
            progress=for_stderr(),
        )
    except KeyboardInterrupt:
        say(f"stopped: what is computed is kept; resume with: {typed()}")
        raise typer.Exit(130) from None
    found.report(page)
    for sentence in found.sentences:
        typer.echo(textwrap.fill(sentence, WIDTH))
    for note in found.notes:
        typer.echo(textwrap.fill(note, WIDTH))
    typer.echo(f"page {page}; store {place}")
