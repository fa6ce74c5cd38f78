"""CSV and Parquet files, which declare less than ARFF."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, overload

import numpy as np
import pandas as pd

from generators.tables.caller import user_level
from workbench.base.errors import WorkbenchError, nearest
from workbench.datasets._shared.findings import TableFinding
from workbench.datasets._shared.lines import near_files
from workbench.datasets._shared.split import HOW_TO_NAME, as_nominal, split_class
from workbench.datasets.delimited.content import content_of
from workbench.datasets.delimited.layout import layout_of
from workbench.datasets.delimited.options import TextOptions
from workbench.datasets.delimited.reading import lines_of_rows, read_text

__all__ = ["TEXT_ENDINGS", "TableFile", "load_table", "names_a_class", "without"]

#: Endings of files of delimited text.
TEXT_ENDINGS = (".csv", ".tsv", ".tab", ".txt", ".data", ".dat")

#: Names by which a column says that it is the class.
CLASS_NAMES = frozenset({"class", "target", "label", "outcome", "response", "diagnosis", "y"})
#: A last column of more distinct integers is not taken as the class unless it is named.
MANY_CLASSES = 30
#: Nor is one of more distinct texts, if most of them occur once.
MANY_TEXTS = 10
#: Nothing is said of a text, so all is found out.
AS_FOUND = TextOptions()


@dataclass(frozen=True)
class TableFile:
    """A CSV or Parquet file with its options, which are checked."""

    path: Path
    class_name: str | None = None
    nominal: Sequence[str] = ()
    drop: Sequence[str] = ()
    text: TextOptions = AS_FOUND

    def read(self) -> tuple[pd.DataFrame, pd.Series, tuple[TableFinding, ...]]:
        """Return attributes, class, and the findings when the file was read."""
        frame, findings = self.read_columns()
        name = likely_class(frame, str(self.path)) if self.class_name is None else self.class_name
        X, y = split_class(frame, name, str(self.path))
        return X, y, findings

    def read_columns(self, *, keep_empty: bool = False) -> tuple[pd.DataFrame, tuple[TableFinding, ...]]:
        """Return all columns that are not dropped, rows without values if asked, and the findings."""
        path, findings = self.path, tuple[TableFinding, ...]()
        if self.kind == ".parquet":
            if self.text != AS_FOUND:
                raise WorkbenchError(
                    f"{path} is Parquet, which needs none of sep, decimal, encoding, header and missing"
                )
            frame = _parquet(path)
        elif self.kind in TEXT_ENDINGS:
            table = read_text(
                path, self.text, self.kind, nominal=self.nominal, drop=self.drop, keep_empty=keep_empty
            )
            frame, findings = table.frame, table.findings
        else:
            if self.kind != ".arff" and path.is_file():  # what it is, if that is known
                layout_of(content_of(path, None), None, None, "")
            other = "; load_arff reads ARFF" if self.kind == ".arff" else ""
            raise WorkbenchError(
                f"{path} ends in {path.suffix!r}: expected {', '.join(TEXT_ENDINGS)} (.gz) or .parquet{other}"
            )
        if not len(frame):
            raise WorkbenchError(
                f"{path} has a header and no rows: expected a row of values on each line below"
            )
        if self.kind == ".parquet" and self.drop:
            frame = without(frame, self.drop, str(path))
        return as_nominal(frame, self.nominal, str(path)), findings

    def lines_of(self, rows: Sequence[int]) -> list[int]:
        """Return the lines of a file of text, from 1, at which rows, from 0, end, or [] for other files."""
        return lines_of_rows(self.path, self.text, self.kind, rows) if self.kind in TEXT_ENDINGS else []

    @property
    def kind(self) -> str:
        """The ending without .gz, in lower case."""
        suffixes = [s.lower() for s in self.path.suffixes if s.lower() != ".gz"]
        return suffixes[-1] if suffixes else ""


@overload
def load_table(
    path: str | Path,
    *,
    class_name: str | None = ...,
    nominal: Sequence[str] = ...,
    drop: Sequence[str] = ...,
    sep: str | None = ...,
    decimal: str | None = ...,
    encoding: str | None = ...,
    header: bool | Sequence[str] | None = ...,
    missing: Sequence[str] | Mapping[str, Sequence[str]] | None = ...,
) -> tuple[pd.DataFrame, pd.Series]: ...
@overload
def load_table(
    path: str | Path,
    *,
    class_name: Literal[False],
    nominal: Sequence[str] = ...,
    drop: Sequence[str] = ...,
    sep: str | None = ...,
    decimal: str | None = ...,
    encoding: str | None = ...,
    header: bool | Sequence[str] | None = ...,
    missing: Sequence[str] | Mapping[str, Sequence[str]] | None = ...,
) -> tuple[pd.DataFrame, None]: ...
def load_table(
    path: str | Path,
    *,
    class_name: str | Literal[False] | None = None,
    nominal: Sequence[str] = (),
    drop: Sequence[str] = (),
    sep: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    header: bool | Sequence[str] | None = None,
    missing: Sequence[str] | Mapping[str, Sequence[str]] | None = None,
) -> tuple[pd.DataFrame, pd.Series | None]:
    r"""Read a delimited text or Parquet file into attributes and class.

    Separator, decimal mark, encoding and header of a text file are detected. A warning reports what is
    unusual.

    Parameters
    ----------
    path : str or Path
        ``.csv``, ``.tsv``, ``.tab``, ``.txt``, ``.data`` or ``.dat``, also with ``.gz``, or ``.parquet``.
    class_name : str or False, optional
        The class column. By default the last column. False for a file of new rows without a class.
    nominal : sequence of str, default=()
        Columns whose numbers are codes. Codes such as 0123 and 12E4 stay as written. If all codes of a column
        are plain whole numbers, they become integer labels.
    drop : sequence of str, default=()
        Columns to leave out, such as those that identify rows.
    sep : str, optional
        The character between values, or "tab" or "blank".
    decimal : {".", ","}, optional
        The decimal mark.
    encoding : str, optional
        The encoding of the text, such as "utf-8", "utf-16" or "cp1252".
    header : bool or sequence of str, optional
        Whether the first line contains the names of the columns, or a list of names for a file without a
        header. With False the columns are called V1, V2 and so on.
    missing : sequence of str, or mapping of str to sequence of str, optional
        Words for missing values in addition to the usual ones (an empty field, ?, NA, N/A, NaN, NULL, None,
        #N/A and so on), in all columns or by column. With an empty list only the empty field is missing.

    Returns
    -------
    X : DataFrame of shape (n_samples, n_attributes)
        Columns of numbers are numeric. Columns of text stay text (NaN where missing) without declared
        values, so that training on some of the rows uses only the values of these rows. In Parquet files,
        too, text stays text. Categorical columns of Parquet files keep their declared values.
    y : Series of shape (n_samples,)
        The class, categorical. If the file declares no classes, the categories are the sorted values of all
        rows. Whole numbers stay numbers. None with ``class_name=False``.

    Raises
    ------
    WorkbenchError
        If the file cannot be read or has another format, a row has too many or too few values (the message
        names file and line), a number is infinite, the class has numbers that are not whole, or a column
        named in the arguments does not exist. Also if no class is named, and names or values of the columns
        suggest that the last column is not the class.

    Warns
    -----
    ReadAsWarning
        If the text is not plain CSV in UTF-8 with a header. The warning describes how it was read.
    LeadingZerosWarning
        If a column of digits with leading zeros is read as numbers.

    See Also
    --------
    load_arff : Reads ARFF files, which declare their attributes.

    Notes
    -----
    Blanks around a value, and rows without any value, are dropped. In a file of new rows these rows are kept,
    and the types of columns depend on its own values: convert a text column with only numbers by
    ``X.astype({"name": "str"})``. Whole numbers stay integers if no value of
    the column is missing, so that a learner can check whether they are codes. A column is numeric if all
    values that are not missing are numbers. Numbers may have separated thousands (1,260), or the same sign
    next to each number (5%, $2). A column of true and false is read as text from a text file, but may be read
    as bools from a Parquet file. For a study these are two data sets with different hashes and splits.

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
    text = TextOptions.of(
        str(path), sep=sep, decimal=decimal, encoding=encoding, header=header, missing=missing
    )
    file = TableFile(Path(path), None if class_name is False else class_name, nominal, drop, text)
    y: pd.Series | None = None
    if class_name is False:
        X, findings = file.read_columns(keep_empty=True)  # a forecast for every row of the file
    else:
        X, y, findings = file.read()
    for finding in findings:
        warnings.warn(finding.sentence, finding.kind, stacklevel=user_level())
    texts = X.select_dtypes(object)
    X[texts.columns] = texts.where(texts.notna(), np.nan)  # as pandas reads it and imputers expect it
    return X, y


def without(frame: pd.DataFrame, names: Sequence[str], place: str) -> pd.DataFrame:
    """Leave columns out, or raise WorkbenchError for an unknown one."""
    if isinstance(names, str):
        raise WorkbenchError(f"drop is {names!r}: expected a list of names of columns")
    for name in names:
        if name not in frame.columns:
            raise WorkbenchError(
                f"{place} has no column {name!r} to leave out: {nearest(name, map(str, frame.columns))}"
            )
    return frame.drop(columns=list(names))


def likely_class(frame: pd.DataFrame, place: str) -> str:
    """Return the last column, or raise WorkbenchError if names or values speak against it as the class."""
    *others, last = frame.columns
    better = [name for name in others if names_a_class(name)]
    if "x" in {str(name).casefold() for name in others}:  # places in a plane
        better = [name for name in better if str(name).casefold() != "y"]
    doubt = f"it also has a column {better[0]!r}" if better else ""
    if not doubt and not names_a_class(last):
        doubt = _doubt_of_values(frame[last])
    if doubt:
        raise WorkbenchError(
            f"{place} does not declare the class: the last column is {last!r}, but {doubt}; name "
            f"the class ({HOW_TO_NAME})"
        )
    return last


def _doubt_of_values(column: pd.Series) -> str:
    """Return what speaks against a column as the class, or an empty text."""
    n_values = column.nunique()
    if pd.api.types.is_integer_dtype(column.dtype) and n_values > MANY_CLASSES:
        return f"that holds {n_values} distinct numbers"
    if column.dtype == object and n_values > max(MANY_TEXTS, len(column) / 2):
        return f"that holds {n_values} distinct texts in {len(column)} rows"
    return ""


def names_a_class(name: object) -> bool:
    """Return whether the name of a column suggests that it is the class."""
    return str(name).strip().casefold() in CLASS_NAMES


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


def _names(header: Sequence[object], place: str) -> list[str]:
    names = [str(name).strip() for name in header]
    seen: set[str] = set()
    for i, name in enumerate(names):
        if not name:
            index = ": leave out an index of rows, as to_csv(index=False) does" if i == 0 else ""
            raise WorkbenchError(f"{place} has no name for its column {i + 1}{index}")
        if name in seen:
            raise WorkbenchError(f"{place} has two columns with the name {name!r}")
        seen.add(name)
    if not names:
        raise WorkbenchError(f"{place} names no columns: expected their names on its first line")
    return names
