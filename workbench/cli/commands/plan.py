"""`workbench plan`: what more rows of a table would bring each learner."""

import math
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workbench.base.errors import WorkbenchError
from workbench.cli.options import (
    ClassName,
    Decimal,
    Drop,
    Encoding,
    Header,
    Missing,
    Nominal,
    Sep,
    as_typed,
    file_options,
    find_own_modules,
    say,
    separated,
)

if TYPE_CHECKING:
    from workbench.planning.plan import Plan

__all__ = ["plan"]

#: Width of sentences in a terminal.
WIDTH = 100


def plan(
    table: Annotated[
        Path,
        typer.Argument(
            help="A table: .csv, .tsv, .txt, .arff (or these with .gz) or .parquet.", show_default=False
        ),
    ],
    class_: ClassName = None,
    rows: Annotated[
        str | None,
        typer.Option(
            help="Numbers of rows to ask about, separated by commas, up to 16 times the present one; by "
            "default 4 times, and 16 times with --loss."
        ),
    ] = None,
    learners: Annotated[
        str,
        typer.Option(
            help="Learners, separated by commas: keys that workbench list learners shows, or "
            "package.module:Class."
        ),
    ] = "nb,tan,aode,kdb,ande",
    loss: Annotated[
        str | None,
        typer.Option(
            help="A log loss in bits, or a share of the lowest one now, such as 90%: what rows may it take?",
            show_default=False,
        ),
    ] = None,
    drop: Drop = None,
    nominal: Nominal = None,
    sep: Sep = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    header: Header = None,
    missing: Missing = None,
    seed: Annotated[int, typer.Option(help="All random numbers derive from it.")] = 0,
    to: Annotated[
        Path | None,
        typer.Option(help="The page: .html, .md, .tex or .csv; by default the table's name with .plan.html."),
    ] = None,
) -> None:
    """Estimate what more rows of a table would bring each learner, with intervals.

    Cross-validates learners now, in log loss, and estimates their losses after more rows in two ways: on
    networks learned from the table, its twins, and by extrapolation. Prints the answer and a table, and
    writes a page with learning curves.
    """
    from workbench.engine.progress import for_stderr
    from workbench.planning.document import table_at
    from workbench.planning.plan import plan as plan_rows
    from workbench.planning.table import PlanTable
    from workbench.report.renderers.forms import check_places
    from workbench.report.renderers.terminal import lines_of
    from workbench.study.dataset_source import is_file_name
    from workbench.study.given_sources import one_table

    find_own_modules()
    if not is_file_name(table):
        raise WorkbenchError(
            f"{table} is no table: expected a file that ends in .csv, .tsv, .arff or .parquet"
        )
    page = to or Path(f"{_stem(table)}.plan.html")
    check_places((page,))
    options = file_options(
        class_=class_, nominal=nominal, drop=drop, sep=sep, decimal=decimal,
        encoding=encoding, header=header, missing=missing,
    )  # fmt: skip
    source = one_table({"dataset": str(table), **options})
    if source.doubt_of_class:
        say(source.doubt_of_class)
    X, y = source.content.X, source.content.y
    first = (_asked(table, y.name, drop, nominal), *PlanTable.of(source, None).notes)
    for sentence in first:  # before the minutes that a plan takes
        typer.echo(textwrap.fill(as_typed(sentence), WIDTH))
    wished = None if loss is None else _loss(loss, len(source.content.classes))
    try:
        found = plan_rows(
            source,
            learners=_by_class(separated(learners) or ()),
            rows=_numbers(rows, len(X), wished),
            seed=seed,
            progress=for_stderr("fits"),
        )
        found = replace(found, notes=tuple(dict.fromkeys((*first, *found.notes))))
        bits = wished(found) if wished else None
        for sentence in (*found.notes[len(first) :], *found.sentences):
            typer.echo(textwrap.fill(sentence, WIDTH))
        for line in lines_of([table_at(found, n) for n in found.rows]):
            typer.echo(line)
        if bits is not None:
            for key in found.learners:
                typer.echo(f"{bits:.3g} bits, {key}: {found.rows_needed(key, bits).words}")
        found.report(page, loss=bits)
    except KeyboardInterrupt:
        say("stopped: no page was written")
        raise typer.Exit(130) from None
    typer.echo(f"page {page}")


def _stem(table: Path) -> str:
    """Return the name of a table without its ending."""
    name = table.name.removesuffix(".gz")
    return name.removesuffix(Path(name).suffix)


def _by_class(words: Sequence[str]) -> dict[str, str] | list[str]:
    """Name classes of other packages by their last part, unless two are called alike."""
    names = [word.rpartition(":")[2] for word in words]
    return dict(zip(names, words, strict=True)) if len(set(names)) == len(names) else list(words)


def _asked(table: Path, class_name: object, drop: str | None, nominal: str | None) -> str:
    """Say what the plan is of."""
    parts = [f"The table is {table.name}, the class {class_name}"]
    parts += [f"left out as asked: {drop}"] if drop else []
    parts += [f"nominal as asked: {nominal}"] if nominal else []
    return f"{'; '.join(parts)}."


def _loss(word: str, n_classes: int) -> "Callable[[Plan], float]":
    """Read a loss in bits, or as a share of the lowest one now."""
    from workbench.planning.needs import check_loss

    share = word.endswith("%")
    try:
        value = float(word.removesuffix("%"))
    except ValueError:
        raise WorkbenchError(
            f"--loss is {word!r}: expected bits, such as 0.5, or a share, such as 90%"
        ) from None
    check_loss(value)
    if not share and value > math.log2(n_classes):
        raise WorkbenchError(
            f"--loss is {word} bits, more than even odds of {n_classes} classes lose; for a share write "
            f"{word}%"
        )
    return lambda plan: value / 100 * float(plan.present.mean.min()) if share else value


def _numbers(rows: str | None, n_rows: int, wished: object) -> list[int] | None:
    """Read numbers of rows; commas separate them."""
    from workbench.planning.table import FARTHEST, USUAL

    if rows is None:
        return None if wished is None else [USUAL * n_rows, FARTHEST * n_rows]
    if re.fullmatch(r"\d{1,3}(,\d{3})+", rows) and int(rows.partition(",")[0]) <= n_rows:
        raise WorkbenchError(f"--rows is {rows}: commas separate numbers, so write {rows.replace(',', '')}")
    return [_number(word) for word in rows.split(",")]


def _number(word: str) -> int:
    """Read a number of rows, also one with thousands set apart by underscores."""
    try:
        return int(word)
    except ValueError:
        raise WorkbenchError(
            f"--rows has {word.strip()!r}: expected whole numbers, such as 4000 or 4000,8000"
        ) from None
