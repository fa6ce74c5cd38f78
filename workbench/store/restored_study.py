"""The sources and design of a stored study, to rebuild its problems without its learners."""

import sqlite3
import tomllib
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.base.errors import WorkbenchError, nearest
from workbench.base.seeds import canonical
from workbench.store import schema
from workbench.store.data_folder import DATASETS_KEY, known_datasets, remembered
from workbench.store.reading import Stored
from workbench.study.dataset_source import DatasetSource, named_dataset
from workbench.study.given_sources import AnySource
from workbench.study.learner_spec import LearnerSpec
from workbench.study.record import StudyRecord
from workbench.study.source import Source
from workbench.study.study import Study
from workbench.study.toml import read_study
from workbench.study.trusted_code import check_generator

__all__ = ["Restored", "restore", "stored_sources"]

#: Stands in for the learners, which are not needed.
STAND_IN = "prior"


@dataclass(frozen=True)
class Restored:
    """What can be rebuilt."""

    study: Study  # the sources that are there again; its learner is a stand-in
    left_out: tuple[str, ...]  # a sentence for each source that cannot be rebuilt


def restore(
    stored: Stored, path: Path, *, data: str | Path | None = None, on: Mapping[str, AnySource] | None = None
) -> Restored:
    """Rebuild the sources of the last study of a store, but for those that are given."""
    toml = stored.runs["toml"].iloc[-1]
    given = on or {}
    for key in given:
        if key not in stored.study.source_keys:
            raise WorkbenchError(f"unknown source {key!r} in `on`; {nearest(key, stored.study.source_keys)}")
    known = (
        stored_sources(toml, data=data, path=path)
        if isinstance(toml, str)
        else _described(stored.study, data, path)
    )
    sources = [given.get(key) or known.get(key) for key in stored.study.source_keys]
    left_out = tuple(
        f"source {key!r} was passed in Python and is not kept in {path}: pass it again as then, "
        f"workbench.rescore({str(path)!r}, ..., on={{{key!r}: ...}})"
        for key, source in zip(stored.study.source_keys, sources, strict=True)
        if source is None
    )
    there = tuple(source for source in sources if source is not None)
    if not there:
        raise WorkbenchError("; ".join(left_out))
    design = stored.study.design.design()
    if design is None:
        raise WorkbenchError(
            f"the study's design {stored.study.design.key!r} comes from a package that is not installed: "
            "install it, or run the study in a new store with a design of `workbench list designs`"
        )
    learners = (LearnerSpec(STAND_IN, learner=STAND_IN),)
    study = Study(stored.study.name, stored.study.seed, there, learners, design)
    _check_same(study, stored.study)
    return Restored(study, left_out)


def stored_sources(
    toml: str, *, data: str | Path | None = None, path: Path | None = None
) -> dict[str, AnySource]:
    """Read the sources from the TOML in a store, without its learners and scores."""
    import tomlkit

    try:
        content = tomllib.loads(toml)
    except (ValueError, RecursionError) as error:
        raise WorkbenchError(f"the store is damaged: its study is not TOML ({error})") from error
    entries = content.get("sources")
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, Mapping) and "generator" in entry:
            check_generator(entry["generator"])
    text = {name: value for name, value in content.items() if name not in ("compared", "scores", "design")}
    whole = tomlkit.dumps({**text, "learners": [STAND_IN], "design": _any_design(content)})
    study = read_study(whole, data=data, memory=None if data else remembered(path))
    return {source.key: source for source in study.sources}


def _any_design(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return a placeholder design that fits the sources; the study's is read from its record."""
    entries = content.get("sources")
    on_datasets = isinstance(entries, list) and any(
        isinstance(e, Mapping) and "dataset" in e for e in entries
    )
    return {"kind": "half_splits" if on_datasets else "fresh_samples"}


def _described(study: StudyRecord, data: str | Path | None, path: Path) -> dict[str, AnySource]:
    """Rebuild generators and named data sets from the record, if TOML could not express the study."""
    memory = None if data else remembered(path)
    with closing(schema.read_only(path)) as connection:
        names = _names_of_datasets(connection, path)
    sources: dict[str, AnySource] = {}
    for source in study.sources:
        if source.generator is not None:
            check_generator(source.generator)
            sources[source.key] = Source(source.key, source.generator, source.parameters)
        elif source.place is not None:
            suite, place = source.place
            sources[source.key] = Source(source.key, parameters=source.altered, suite=suite, place=place)
        elif source.digest in names:
            sources[source.key] = named_dataset(source.key, names[source.digest], data, memory)
    return sources


def _names_of_datasets(connection: sqlite3.Connection, path: Path) -> dict[str, str]:
    """Return the names of the data sets of the last run by their hashes."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (DATASETS_KEY,)).fetchone()
    datasets = known_datasets(row[0], path) if row else {}
    return {known.digest: name for name, known in datasets.items()}


def _check_same(study: Study, recorded: StudyRecord) -> None:
    """Check that every source is the same as when the study was run."""
    for source in study.sources:
        if canonical(source.whole_identity) == canonical(recorded.source(source.key).identity):
            continue
        if isinstance(source, DatasetSource):
            what, remedy = "has other rows", "use those of that run"
            if source.is_named:
                remedy = "name the folder with those of that run, --data (data= in Python)"
        else:
            what = "is another generator, another version of it, or another truth"
            remedy = "use that of the run"
        raise WorkbenchError(
            f"source {source.key!r} {what} than when the study was run: {remedy}, or run the study in a new "
            "store; nothing was written"
        )
