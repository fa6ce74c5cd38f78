"""`workbench run`: compute what is missing of a study."""

import contextlib
import os
import tomllib
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.base.errors import FailedCells, WorkbenchError
from workbench.cli.options import answer_line, find_own_modules, own_warnings_as_lines, say, typed

if TYPE_CHECKING:
    from workbench.engine.progress import Silent
    from workbench.results import Results
    from workbench.study.study import Study

__all__ = ["run"]


def run(
    study: Annotated[Path, typer.Argument(help="A study as TOML.", show_default=False)],
    store: Annotated[
        Path | None, typer.Option(help="The store for the results. Default: the study's name with .db.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            help="Folder of data sets. Default: WORKBENCH_DATA, then the folder that the store recorded."
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(help="Worker processes (-1: one per core).")] = 1,
    time_limit: Annotated[
        float | None,
        typer.Option(help="Seconds after which a cell is stopped and counts as timed out."),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(help="Compute on a Dask cluster: tcp://HOST:PORT, or local (--jobs workers here)."),
    ] = None,
    retry: Annotated[
        list[str] | None, typer.Option(help="Compute cells in this state again: failed or timed_out.")
    ] = None,
    report: Annotated[
        list[Path] | None, typer.Option(help="Write a report at the end: .html, .md, .tex or .csv.")
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Report what would be computed and how long it would take, and stop."),
    ] = False,
) -> None:
    """Compute the missing cells of a study, print a table and the answer, and write a report.

    The same command again computes only what is missing. Exit code 1 if cells failed or timed out, 2 on bad
    input, 130 after Ctrl-C.
    """
    find_own_modules()
    if not dry_run and dask is None and jobs != 1:
        _start_workers(jobs, study, store)
    from workbench.api import read_study
    from workbench.engine.progress import for_stderr
    from workbench.report.renderers.forms import check_places
    from workbench.study.toml import default_store

    if report:
        check_places(report)
    place = store or default_store(study)
    plan = read_study(study, data=data, store=place)
    if dry_run:
        _print_dry_run(plan, place, jobs, retry or [])
        return
    progress = for_stderr()
    options = {"n_jobs": jobs, "time_limit": time_limit, "retry": retry or []}
    try:
        results = _run(plan, place, dask, options, progress)
    except KeyboardInterrupt:
        say(f"stopped: {_done(place)} cells are done and kept; resume with: {typed()}")
        raise typer.Exit(130) from None
    _print_results(results, place, progress, report or [])


def _start_workers(jobs: int, study: Path, store: Path | None) -> None:
    """Let workers import what they need while this process does, unless it may all be in the store."""
    # checks come later, as they need imports; what is seen to be wrong without any starts nothing
    from workbench.engine.launch import launch_ahead

    with contextlib.suppress(OSError, ValueError):  # the study is read in earnest later
        name = tomllib.loads(study.read_text(encoding="utf-8")).get("name")
        if (store or Path(f"{name}.db")).exists() or not (jobs > 0 or jobs == -1):
            return
        by_system = hasattr(os, "sched_getaffinity")
        cores = len(os.sched_getaffinity(0)) if by_system else os.cpu_count() or 1
        launch_ahead(min(jobs, cores) if jobs > 0 else cores)


def _run(
    plan: "Study", store: Path, dask: str | None, options: dict[str, Any], progress: "Silent"
) -> "Results":
    from workbench.api import run as run_study
    from workbench.engine.dask_cluster import on_dask

    with own_warnings_as_lines():
        warnings.simplefilter("ignore", FailedCells)  # the table and the last line report it
        if dask is None:
            return run_study(plan, store, progress=progress, **options)
        with on_dask(dask, options["n_jobs"] if options["n_jobs"] > 0 else None):
            return run_study(plan, store, progress=progress, **{**options, "n_jobs": -1})


def _print_results(results: "Results", store: Path, progress: "Silent", reports: list[Path]) -> None:
    from rich.console import Console

    from workbench.base.cell import ENDED_WITHOUT_SCORES
    from workbench.cli.score_lines import missing_lines
    from workbench.report.terminal.summary import print_summary

    print_summary(results, Console(width=max(120, Console().width)))
    for line in missing_lines(results, store):
        typer.echo(line)
    typer.echo(answer_line(results))
    for line in _write_reports(results, reports):
        typer.echo(line)
    states = results.cells()["state"]
    ended = {state: int(states.eq(state).sum()) for state in ENDED_WITHOUT_SCORES}
    timed_out = f", {ended['timed_out']} timed out" if ended["timed_out"] else ""
    typer.echo(
        f"{progress.computed} cells computed, {progress.found} already there, {ended['failed']} failed"
        f"{timed_out}; store {store}"
    )
    if any(ended.values()):
        raise typer.Exit(1)


def _write_reports(results: "Results", paths: list[Path]) -> list[str]:
    from workbench.report import write_report

    if not paths:
        return []
    try:
        write_report(results, *paths)
    except WorkbenchError as error:
        return [f"no report: {error}"]
    return [f"report: {path}" for path in paths]


def _print_dry_run(plan: "Study", store: Path, jobs: int, retry: list[str]) -> None:
    from workbench.engine.dry_run import dry_run
    from workbench.report.renderers.terminal import lines_of
    from workbench.report.terminal.dry_run import dry_run_parts

    found = dry_run(plan, store, n_jobs=jobs, retry=retry)
    for line in lines_of(dry_run_parts(found, jobs=jobs)):
        typer.echo(line)


def _done(store: Path) -> str:
    from workbench.results import load

    try:
        cells = load(store).cells()
    except WorkbenchError:
        return "0"
    return f"{int((cells['state'] == 'done').sum())} of {len(cells)}"
