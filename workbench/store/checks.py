"""Whether what a store says can be believed: it is a file that anybody may have written.

A store is read by programs that count on every field; what does not fit is reported in one sentence before
any of them meets it.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

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
    "check_cells",
    "check_numbers",
    "check_runs",
]

STATES = ("pending", "done", *ENDED_WITHOUT_SCORES)
WORDS = {"prior": PREFERRED_PRIORS, "rows": PREFERRED_ROWS, "cutoff": CUTOFFS}


def read_json(text: object, what: str) -> Any:
    """Read JSON of a store."""
    try:
        return json.loads(text)  # type: ignore[arg-type]
    except (TypeError, ValueError, RecursionError) as error:
        raise damaged(what, "is no JSON") from error


def read_study(text: object) -> StudyRecord:
    """Read the record of a study."""
    try:
        return StudyRecord.from_json(text)
    except WorkbenchError as error:
        raise _damaged(str(error)) from error


def check_words(keys: Iterable[Sequence[object]]) -> None:
    """Raise WorkbenchError unless the metric, prior, rows and cut-off of every score are words of these."""
    for metric, *words in keys:
        check_name(metric, "a metric of the store's scores")
        for (what, known), word in zip(WORDS.items(), words, strict=True):
            expect(word in known, "its scores", f"have a {what} that is none")


def expect(sound: Any, what: str, trouble: str) -> None:
    """Raise WorkbenchError unless what a store says is sound."""
    if not sound:
        raise damaged(what, trouble)


def damaged(what: str, trouble: str) -> WorkbenchError:
    """Make the error of a store that says what no run writes."""
    return _damaged(f"{what} {trouble}")


def _damaged(trouble: str) -> WorkbenchError:
    return WorkbenchError(f"the store is damaged: {trouble}; put back a copy of it, or give another")


COUNTS = ("cell", "replicate", "n_train", "training_set", "fold", "n_test", "attempts")
SECONDS = ("fit_seconds", "predict_seconds", "score_seconds")
TEXTS = ("started", "finished", "test_digest", "message", "traceback")


def check_runs(runs: pd.DataFrame) -> None:
    """Raise WorkbenchError unless every run has its times, and the last its provenance and perhaps TOML."""
    for column in ("started", "ended", "toml"):
        expect(_is_text(runs[column]), "its runs", f"have a {column} that is no text")
    expect(pd.api.types.is_integer_dtype(runs["computed"].dtype), "its runs", "have no number of cells")
    about = read_json(runs["provenance"].iloc[-1], "the provenance of its last run")
    sound = isinstance(about, dict) and isinstance(about.get("versions"), dict)
    expect(sound, "the provenance of its last run", "names no versions")


def check_cells(cells: pd.DataFrame, study: StudyRecord) -> None:
    """Raise WorkbenchError unless every cell has a place in the study, a state, and numbers for times."""
    what = "its cells"
    for column in COUNTS:
        expect(_is_counts(cells[column]), what, f"have a {column} that is no number")
    for column in SECONDS:
        expect(_is_numbers(cells[column]), what, f"have {column} that are no numbers")
    expect(cells["exact"].dropna().isin([0, 1]).all(), what, "do not say which are exact")
    for column in ("identity", "source", "learner"):
        sound = _is_text(cells[column]) and cells[column].notna().all()
        expect(sound, what, f"have a {column} that is no text")
    for column in TEXTS:
        expect(_is_text(cells[column]), what, f"have a {column} that is no text")
    expect(cells["state"].isin(STATES).all(), what, "have states that are none")
    reasoned = cells["message"].notna() | ~cells["state"].isin(ENDED_WITHOUT_SCORES)
    expect(reasoned.all(), what, "came to nothing without a reason")
    expect(cells["source"].isin(study.source_keys).all(), what, "are of sources that the study has not")
    for name in cells["learner"].unique():
        check_name(name, "a learner of the store's cells")
    place = ["source", "replicate", "n_train", "training_set", "fold", "learner"]
    expect(not cells.duplicated(place).any(), what, "are twice at the same place")


def check_numbers(scores: pd.DataFrame) -> None:
    """Raise WorkbenchError unless every score is a number, perhaps an infinite one."""
    expect(scores["value"].notna().all(), "its scores", "have values that are no numbers")
    expect(_is_counts(scores["n_infinite"]), "its scores", "have an n_infinite that is no number")


def _is_text(column: pd.Series) -> bool:
    """Return whether a column holds texts and holes."""
    if pd.api.types.is_string_dtype(column.dtype) and column.dtype != object:
        return True
    return all(value is None or isinstance(value, str) or value != value for value in column)


def _is_counts(column: pd.Series) -> bool:
    if column.empty:
        return True
    return pd.api.types.is_integer_dtype(column.dtype) and bool((column >= 0).all())


def _is_numbers(column: pd.Series) -> bool:
    """Return whether a column holds numbers and holes."""
    return column.isna().all() or pd.api.types.is_numeric_dtype(column.dtype)
