"""Data sets by name: from a folder, scikit-learn or OpenML, checked against the registry."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd

from generators.tables.columns import labels_of_codes
from workbench.base import catalogue
from workbench.base.errors import WorkbenchError
from workbench.base.text import count_of
from workbench.datasets.folder import VARIABLE, DataFile, data_files, data_folders, load_file
from workbench.datasets.openml import cached, fetch
from workbench.datasets.registry import BY_NAME, REGISTRY, RegistryEntry, find, near_names, normalized

__all__ = ["list_datasets", "load_dataset"]

COLUMNS = (
    "key",
    "title",
    "papers",
    "rows",
    "attributes",
    "classes",
    "found",
    "where",
    "differs",
    "row_order",
)
Shape = tuple[int, int, int]


def load_dataset(name: str, *, data: str | Path | None = None) -> tuple[pd.DataFrame, pd.Series]:
    """Load a data set by its name.

    The data set is searched in this order: the folder `data` and its subfolder ``datasets``, the folder named
    by the environment variable WORKBENCH_DATA and its subfolder ``datasets``, data sets bundled with
    scikit-learn, and OpenML with scikit-learn's cache. ``"sklearn.breast_cancer"`` and ``"sklearn.digits"``
    are bundled with scikit-learn and do not occur in the reproduced papers.

    Parameters
    ----------
    name : str
        The name of a data set in the reproduced papers (``"BC"``, ``"letter-recognition"``), the usual name
        of its file (``"breast-w"``), or the name of any other ARFF file in a folder. Case and the signs
        ``-``, ``_``, ``.`` and blank are ignored.
    data : str or Path, optional
        A folder of ARFF files, plain or gzipped, with or without an INDEX.csv.

    Returns
    -------
    X : DataFrame of shape (n_samples, n_attributes)
        Nominal columns are categorical with all declared values, numeric columns float64. Missing values are
        NaN.
    y : Series of shape (n_samples,)
        The class, categorical with all declared values.

    Raises
    ------
    WorkbenchError
        If the name is unknown, the data set is not found (the message describes how to get it), or it does
        not have the expected rows, attributes and classes.

    See Also
    --------
    list_datasets : Lists which data sets are available and which are missing.
    load_arff : Reads any ARFF file.

    Examples
    --------
    >>> X, y = load_dataset("IR")
    >>> X.shape, list(y.cat.categories)
    ((150, 4), ['Iris-setosa', 'Iris-versicolor', 'Iris-virginica'])
    """
    folders = data_folders(data)
    entry = BY_NAME.get(normalized(name))
    if entry is None:
        return _load_unregistered(name, folders)
    return _load(entry, folders)


def list_datasets(data: str | Path | None = None) -> pd.DataFrame:
    """List the data sets of the reproduced papers and of folders, and where each was found or searched.

    Parameters
    ----------
    data : str or Path, optional
        A folder of ARFF files, in addition to the one named by WORKBENCH_DATA.

    Returns
    -------
    DataFrame
        A row for each data set. The columns are ``key``, ``title``, ``papers`` (year of each paper and name
        of the data set there), the numbers of ``rows``, ``attributes`` and ``classes`` (missing if unknown),
        ``found`` (file, bundled, OpenML cache or missing), ``where`` (its place, or the places where a
        missing data set was searched), ``differs`` (for a version of another data set: the differences from
        the original, and the paper that seems to have used the version) and ``row_order`` (the order of rows
        in the file at UCI, if common copies have another order). The last two are empty if there is nothing
        to report.

    Examples
    --------
    >>> table = list_datasets().set_index("key")
    >>> table.loc["iris", "papers"], int(table.loc["iris", "rows"])
    ('2001 IR, 2004 iris', 150)
    """
    folders = data_folders(data)
    rows: list[tuple[Any, ...]] = []
    for entry in REGISTRY:
        found, where = _whereabouts(_source_of(entry), folders)
        said = (entry.differs, entry.row_order)
        rows.append((entry.key, entry.title, ", ".join(entry.papers), *entry.shape, found, where, *said))
    for file in _unregistered(folders):
        shape = file.shape or (pd.NA,) * 3
        rows.append((file.names[-1], "", "", *shape, "file", str(file.path), "", ""))
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    return table.astype(dict.fromkeys(("rows", "attributes", "classes"), "Int64"))


def file_of(name: str, folders: tuple[Path, ...]) -> Path | None:
    """Return the file that a data set is read from, or None for copies of scikit-learn and OpenML."""
    entry = BY_NAME.get(normalized(name))
    file = _file_of((name,) if entry is None else _source_of(entry).names, folders)
    return None if file is None else file.path


def _source_of(entry: RegistryEntry) -> RegistryEntry:
    """Return the data set that is read: for a version, the one it is made from."""
    return _source_of(find(entry.parent)) if entry.parent else entry


def _load(entry: RegistryEntry, folders: tuple[Path, ...]) -> tuple[pd.DataFrame, pd.Series]:
    if entry.derive is not None:
        X, y = entry.derive(*_load(find(entry.parent), folders))
        return _checked(X, y, entry.shape, entry.key, f"what is made from {entry.parent}")
    file = _file_of(entry.names, folders)
    if file is not None:
        return _checked(*load_file(file, entry.class_name), entry.shape, entry.key, str(file.path))
    if entry.key in BUNDLED:
        return _checked(*BUNDLED[entry.key](), entry.shape, entry.key, "scikit-learn's copy")
    return _checked(*_fetched(entry, folders), entry.shape, entry.key, f"OpenML {entry.openml_id}")


def _load_unregistered(name: str, folders: tuple[Path, ...]) -> tuple[pd.DataFrame, pd.Series]:
    file = _file_of((name,), folders)
    if file is None and normalized(name) in OF_SCIKIT_LEARN:
        return OF_SCIKIT_LEARN[normalized(name)]()
    if file is None:
        known = [
            *BY_NAME,
            *OF_SCIKIT_LEARN,
            *(other for folder in folders for f in data_files(folder) for other in f.names),
        ]
        raise WorkbenchError(
            f"{name!r} is neither a data set of the registry nor an ARFF file in {_places(folders)}: "
            f"{_truths_of(name) or near_names(name, known)}"
        )
    X, y = load_file(file)
    return _checked(X, y, file.shape, name, str(file.path)) if file.shape else (X, y)


def _truths_of(name: str) -> str:
    """Describe how to request truths of a generator, if a generator was named."""
    if name not in catalogue.keys("generators"):
        return ""
    return f'for truths of the generator {name!r} give Source("{name}", "{name}") of workbench'


def _file_of(names: tuple[str, ...], folders: tuple[Path, ...]) -> DataFile | None:
    """Find the first file that has one of the names, earlier names first within a folder."""
    for folder in folders:
        files = data_files(folder)
        for name in map(normalized, names):
            for file in files:
                if name in file.names:
                    return file
    return None


def _fetched(entry: RegistryEntry, folders: tuple[Path, ...]) -> tuple[pd.DataFrame, pd.Series]:
    missing = f"the data set {entry.key!r} is not in {_places(folders)}"
    how = f"put {entry.key}.arff into a folder and name it with --data (data= in Python) or {VARIABLE}"
    if entry.openml_id is None:
        raise WorkbenchError(f"{missing}, and no copy at OpenML is known: {how}")
    try:
        return fetch(entry.openml_id)
    except WorkbenchError as error:
        raise WorkbenchError(f"{missing}, and {error}: go online once, or {how}") from error


def _checked(
    X: pd.DataFrame, y: pd.Series, expected: Shape, key: str, place: str
) -> tuple[pd.DataFrame, pd.Series]:
    shape = (len(X), X.shape[1], y.nunique())
    if shape != expected:
        raise WorkbenchError(
            f"{place} has {_shape_text(shape)}: expected {_shape_text(expected)} of the data set {key!r}"
        )
    return X, y


def _shape_text(shape: Shape) -> str:
    rows, attributes, classes = shape
    return (
        f"{count_of(rows, 'row')}, {count_of(attributes, 'attribute')} and "
        f"{count_of(classes, 'class', 'classes')}"
    )


def _whereabouts(entry: RegistryEntry, folders: tuple[Path, ...]) -> tuple[str, str]:
    if file := _file_of(entry.names, folders):
        return "file", str(file.path)
    if entry.key in BUNDLED:
        return "bundled", "scikit-learn"
    looked = _places(folders)
    if entry.openml_id is None:
        return "missing", f"not in {looked}, and no copy at OpenML is known"
    if path := cached(entry.openml_id):
        return "OpenML cache", str(path)
    return "missing", f"not in {looked}, nor in OpenML's cache, but OpenML {entry.openml_id} can be fetched"


def _unregistered(folders: tuple[Path, ...]) -> Iterator[DataFile]:
    seen: set[str] = set()
    for folder in folders:
        for file in data_files(folder):
            if not seen.union(BY_NAME).intersection(file.names):
                yield file
            seen.update(file.names)


def _places(folders: tuple[Path, ...]) -> str:
    return ", ".join(map(str, folders)) or "any folder (none is given)"


#: Rows 35 and 38 of Fisher's data have these values in the UCI repository, which the papers used.
IRIS_AT_UCI = {(34, 3): 0.1, (37, 1): 3.1, (37, 2): 1.5}


def _of_scikit_learn(
    load: Callable[[], Any], column: Callable[[str], str], label: Callable[[Any], str]
) -> tuple[pd.DataFrame, pd.Series]:
    bunch = load()
    X = pd.DataFrame(bunch.data, columns=[column(name) for name in bunch.feature_names])
    return X, labels_of_codes(bunch.target, [label(name) for name in bunch.target_names], name="class")


def _iris() -> tuple[pd.DataFrame, pd.Series]:
    from sklearn.datasets import load_iris

    X, y = _of_scikit_learn(load_iris, lambda n: n.removesuffix(" (cm)").replace(" ", ""), "Iris-{}".format)
    for place, value in IRIS_AT_UCI.items():
        X.iloc[place] = value
    return X, y


def _wine() -> tuple[pd.DataFrame, pd.Series]:
    from sklearn.datasets import load_wine

    X, y = _of_scikit_learn(load_wine, lambda n: n.capitalize().replace("Od280/od", "OD280/OD"), str)
    return X, y.cat.rename_categories(list("123"))


def _breast_cancer() -> tuple[pd.DataFrame, pd.Series]:
    from sklearn.datasets import load_breast_cancer

    return _of_scikit_learn(load_breast_cancer, lambda name: name.replace(" ", "_"), str)


def _digits() -> tuple[pd.DataFrame, pd.Series]:
    from sklearn.datasets import load_digits

    return _of_scikit_learn(load_digits, str, str)


BUNDLED: Mapping[str, Callable[[], tuple[pd.DataFrame, pd.Series]]] = MappingProxyType(
    {"iris": _iris, "wine": _wine}
)
#: Tables that come with scikit-learn and are in no paper.
OF_SCIKIT_LEARN: Mapping[str, Callable[[], tuple[pd.DataFrame, pd.Series]]] = MappingProxyType(
    {"sklearn-breast-cancer": _breast_cancer, "sklearn-digits": _digits}
)
