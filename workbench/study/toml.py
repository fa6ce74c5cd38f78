"""Studies as plain data and TOML: reading, with errors that name the nearest key, and writing."""

import functools
import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.base import catalogue
from workbench.base.checks import check_file_name, check_name
from workbench.base.errors import WorkbenchError, nearest
from workbench.base.identity import changed_parameters, place_of
from workbench.base.legacy_options import LEGACY_OPTIONS
from workbench.base.text import article
from workbench.study.dataset_source import FILE_OPTIONS, DatasetSource, keys_of, named_dataset
from workbench.study.known_data import Memory
from workbench.study.learner_spec import LearnerSpec
from workbench.study.metric_spec import MetricSpec
from workbench.study.rows_source import AnySource, RowsSource
from workbench.study.scores import Scores
from workbench.study.source import Source, check_alterations, read_truth
from workbench.study.study import Study, usual_design

if TYPE_CHECKING:
    from workbench.designs._shared.base import Design

__all__ = ["content_of", "default_store", "design_of", "read_study", "sources_of", "text_of", "write_study"]

#: Of study files, which all versions 1.x of this package read. A file without a version is of version 1.
VERSION = 1
TOP = ("version", "name", "seed", "keep_predictions", "compared", "sources", "learners", "design", "scores")
NEEDED = ("name", "seed", "sources", "learners")
BACKSLASHES = (
    "a backslash between double quotes is an escape, so write a path of Windows as 'C:\\data\\table.csv' in "
    "single quotes or as C:/data/table.csv"
)
#: Keys of a learner's entry that are not its parameters.
OF_LEARNER = ("key", "learner", "input", *LEGACY_OPTIONS)
#: The same of a source.
OF_SOURCE = ("key", "generator", "suite", "place", "file", "json", "dataset", "seeds")
#: The largest number that a design takes.
MOST = 10**9


def read_study(place: str | Path, *, data: str | Path | None = None, memory: Memory | None = None) -> Study:
    """Read a study from a TOML file or from TOML text. `workbench.read_study` documents the options."""
    table, folder = _read(place)
    _check_keys(table, TOP, "a study")
    _check_version(table.get("version", VERSION))
    for key in NEEDED:
        _check_there(table, key)
    sources = sources_of([_table(e, "a source") for e in _list(table, "sources")], folder, data, memory)
    usual = usual_design(sources)
    design = _table(table["design"], "the design") if "design" in table else None
    return Study(
        name=table["name"],
        seed=table["seed"],
        sources=sources,
        learners=tuple(_learner(entry) for entry in _list(table, "learners")),
        design=usual if design is None else design_of(design, usual.key),
        scores=_scores(_table(table.get("scores", {}), "scores")),
        keep_predictions=table.get("keep_predictions", True),
        compared=tuple(_list(table, "compared")) if "compared" in table else (),
    )


def default_store(place: str | Path) -> Path:
    r"""Return the default store of a study: its name with .db."""
    table = _read(place)[0]
    _check_there(table, "name")
    name = table["name"]
    check_name(name, "the study's name")
    check_file_name(
        str(name), "the study's name", "give the study another name, or name the store, --store FILE.db"
    )
    return Path(f"{name}.db")


def write_study(study: Study) -> str:
    """Write a study as the TOML text of an equal study. See `workbench.write_study`."""
    if not isinstance(study, Study):
        raise WorkbenchError(
            f"cannot write {article(type(study).__name__)} as TOML: expected a Study, as read_study "
            "returns. For the study of a store, see the TOML in its report"
        )
    return text_of(_content(study, lambda entry, key: entry()))


def text_of(content: Mapping[str, Any]) -> str:
    """Write the plain data of a study as TOML."""
    import tomlkit
    from tomlkit.exceptions import ConvertError

    try:
        return tomlkit.dumps({"version": VERSION, **content})
    except (ConvertError, TypeError, ValueError) as error:
        raise WorkbenchError(
            f"study {content['name']!r} has a parameter that TOML cannot express: {error}"
        ) from error


def content_of(study: Study) -> dict[str, Any]:
    """Describe a study as plain data. A member that only Python can express has only its key."""
    return _content(study, _plain)


