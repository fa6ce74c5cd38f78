"""CSV and Parquet files, which declare less than ARFF."""

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.base.errors import WorkbenchError
from workbench.base.text import count_of
from workbench.datasets._shared.lines import Lines, near_files, opened, to_numbers
from workbench.datasets._shared.split import HOW_TO_NAME, as_nominal, split_class

__all__ = ["lines_of_rows", "load_table"]

WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
MISSING = ("", "?", "NA", "NaN", "nan")

SEPARATORS = {".csv": ",", ".tsv": "\t"}
#: What else separates values in files of other programs.
OTHER_MARKS = {";": "semicolons", "\t": "tabs", "|": "bars", ",": "commas"}

#: Names by which a column says that it is the class.
CLASS_NAMES = frozenset({"class", "target", "label", "outcome", "response", "diagnosis", "y"})
#: A last column of more distinct integers is not taken as the class unless it is named.
MANY_CLASSES = 30
#: Nor is one of more distinct texts, if most of them occur once.
MANY_TEXTS = 10


def load_table(
    path: str | Path,
    *,
    class_name: str | None = None,
    nominal: Sequence[str] = (),
    missing: Sequence[str] = MISSING,
    encoding: str = "utf-8",
) -> tuple[pd.DataFrame, pd.Series]:
    r"""Read a CSV or Parquet file into attributes and class.

    Parameters
    ----------
    path : str or Path
        ``.csv`` (commas), ``.tsv`` (tabs), either with ``.gz``, or ``.parquet``. The first line of a CSV file
        names the columns.
    class_name : str, optional
        The column of the class; the last by default.
    nominal : sequence of str, default=()
        Columns whose numbers are codes: they are read as text, with whole numbers as labels.
    missing : sequence of str, default=("", "?", "NA", "NaN", "nan")
        Texts in a CSV file that mean a missing value.
    encoding : str, default="utf-8"
        Encoding of a CSV file.

    Returns
    -------
    X : DataFrame of shape (n_samples, n_attributes)
        Columns of numbers are numeric. Text of a CSV file, which declares no values, is text (None where
        missing), so that learning from some of the rows uses the values of these rows only; so is
        text of a Parquet file, while its categorical columns keep their declared values.
    y : Series of shape (n_samples,)
        The class, categorical; where no values are declared those of all rows, sorted. Whole numbers stay
        numbers.

    Raises
    ------
    WorkbenchError
        If the file cannot be read, a row has too many or too few values (the message names file and line), a
        number is infinite, the class is numeric and not whole, or there is no such column; or if no class is
        named, and names or values speak against the last column.

    See Also
    --------
    load_arff : For files that declare their attributes.

    Notes
    -----
    Blanks around a value of a CSV file are dropped, and lines without any value. Whole numbers stay integers
    if none is missing, so that a learner can check whether they are codes. A column of true and false is text
    in a CSV file and may be bools in a Parquet file; for a study these are two data sets with different
    hashes and splits.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "play.csv")
    ...     _ = path.write_text("outlook,humidity,play\nsunny,85,no\nrainy,?,yes\n")
    ...     X, y = load_table(path, class_name="play")
    >>> X.dtypes.astype(str).tolist(), y.tolist()
    (['object', 'float64'], ['no', 'yes'])
    """
    path = Path(path)
    kind = _kind(path)
    if kind == ".parquet":
        frame = _parquet(path)
    elif kind in SEPARATORS:
        with opened(path, encoding) as lines:
            frame = _csv(lines, SEPARATORS[kind], frozenset(missing))
        _check_separator(frame, path)
    else:
        other = "; load_arff reads ARFF" if kind == ".arff" else ""
        raise WorkbenchError(
            f"{path} ends in {path.suffix!r}: expected .csv, .tsv (or with .gz) or .parquet{other}"
        )
    if not len(frame):
        raise WorkbenchError(f"{path} has a header and no rows: expected a row of values on each line below")
    name = likely_class(frame, str(path)) if class_name is None else class_name
    return split_class(as_nominal(frame, nominal, str(path)), name, str(path))


def _check_separator(frame: pd.DataFrame, path: Path) -> None:
    """Raise WorkbenchError if a file's only column is several, separated by another character."""
    names = str(frame.columns[0])
    other = next((name for mark, name in OTHER_MARKS.items() if mark in names), None)
    if len(frame.columns) == 1 and other:
        raise WorkbenchError(
            f"{path} has one column, {names!r}, so its values seem to be separated by {other}: save it as "
            ".csv with commas, or as .tsv with tabs"
        )


def lines_of_rows(path: str | Path, rows: Sequence[int], encoding: str = "utf-8") -> list[int]:
    """Return the lines of a CSV file, from 1, on which rows, from 0, end; [] for other files."""
    kind = _kind(Path(path))
    if kind not in SEPARATORS:
        return []
    with opened(path, encoding) as lines:
        reader = csv.reader(_each(lines), delimiter=SEPARATORS[kind], strict=True)
        found = [reader.line_num for row in reader if row]
    return [found[row + 1] for row in rows]  # the first one is the header


def _kind(path: Path) -> str:
    suffixes = [s.lower() for s in path.suffixes if s.lower() != ".gz"]
    return suffixes[-1] if suffixes else ""


