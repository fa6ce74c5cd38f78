"""The command line. Nothing heavy is imported before a command needs it."""

import functools
import warnings
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.base.errors import FailedCells, WorkbenchError
from workbench.cli.benchmark import generate

if TYPE_CHECKING:
    from workbench.engine.progress import Silent
    from workbench.results import Results
    from workbench.study.study import Study

__all__ = ["app", "main"]

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Random networks with known truth, learners, and Bayesian information reward.",
)

Store = Annotated[Path, typer.Argument(help="The store of a study.", show_default=False)]
# Options shared by several commands: which score to use, which learners, which sources.
Score = Annotated[
    str | None,
    typer.Option(
        help="METRIC/PRIOR/ROWS/CUTOFF, such as ir_b/marginal/exact/2002; parts may be left out or empty, as "
        "in ir_b//test; ir_b by default, or the study's first metric."
    ),
]
Learners = Annotated[
    str | None, typer.Option(help="Which, separated by commas; those that the study compares by default.")
]
OnlySource = Annotated[str | None, typer.Option(help="Only truths of this source.")]


def main() -> None:
    """Run the command line; bad input ends with one sentence on stderr and code 2."""
    app()


def one_sentence(command: Callable[..., None]) -> Callable[..., None]:
    """Turn errors of bad input into one sentence and exit code 2."""

    @functools.wraps(command)
    def guarded(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except BrokenPipeError:
            raise  # the reader of our lines has had enough; click ends without a word
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
    data: Annotated[
        Path | None,
        typer.Option(
            help="Folder of data sets; by default the environment's WORKBENCH_DATA, then the store's."
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(help="Worker processes; -1 for one a core.")] = 1,
    time_limit: Annotated[
        float | None,
        typer.Option(help="Seconds after which a cell is stopped, wherever it is, and timed out."),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(help="Compute on a Dask cluster: tcp://HOST:PORT, or local (--jobs workers here)."),
    ] = None,
    retry: Annotated[
        list[str] | None, typer.Option(help="Compute cells again that are: failed, timed_out.")
    ] = None,
    report: Annotated[
        list[Path] | None, typer.Option(help="Write a report when all is done: .html, .md or .tex.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be computed and how long it takes, and stop.")
    ] = False,
) -> None:
    """Compute what is missing of a study; print its table and the answer; write a report.

    The same command again computes only what is missing. Exit code 1 if cells failed or timed out, 2 on bad
    input, 130 after Ctrl-C.
    """
    from workbench.api import read_study
    from workbench.engine.progress import for_stderr
    from workbench.study.toml import default_store

    for path in report or []:
        _check_form(path)
    place = store or default_store(study)
    plan = read_study(study, data=data, store=place)
    if dry_run:
        _dry_run(plan, place, jobs, retry or [])
        return
    progress = for_stderr()
    options = {"n_jobs": jobs, "time_limit": time_limit, "retry": retry or []}
    try:
        results = _run(plan, place, dask, options, progress)
    except KeyboardInterrupt:
        given = {"store": store, "jobs": jobs if jobs != 1 else None, "time-limit": time_limit, "dask": dask}
        again = _again(study, given)
        _say(f"stopped: {_done(place)} cells are done and kept; go on with: {again}")
        raise typer.Exit(130) from None
    _tell(results, place, progress, report or [])


@app.command()
@one_sentence
def status(store: Store) -> None:
    """Say how far a store is: cells by state, failures, scores that are missing."""
    from workbench.base.text import count_of
    from workbench.cli.score_lines import added_lines, missing_lines
    from workbench.store.counts import read_counts
    from workbench.store.failures import failure_lines

    counts = read_counts(store)
    study, runs = counts.study, count_of(counts.n_runs, "run")
    typer.echo(f"study {study.name}, seed {study.seed}: {counts.n_cells} cells, {runs}")
    for state, n in counts.states.items():
        typer.echo(f"  {n} {state.replace('_', ' ')}")
    if counts.n_earlier:
        typer.echo(f"{counts.n_earlier} cells of earlier versions of the study are kept")
    for line in (*failure_lines(counts.ended), *missing_lines(counts, store), *added_lines(counts, store)):
        typer.echo(line)


@app.command("list")
@one_sentence
def list_(
    family: Annotated[
        str | None, typer.Argument(help="learners, generators, metrics, designs, figures or datasets.")
    ] = None,
    data: Annotated[Path | None, typer.Option(help="Folder of data sets, for `list datasets`.")] = None,
) -> None:
    """List what a study can name; of learners also what they need of a table and what they answer."""
    from rich.console import Console

    from workbench.base import catalogue
    from workbench.cli.listing import dataset_lines, family_lines, print_learners

    if family == "learners":
        print_learners(Console())
        return
    families = [family] if family else catalogue.FAMILIES
    for line in chain.from_iterable(
        dataset_lines(data) if name == "datasets" else family_lines(name) for name in families
    ):
        typer.echo(line)


@app.command()
@one_sentence
def export(
    store: Store,
    to: Annotated[
        Path, typer.Option(help="scores.csv or scores.parquet: one row a cell and score; .tex: the table.")
    ],
) -> None:
    """Write the scores of a store to a file."""
    from workbench.cli.export import export_results
    from workbench.results import load

    typer.echo(f"{export_results(load(store), to)} rows written to {to}")


@app.command()
@one_sentence
def report(
    store: Store,
    to: Annotated[
        list[Path] | None,
        typer.Option(help=".html (one file), .md or .tex (figures beside it); the store's name by default."),
    ] = None,
    score: Score = None,
) -> None:
    """Write a report: the answer, figures, tables, tests, settings and provenance."""
    from workbench.report import write_report
    from workbench.results import load

    places = to or [store.with_suffix(".html")]
    results = load(store)
    write_report(results, *places, score=score)
    typer.echo(_answer(results, score))
    for place in places:
        typer.echo(f"report: {place}")


@app.command()
@one_sentence
def compare(
    store: Store,
    base: Annotated[
        str | None,
        typer.Option(help="The learner that the others are compared with; tables do without: all pairs."),
    ] = None,
    score: Score = None,
    learners: Learners = None,
    test: Annotated[
        str | None,
        typer.Option(help="friedman (mean ranks, Nemenyi, Holm) or bayes (probabilities; needs --rope)."),
    ] = None,
    rope: Annotated[
        float | None,
        typer.Option(help="For bayes: the largest difference that does not matter, in the metric's unit."),
    ] = None,
) -> None:
    """Compare learners with one: means, v for better, * for worse; wins, ties and losses.

    On tables: every pair of learners on every table, by every metric unless one is named. With --test: mean
    ranks over tables or truths, or how probably each learner is worse, practically equal or better.
    """
    from workbench.analyses import VersusBase
    from workbench.cli.comparison_lines import comparison_lines
    from workbench.report.terminal.summary import versus_lines
    from workbench.report.terminal.tables_pairs import pairs_lines
    from workbench.results import load

    results = load(store)
    chosen = _separated(learners)
    if test is not None or rope is not None:
        lines = comparison_lines(results, test, rope=rope, base=base, learners=chosen, score=score)
    elif results.on_datasets:
        lines = pairs_lines(results, base=base, learners=chosen, score=score)
    elif base is None:
        raise WorkbenchError(f"{store} is of truths: name the learner to compare with, --base LEARNER")
    else:
        lines = versus_lines(VersusBase.of(results, base, learners=chosen, score=score))
    for line in lines:
        typer.echo(line)


@app.command()
@one_sentence
def score(
    store: Store,
    metric: Annotated[
        list[str],
        typer.Option(
            help="What to add: a key, `workbench list metrics`, or with options, "
            '\'{ key = "ece_10", metric = "expected_calibration_error", n_bins = 10 }\'.'
        ),
    ],
    prior: Annotated[
        list[str] | None,
        typer.Option(help="training, marginal, test or uniform; those of the study by default."),
    ] = None,
    cutoff: Annotated[
        list[str] | None, typer.Option(help="none, 2001 or 2002; those of the study by default.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="Folder of data sets; by default as for `workbench run`."),
    ] = None,
) -> None:
    """Add scores to a finished study from the predictions that its store keeps, without fitting anything.

    The same command again goes on after an interruption. Exit code 2 if nothing can be added.
    """
    from workbench.api import rescore
    from workbench.base.text import count_of
    from workbench.engine.progress import for_stderr
    from workbench.study.metric_spec import entry_of

    entries: Any = [entry_of(word) for word in metric]
    try:
        added = rescore(
            store, entries, priors=prior or (), cutoffs=cutoff or (), data=data, progress=for_stderr()
        )
    except KeyboardInterrupt:
        _say("stopped: what is written is kept, and the same command goes on")
        raise typer.Exit(130) from None
    for line in added.left_out:
        typer.echo(line)
    typer.echo(
        f"{count_of(added.n_scores, 'score')} added to {count_of(added.n_cells, 'cell')}, "
        f"{added.n_found} had them; store {store}"
    )


@app.command()
@one_sentence
def correlations(
    store: Store,
    metrics: Annotated[
        str | None, typer.Option(help="Which, separated by commas; all of the study by default.")
    ] = None,
    score: Annotated[
        str | None,
        typer.Option(
            help="Which score of each metric, the metric left empty: /PRIOR/ROWS/CUTOFF, such as //test."
        ),
    ] = None,
    learners: Learners = None,
    source: Annotated[str | None, typer.Option(help="Only this table, or truths of this source.")] = None,
    method: Annotated[str, typer.Option(help="pearson, spearman or kendall (tau-b).")] = "pearson",
    aligned: Annotated[
        bool, typer.Option("--aligned", help="Turn losses, so that metrics that agree correlate positively.")
    ] = False,
    level: Annotated[float, typer.Option(help="Of each interval by itself.")] = 0.95,
) -> None:
    """Correlate metrics over the splits of each table, or the truths of each size, learner by learner.

    With the interval of each coefficient and the number of splits or truths.
    """
    from workbench.cli.correlation_lines import correlation_lines
    from workbench.results import load

    for line in correlation_lines(
        load(store), metrics=_separated(metrics), score=score,
        learners=_separated(learners), source=source, method=method, aligned=aligned, level=level,
    ):  # fmt: skip
        typer.echo(line)


@app.command()
@one_sentence
def crossovers(
    store: Store,
    pair: Annotated[
        str | None, typer.Option(help="Two learners, nb,tan; all pairs that the study compares by default.")
    ] = None,
    score: Score = None,
    source: OnlySource = None,
) -> None:
    """Say at how many training rows one learner overtakes another, with intervals over truths."""
    from workbench.cli.size_lines import crossover_lines
    from workbench.results import load

    chosen = _separated(pair)
    for line in crossover_lines(load(store), pair=chosen, source=source, score=score):
        typer.echo(line)


@app.command()
@one_sentence
def best(
    store: Store,
    score: Score = None,
    learners: Learners = None,
    source: OnlySource = None,
) -> None:
    """Name the best learner for each kind of truth and size, and say how probably it is the best."""
    from workbench.cli.size_lines import best_lines
    from workbench.results import load

    for line in best_lines(load(store), learners=_separated(learners), source=source, score=score):
        typer.echo(line)


@app.command()
@one_sentence
def needed(
    store: Store,
    share: Annotated[
        list[float] | None, typer.Option(help="Of the truth's own score; 0.5 and 0.9 by default.")
    ] = None,
    score: Score = None,
    learners: Learners = None,
    source: OnlySource = None,
) -> None:
    """Say how many training rows each learner needs for a share of the truth's own score."""
    from workbench.cli.size_lines import needed_lines
    from workbench.results import load

    for line in needed_lines(
        load(store), shares=share or (0.5, 0.9), learners=_separated(learners), source=source, score=score
    ):
        typer.echo(line)


@app.command()
@one_sentence
def bias(
    store: Annotated[
        Path | None, typer.Argument(help="The store of a study; none with --refit.", show_default=False)
    ] = None,
    score: Annotated[
        str | None,
        typer.Option(
            help="Which loss: kl_divergence (default) or quadratic_loss, with rows and cut-off as in "
            "kl_divergence//test/2002; exact rows (all inputs) need --refit, whose default they are."
        ),
    ] = None,
    learners: Learners = None,
    source: OnlySource = None,
    refit: Annotated[
        Path | None,
        typer.Option(
            help="A study as TOML, whose learners are fitted again; for stores without predictions."
        ),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(help="For --refit: worker processes, 1 by default; -1 for one a core.")
    ] = None,
) -> None:
    """Split the loss of each learner into bias and variance, from the predictions that the store keeps.

    For studies with several training sets of each truth and size. With --refit no store is needed.
    """
    options = {"score": score, "learners": _separated(learners), "source": source}
    if (store is None) == (refit is None):
        both = "" if store is None else ", not both"
        raise WorkbenchError(f"give the store of a study, or --refit STUDY.toml to fit it again{both}")
    for line in _bias_lines(store, refit, jobs, options):
        typer.echo(line)


@app.command()
@one_sentence
def recreate(
    store: Store,
    printed: Annotated[
        Path,
        typer.Option(help="What the paper prints, as TOML.", show_default=False),
    ],
    switches: Annotated[
        Path | None,
        typer.Option(help="The store of a study whose learners have one setting turned each."),
    ] = None,
    to: Annotated[
        list[Path] | None,
        typer.Option(
            help="Write the page: .html (one file), .md or .tex (figures beside it); what stands around the "
            "marks <!-- generated --> and <!-- end --> of a .md page stays."
        ),
    ] = None,
) -> None:
    """Hold a study against what a paper prints: every printed cell, ours, and whether they agree."""
    from workbench.report.renderers.forms import check_places
    from workbench.reproduction import Printed, Recreation
    from workbench.reproduction.lines import counts_lines, without_switches
    from workbench.reproduction.page.content import write_recreation
    from workbench.results import load

    places = check_places(to or [])
    turned = load(switches) if switches else None
    found = Recreation.of(load(store), Printed.from_toml(printed), turned)
    for line in counts_lines(found):
        typer.echo(line)
    if places:
        write_recreation(found, *places)
        for line in without_switches(found):
            typer.echo(line)
    for place in places:
        typer.echo(f"page: {place}")


app.command()(one_sentence(generate))


def _run(
    plan: "Study", store: Path, dask: str | None, options: dict[str, Any], progress: "Silent"
) -> "Results":
    from learners.tables.columns import IntegerColumnWarning
    from workbench.api import run as run_study
    from workbench.engine.dask_cluster import NoWorkerYet, on_dask

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FailedCells)  # the table and the last line say it
        warnings.simplefilter("always", IntegerColumnWarning)
        warnings.showwarning = _said((IntegerColumnWarning, NoWorkerYet), warnings.showwarning)
        if dask is None:
            return run_study(plan, store, progress=progress, **options)
        with on_dask(dask, options["n_jobs"] if options["n_jobs"] > 0 else None):
            return run_study(plan, store, progress=progress, **{**options, "n_jobs": -1})


def _bias_lines(
    store: Path | None, refit: Path | None, jobs: int | None, options: dict[str, Any]
) -> Iterator[str]:
    """Decompose what a store keeps, or what the learners of a study say when they are fitted again."""
    from workbench.api import read_study
    from workbench.cli.bias_lines import bias_lines, refitted_lines
    from workbench.engine.progress import for_stderr
    from workbench.results import load

    if store is not None:
        if jobs is not None:
            raise WorkbenchError("--jobs is for --refit: from what a store keeps nothing is fitted")
        return bias_lines(load(store), **options)
    assert refit is not None  # one of them is
    return refitted_lines(read_study(refit), n_jobs=jobs or 1, **options, progress=for_stderr)


def _separated(words: str | None) -> list[str] | None:
    """Take a list with commas apart."""
    return [key.strip() for key in words.split(",")] if words else None


def _said(kinds: tuple[type[Warning], ...], show: Callable[..., None]) -> Callable[..., None]:
    """Show warnings of some kinds as a line of ours, without a place in the code, and others as before."""

    def line(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if issubclass(category, kinds):
            _say(f"workbench: {message}")
        else:
            show(message, category, *place, **more)

    return line


def _tell(results: "Results", store: Path, progress: "Silent", reports: list[Path]) -> None:
    from rich.console import Console

    from workbench.base.cell import ENDED_WITHOUT_SCORES
    from workbench.cli.score_lines import missing_lines
    from workbench.report.terminal.summary import print_summary

    # A narrow terminal wraps lines, which loses nothing; a narrow table would cut numbers off.
    print_summary(results, Console(width=max(120, Console().width)))
    for line in missing_lines(results, store):
        typer.echo(line)
    typer.echo(_answer(results))
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


def _answer(results: "Results", score: str | None = None) -> str:
    """Say who won, or why nobody can be said to have."""
    try:
        return results.answer(score)
    except WorkbenchError as error:
        return f"no learner can be said to win: {error}"


def _write_reports(results: "Results", paths: list[Path]) -> list[str]:
    from workbench.report import write_report

    if not paths:
        return []
    try:
        write_report(results, *paths)
    except WorkbenchError as error:
        return [f"no report: {error}"]
    return [f"report: {path}" for path in paths]


def _check_form(path: Path) -> None:
    if path.suffix not in (".html", ".md", ".tex"):
        raise WorkbenchError(f"{path} ends in {path.suffix!r}: expected .html, .md or .tex")


def _dry_run(plan: "Study", store: Path, jobs: int, retry: list[str]) -> None:
    from workbench.cli.dry_run_lines import dry_run_lines
    from workbench.engine.dry_run import dry_run

    found = dry_run(plan, store, n_jobs=jobs, retry=retry)
    for line in dry_run_lines(found, jobs=jobs):
        typer.echo(line)


def _done(store: Path) -> str:
    from workbench.results import load

    try:
        cells = load(store).cells()
    except WorkbenchError:
        return "0"
    return f"{int((cells['state'] == 'done').sum())} of {len(cells)}"


def _again(study: Path, options: Mapping[str, object]) -> str:
    given = [f"--{name} {value}" for name, value in options.items() if value is not None]
    return " ".join(["workbench run", str(study), *given])


def _say(line: str) -> None:
    typer.echo(line, err=True)


if __name__ == "__main__":
    main()