def _content(study: Study, write: Callable[[Callable[[], Any], str], Any]) -> dict[str, Any]:
    options = {one.name: getattr(study.design, one.name) for one in fields(study.design)}  # type: ignore[arg-type]
    try:
        design = _as_json(options)
    except (TypeError, ValueError) as error:
        raise WorkbenchError(
            f"design {study.design.key!r} has an option that a store cannot keep ({error}): expected "
            "numbers, text and lists of these"
        ) from error
    own = {spec.key: spec for spec in study.scores.definitions}
    metrics = [
        write(functools.partial(_metric_table, own[key]), key) if key in own else key
        for key in study.scores.metrics
    ]
    return {
        "name": study.name,
        "seed": study.seed,
        "keep_predictions": study.keep_predictions,
        "compared": list(study.compared),
        "sources": [write(functools.partial(_source_table, one), one.key) for one in study.sources],
        "learners": [write(functools.partial(_learner_table, one), one.key) for one in study.learners],
        "design": {"kind": _kind_of(study.design)}
        | {name: value for name, value in design.items() if value is not None},
        "scores": {"metrics": metrics} | {name: list(getattr(study.scores, name)) for name in Scores.WORDS},
    }


def _plain(entry: Callable[[], Any], key: str) -> Any:
    try:
        return _as_json(entry())
    except (WorkbenchError, TypeError, ValueError):  # what neither TOML nor JSON can express
        return {"key": key}


def _as_json(value: Any) -> Any:
    """Return plain data as read from a store, or raise TypeError or ValueError for anything else."""
    return json.loads(json.dumps(_with_lists(value)))


def _with_lists(value: Any) -> Any:
    """Return plain data with lists for tuples, or raise TypeError for a table whose keys are not text."""
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise TypeError(f"{value!r} has keys that are not text")
        return {key: _with_lists(own) for key, own in value.items()}
    if isinstance(value, list | tuple):
        return [_with_lists(own) for own in value]
    return value.item() if isinstance(value, np.generic) else value


def _read(place: str | Path) -> tuple[dict[str, Any], Path]:
    """Parse a study, and return the folder that its file names are relative to."""
    if isinstance(place, str) and "\n" in place:
        text, folder = place, Path()
    else:
        text, folder = _text(Path(place), "study file"), Path(place).parent
    try:
        return tomllib.loads(text), folder
    except RecursionError as error:
        raise WorkbenchError("the study cannot be read: its TOML is nested too deeply") from error
    except ValueError as error:  # of TOML, or of a number with thousands of digits
        hint = f"; {BACKSLASHES}" if "Unescaped" in str(error) or "hex" in str(error) else ""
        raise WorkbenchError(f"the study is not TOML: {error}{hint}") from error


def _check_there(table: Mapping[str, Any], key: str) -> None:
    if key not in table:
        raise WorkbenchError(f"the study has no {key!r}: every study needs name, seed, sources and learners")


