"""`workbench export`: write scores to a file that other programs read."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workbench.base.errors import WorkbenchError, check_known
from workbench.cli.options import Score, Store, separated

if TYPE_CHECKING:
    from workbench.results import Results

__all__ = ["export", "export_results"]


def export(
    store: Store,
    to: Annotated[
        Path,
        typer.Option(
            help="scores.csv or scores.parquet: one row per cell and score; .tex: the table of means of one "
            "score, as Results.latex writes it."
        ),
    ],
    score: Score = None,
    source: Annotated[
        str | None, typer.Option(help="Sources, separated by commas. Default: all.", show_default=False)
    ] = None,
    learners: Annotated[
        str | None, typer.Option(help="Learners, separated by commas. Default: all.", show_default=False)
    ] = None,
) -> None:
    """Write the scores of a store to a file."""
    from workbench.results import load

    n = export_results(load(store), to, score=score, learners=separated(learners), sources=separated(source))
    typer.echo(f"{n} rows written to {to}")


def export_results(
    results: "Results",
    to: str | Path,
    *,
    score: str | None = None,
    learners: Sequence[str] | None = None,
    sources: Sequence[str] | None = None,
) -> int:
    """Write scores as .csv or .parquet, all or some, or the table of means as .tex."""
    path = Path(to)
    if path.suffix not in (".csv", ".parquet", ".tex"):
        raise WorkbenchError(f"{path} ends in {path.suffix!r}: expected .csv, .parquet or .tex")
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".tex":
        text = results.latex(score, learners=learners, sources=sources)
        path.write_text(text, encoding="utf-8")
        return len(results.means(score, learners=learners, sources=sources))
    frame = results.frame() if score is None else results.scores(score)
    for name, kept in (("learner", learners), ("source", sources)):
        check_known(name, kept or (), getattr(results.study, f"{name}_keys"))
        frame = frame if kept is None else frame[frame[name].isin(kept)]
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path, index=False)
    return len(frame)
