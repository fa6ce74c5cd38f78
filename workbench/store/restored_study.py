"""The sources and design of a stored study, to rebuild its problems without its learners."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workbench.base.errors import WorkbenchError, nearest
from workbench.base.seeds import canonical
from workbench.base.text import and_of
from workbench.designs import Design
from workbench.store.data_folder import remembered
from workbench.study.dataset_source import DatasetSource
from workbench.study.document import StudyDocument
from workbench.study.learner_spec import LearnerSpec
from workbench.study.rows_source import AnySource, RowsSource
from workbench.study.study import Study
from workbench.study.toml import sources_of
from workbench.study.trusted_code import check_generator

__all__ = ["Restored", "restore", "stored_sources"]

#: Stands in for the learners, which are not needed.
STAND_IN = "prior"


@dataclass(frozen=True)
class Restored:
    """The parts of a study that can be rebuilt."""

    study: Study  # the sources that are there again; its learner is a stand-in
    left_out: tuple[str, ...]  # a sentence for each source that cannot be rebuilt


def restore(
    stored: StudyDocument,
    path: Path | None,
    *,
    data: str | Path | None = None,
    on: Mapping[str, AnySource] | None = None,
    design: Design | None = None,
) -> Restored:
    """Rebuild the sources of the last study of a store, except for the given ones, or its design."""
    given = on or {}
    for key in given:
        if key not in stored.source_keys:
            raise WorkbenchError(f"unknown source {key!r} in `on`; {nearest(key, stored.source_keys)}")
    known = stored_sources(stored, data=data, path=path)
    sources = [given.get(key) or known.get(key) for key in stored.source_keys]
    lacking = [key for key, source in zip(stored.source_keys, sources, strict=True) if source is None]
    left_out = (_lacking(lacking, path),) if lacking else ()
    there = tuple(source for source in sources if source is not None)
    if not there:
        raise WorkbenchError("; ".join(left_out))
    design = design or stored.make_design()
    if design is None:
        raise WorkbenchError(
            f"the study's design {stored.design['kind']!r} comes from a package that is not installed: "
            "install it, or run the study in a new store with a design of `workbench list designs`"
        )
    learners = (LearnerSpec(STAND_IN, learner=STAND_IN),)
    study = Study(stored.name, stored.seed, there, learners, design)
    _check_same(study, stored)
    return Restored(study, left_out)


def _lacking(keys: list[str], path: Path | None) -> str:
    """Report which sources a store cannot remake, and how to pass them."""
    what, them = ("source", "it") if len(keys) == 1 else ("sources", "them")
    given = ", ".join(f"{key!r}: ..." for key in keys)
    return (
        f"{path or 'the study'} has no copy of the {what} {and_of(list(map(repr, keys)))}, passed in Python: "
        f"pass {them} again, on={{{given}}}"
    )


def stored_sources(
    study: StudyDocument, *, data: str | Path | None = None, path: Path | None = None
) -> dict[str, AnySource]:
    """Make the sources that a store can express."""
    entries = [{**study.entry(key)} for key in study.source_keys if study.is_kept(key)]
    for entry in entries:
        if "generator" in entry:
            check_generator(entry["generator"])
    sources = sources_of(entries, Path(), data, None if data else remembered(path))
    return {source.key: source for source in sources}


def _check_same(study: Study, recorded: StudyDocument) -> None:
    """Check that every source is the same as when the study was run."""
    for source in study.sources:
        if canonical(source.whole_identity) == canonical(recorded.sources[source.key]):
            continue
        if isinstance(source, RowsSource):
            what, remedy = "has other rows", "use the rows of that run"
            if isinstance(source, DatasetSource) and source.is_named:
                remedy = "name the folder with the rows of that run, --data (data= in Python)"
        else:
            what = "is another generator, another version of it, or another truth"
            remedy = "use the one of that run"
        raise WorkbenchError(
            f"source {source.key!r} {what} than when the study was run: {remedy}, or run the study in a new "
            "store"
        )
