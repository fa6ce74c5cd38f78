"""The rows of a data set: attributes, classes, and the values that occur in part of the rows."""

import functools
import hashlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.tables.cells import kind_of, odd_cells, repeated_name
from generators.tables.codes import check_code_range, signed_codes
from generators.tables.columns import (
    Column,
    as_categorical,
    class_codes,
    codes_as_met,
    declared_codes,
    occurring,
    sorted_classes,
)
from workbench.base.errors import WorkbenchError
from workbench.base.text import article, count_of
from workbench.datasets._shared.findings import TableFinding
from workbench.datasets._shared.split import HOW_TO_NAME, split_column
from workbench.datasets.look import TableLook

__all__ = ["Dataset", "array_of_codes", "declare", "shown_columns", "check_cells", "hash_rows"]

#: A y with more distinct numbers, most of them occurring once, is not a class.
MANY_CLASSES = 100
#: How many rows without a class are named.
MOST_PLACES = 3
#: Classes that every learner takes; others, such as intervals, are written as text.
PLAIN_CLASSES = (str, bool, int, float, np.bool_, np.number)


@dataclass(frozen=True, eq=False)
class Dataset:
    """Attributes and classes of some rows."""

    # the dtype declares which columns are nominal; values that none declares: see `shown_columns`
    X: pd.DataFrame
    y: pd.Series
    classes: tuple[Any, ...]  # declared by all rows, as every learner's columns are aligned to them
    codes: NDArray[np.intp]  # index of each row's class in `classes`
    said: tuple[TableFinding, ...] = ()  # when the file was read
    nominal: tuple[str, ...] = ()  # columns that the user declared so
    of_file: bool = False  # whether a user can say how its file is read
    groups: NDArray[np.intp] | None = None  # code of each row's group, sorted as labels; None: no groups

    @classmethod
    def of(
        cls,
        X: Any,
        y: Any,
        what: str,
        lines_of: Callable[[Sequence[int]], Sequence[int]] = lambda rows: (),
        *,
        said: Sequence[TableFinding] = (),
        nominal: Sequence[str] = (),
        of_file: bool = False,
        groups: Any = None,
    ) -> "Dataset":
        """Check rows, classes and groups. `lines_of` returns the lines of a file at which rows are."""
        if isinstance(X, pd.DataFrame) and isinstance(y, str):
            X, y = split_column(X, y, what)
        if isinstance(groups, str):
            X, groups = _without_groups(X, getattr(y, "name", None), groups, what)
        frame = (X if isinstance(X, pd.DataFrame) else _frame_of(X, what)).reset_index(drop=True)
        if repeated_name(frame.columns) is not None:
            raise WorkbenchError(f"{what} has columns of the same name: give each its own")
        labels = _labels_of(y, what)
        if len(frame) != len(labels):
            raise WorkbenchError(
                f"{what} has {count_of(len(frame), 'row')} and a class for {len(labels)}: expected one for "
                "each"
            )
        if not frame.shape[1]:
            raise WorkbenchError(
                f"{what} has no column besides the class: expected an attribute to learn from"
            )
        if not len(frame):
            raise WorkbenchError(f"{what} has no rows: expected rows of at least two classes")
        _check_whole(labels, what, "class", lines_of)
        check_cells(frame, what)
        check_cells(labels.rename("class" if labels.name is None else labels.name).to_frame(), what)
        _check_classes(labels, what)
        labels = _plain(labels, what)
        classes = tuple(labels.cat.categories)
        if labels.nunique() < 2:
            raise WorkbenchError(
                f"{what} has {count_of(len(frame), 'row')} of 1 class: expected at least two classes"
            )
        codes = declared_codes(labels).astype(np.intp)
        of_group = None if groups is None else _group_codes(groups, len(frame), what, lines_of)
        return cls(frame, labels, classes, codes, tuple(said), tuple(nominal), of_file, of_group)

    @property
    def n_groups(self) -> int:
        """Number of groups, 0 for rows without groups."""
        return 0 if self.groups is None else int(self.groups.max()) + 1

    @functools.cached_property
    def sorted_codes(self) -> NDArray[np.intp]:
        """Class codes in the sorted order of labels, as in scikit-learn."""
        return sorted_classes(np.asarray(self.y))[1]

    @functools.cached_property
    def look(self) -> TableLook:
        """The findings in columns and rows."""
        return TableLook(self.X, self.codes, self.classes, self.nominal, self.groups, self.of_file)

    @functools.cached_property
    def findings(self) -> tuple[TableFinding, ...]:
        """What a user should know: how the file was read, and what was found in the rows."""
        return (*self.said, *self.look.findings)

    @functools.cached_property
    def as_pandas_reads(self) -> pd.DataFrame:
        """The attributes of a file as pandas reads them: missing text is NaN and not None."""
        text = {name: column for name, column in self.X.items() if column.dtype == object}
        read = {
            name: pd.Series(column.where(column.notna(), np.nan).tolist(), index=self.X.index)
            for name, column in text.items()
        }
        return self.X.assign(**read)

    @functools.cached_property
    def cut(self) -> pd.DataFrame:
        """The attributes, with numbers discretized by Fayyad and Irani's rule on all rows."""
        from learners.tables.discretize import interval_codes, interval_labels, mdlp_cut_points

        found = self.X.copy(deep=False)
        for name in self.X.select_dtypes("number"):
            numbers = self.X[name].to_numpy(dtype=np.float64, na_value=np.nan)
            cuts = mdlp_cut_points(numbers, self.codes, len(self.classes))
            codes = np.where(np.isnan(numbers), -1, interval_codes(numbers, cuts).astype(np.intp))
            found[name] = Column.of_states(name, interval_labels(cuts)).labels(codes)
        return found

    @functools.cached_property
    def digest(self) -> str:
        """Hash of names, types, declared values and content, with 32 hexadecimal digits."""
        labels = self.y.cat.categories.tolist()
        if self.groups is None:
            return hash_rows(self.X, self.codes, labels)
        return hash_rows(self.X, self.codes, (labels, hash_rows(self.X[[]], self.groups)))


