"""The data sets of a folder as sources, and the reasons why other files are left out."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from workbench.base.checks import check_name
from workbench.base.errors import WorkbenchError
from workbench.base.text import error_line
from workbench.datasets.arff import read_arff
from workbench.datasets.folder import data_files
from workbench.datasets.registry import BY_NAME
from workbench.designs import FiveByTwo
from workbench.study.dataset_source import FILE_ENDINGS, DatasetSource
from workbench.study.rows_source import RowsSource

__all__ = ["is_folder", "tables_of"]

#: Endings of tables, and not of notes: those of data sets that say more than .txt.
TABLES = tuple(one for one in FILE_ENDINGS if not one.startswith((".txt", ".data", ".dat")))


def is_folder(word: object) -> bool:
    """Return whether a word is the path of a folder, and not the name of a data set."""
    return (
        isinstance(word, str | Path) and str(word).lower() not in BY_NAME and Path(word).expanduser().is_dir()
    )


def tables_of(folder: str | Path) -> tuple[tuple[RowsSource, ...], tuple[str, ...]]:
    """Return the data sets of a folder and of its ``datasets``, and why other files are left out."""
    place = Path(folder).expanduser()
    files = [path for own in (place, place / "datasets") if own.is_dir() for path in _files(own)]
    if not files:
        raise WorkbenchError(
            f"the folder {place} has no data sets: add files that end in {', '.join(TABLES)}"
        )
    found: dict[str, RowsSource] = {}
    left_out: list[str] = []
    for path, class_name in files:
        try:
            source = _source(path, class_name, found)
            _check(source, found.values())
        except WorkbenchError as error:
            left_out.append(_why(path, str(error)))
        except Exception as error:  # of a reader, whose file must not lose the scores of the others
            left_out.append(_why(path, error_line(error)))
        else:
            found[source.key] = source
    if not found:
        raise WorkbenchError(f"no file of the folder {place} can be used: {left_out[0]}")
    return tuple(found.values()), tuple(left_out)


def _files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files of tables, with the name of the class where it is known."""
    known = {file.path: file for file in data_files(folder)}
    for path in sorted(folder.iterdir()):
        is_table = path.name.lower().endswith(TABLES) and not path.name.startswith(".")
        if not is_table or not path.is_file() or path.name == "INDEX.csv":
            continue
        entries = [BY_NAME[name] for name in known[path].names if name in BY_NAME] if path in known else []
        usual = entries[0].class_name if entries else ""
        yield path, (known[path].class_name if path in known else "") or usual


def _source(path: Path, class_name: str, found: Mapping[str, RowsSource]) -> RowsSource:
    """Make the source of a file, named without the ending unless another source has that name."""
    ending = max((one for one in FILE_ENDINGS if path.name.lower().endswith(one)), key=len)
    stem = path.name[: -len(ending)]
    key = next((one for one in (stem, path.name) if one not in found), str(path.relative_to(path.parents[1])))
    check_name(key, "its name")
    if class_name and class_name not in read_arff(path).frame:
        class_name = ""  # that of another table of this name
    return DatasetSource(key, str(path), class_name=class_name or None)


def _check(source: RowsSource, others: Iterable[RowsSource]) -> None:
    """Raise WorkbenchError for a file that cannot be read or split in halves, or is a duplicate."""
    rows = source.content
    FiveByTwo().check("it", rows.codes, rows.classes)
    same = [other.key for other in others if other.facts.digest == source.facts.digest]
    if same:
        raise WorkbenchError(f"it is the same as {same[0]}")


def _why(path: Path, reason: str) -> str:
    # Pages are for others, too, who need not know where the folder is.
    return f"{path.name} is left out: {reason.replace(str(path), path.name).rstrip('.')}"
