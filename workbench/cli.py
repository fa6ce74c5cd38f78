"""The command line: run, status, list, export. Nothing heavy is imported before a command needs it."""

import functools
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.errors import FailedCells, WorkbenchError

if TYPE_CHECKING:
    from workbench.progress import Silent
    from workbench.results import Results
    from workbench.study import Study

__all__ = ["app", "main"]

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Random networks with known truth, learners, and Bayesian information reward.",
)

Store = Annotated[Path, typer.Argument(help="The store of a study.", show_default=False)]


def main() -> None:
    """Run the command line; bad input ends with one sentence on stderr and code 2."""
    app()


def one_sentence(command: Callable[..., None]) -> Callable[..., None]:
    """Turn errors of bad input into one sentence and exit code 2."""

    @functools.wraps(command)
    def guarded(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except (WorkbenchError, OSError) as error:
            _say(f"workbench: {error}")
            raise typer.Exit(2) from error

    return guarded


@app.command()
@one_sentence
def run(
    study: Annotated[Path, typer.Argument(help="A study as TOML.", show_default=False)],
    store: Annotated[
        Path | None, typer.Option(help="Where results are kept; the study's name with .db by default.")
    ] = None,
    jobs: Annotated[int, typer.Option(help="Worker processes; -1 for one a core.")] = 1,
    retry: Annotated[list[str] | None, typer.Option(help="Compute cells again that are: failed.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be computed, and stop.")] = False,
) -> None:
    """Compute what is missing of a study and print its table.

    The same command again computes only what is missing. Exit code 1 if cells failed, 2 on bad input, 130
    after Ctrl-C.
    """
    from workbench.progress import for_stderr
    from workbench.study import Study

    plan = Study.from_toml(study)
    place = store or Path(f"{plan.name}.db")
    if dry_run:
        _dry_run(plan, place, retry or [])
        return
    progress = for_stderr()
    try:
        results = _run(plan, place, jobs, retry or [], progress)
    except KeyboardInterrupt:
        _say(f"stopped: {_done(place)} cells are done and kept; go on with: {_again(study, store, jobs)}")
        raise typer.Exit(130) from None
    _report(results, place, progress)


@app.command()
@one_sentence
def status(store: Store) -> None:
    """Say how far a store is: cells by state, failures, scores that are missing."""
    from workbench.results import load
    from workbench.summary import failures_of

    results = load(store)
    cells = results.cells()
    study = results.study
    n_runs = len(results.runs)
    typer.echo(
        f"study {study['name']}, seed {study['seed']}: {len(cells)} cells, {n_runs} run{'s' * (n_runs != 1)}"
    )
    for state, n in cells["state"].value_counts().items():
        typer.echo(f"  {n} {state}")
    if results.n_earlier:
        typer.echo(f"{results.n_earlier} cells of earlier versions of the study are kept")
    for line in (*failures_of(results), *_missing_scores(results)):
        typer.echo(line)


@app.command("list")
@one_sentence
def list_(
    family: Annotated[str | None, typer.Argument(help="learners, generators, metrics or designs.")] = None,
) -> None:
    """List what a study can name."""
    from workbench import catalogue

    for name in [family] if family else catalogue.BUILT_IN:
        lines = [f"  {key:15} {catalogue.summary(name, key)}" for key in catalogue.keys(name)]
        typer.echo("\n".join([f"{name}:", *lines]))


@app.command()
@one_sentence
def export(
    store: Store,
    to: Annotated[
        Path, typer.Option(help="scores.csv or scores.parquet: one row a cell and score; .tex: the table.")
    ],
) -> None:
    """Write the scores of a store to a file."""
    from workbench.export import export_results
    from workbench.results import load

    typer.echo(f"{export_results(load(store), to)} rows written to {to}")


def _run(plan: "Study", store: Path, jobs: int, retry: list[str], progress: "Silent") -> "Results":
    from workbench.runner import run as run_study

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FailedCells)  # the table and the last line say it
        return run_study(plan, store, n_jobs=jobs, retry=retry, progress=progress)


def _report(results: "Results", store: Path, progress: "Silent") -> None:
    from rich.console import Console

    from workbench.summary import print_summary

    # A narrow terminal wraps lines, which loses nothing; a narrow table would cut numbers off.
    print_summary(results, Console(width=max(120, Console().width)))
    for line in _missing_scores(results):
        typer.echo(line)
    failed = int(results.cells()["state"].eq("failed").sum())
    typer.echo(
        f"{progress.computed} cells computed, {progress.found} already there, {failed} failed; store {store}"
    )
    if failed:
        raise typer.Exit(1)


def _dry_run(plan: "Study", store: Path, retry: list[str]) -> None:
    from workbench.runner import count_missing

    missing, total = count_missing(plan, store, retry=retry)
    typer.echo(f"{missing} cells to compute, {total - missing} already there; nothing was done")


def _missing_scores(results: "Results") -> list[str]:
    lines = []
    for (metric, prior, rows, cutoff), n in results.missing_scores().items():
        lines.append(f"{n} done cells have no {metric} (prior {prior}, rows {rows}, cut-off {cutoff})")
    if lines:
        lines.append("cells that are done are not computed again: use a new store for these scores")
    return lines


def _done(store: Path) -> str:
    from workbench.results import load

    try:
        cells = load(store).cells()
    except WorkbenchError:
        return "0"
    return f"{int((cells['state'] == 'done').sum())} of {len(cells)}"


def _again(study: Path, store: Path | None, jobs: int) -> str:
    words = ["workbench run", str(study)]
    words += ["--store", str(store)] if store else []
    words += ["--jobs", str(jobs)] if jobs != 1 else []
    return " ".join(words)


def _say(line: str) -> None:
    typer.echo(line, err=True)


if __name__ == "__main__":
    main()
