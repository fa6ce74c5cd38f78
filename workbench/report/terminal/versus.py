"""Learners against a base learner, in the form of Weka's tester."""

from collections.abc import Iterator
from math import nan

from workbench.analyses import VersusBase
from workbench.report.table import Cell, Number, Table, whole
from workbench.report.words import score_line

__all__ = ["versus_parts"]


def versus_parts(compared: VersusBase) -> Iterator[Table | str]:
    """Return means of all learners, marked where they differ from the base; counts; what the marks mean."""
    table = compared.table
    learners = [compared.base, *[key for key in table["learner"].unique() if key != compared.base]]
    settings = dict.fromkeys(zip(table["source"], table["n_train"], strict=True))
    cells = {(row.source, row.n_train, row.learner): row for row in table.itertuples(index=False)}
    rows: list[tuple[Cell, ...]] = []
    for source, size in settings:
        own = [cells.get((source, size, key)) for key in learners]
        means = [
            Number(cell.mean, 4, mark=cell.mark or " ") if cell else Number(nan, mark=" ") for cell in own
        ]
        rows.append((source, whole(size), *means))
    counts = ["/".join(map(str, compared.counts.loc[key])) for key in learners[1:]]
    rows.append(("wins/ties/losses", "", "", *[f"{count}  " for count in counts]))
    yield Table("", ("truths", "rows", *[f"{key}  " for key in learners]), tuple(rows))
    yield ""
    yield f"{score_line(compared.score)}: {compared.metric.measure}"
    yield f"v: better than {compared.base}, *: worse; paired t tests over truths at 5%,"
    yield "with Holm's correction within each kind of truth"
    yield from compared.notes
