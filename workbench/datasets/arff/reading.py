"""ARFF, the format of Weka: data sets that declare their attributes and values."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from generators.tables.caller import user_level
from workbench.base.errors import InferredClassWarning, WorkbenchError
from workbench.datasets._shared.lines import Readable, opened
from workbench.datasets._shared.split import ANOTHER_CLASS, HOW_TO_NAME, as_nominal, split_class
from workbench.datasets.arff.header import ArffAttribute, read_header
from workbench.datasets.arff.rows import read_rows

__all__ = ["ArffAttribute", "ArffTable", "doubt_of_class", "load_arff", "read_arff"]

#: Names of a class only: other words of tables, such as outcome, are attributes of Weka's files, too.
CLASS_NAMES = ("class", "target", "label")


@dataclass(frozen=True)
class ArffTable:
    r"""The content of an ARFF file, before an attribute is chosen as the class.

    Attributes
    ----------
    name : str
        Path of the file, which error messages show.
    relation : str
        The name after ``@relation``.
    attributes : tuple of ArffAttribute
        Name, kind and declared values of each attribute in order.
    frame : DataFrame of shape (n_rows, n_attributes)
        The rows. Nominal columns are categorical with all declared values, numeric columns float64, and
        string columns text. Missing values are NaN or None.

    Examples
    --------
    >>> import io
    >>> table = read_arff(io.StringIO("@relation r\n@attribute a {x,y}\n@data\nx\n"))
    >>> table.relation, table.attributes[0].values
    ('r', ('x', 'y'))
    """

    name: str
    relation: str
    attributes: tuple[ArffAttribute, ...]
    frame: pd.DataFrame

    def split(self, class_name: str | None = None) -> tuple[pd.DataFrame, pd.Series]:
        """Split the data set into attributes and class.

        Parameters
        ----------
        class_name : str, optional
            The class attribute. By default the last attribute.

        Returns
        -------
        X : DataFrame of shape (n_rows, n_attributes - 1)
        y : Series of shape (n_rows,)
            Categorical.

        Raises
        ------
        WorkbenchError
            If there is no attribute with this name, or the class attribute is numeric.
        """
        name = self.attributes[-1].name if class_name is None else str(class_name)
        if ArffAttribute(name, "numeric") in self.attributes:
            raise WorkbenchError(
                f"the class {name!r} of {self.name} is numeric, but must be nominal: {ANOTHER_CLASS}"
            )
        return split_class(self.frame, name, self.name)


def load_arff(
    path_or_file: Readable,
    *,
    class_name: str | None = None,
    nominal: Sequence[str] = (),
    encoding: str = "utf-8",
) -> tuple[pd.DataFrame, pd.Series]:
    """Read an ARFF file into attributes and class.

    Parameters
    ----------
    path_or_file : str, Path, or open text or binary file
        A path that ends in ``.gz`` is decompressed.
    class_name : str, optional
        The class attribute. By default the last attribute.
    nominal : sequence of str, default=()
        Numeric attributes whose numbers are codes of values. Their columns become labels (dtype object, None
        where missing) without declared values.
    encoding : str, default="utf-8"
        Encoding of a path or a binary file.

    Returns
    -------
    X : DataFrame of shape (n_samples, n_attributes)
        Nominal columns are categorical with all declared values, numeric columns float64, and string columns
        text. Missing values are NaN or None.
    y : Series of shape (n_samples,)
        The class, categorical with all declared values.

    Raises
    ------
    WorkbenchError
        If the file is malformed (the message names file, line and column), the class is numeric, or an
        attribute named in the arguments does not exist.

    Warns
    -----
    workbench.base.errors.InferredClassWarning
        If the last attribute is taken as the class and another one is called class, target or label.

    See Also
    --------
    read_arff : Reads a file without selecting a class. Its notes describe how files are read.
    workbench.datasets.load_dataset : Loads a data set by its name.

    Examples
    --------
    >>> import io
    >>> text = '''@relation play
    ... @attribute outlook {sunny, overcast, 'light rain'}
    ... @attribute humidity numeric
    ... @attribute play {no, yes}
    ... @data
    ... sunny, 85, no
    ... 'light rain', ?, yes
    ... '''
    >>> X, y = load_arff(io.StringIO(text))
    >>> X["humidity"].tolist(), y.tolist(), list(X["outlook"].cat.categories)
    ([85.0, nan], ['no', 'yes'], ['sunny', 'overcast', 'light rain'])
    """
    table = read_arff(path_or_file, encoding=encoding)
    doubt = doubt_of_class([attribute.name for attribute in table.attributes])
    if class_name is None and doubt:
        warnings.warn(f"{table.name}: {doubt}", InferredClassWarning, stacklevel=user_level())
    return replace(table, frame=as_nominal(table.frame, nominal, table.name)).split(class_name)


def doubt_of_class(names: Sequence[str]) -> str:
    """Return what speaks against the last attribute of an ARFF file as the class, or an empty text."""
    like = [name for name in names if name.strip().casefold() in CLASS_NAMES]
    if not like or names[-1] in like:
        return ""
    return (
        f"the last attribute, {names[-1]!r}, is taken as the class, as in Weka, but another attribute is "
        f"called {like[0]!r}: to be sure, name the class, {HOW_TO_NAME}"
    )


def read_arff(path_or_file: Readable, *, encoding: str = "utf-8") -> ArffTable:
    r"""Read an ARFF file without selecting a class.

    Parameters
    ----------
    path_or_file : str, Path, or open text or binary file
        A path that ends in ``.gz`` is decompressed.
    encoding : str, default="utf-8"
        Encoding of a path or a binary file.

    Returns
    -------
    ArffTable

    Raises
    ------
    WorkbenchError
        If the file cannot be read or is malformed. The message names file, line and column.

    Notes
    -----
    Keywords and types may be in any case. Names and values with blanks, commas, quotes, braces or ``%`` must
    be in single or double quotes, with backslash escapes inside. In a row with commas, blanks inside a value
    without quotes belong to the value. In a row without commas, blanks separate the values. A ``?`` without
    quotes is a missing value, a quoted ``?`` is a value. Values left out of a sparse row
    ``{index value, ...}`` are 0 for numeric attributes and the first declared value for nominal attributes. A
    ``%`` at the start of a line or after a blank begins a comment. Undeclared values, dates, relational
    attributes, weights, duplicate names, and numbers that are not finite are errors. The file is read in
    blocks of rows, so little more memory is needed than for the resulting table.

    50,000 rows x 15 attributes: 0.3 s.

    Examples
    --------
    >>> import io
    >>> read_arff(io.StringIO("@attribute a {x,y}\n@data\nx\nz\n"))
    Traceback (most recent call last):
    ...
    workbench.base.errors.WorkbenchError: the given file, line 4, column 1: 'z' is not a declared value of
    'a': expected one of 'x', 'y'
    """
    with opened(path_or_file, encoding) as lines:
        relation, attributes = read_header(lines)
        return ArffTable(lines.name, relation, attributes, read_rows(lines, attributes))
