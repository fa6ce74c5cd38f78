"""The argument `on=`: all forms of truths and of rows, distinguished in one place."""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from workbench.base.errors import LeftOutWarning, WorkbenchError, nearest
from workbench.base.text import and_of, article
from workbench.study.dataset_source import FILE_OPTIONS, DatasetSource, is_file_name, keys_of, named_dataset
from workbench.study.folder_source import is_folder, tables_of
from workbench.study.known_data import Memory
from workbench.study.rows_source import AnySource
from workbench.study.source import Source

__all__ = ["AnySource", "given_sources", "with_groups"]

#: Endings of files of networks.
NETWORKS = (".bif", ".xml", ".xmlbif", ".bifxml", ".net")
#: The forms of one value, as they are typed; a mapping gives names to several.
FORMS = (
    "truths such as generators.Network and generators.Mixture",
    "rows (X, y)",
    'the name of a data set or file, "iris" or "table.csv"',
    'a file and its class, ("table.csv", "class")',
    'options of a file, {"dataset": "table.csv", "class": "class"}',
    "or a Source, a DatasetSource or a RowsSource of your own",
)


def given_sources(on: Any, data: str | Path | None, memory: Memory | None) -> tuple[AnySource, ...]:
    """Return the sources of `on=`: a folder, one value, a list of names, or values by their names."""
    if is_folder(on):
        sources, left_out = tables_of(on)
        for why in left_out:
            warnings.warn(why, LeftOutWarning, stacklevel=4)
        return sources
    named = isinstance(on, Mapping) and not _is_entry(on) and not isinstance(on.get("dataset"), list | tuple)
    values = on if named else _named(on)
    if not values or (isinstance(on, list | tuple) and not on):
        raise WorkbenchError(f"on is {on!r}, which is empty: give a truth, a data set, or a file")
    return tuple(_source(str(key), value, data, memory) for key, value in values.items())


def with_groups(sources: tuple[AnySource, ...], groups: Any) -> tuple[AnySource, ...]:
    """Return the only data set with its groups, or raise WorkbenchError for anything else."""
    if len(sources) != 1 or not isinstance(sources[0], DatasetSource):
        raise WorkbenchError(
            f"groups= is for a single data set, but on= has {and_of([source.key for source in sources])}: "
            "give groups with DatasetSource(..., groups=...), return groups from `fetch` of your own source, "
            "or leave groups= out for truths"
        )
    return (replace(sources[0], groups=groups),)


def _named(on: Any) -> dict[str, Any]:
    """Name unnamed values: data sets and files by their own names, rows and truths by their kind."""
    if isinstance(on, AnySource):
        return {on.key: on}
    if isinstance(on, Mapping) and isinstance(on.get("dataset"), list | tuple):
        on = [{**on, "dataset": name} for name in on["dataset"]]
    members = [on] if _word(on) else on
    if isinstance(members, list | tuple) and members:
        words = [word for word in map(_word, members) if word]
        named = [isinstance(one, AnySource) for one in members]
        if len(words) + sum(named) == len(members):
            of_words = iter(keys_of([name for name, _ in words]))
            keys = [one.key if isinstance(one, AnySource) else next(of_words) for one in members]
            if len({*keys}) < len(keys):
                raise WorkbenchError(f"`on` has sources with the same key, {keys}: give each a different key")
            return dict(zip(keys, members, strict=True))
        if any(named):
            raise WorkbenchError(
                '`on` is a list of sources and other values: name each, on={"mine": (table, "class"), ...}'
            )
    return {"rows" if _is_rows(on) else "truths": on}


def _source(key: str, value: Any, data: str | Path | None, memory: Memory | None) -> AnySource:
    if isinstance(value, AnySource):
        return value.renewed() if value.key == key else replace(value, key=key)
    word = _word(value)
    if word and Path(word[0]).suffix.lower() in NETWORKS:
        raise WorkbenchError(
            f"`on` is the path of a network, {word[0]!r}: read it with on=generators.read_network(...), or "
            f'in a study file with file = "{word[0]}"'
        )
    if word:
        name, options = word
        return named_dataset(key, name, data, memory, **options)
    if _is_rows(value):
        return DatasetSource(key, rows=tuple(value))
    truths = tuple(value) if isinstance(value, list | tuple) else (value,)
    for member in truths:
        if not hasattr(member, "posterior"):
            raise WorkbenchError(_unknown(member))
    if not truths:
        raise WorkbenchError(f"`on` has an empty value for {key!r}: give a truth, a data set, or a file")
    return Source(key, truths=truths)


def _unknown(value: Any) -> str:
    """Return the form that an invalid value is nearest to."""
    name = type(value).__name__
    if isinstance(value, type):
        return f"`on` contains the class {value.__name__}: give an instance, {value.__name__}(...)"
    if hasattr(value, "columns"):
        return f'`on` contains {article(name)} without its class: give (table, "class column") or (X, y)'
    if hasattr(value, "shape"):
        return f"`on` contains {article(name)} without classes: give (X, y)"
    if callable(value):
        return '`on` contains a function: give a generator as Source("mine", "module:function")'
    if isinstance(value, Mapping) and (close := get_close_matches("dataset", map(str, value), n=1)):
        return f"`on` contains a dictionary with the key {close[0]!r}: expected 'dataset'"
    if isinstance(value, Mapping) and "generator" in value:
        return '`on` contains a dictionary of a generator: give Source("mine", "tan", {"n_attributes": 5})'
    if isinstance(value, Mapping):
        keys = ", ".join(map(repr, list(value)[:3]))
        return (
            f"`on` contains a dictionary of the sources {keys} as one source: merge dictionaries of sources, "
            "on={**first, **second}"
        )
    return f"`on` contains {article(name)}: expected {', '.join(FORMS)}"


def _word(value: Any) -> tuple[str, dict[str, Any]] | None:
    """Return the name of a data set or file with the options of a file, or None if it has no name."""
    if _is_entry(value):
        return _of_entry(value)
    if _is_file_with_class(value):
        return str(value[0]), {"class_name": value[1]}
    return (str(value), {}) if isinstance(value, str | Path) else None


def _is_entry(value: Any) -> bool:
    return isinstance(value, Mapping) and len(value) > 1 and isinstance(value.get("dataset"), str | Path)


def _is_file_with_class(value: Any) -> bool:
    if not (isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str | Path)):
        return False
    # The number of a column is no name, which is said when the file is read.
    names_class = isinstance(value[1], int) or (isinstance(value[1], str) and not is_file_name(value[1]))
    return names_class and is_file_name(value[0])


def _is_rows(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and not any(hasattr(v, "posterior") for v in value)


def _of_entry(value: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    for name in value:
        if name not in ("dataset", *FILE_OPTIONS):
            raise WorkbenchError(
                f"unknown option {name!r} of the file {value['dataset']!r} in `on`; "
                f"{nearest(name, ('dataset', *FILE_OPTIONS))}"
            )
    return str(value["dataset"]), {FILE_OPTIONS[name]: v for name, v in value.items() if name != "dataset"}