def shown_columns(X: pd.DataFrame) -> list[Column]:
    """Return the columns whose dtype declares no values, text and objects, with the values that occur."""
    return [Column.of(name, cells) for name, cells in X.items() if kind_of(cells.dtype) == "labels"]


def declare(X: pd.DataFrame, columns: Sequence[Column]) -> pd.DataFrame:
    """Make columns categorical with the given values. Any other value becomes missing."""
    out = X.copy(deep=False)
    for column in columns:
        out[column.name] = column.read(X[column.name])
    return out


def _places(rows: list[int], lines_of: Callable[[Sequence[int]], Sequence[int]]) -> str:
    """Name rows, from 1, or their lines in a file."""
    first = rows[:MOST_PLACES]
    lines = lines_of(first)
    numbers = [str(line) for line in lines or (row + 1 for row in first)]
    more = ["..."] if len(rows) > MOST_PLACES else []
    return f"{'line' if lines else 'row'}{'s' * (len(rows) > 1)} {', '.join(numbers + more)}"


def array_of_codes(X: Any) -> NDArray[Any] | None:
    """Return an array, or a list of lists, of integer codes, or None for anything else."""
    if isinstance(X, pd.DataFrame):
        return None
    array = np.asarray(X)
    return array if array.dtype.kind in "iu" and array.ndim == 2 else None


def _frame_of(X: Any, what: str) -> pd.DataFrame:
    """Read an array as the learners do: integers are codes from 0 to the largest, and -1 is missing."""
    if hasattr(X, "toarray"):
        raise WorkbenchError(f"{what} has a sparse X: give a table or a dense array, X.toarray()")
    try:
        array = np.asarray(X)
    except ValueError as error:  # rows of different lengths
        raise WorkbenchError(f"X of {what} is not a table ({error}): give a DataFrame") from error
    if array.ndim not in (1, 2):
        given = f"an array of {array.ndim} dimensions" if array.ndim else article(type(X).__name__)
        raise WorkbenchError(
            f"X of {what} is {given}: expected a DataFrame, or an array of a row for each sample and a "
            "column for each attribute"
        )
    codes = array_of_codes(array)
    if codes is not None:
        return _frame_of_codes(codes, what)
    frame = pd.DataFrame(array)
    # A table of text and numbers is an array of objects, whose columns of numbers are numbers.
    return frame.infer_objects() if array.dtype == object else frame


