"""Which scores cells lack, which they have in addition to the study's, and the command that adds them."""

import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.base.text import count_of
from workbench.cli.options import program

if TYPE_CHECKING:
    from workbench.results import Results
    from workbench.store.counts import StoredCounts

__all__ = ["added_lines", "missing_lines"]


def missing_lines(results: "Results | StoredCounts", store: Path) -> Iterator[str]:
    """Yield lines that say which scores of the study done cells lack, and how to add them."""
    missing = results.missing_scores()
    for key, n in missing.items():
        have = "has" if n == 1 else "have"
        yield f"{count_of(n, 'done cell')} {have} no {key.words}"
    sampled = dict.fromkeys(key.metric for key in missing if key.rows == "test")
    if sampled:
        yield f"add them from the stored predictions: {_command(store, sampled)}"
    theories = dict.fromkeys(key.metric for key in missing if "theory" in results.metric(key.metric).needs)
    answers = [key.rows for key in missing if key.metric not in theories]
    unkept = [rows for rows in ("exact", "training") if rows in answers]
    if unkept:
        what = f"{' and '.join(unkept)} scores"
        yield f"{what} cannot be added to cells that are done: use a new store for them"
    if theories:
        yield (
            f"learners without a theory have no {' and no '.join(theories)}. These scores cannot be added to "
            "the other cells that are done: use a new store"
        )


def added_lines(counts: "StoredCounts", store: Path) -> Iterator[str]:
    """Yield lines that say which metrics done cells have in addition to the study's."""
    for metric, n in counts.added.items():
        rest = f" ({_command(store, [metric])} adds the rest)" if n < counts.n_done else ""
        yield f"{n} of {counts.n_done} done cells have {metric}, which the study does not ask for{rest}"


def _command(store: Path, metrics: Iterable[str]) -> str:
    words = shlex.join(["score", str(store), *[word for metric in metrics for word in ("--metric", metric)]])
    return f"{program()} {words}"