def _text(path: Path, what: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise WorkbenchError(f"there is no {what} {path}") from error
    except (OSError, ValueError) as error:
        raise WorkbenchError(f"the {what} {path} cannot be read: {error}") from error


def sources_of(
    entries: list[dict[str, Any]], folder: Path, data: str | Path | None, memory: Memory | None
) -> tuple[AnySource, ...]:
    """Read the entries. Each is one source, or several data sets."""
    unnamed = [str(name) for entry in entries if "key" not in entry for name in _datasets(entry)]
    keys = iter(keys_of(unnamed))
    sources: list[AnySource] = []
    for entry in entries:
        names = _datasets(entry)
        for name in names:
            if isinstance(name, str) and not name.isprintable():
                raise WorkbenchError(
                    f"a source has the data set {name!r}, which contains control characters: {BACKSLASHES}"
                )
        if "suite" in entry:
            sources += _suite(entry)
            continue
        if "dataset" not in entry:
            sources.append(_source(entry, folder))
            continue
        _check_keys(entry, ("key", "dataset", *FILE_OPTIONS), "a source of a data set")
        if "key" in entry and len(names) > 1:
            raise WorkbenchError(
                f"the key {entry['key']!r} stands for {len(names)} data sets: give each its own entry"
            )
        own = [entry["key"]] if "key" in entry else [next(keys) for _ in names]
        options = {field: entry[word] for word, field in FILE_OPTIONS.items() if word in entry}
        sources += [
            named_dataset(str(key), name, data, memory, **options)
            for key, name in zip(own, names, strict=False)
        ]
    return tuple(sources)


def _suite(entry: dict[str, Any]) -> list[Source]:
    """Return a source for each kind of truth, or place, of a suite, altered as specified in its entry."""
    from generators.suites.places import MAP
    from generators.suites.suite import suite

    options = {name: value for name, value in entry.items() if name not in ("suite", "place", "key")}
    check_alterations(options, f"suite {entry['suite']!r}")
    name = entry["suite"]
    try:
        if "place" in entry:
            key = str(entry.get("key", entry["place"]))
            return [Source(key, parameters=options, suite=name, place=entry["place"])]
        places = [place.key for place in suite(name).places if place.part == MAP]
        if places:
            return [Source(place, parameters=options, suite=name, place=place) for place in places]
        kinds = suite(name).by_kind()
    except ValueError as error:
        raise WorkbenchError(str(error)) from error
    return [Source(kind, parameters=options, truths=truths) for kind, truths in kinds.items()]


def _datasets(entry: dict[str, Any]) -> list[Any]:
    names = entry.get("dataset", [])
    return names if isinstance(names, list) else [names]


def _source(entry: dict[str, Any], folder: Path) -> Source:
    ways = [way for way in ("generator", "file", "json") if way in entry]
    if len(ways) != 1:
        raise WorkbenchError("a source needs one of 'generator', 'suite', 'file', 'json' and 'dataset'")
    value = entry.pop(ways[0])
    key = entry.pop("key", None)
    if ways == ["generator"]:
        if not isinstance(value, str):
            raise WorkbenchError(f'a source has generator = {value!r}: expected a key such as "tan"')
        seeds = entry.pop("seeds", None)
        return Source(key or value, generator=value, parameters=entry, seeds=seeds)
    texts = value if isinstance(value, list) else [value]
    if not texts or not all(isinstance(text, str) for text in texts):
        raise WorkbenchError(f"a source has {ways[0]} = {value!r}: expected text, or a list of texts")
    if ways == ["file"]:
        key = key or Path(texts[0]).stem
        truths = [_truth_of_file(folder / name, entry) for name in texts]
        entry.pop("class", None)
    else:
        truths = [read_truth(text) for text in texts]
    return Source(key or "truths", parameters=entry, truths=tuple(truths))


def _truth_of_file(path: Path, entry: Mapping[str, Any]) -> Any:
    from generators.networks.network_file import ENDINGS, read_network

    if path.suffix.lower() in ENDINGS:
        try:
            return read_network(path, entry.get("class"))
        except FileNotFoundError as error:
            raise WorkbenchError(f"there is no truth file {path}") from error
        except (OSError, ValueError) as error:
            raise WorkbenchError(f"the truth file {path} cannot be read: {error}") from error
    if "class" in entry:
        raise WorkbenchError(
            f"a source has class = {entry['class']!r}, but {path} declares its class: leave it out"
        )
    text = _text(path, "truth file")
    if not text.strip():
        raise WorkbenchError(f"the truth file {path} is empty: expected the text of a truth's to_json")
    return read_truth(text, f"the truth file {path}")


def _learner(entry: object) -> LearnerSpec:
    if isinstance(entry, str):
        return LearnerSpec(entry, learner=entry)
    table = _table(entry, "a learner")
    if "learner" not in table:
        raise WorkbenchError("a learner's table needs 'learner', a key of the catalogue such as \"nb\"")
    learner = table.pop("learner")
    given = {word: table.pop(word) for word in ("input", *LEGACY_OPTIONS) if word in table}
    return LearnerSpec(table.pop("key", learner), learner=learner, parameters=table, **given)


def design_of(table: dict[str, Any], usual: str) -> "Design":
    """Make a design of its kind and options."""
    from workbench.designs._shared.base import Design

    word = table.pop("kind", usual)
    if not isinstance(word, str):
        raise WorkbenchError(f'the design has kind = {word!r}: expected a key such as "fresh_samples"')
    kind = catalogue.find("designs", word)
    if not isinstance(kind, type) or not issubclass(kind, Design) or not is_dataclass(kind):
        raise WorkbenchError(f"the design has kind = {word!r}, which is not a design")
    _check_keys(table, [f.name for f in fields(kind)], f"design {kind.key!r}")
    for name, value in table.items():
        for number in value if isinstance(value, list) else [value]:
            if isinstance(number, int) and number > MOST:
                raise WorkbenchError(f"the design has {name} = {number}: expected at most {MOST}")
    return kind(**{name: tuple(v) if isinstance(v, list) else v for name, v in table.items()})


def _scores(table: dict[str, Any]) -> Scores:
    _check_keys(table, ("metrics", *Scores.WORDS), "scores")
    return Scores(**table)


def _source_table(source: AnySource) -> dict[str, Any]:
    if isinstance(source, RowsSource):
        if not isinstance(source, DatasetSource) or source.dataset is None:
            raise WorkbenchError(f"source {source.key!r} has rows that TOML cannot express: name a file")
        return {"key": source.key, "dataset": source.dataset, **source.options}
    parameters = _of_member(source.parameters, f"source {source.key!r}", OF_SOURCE)
    if source.suite is not None:
        return {"key": source.key, "suite": source.suite, "place": source.place, **parameters}
    if source.generator is not None:
        seeds = {"seeds": source.seeds} if source.seeds else {}
        return {"key": source.key, "generator": source.generator, **seeds, **parameters}
    return {"key": source.key, "json": [truth.to_json() for truth in source.truths], **parameters}


def _learner_table(spec: LearnerSpec) -> str | dict[str, Any]:
    given = {**({} if spec.input is None else {"input": spec.input}), **spec.legacy_options}
    if spec.learner is None:
        return {"key": spec.key, **given, **_estimator_table(spec.estimator)}
    if spec.key == spec.learner and not spec.parameters and not given:
        return spec.key
    parameters = _of_member(spec.parameters, f"learner {spec.key!r}", OF_LEARNER)
    return {"key": spec.key, "learner": spec.learner, **given, **parameters}


def _metric_table(spec: MetricSpec) -> dict[str, Any]:
    return _of_python(spec.table)


def _kind_of(design: "Design") -> str:
    """Return the key of a design, or its place if the catalogue has no such design."""
    kind = type(design)
    known = design.key in catalogue.keys("designs") and catalogue.find("designs", design.key) is kind
    return design.key if known else place_of(kind)


def _estimator_table(estimator: Any) -> dict[str, Any]:
    """Write an estimator as its class and the parameters that are not the default."""
    kind = type(estimator)
    parameters = _of_member(changed_parameters(estimator), kind.__name__, OF_LEARNER)
    if not hasattr(kind, "study_key"):
        return {"learner": f"{kind.__module__}:{kind.__qualname__}", **parameters}
    # The function of the key reads tables of learners where the class takes estimators.
    nested = {name: _estimator_table(v) for name, v in parameters.items() if hasattr(v, "get_params")}
    return {"learner": kind.study_key, **parameters, **nested}


def _of_member(parameters: Mapping[str, Any], what: str, words: Iterable[str]) -> dict[str, Any]:
    """Refuse parameters that would be read as keys of the entry."""
    for name in words:
        if name in parameters:
            raise WorkbenchError(
                f"{what} has the parameter {name} = {parameters[name]!r}, which is a key of every such "
                "entry in TOML: compare it in Python, or give the parameter another name"
            )
    return _of_python(parameters)


def _of_python(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Convert numpy numbers to Python's, which TOML can express."""
    return {name: v.item() if isinstance(v, np.generic) else v for name, v in parameters.items()}


def _table(entry: object, what: str) -> dict[str, Any]:
    if not isinstance(entry, Mapping):
        raise WorkbenchError(f"{what} is {entry!r}: expected a table")
    return dict(entry)


def _list(table: Mapping[str, Any], key: str) -> list[Any]:
    if not isinstance(table[key], list):
        raise WorkbenchError(f"{key} is {table[key]!r}: expected a list")
    return table[key]


def _check_version(version: object) -> None:
    if version is True or version != VERSION:
        raise WorkbenchError(
            f"the study file has version = {version!r}: this workbench reads version {VERSION}, so leave the "
            "key out, or install the version of learner-workbench that wrote the file"
        )


def _check_keys(table: Iterable[str], known: Iterable[str], what: str) -> None:
    for key in table:
        if key not in known:
            raise WorkbenchError(f"unknown key {key!r} in {what}; {nearest(key, known)}")
