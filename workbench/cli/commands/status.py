"""`workbench status`: how complete a store is."""

import typer

from workbench.cli.options import Store

__all__ = ["status"]


def status(store: Store) -> None:
    """Report how complete a store is: cells by state, failures, missing scores."""
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
        why = f": {'; '.join(counts.changes)}" if counts.changes else ""
        typer.echo(f"{count_of(counts.n_earlier, 'cell')} of earlier runs are kept and not shown{why}")
    lines = (*failure_lines(counts.ended), *missing_lines(counts, store), *added_lines(counts, store))
    for line in (*lines, *counts.not_reproducible):
        typer.echo(line)
