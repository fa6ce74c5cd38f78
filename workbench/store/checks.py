"""Whether what a store says can be believed: it is a file that anybody may have written.

A store is read by programs that count on every field; what does not fit is told in one sentence before any
of them meets it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from workbench.base import catalogue
from workbench.base.cell import ENDED_WITHOUT_SCORES
from workbench.base.errors import WorkbenchError
from workbench.base.names import check_name
from workbench.base.score_key import CUTOFFS, PREFERRED_PRIORS, PREFERRED_ROWS
from workbench.study.scores import Scores

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


def read_study(text: object) -> dict[str, Any]:
    """Read the description of a study, as `Study.describe` gives it."""
    study = read_json(text, "its study")
    what = "its study"
    expect(isinstance(study, dict), what, "is no table")
    expect(type(study.get("seed")) is int and study["seed"] >= 0, what, "has no seed")
    check_name(study.get("name"), "the name of the store's study")
    for key, kinds in (("sources", dict | list), ("learners", dict)):
        members = study.get(key)
        sound = isinstance(members, list) and all(_is_member(member, kinds) for member in members)
        expect(sound and members, what, f"has no {key}")
        for name, _ in members:
            check_name(name, f"a key among the {key} of the store's study")
    expect(all(_is_learner(identity) for _, identity in study["learners"]), what, "has other learners")
    expect(all(_is_source(identity) for _, identity in study["sources"]), what, "has other sources")
    _check_design(study.get("design"))
    _check_scores(study.get("scores"))
    expect(_is_words(study.get("compared")), what, "has no list of the learners compared")
    return study


def check_words(keys: Iterable[Sequence[object]]) -> None:
    """Raise WorkbenchError unless the metric, prior, rows and cut-off of every score are words of these."""
    for metric, *words in keys:
        check_name(metric, "a metric of the store's scores")
        for (what, known), word in zip(WORDS.items(), words, strict=True):
            expect(word in known, "its scores", f"have a {what} that is none")


def _check_design(design: Any) -> None:
    sound = isinstance(design, list) and len(design) == 2 and isinstance(design[0], str)
    expect(sound and isinstance(design[1], dict), "its study", "has no design")
    kind, options = design
    if kind not in catalogue.keys("designs"):
        return  # of a package that is not installed here; tables and reports make do with the cells
    try:
        catalogue.find("designs", kind)(**{name: _as_tuple(value) for name, value in options.items()})
    except (TypeError, ValueError) as error:
        raise damaged("its study", f"has a design that cannot be made ({error})") from error


def _check_scores(scores: Any) -> None:
    what = "its study"
    expect(isinstance(scores, dict), what, "has no scores")
    expect(_is_words(scores.get("metrics")) and scores["metrics"], what, "has no metrics")
    for name in scores["metrics"]:
        check_name(name, "a metric of the store's study")
    for key, known in Scores.WORDS.items():
        sound = _is_words(scores.get(key)) and set(scores[key]) <= set(known)
        expect(sound, what, f"has {key} that are none")
    expect(set(scores) <= {"metrics", "definitions", *Scores.WORDS}, what, "has scores of another kind")


def _is_member(member: Any, kinds: Any) -> bool:
    return isinstance(member, list) and len(member) == 2 and isinstance(member[1], kinds)


def _is_learner(identity: Mapping[str, Any]) -> bool:
    return isinstance(identity.get("class", ""), str) and isinstance(identity.get("parameters", {}), dict)


def _is_source(identity: Any) -> bool:
    """Return whether an identity is that of a generator, of truths, or of a table."""
    if isinstance(identity, list):
        return all(isinstance(one, dict) and isinstance(one.get("truth"), str) for one in identity)
    words = [identity.get(key, "") for key in ("generator", "truth", "table")]
    return all(isinstance(word, str) for word in words) and isinstance(identity.get("parameters", {}), dict)


def _is_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def expect(sound: Any, what: str, trouble: str) -> None:
    """Raise WorkbenchError unless what a store says is sound."""
    if not sound:
        raise damaged(what, trouble)


def damaged(what: str, trouble: str) -> WorkbenchError:
    """Make the error of a store that says what no run writes."""
    return WorkbenchError(f"the store is damaged: {what} {trouble}; put back a copy of it, or give another")


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


def check_cells(cells: pd.DataFrame, study: Mapping[str, Any]) -> None:
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
    told = cells["message"].notna() | ~cells["state"].isin(ENDED_WITHOUT_SCORES)
    expect(told.all(), what, "came to nothing without a reason")
    sources = [key for key, _ in study["sources"]]
    expect(cells["source"].isin(sources).all(), what, "are of sources that the study has not")
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
