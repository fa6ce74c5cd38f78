"""Folders of ARFF files, with or without an INDEX.csv that describes them."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pandas as pd

from workbench.base.errors import WorkbenchError
from workbench.datasets.arff import read_arff
from workbench.datasets.delimited.content import content_of
from workbench.datasets.delimited.options import TextOptions
from workbench.datasets.delimited.reading import read_fields
from workbench.datasets.registry import normalized

__all__ = ["DataFile", "FileState", "data_files", "data_folders", "load_file", "state_of"]

VARIABLE = "WORKBENCH_DATA"
ENDINGS = (".arff", ".arff.gz")


@dataclass(frozen=True)
class DataFile:
    """An ARFF file of a folder."""

    path: Path
    names: tuple[str, ...]  # in lower case with hyphens: that of the file, and those of the index
    class_name: str = ""  # according to the index; empty if unknown
    shape: tuple[int, int, int] | None = None  # rows, attributes and classes according to the index


#: Absolute path, and number, bytes and times of the last changes of a file; none of these if there is no
#: file.
FileState: TypeAlias = tuple[str, tuple[int, ...]]


def state_of(path: Path) -> FileState:
    """Return the state by which a cache detects that a file changed."""
    place = str(path.expanduser().resolve())
    try:
        found = os.stat(place)
    except OSError:
        return place, ()
    # a file that another replaced may have its size and time, but not its number or the time of that
    return place, (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def data_folders(data: str | Path | None = None) -> tuple[Path, ...]:
    """List folders to search: `data`, then the one named by WORKBENCH_DATA, each with its ``datasets``."""
    folders: dict[Path, None] = {}
    for what, given in (("--data (data= in Python)", data), (VARIABLE, os.environ.get(VARIABLE))):
        if given is None or given == "":
            continue
        folder = Path(given).expanduser()
        if not folder.is_dir():
            raise WorkbenchError(
                f"{what} names {str(given)!r}, which is not a folder: name one with ARFF files"
            )
        for place in (folder, folder / "datasets"):
            if place.is_dir():
                folders[place] = None
    return tuple(folders)


def data_files(folder: Path) -> tuple[DataFile, ...]:
    """List the ARFF files of a folder."""
    try:
        paths = sorted(p for p in folder.iterdir() if p.name.lower().endswith(ENDINGS))
    except OSError as error:
        raise WorkbenchError(f"the folder {folder} cannot be read: {error.strerror}") from error
    index = _index(folder / "INDEX.csv")
    return tuple(_data_file(path, index.get(path.name)) for path in paths)


def load_file(file: DataFile, class_name: str = "") -> tuple[pd.DataFrame, pd.Series]:
    """Read a file of a folder. `class_name` is used if the index names none and the file has it."""
    table = read_arff(file.path)
    name = file.class_name or (class_name if class_name in table.frame else "")
    return table.split(name or None)


def _index(path: Path) -> dict[str, dict[str, str]]:
    if not path.is_file():
        return {}
    fields = read_fields(content_of(path, None), TextOptions(header=True))
    rows = [dict(zip(fields.names, row, strict=True)) for _, row in fields.rows]
    if "file" not in fields.names:
        raise WorkbenchError(f"{path} has no column 'file': expected one with the names of the ARFF files")
    return {row["file"]: row for row in rows}


def _data_file(path: Path, row: dict[str, str] | None) -> DataFile:
    stem = normalized(path.name[: path.name.lower().rindex(".arff")])
    if row is None:
        return DataFile(path, (stem,))
    figures = [row.get(column, "") for column in ("instances", "attributes", "classes")]
    shape = None
    if all(figure.isdecimal() and len(figure) < 16 for figure in figures):
        shape = int(figures[0]), int(figures[1]), int(figures[2])
    # a name with a remark in brackets is of a parent or a variant
    given = [name.strip() for name in row.get("paper_names", "").split(";") if "(" not in name]
    names = dict.fromkeys([*map(normalized, filter(None, given)), stem])
    return DataFile(path, tuple(names), row.get("class_attribute", ""), shape)
