"""`workbench generate`: make a benchmark, check one, hand it out, or score predictions of its test rows."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workbench.base.errors import WorkbenchError

if TYPE_CHECKING:
    from workbench.benchmark.plan import BenchmarkPlan
    from workbench.benchmark.scoring import HandIn
    from workbench.report.table import Table

__all__ = ["generate"]

#: Scores of predictions, and the heads of their columns.
HEADS = {
    "log_loss": "log loss",
    "kl_divergence": "KL",
    "accuracy": "accuracy",
    "regret": "regret",
    "ir_b": "IR_B",
}
SCORES = (
    "After ±: half the width of the 95% interval of the mean, over test rows or over models. Log loss, KL\n"
    "(divergence from the truth) and IR_B (relative to the class marginal, higher is better) are in bits.\n"
    "Regret is the expected error minus that of the truth on the same rows."
)
RANKS = (
    "Log loss: mean over models in bits, ± half the width of its 95% interval. More than the first:\n"
    "difference on the models that both students have, with its 95% interval. Students without predictions\n"
    "for some models have no rank."
)


def generate(
    source: Annotated[
        str | None,
        typer.Argument(
            help="A generator (a key of `workbench list generators`, or MODULE:FUNCTION), a network file "
            "(.json, .bif, .xml, .net), or suite:NAME.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The folder. Running the same command again resumes.", show_default=False),
    ] = None,
    models: Annotated[
        int | None,
        typer.Option(
            help="Number of models. Default: 10 for a generator, 1 for a network, all truths of a suite.",
            show_default=False,
        ),
    ] = None,
    rows: Annotated[int, typer.Option(help="Training rows of each model.")] = 1000,
    test: Annotated[int, typer.Option(help="Test rows of each model.")] = 1000,
    seed: Annotated[
        int,
        typer.Option(help="The seed of truths and rows, as in a study of the same generator and parameters."),
    ] = 0,
    format: Annotated[str, typer.Option(help="parquet, csv or arff.")] = "parquet",
    set: Annotated[
        list[str] | None,
        typer.Option(
            help="A parameter of the generator, as in TOML: n_attributes=[4,8], bayes_error=[0.1,0.2], "
            "label_noise=0.1, 'rows=\"normalized_uniform\"'. Networks and suites take only alterations, "
            "such as missing=0.2.",
            show_default=False,
        ),
    ] = None,
    class_: Annotated[
        str | None,
        typer.Option(
            "--class", help="The class variable of a network that does not name one.", show_default=False
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(help="Processes that make models in parallel (-1: one per core).")] = 1,
    verify: Annotated[
        Path | None, typer.Option(help="Check a benchmark instead of making one.", show_default=False)
    ] = None,
    score: Annotated[
        tuple[Path, Path] | None,
        typer.Option(
            metavar="FOLDER PREDICTIONS",
            help="Score predictions of a benchmark's test rows. PREDICTIONS is a folder with a file "
            "MODEL.csv (or .parquet, .arff) for each model, with a column for each class, or contains such "
            "a folder for each student.",
            show_default=False,
        ),
    ] = None,
    cutoff: Annotated[
        str,
        typer.Option(
            help="With --score: how probabilities are clipped away from 0. With none, probability 0 for a "
            "class that occurs costs infinitely many bits. Otherwise 2001 or 2002."
        ),
    ] = "none",
    hand_out: Annotated[
        tuple[Path, Path] | None,
        typer.Option(
            metavar="FOLDER OUT",
            help="Write the part of a benchmark for students: rows to learn from, rows to predict, no truth.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Make a benchmark with known truth: rows, truths, exact posteriors and cards in a folder.

    Running the same command again resumes an interrupted run. With --verify: one line for each file that has
    changed, and exit code 1 if there is one. With --score: log loss, divergence from the truth, accuracy,
    regret and information reward of predictions, or ranks of students, and exit code 1 if something is left
    out.
    """
    from workbench.benchmark.plan import BenchmarkPlan, parameters_of

    tasks = [task for task in (verify, score, hand_out) if task is not None]
    if tasks and (source is not None or out is not None or len(tasks) > 1):
        raise WorkbenchError(
            "--verify, --score and --hand-out take an existing benchmark: give one of them, without source "
            "and --out"
        )
    if verify is not None:
        _verify(verify)
    elif score is not None:
        _score(*score, cutoff)
    elif hand_out is not None:
        _hand_out(*hand_out)
    elif source is None or out is None:
        raise WorkbenchError(
            "a benchmark needs a source and a folder, such as: workbench generate tan --out bench"
        )
    else:
        plan = BenchmarkPlan(source, models, rows, test, seed, format, parameters_of(set or []), class_)
        _make(plan, out, jobs)


