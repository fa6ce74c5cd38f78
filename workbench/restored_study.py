"""Sources and design of a stored study, so that its problems can be posed again without its learners."""

import json
import sqlite3
import tomllib
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench import catalogue, schema
from workbench.data_folder import TABLES_KEY, remembered
from workbench.errors import WorkbenchError, nearest
from workbench.learner_spec import LearnerSpec
from workbench.seeds import canonical
from workbench.source import Source
from workbench.stored import Stored
from workbench.study import Study
from workbench.table_source import TableSource, named_table

__all__ = ["Restored", "restore"]

#: Stands for the learners, which have no part in what is asked.
STAND_IN = "prior"


@dataclass(frozen=True)
class Restored:
    """What can be posed again.

    Parameters
    ----------
    study : Study
        Name, seed, design and the sources that are there again; its learner only stands for the others.
    left_out : tuple of str
        A sentence for each source that is not.
    """

    study: Study
    left_out: tuple[str, ...]


def restore(
    stored: Stored, path: Path, *, data: str | Path | None = None, on: Mapping[str, Any] | None = None
) -> Restored:
    """Make the sources of the study that a store has seen last.

    Parameters
    ----------
    stored : Stored
    path : Path
        The store.
    data : str or Path, optional
        Folder of data sets; by default the environment's WORKBENCH_DATA, else the one that the store
        remembers.
    on : mapping of str to (X, y), truth or sequence of truths, optional
        Sources that were handed over in Python, by their keys.

    Returns
    -------
    Restored

    Raises
    ------
    WorkbenchError
        If a source is not what the study met, none can be had, or the data folder is gone.
    """
    toml = stored.runs["toml"].iloc[-1]
    given = _given(on or {}, [key for key, _ in stored.study["sources"]])
    known = _told(toml, data, path) if isinstance(toml, str) else _described(stored.study, data, path)
    sources = [given.get(key) or known.get(key) for key, _ in stored.study["sources"]]
    left_out = tuple(
        f"source {key!r} was handed over in Python and is not kept in {path}: hand it over again, "
        f"workbench.rescore({str(path)!r}, ..., on={{{key!r}: ...}})"
        for (key, _), source in zip(stored.study["sources"], sources, strict=True)
        if source is None
    )
    there = tuple(source for source in sources if source is not None)
    if not there:
        raise WorkbenchError("; ".join(left_out))
    kind, options = stored.study["design"]
    design = catalogue.find("designs", kind)(**{name: _as_tuple(value) for name, value in options.items()})
    learners = (LearnerSpec(STAND_IN, learner=STAND_IN),)
    study = Study(stored.study["name"], stored.study["seed"], there, learners, design)
    _check_same(study, dict(stored.study["sources"]))
    return Restored(study, left_out)


def _given(on: Mapping[str, Any], keys: list[str]) -> dict[str, Source | TableSource]:
    sources: dict[str, Source | TableSource] = {}
    for key, value in on.items():
        if key not in keys:
            raise WorkbenchError(f"`on` holds {key!r}, no source of the study: {nearest(key, keys)}")
        if isinstance(value, tuple) and len(value) == 2 and not any(hasattr(v, "posterior") for v in value):
            sources[key] = TableSource(key, rows=value)
        else:
            sources[key] = Source(key, truths=tuple(value) if isinstance(value, list | tuple) else (value,))
    return sources


def _told(toml: str, data: str | Path | None, path: Path) -> dict[str, Source | TableSource]:
    """Read the sources from the study's text; what it says of learners and scores may be gone by now."""
    import tomlkit

    text = {name: value for name, value in tomllib.loads(toml).items() if name not in ("compared", "scores")}
    study = Study.from_toml(tomlkit.dumps({**text, "learners": [STAND_IN]}), data=data, store=path)
    return {source.key: source for source in study.sources}


def _described(
    study: Mapping[str, Any], data: str | Path | None, path: Path
) -> dict[str, Source | TableSource]:
    """Make generators and named data sets from their record, where TOML could not say the study."""
    memory = None if data else remembered(path)
    with closing(schema.read_only(path)) as connection:
        names = _names_of_tables(connection)
    sources: dict[str, Source | TableSource] = {}
    for key, identity in study["sources"]:
        if "generator" in identity:
            sources[key] = Source(key, identity["generator"], identity["parameters"])
        elif "table" in identity and identity["table"] in names:
            sources[key] = named_table(key, names[identity["table"]], data, memory)
    return sources


def _names_of_tables(connection: sqlite3.Connection) -> dict[str, str]:
    """Give the names of the data sets of the last run by their hashes."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (TABLES_KEY,)).fetchone()
    return {facts[0]: name for name, facts in json.loads(row[0]).items()} if row else {}


def _check_same(study: Study, recorded: Mapping[str, Any]) -> None:
    """Make sure that every source is what the store says that the study met."""
    for key, identity in study.describe()["sources"]:
        if canonical(identity) == canonical(recorded[key]):
            continue
        source = study.source(key)
        if isinstance(source, TableSource):
            what, remedy = "has other rows", "go back to those of then"
            if source.is_named:
                remedy = "name the folder that has those of then, --data (data= in Python)"
        else:
            what = "is another generator, another version of it, or another truth"
            remedy = "go back to that of then"
        raise WorkbenchError(
            f"source {key!r} {what} than when the study was run: {remedy}, or run the study in a new store; "
            "nothing was written"
        )


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
