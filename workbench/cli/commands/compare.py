"""`workbench compare`: compare learners on tables, or those of a store."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.base.errors import WorkbenchError, check_known
from workbench.cli.options import (
    ClassName,
    Decimal,
    Drop,
    Encoding,
    Groups,
    Header,
    Missing,
    Nominal,
    Score,
    Sep,
    answer_line,
    file_options,
    find_own_modules,
    own_warnings_as_lines,
    say,
    separated,
    typed,
)

if TYPE_CHECKING:
    from workbench.report.table import Table
    from workbench.results import Results

__all__ = ["compare"]

#: Learners that take part on tables unless others are named; the last one repeats the class frequencies.
USUAL = ("nb", "tan", "aode", "bn_ensemble", "c45", "random_forest", "boosting", "logistic", "prior")
#: What is scored on tables; the answer is by the first unless --score names another.
METRICS = ("ir_b", "log_loss", "quadratic_loss", "accuracy", "ece")


#: Seconds after which a fit with its forecasts is stopped, unless --time-limit says otherwise.
LONGEST = 300.0


def compare(
    place: Annotated[
        Path,
        typer.Argument(help="A table, a folder of tables, or the store of a study.", show_default=False),
    ],
    base: Annotated[
        str | None,
        typer.Option(help="The learner to compare the others with. On data sets the default is all pairs."),
    ] = None,
    score: Score = None,
    learners: Annotated[
        str | None,
        typer.Option(
            help="Learners, separated by commas. Default: the learners of the store. For tables: keys of "
            "workbench list learners, keys of the arena (knn, mlp, svc and others), or "
            "package.module:Class. Default for tables: nine common learners."
        ),
    ] = None,
    test: Annotated[
        str | None,
        typer.Option(help="friedman (mean ranks, Nemenyi, Holm) or bayes (probabilities, needs --rope)."),
    ] = None,
    rope: Annotated[
        float | None,
        typer.Option(help="For bayes: the region of practical equivalence, in the metric's unit."),
    ] = None,
    uncorrected: Annotated[
        bool,
        typer.Option(
            "--uncorrected", help="With --base: v and * by tests without Holm's correction, as in Weka."
        ),
    ] = False,
    to: Annotated[
        Path | None, typer.Option(help="Write the tables to this file instead: .tex or .md.")
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(help="For tables: the store for the scores. Default: the folder's name with .db."),
    ] = None,
    entrants: Annotated[
        Path | None,
        typer.Option(
            help="For tables: a TOML file of further learners with parameters, as for workbench arena.",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(help="For tables: worker processes (-1: one per core).")] = 1,
    time_limit: Annotated[
        float | None,
        typer.Option(
            help="For tables: seconds after which a fit with its forecasts is stopped. Default: 300. If "
            "given, cells that were stopped before are computed again.",
            show_default=False,
        ),
    ] = None,
    report: Annotated[
        list[Path] | None, typer.Option(help="For tables: also write a report: .html, .md, .tex or .csv.")
    ] = None,
    class_: ClassName = None,
    nominal: Nominal = None,
    drop: Drop = None,
    groups: Groups = None,
    sep: Sep = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    header: Header = None,
    missing: Missing = None,
) -> None:
    """Compare learners with a base: means, marks (v better, * worse), wins, ties and losses.

    Tables are halved five times (5x2 cross-validation), or split into five folds if there are groups. All
    learners get the same rows. Cells that the store already has are not computed again. For several tables
    mean ranks are shown. Data sets are compared by every metric unless one is named, and without --base every
    pair of learners is compared on every data set. With --test: mean ranks over data sets or truths, or the
    probability that each learner is worse, practically equal or better.
    """
    from workbench.analyses._shared.partial_results import partial_note
    from workbench.profiles.entrants import entrants_of_file, on_tables
    from workbench.report.renderers.forms import write_tables
    from workbench.report.renderers.terminal import lines_of
    from workbench.results import load
    from workbench.study.dataset_source import is_file_name, keys_of

    if uncorrected and (base is None or test is not None or rope is not None):
        raise WorkbenchError(
            "--uncorrected is for the comparison with a base: give --base LEARNER without --test"
        )
    chosen = separated(learners)
    options = file_options(
        class_=class_, nominal=nominal, drop=drop, groups=groups, sep=sep, decimal=decimal,
        encoding=encoding, header=header, missing=missing,
    )  # fmt: skip
    is_file = is_file_name(place)
    if options and not is_file:
        raise WorkbenchError(f"{place} is no table: --{', --'.join(options)} are for one file of rows")
    if place.is_dir() or is_file:
        find_own_modules()
        on = {"dataset": str(place), **options} if options else str(place)
        own = store or Path(f"{keys_of([str(place)])[0] if is_file else place.resolve().name}.db")
        added = entrants_of_file(entrants) if entrants else {}
        named = on_tables([*(chosen or USUAL), *added], added)
        results = _on_tables(on, named, own, jobs, report or [], time_limit, score)
        say(f"store: {own}")
        chosen = None
    elif store or report or entrants or time_limit is not None or jobs != 1:
        raise WorkbenchError(
            f"{place} is no folder and no table: --store, --entrants, --jobs, --time-limit and --report are "
            "for these"
        )
    else:
        results = load(place)
    is_plain = base is None and test is None and rope is None
    parts = (_ranked(results, score) if place.is_dir() and is_plain else None) or _parts(
        results, place, base, score, chosen, test, rope, corrected=not uncorrected
    )
    if to is not None:
        write_tables(parts, to)
        typer.echo(f"tables written to {to}")
        return
    said = partial_note(results) if place.is_dir() or is_file else ""  # with the answer
    means = _means(results) if is_file and is_plain else ()
    for line in lines_of(chain(means, (part for part in parts if part == "" or part != said))):
        typer.echo(line)


def _parts(
    results: "Results",
    place: Path,
    base: str | None,
    score: str | None,
    learners: Sequence[str] | None,
    test: str | None,
    rope: float | None,
    *,
    corrected: bool,
) -> "Iterable[Table | str]":
    """Return the comparison that is asked for."""
    from workbench.report.terminal.comparison import comparison_parts
    from workbench.report.terminal.comparison_to_base import comparison_to_base_lines
    from workbench.report.terminal.pairs import pairs_parts

    if test is not None or rope is not None:
        return comparison_parts(results, test, rope=rope, base=base, learners=learners, score=score)
    if base is not None:
        return comparison_to_base_lines(results, base, learners=learners, score=score, corrected=corrected)
    if not results.design.blocks.has_sizes:
        return pairs_parts(results, learners=learners, score=score)
    raise WorkbenchError(f"{place} is a study of truths: name the learner to compare with, --base LEARNER")


def _means(results: "Results") -> "Iterator[Table | str]":
    """Return the means of one table: learners down, scores across; nothing where all failed."""
    from workbench.report.findings import Findings
    from workbench.report.size_tables import means_tables
    from workbench.report.table import PLAIN

    with suppress(WorkbenchError):
        yield from means_tables(Findings(results).tests, digits=3)
        yield f"{PLAIN.strong}: the best mean of the compared learners"
        yield "mean ± standard deviation over parts, which share rows, so that it gives no standard error"
        yield ""


def _ranked(results: "Results", score: str | None) -> "list[Table | str]":
    """Return mean ranks over three tables or more; nothing where they cannot be had."""
    from workbench.report.terminal.comparison import comparison_parts

    try:
        return (
            list(comparison_parts(results, "friedman", score=score)) if len(results.study.sources) > 2 else []
        )
    except WorkbenchError:
        return []


def _metrics_with(score: str | None, store: Path) -> tuple[str, ...]:
    """Return the usual metrics and the one asked for; raise WorkbenchError before any fit."""
    from workbench.base import catalogue
    from workbench.base.score_key import ScoreKey
    from workbench.cli.options import program
    from workbench.metrics import CostMatrix
    from workbench.store.counts import read_counts
    from workbench.study.metric_spec import metric_named
    from workbench.study.scores import Scores, of_datasets

    asked = ScoreKey.parse(score)
    added = {key.metric for key in read_counts(store).scores} if store.exists() and asked.metric else set()
    asked = asked._replace(metric=catalogue.key_of("metrics", asked.metric, added))
    known = catalogue.keys("metrics")
    needs_costs = asked.metric in known and isinstance(metric_named(asked.metric), CostMatrix)
    if asked.metric in added and (needs_costs or asked.metric not in known):
        return METRICS  # the store has it from `workbench score`
    check_known("metric", filter(None, [asked.metric]), known)
    if needs_costs:
        raise WorkbenchError(
            f"--score {asked.metric} needs costs: compare without it, and then add them, {program()} score "
            f'{store} --metric \'{{ key = "dear", metric = "cost", costs = {{ ill = {{ ill = 0, well = 30 '
            "}, well = { ill = 1, well = 0 } } }', with your classes"
        )
    metrics = METRICS if asked.metric in ("", *METRICS) else (*METRICS, asked.metric)
    there = [key for key in of_datasets(Scores(metrics).keys) if asked.metric in ("", key.metric)]
    if not any(asked.fits(key) for key in there):
        why = "expected one of " + ", ".join(map(str, there)) if there else "it needs true probabilities"
        raise WorkbenchError(f"tables have no score {score!r}: {why}")
    return metrics


def _on_tables(
    on: Any,
    learners: dict[str, Any],
    store: Path,
    jobs: int,
    reports: Sequence[Path],
    time_limit: float | None,
    score: str | None,
) -> "Results":
    """Compute what a store lacks of learners on tables, and show the means and the answer."""
    from workbench.api import compare as compare_on
    from workbench.cli.score_lines import missing_lines
    from workbench.engine.progress import for_stderr
    from workbench.report import write_report
    from workbench.report.renderers.forms import check_places
    from workbench.study.dataset_source import is_file_name

    check_places(reports)
    metrics = _metrics_with(score, store)
    try:
        with own_warnings_as_lines(of_file=isinstance(on, dict) or is_file_name(on)):
            results = compare_on(
                learners,
                on=on,
                metrics=metrics,
                store=store,
                n_jobs=jobs,
                time_limit=LONGEST if time_limit is None else time_limit,
                retry=("failed",) if time_limit is None else ("failed", "timed_out"),
                progress=for_stderr(),
            )
    except KeyboardInterrupt:
        say(f"stopped: what is computed is kept; resume with: {typed()}")
        raise typer.Exit(130) from None
    for line in missing_lines(results, store):
        typer.echo(line)
    typer.echo(answer_line(results, score))
    for path in reports:
        write_report(results, path)
        typer.echo(f"report: {path}")
    return results