def _frame_of_codes(array: NDArray[Any], what: str) -> pd.DataFrame:
    codes = signed_codes(array)
    try:
        check_code_range(int(codes.min(initial=0)), int(codes.max(initial=0)))
    except ValueError as error:
        raise WorkbenchError(f"{what}: {error}") from error
    columns = [Column(j, int(own.max(initial=0)) + 1) for j, own in enumerate(codes.T)]
    return pd.DataFrame({one.name: one.labels(own) for one, own in zip(columns, codes.T, strict=True)})


def _labels_of(y: Any, what: str) -> pd.Series:
    """Return the class of each row, which may be a table of a single column."""
    shape: tuple[int, ...] = getattr(y, "shape", ())
    if len(shape) == 2 and shape[1] == 1:
        y = y.iloc[:, 0] if isinstance(y, pd.DataFrame) else np.ravel(y)
    elif len(shape) > 1:
        raise WorkbenchError(
            f"y of {what} has {shape[1]} columns: give one class for each row, and convert indicators by "
            "y.idxmax(axis=1)"
        )
    return pd.Series(y).reset_index(drop=True)


def _check_whole(
    labels: pd.Series, what: str, noun: str, lines_of: Callable[[Sequence[int]], Sequence[int]]
) -> None:
    """Raise WorkbenchError for rows without a class or a group."""
    lacking = np.flatnonzero(labels.isna())
    if lacking.size:
        raise WorkbenchError(
            f"{what} has {count_of(lacking.size, 'row')} without a {noun} "
            f"({_places(lacking.tolist(), lines_of)}): drop rows without one"
        )


def _without_groups(X: Any, class_name: Any, name: str, what: str) -> tuple[pd.DataFrame, pd.Series]:
    """Separate the column of groups from a table."""
    if not isinstance(X, pd.DataFrame):
        raise WorkbenchError(
            f"groups of {what} is {name!r}, but its X is not a DataFrame and has no column names: give an "
            "array with the group of each row"
        )
    if name == class_name and name not in X:
        raise WorkbenchError(f"groups of {what} is {name!r}, its class: name another class ({HOW_TO_NAME})")
    return split_column(X, name, what, "groups")


def _group_codes(
    groups: Any, n_rows: int, what: str, lines_of: Callable[[Sequence[int]], Sequence[int]]
) -> NDArray[np.intp]:
    """Return the code of each row's group, in the sorted order of scikit-learn."""
    shape = np.asarray(groups, dtype=object).shape  # of lists of any lengths, too
    if shape not in ((n_rows,), (n_rows, 1)):
        raise WorkbenchError(
            f"groups of {what} has the shape {shape}: expected one group for each of {n_rows} rows, or the "
            "name of a column"
        )
    labels = pd.Series(np.ravel(groups) if len(shape) > 1 else groups).reset_index(drop=True)
    _check_whole(labels, what, "group", lines_of)
    if kind_of(labels.dtype) == "labels":  # dates are groups, too
        _refuse_first(labels.rename("groups"), what, odd_cells(labels), "text or numbers")
    known = occurring(labels)
    if len(known) < 2:
        raise WorkbenchError(f"{what} has {n_rows} rows of 1 group: expected at least two groups to split")
    return class_codes(labels, known)


def _plain(labels: pd.Series, what: str) -> pd.Series:
    """Declare the classes that occur, and convert classes that scikit-learn rejects to text."""
    if not isinstance(labels.dtype, pd.CategoricalDtype):
        labels = as_categorical(labels)
    classes = labels.cat.categories.tolist()
    try:
        sorted(classes)
    except TypeError as error:
        kinds = {type(label).__name__: label for label in reversed(classes)}
        shown = " and ".join(f"{label!r} ({kind})" for kind, label in sorted(kinds.items()))
        raise WorkbenchError(
            f"the classes of {what} cannot be ordered, such as {shown}: give all of one type, as "
            "y.astype(str) does"
        ) from error
    if all(isinstance(label, PLAIN_CLASSES) for label in classes):
        return labels
    texts = [label.decode(errors="replace") if isinstance(label, bytes) else str(label) for label in classes]
    return labels.cat.rename_categories(texts)