def _make(plan: "BenchmarkPlan", out: Path, jobs: int) -> None:
    from workbench.base.text import count_of
    from workbench.benchmark.folder.manifest import MANIFEST
    from workbench.benchmark.making import make
    from workbench.engine.progress import for_stderr

    there = (out / MANIFEST).exists()
    try:
        made = make(plan, out, for_stderr("rows"), jobs)
    except KeyboardInterrupt:
        typer.echo("stopped: complete models are kept, and the same command resumes", err=True)
        raise typer.Exit(130) from None
    done = f"already exists in {out} and was not checked" if there else f"made in {out}"
    typer.echo(f"{count_of(len(made), 'model')}: benchmark {done}; --verify {out} checks every file")


def _verify(folder: Path) -> None:
    from workbench.base.text import printable
    from workbench.benchmark.verifying import findings_of

    found = 0
    for line in findings_of(folder):
        found += 1
        typer.echo(printable(" ".join(line.split())))
    if found:
        raise typer.Exit(1)
    typer.echo(f"{folder} is unchanged")


def _hand_out(folder: Path, out: Path) -> None:
    from workbench.benchmark.handing_out import hand_out

    hand_out(folder, out)
    typer.echo(f"{out} is for students. Score their predictions with --score {folder} PREDICTIONS")


def _score(folder: Path, predictions: Path, cutoff: str) -> None:
    from workbench.base.text import printable
    from workbench.benchmark.loading import load
    from workbench.benchmark.scoring import HandIn, hand_ins_of
    from workbench.report.renderers.terminal import lines_of

    benchmark = load(folder)
    places = hand_ins_of(benchmark, predictions)
    found = HandIn.read(benchmark, places or {"": predictions}, cutoff)
    table = _ranks(found) if places else _scores(found[""])
    notes = [f"{who}: {text}" if who else text for who, one in found.items() for text in one.notes]
    for line in lines_of([table, *notes]):
        typer.echo(printable(line))
    if any(one.left_out for one in found.values()):
        raise typer.Exit(1)


def _scores(hand_in: "HandIn") -> "Table":
    from workbench.report.table import Cell, Number, Table

    found = hand_in.table()
    found["cell"] = [Number(row.mean, 4, spread=row.high - row.mean) for row in found.itertuples(index=False)]
    cells = found.pivot(index="model", columns="score", values="cell").loc[found["model"].unique()]
    rows: list[tuple[Cell, ...]] = [
        (str(model), *(row[name] for name in HEADS)) for model, row in cells.iterrows()
    ]
    return Table("", ("model", *HEADS.values()), tuple(rows), note=SCORES)


def _ranks(hand_ins: "dict[str, HandIn]") -> "Table":
    from workbench.benchmark.scoring import ranking_of
    from workbench.report.table import Number, Table, number, whole

    rows = tuple(
        (
            Number(row.rank, 0),
            row.student,
            whole(row.models),
            Number(row.mean, 4, spread=row.high - row.mean),
            number(row.difference, 4, interval=(row.difference_low, row.difference_high)),
        )
        for row in ranking_of(hand_ins).itertuples(index=False)
    )
    return Table("", ("rank", "student", "models", "log loss", "more than the first"), rows, note=RANKS)
