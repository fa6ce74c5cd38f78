"""Checks of a store's content, which anybody may have written.

Readers rely on every field, so whatever does not fit is reported in one sentence before they see it.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from workbench.base.cell import ENDED_WITHOUT_SCORES
from workbench.base.checks import check_name
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import CUTOFFS, PREFERRED_PRIORS, PREFERRED_ROWS
from workbench.study.record import StudyRecord

__all__ = [
    "STATES",
    "check_words",
    "damaged",
    "expect",
    "read_json",
    "read_study",
]

STATES = ("pending", "done", *ENDED_WITHOUT_SCORES)
WORDS = {"prior": PREFERRED_PRIORS, "rows": PREFERRED_ROWS, "cutoff": CUTOFFS}


def read_json(text: object, what: str) -> Any:
    """Read JSON of a store."""
    try:
        return json.loads(text)  # type: ignore[arg-type]
    except (TypeError, ValueError, RecursionError) as error:
        raise damaged(what, "is not JSON") from error


def read_study(text: object) -> StudyRecord:
    """Read the record of a study."""
    try:
        return StudyRecord.from_json(text)
    except WorkbenchError as error:
        raise _damaged(str(error)) from error


def check_words(keys: Iterable[Sequence[object]]) -> None:
    """Raise WorkbenchError if the metric, prior, rows or cut-off of a score is unknown."""
    for metric, *words in keys:
        check_name(metric, "a metric of the store's scores")
        for (what, known), word in zip(WORDS.items(), words, strict=True):
            expect(
                word in known,
                "its scores",
                f"have the unknown {what} {word!r}: expected one of {', '.join(known)}",
            )


def expect(sound: Any, what: str, trouble: str) -> None:
    """Raise WorkbenchError unless a condition on a store's content holds."""
    if not sound:
        raise damaged(what, trouble)


def damaged(what: str, trouble: str) -> WorkbenchError:
    """Return the error for a store with content that no run writes."""
    return _damaged(f"{what} {trouble}")


def _damaged(trouble: str) -> WorkbenchError:
    return WorkbenchError(f"the store is damaged: {trouble}; restore a copy of it, or use another")