def likely_class(frame: pd.DataFrame, place: str) -> str:
    """Return the last column; raise WorkbenchError if names or values speak against it as the class."""
    *others, last = frame.columns
    better = [name for name in others if names_a_class(name)]
    if "x" in {str(name).casefold() for name in others}:  # places in a plane
        better = [name for name in better if str(name).casefold() != "y"]
    doubt = f"it also has a column {better[0]!r}" if better else ""
    if not doubt and not names_a_class(last):
        doubt = _doubt_of_values(frame[last])
    if doubt:
        raise WorkbenchError(
            f"{place} does not say which column is the class: the last one is {last!r}, but {doubt}; name "
            f"the class ({HOW_TO_NAME})"
        )
    return last


def _doubt_of_values(column: pd.Series) -> str:
    """Return what speaks against a column as the class; "" if nothing does."""
    n_values = column.nunique()
    if pd.api.types.is_integer_dtype(column.dtype) and n_values > MANY_CLASSES:
        return f"that holds {n_values} distinct numbers"
    if column.dtype == object and n_values > max(MANY_TEXTS, len(column) / 2):
        return f"that holds {n_values} distinct texts in {len(column)} rows"
    return ""


def names_a_class(name: object) -> bool:
    """Return whether a column says by its name that it is the class."""
    return str(name).strip().casefold() in CLASS_NAMES


def _csv(lines: Lines, separator: str, missing: frozenset[str]) -> pd.DataFrame:
    """Read with the standard library: it knows lines and refuses stray quotes; pandas pads short rows."""
    reader = csv.reader(_each(lines), delimiter=separator, strict=True)
    rows: list[list[str]] = []
    try:
        names = _names(next(reader, []), lines.name)
        for row in reader:
            if not row:
                continue
            if len(row) != len(names):
                what = f"the row has {count_of(len(row), 'value')}: expected {len(names)}"
                raise WorkbenchError(f"{lines.name}, line {reader.line_num}: {what}")
            rows.append(row)
    except csv.Error as error:
        raise WorkbenchError(f"{lines.name}, line {reader.line_num} is not CSV: {error}") from error
    columns = zip(*rows, strict=True) if rows else ((),) * len(names)
    named = zip(names, columns, strict=True)
    return pd.DataFrame({name: _column(texts, missing, name, lines.name) for name, texts in named})


def _each(lines: Lines) -> Iterator[str]:
    while block := lines.block(4096):
        yield from [line.removeprefix("\ufeff") for line in block] if lines.count == len(block) else block


def _names(header: Sequence[object], place: str) -> list[str]:
    names = [str(name).strip() for name in header]
    seen: set[str] = set()
    for i, name in enumerate(names):
        if not name:
            index = "; leave out an index of rows, as to_csv(index=False) does" if i == 0 else ""
            raise WorkbenchError(f"{place} has no name for its column {i + 1}{index}")
        if name in seen:
            raise WorkbenchError(f"{place} has two columns with the name {name!r}")
        seen.add(name)
    if not names:
        raise WorkbenchError(f"{place} names no columns: expected their names on its first line")
    return names


def _column(texts: Sequence[str], missing: frozenset[str], name: str, place: str) -> NDArray[Any] | pd.Series:
    stripped = [text.strip() for text in texts]
    known = [text for text in stripped if text not in missing]
    if known and len(known) == len(stripped) and all(map(WHOLE.fullmatch, known)):
        return np.array(list(map(int, known)), dtype=np.int64)
    try:
        return to_numbers(stripped, missing)
    except ValueError:
        _check_infinite(known, name, place)
    return pd.Series([None if text in missing else text for text in stripped], dtype=object)


def _check_infinite(texts: Sequence[str], name: str, place: str) -> None:
    try:
        finite = np.isfinite([float(text) for text in texts])
    except ValueError:
        return
    if not finite.all():
        wrong = texts[int(np.flatnonzero(~finite)[0])]
        raise WorkbenchError(f"column {name!r} of {place} has {wrong!r}: expected finite numbers")


def _parquet(path: Path) -> pd.DataFrame:
    try:
        frame = pd.read_parquet(path).reset_index(drop=True)
    except (OSError, ValueError) as error:
        why = " ".join(str(error).split()) + near_files(path, error)
        raise WorkbenchError(f"{path} cannot be read as Parquet: {why}") from error
    names = _names(list(frame.columns), str(path))
    columns = (frame.iloc[:, i] for i in range(len(names)))
    return pd.DataFrame({name: _declared(column, path) for name, column in zip(names, columns, strict=True)})


def _declared(column: pd.Series, path: Path) -> pd.Series:
    types = pd.api.types
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column
    if types.is_numeric_dtype(column.dtype) and not types.is_bool_dtype(column.dtype):
        nullable = types.is_extension_array_dtype(column.dtype)
        return pd.Series(column.to_numpy("float64", na_value=np.nan)) if nullable else column
    if not (
        types.is_bool_dtype(column.dtype)
        or types.is_object_dtype(column.dtype)
        or types.is_string_dtype(column.dtype)
    ):
        raise WorkbenchError(
            f"column {column.name!r} of {path} is {column.dtype}: expected numbers, text or categories"
        )
    try:
        column.unique()
    except TypeError as error:
        raise WorkbenchError(
            f"column {column.name!r} of {path} does not hold single values: {error}"
        ) from error
    return column.astype(object).where(column.notna(), None)