def _check_classes(labels: pd.Series, what: str) -> None:
    """Raise WorkbenchError for classes that look like a regression target."""
    declared = isinstance(labels.dtype, pd.CategoricalDtype)
    values = labels.cat.categories if declared else pd.Index(labels.unique())
    if kind_of(values.dtype) != "numbers":
        return
    broken = not declared and pd.api.types.is_float_dtype(values) and bool((values != values.round()).any())
    if broken or (len(values) > MANY_CLASSES and len(labels) < 2 * len(values)):
        example = values[values != values.round()][0] if broken else values[0]
        raise WorkbenchError(
            f"y of {what} looks like a number to predict ({len(values)} distinct numbers in {len(labels)} "
            f"rows, such as {example:g}), and not like classes: discretize it, such as by pandas.qcut, or "
            "name the class column"
        )


def check_cells(frame: pd.DataFrame, what: str) -> None:
    """Raise WorkbenchError for dates, infinite numbers, and cells without a single value."""
    for _, column in frame.items():
        kind = kind_of(column.dtype)  # values that are declared are labels
        refuse = functools.partial(_refuse_first, column, what)
        if kind == "complex":
            refuse(column.notna().to_numpy(), "real numbers are needed: make two columns of it")
        elif kind == "numbers" and not pd.api.types.is_integer_dtype(column.dtype):
            infinite = np.isinf(column.to_numpy(dtype=np.float64, na_value=np.nan))
            refuse(infinite, "finite numbers are needed: make it missing, or drop the row")
        elif kind == "dates":
            refuse(column.notna().to_numpy(), "dates are not read: make them numbers, such as days")
        elif kind == "labels":
            refuse(odd_cells(column), "text or numbers are needed: convert such cells, or drop the column")


def _refuse_first(column: pd.Series, what: str, wrong: Any, expected: str) -> None:
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        text = str(column.iloc[row])
        shown = text if len(text) <= 40 else f"{text[:40]}..."
        raise WorkbenchError(
            f"column {column.name!r} of {what} holds {shown} in row {row + 1}, but {expected}"
        )


def hash_rows(X: pd.DataFrame, codes: NDArray[np.intp], more: object = "") -> str:
    """Hash rows. Equal content gives equal text, whatever the container's layout."""
    hashed = hashlib.sha256(codes.astype("<i8").tobytes())
    hashed.update(repr(more).encode())
    for name, column in X.items():
        head, values = _content(name, column)
        hashed.update(repr(head).encode())
        hashed.update(values.tobytes())
    return hashed.hexdigest()[:32]


def _content(name: Hashable, column: pd.Series) -> tuple[object, NDArray[np.generic]]:
    """Return what a column declares (a bare name for floats), and its cells as numbers or codes."""
    dtype, kind = column.dtype, kind_of(column.dtype)
    if kind == "declared":
        ordered = ("ordered",) if dtype.ordered else ()
        return (name, dtype.categories.tolist(), *ordered), declared_codes(column).astype("<i8")
    whole = pd.api.types.is_integer_dtype(dtype)
    if whole and not column.hasnans:
        return (name, "integer"), column.to_numpy(dtype="<i8")
    if kind == "numbers":
        numbers = column.to_numpy(dtype="<f8", na_value=np.nan) + 0.0  # one zero, not two
        return (name, "integer") if whole else name, numbers
    texts = np.array([repr(value) for value in column.to_numpy(dtype=object).tolist()], dtype=object)
    texts[column.isna().to_numpy()] = None  # one kind of missing value, not three
    codes, values = codes_as_met(texts)
    return (name, "text", values.tolist()), codes.astype("<i8")
