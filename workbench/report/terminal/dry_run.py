"""The result of a dry run: cells to compute by learner, and how long they take."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.base.names import learner_name
from workbench.base.text import count_of
from workbench.engine.progress import clock
from workbench.report.table import Table, number, whole

if TYPE_CHECKING:
    from workbench.engine.dry_run import DryRun

__all__ = ["dry_run_parts"]

HEAD = ("learner", "to compute", "already there", "seconds")


def dry_run_parts(found: "DryRun", *, jobs: int) -> Iterator[Table | str]:
    """Return the table of learners, and a sentence on all of them."""
    rows = tuple(
        (learner_name(str(row.Index)), whole(row.to_compute), whole(row.there), number(row.seconds, 1))
        for row in found.table.itertuples()
    )
    yield Table("", HEAD, rows)
    took = ""
    if found.to_compute:
        time = "under a second" if found.seconds < 1 else f"about {clock(found.seconds)}"
        timed = f"on {count_of(found.timed, 'training set')}" if found.timed else "by earlier cells"
        if found.guessed:
            timed += f"; {found.guessed} more scaled with the number of rows"
        took = f", {time} of computing with {count_of(jobs, 'job')}, without start and report (timed {timed})"
    cells = "cells of the first round to compute" if found.more_rounds else "cells to compute"
    yield from found.failures
    yield f"{found.to_compute} {cells}, {found.there} already there{took}; nothing was kept"
