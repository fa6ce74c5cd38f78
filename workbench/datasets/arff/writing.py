"""Writing ARFF: every attribute is declared with all its values, and rows are written in blocks."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.tables.cells import kind_of, repeated_name
from generators.tables.columns import declared_codes
from workbench.base.errors import WorkbenchError
from workbench.base.text import exact_numbers, shown
from workbench.datasets.arff.header import ArffAttribute

__all__ = ["save_arff", "write_arff"]

MISSING = "?"
ROWS = 2**16
ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
#: Other characters at which Python's or Weka's readers end a line.
LINE_ENDS = "\v\x1c\x1d\x1e\x85\u2028\u2029"


def save_arff(X: pd.DataFrame, y: pd.Series, path: str | Path, *, relation: str = "table") -> Path:
    r"""Write attributes and class to an ARFF file.

    Parameters
    ----------
    X : DataFrame of shape (n_samples, n_attributes)
        Columns of categorical dtype become nominal attributes with all declared values, including those that
        do not occur. Columns of numbers become numeric attributes. NaN and None are missing values. Columns
        of text must be made categorical before, because text does not declare its values.
    y : Series of shape (n_samples,)
        The class, which is written as the last attribute under its name.
    path : str or Path
        The file. An existing file is overwritten.
    relation : str, default="table"
        The name after ``@relation``.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    WorkbenchError
        If a column is neither categorical nor of finite numbers, two columns have the same name, or two
        values of one column are written as the same text, such as 1 and "1".

    See Also
    --------
    workbench.datasets.load_arff : Reads the file, with nominal values as text.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> X = pd.DataFrame({"sky": pd.Categorical(["clear"], ["clear", "it's dull"]), "degrees": [21.5]})
    >>> y = pd.Series(pd.Categorical(["yes"], ["no", "yes"]), name="play")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(save_arff(X, y, pathlib.Path(folder, "play.arff"), relation="play").read_text().rstrip())
    @relation play
    <BLANKLINE>
    @attribute sky {clear,'it\'s dull'}
    @attribute degrees numeric
    @attribute play {no,yes}
    <BLANKLINE>
    @data
    clear,21.5,yes
    """
    columns = [X.iloc[:, j] for j in range(X.shape[1])] + [y]
    attributes = tuple(map(_attribute, columns))
    names = [attribute.name for attribute in attributes]
    if repeated_name(names) is not None:
        raise WorkbenchError(f"two columns have the same name: {names}")
    block = [
        declared_codes(column) if attribute.kind == "nominal" else column.to_numpy(np.float64)
        for column, attribute in zip(columns, attributes, strict=True)
    ]
    write_arff(Path(path), attributes, [block], relation=relation)
    return Path(path)


def write_arff(
    path: Path,
    attributes: Sequence[ArffAttribute],
    blocks: Iterable[Sequence[NDArray[Any]]],
    *,
    relation: str,
) -> None:
    """Write an ARFF file of any length, block by block."""
    # the code of a missing value, -1, selects the last word
    words = [np.array([*map(_word, a.values), MISSING], dtype=object) for a in attributes]
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(f"@relation {_word(relation)}\n\n")
        for attribute, word in zip(attributes, words, strict=True):
            kind = "{" + ",".join(word[:-1]) + "}" if attribute.kind == "nominal" else "numeric"
            file.write(f"@attribute {_word(attribute.name)} {kind}\n")
        file.write("\n@data\n")
        for block in blocks:
            for start in range(0, len(block[0]), ROWS):
                part = [values[start : start + ROWS] for values in block]
                texts = [
                    word[values] if attribute.kind == "nominal" else exact_numbers(values, MISSING)
                    for attribute, word, values in zip(attributes, words, part, strict=True)
                ]
                file.write("\n".join(map(",".join, zip(*texts, strict=True))) + "\n")


def _attribute(column: pd.Series) -> ArffAttribute:
    name = str(column.name)
    if isinstance(column.dtype, pd.CategoricalDtype):
        values = tuple(map(str, column.cat.categories))
        if len(set(values)) < len(values):
            raise WorkbenchError(
                f"the column {shown(name)} has two values that are the same as text: rename one"
            )
        return ArffAttribute(name, "nominal", values)
    if kind_of(column.dtype) != "numbers":
        raise WorkbenchError(
            f"the column {shown(name)} is {column.dtype}: expected categories or numbers, such as "
            'column.astype("category")'
        )
    if np.isinf(column.to_numpy(np.float64)).any():
        raise WorkbenchError(f"the column {shown(name)} has an infinite number: expected finite numbers")
    return ArffAttribute(name, "numeric")


def _word(text: str) -> str:
    """Write a name or value, in quotes unless it is plain."""
    if text.isascii() and text.replace("_", "").replace(".", "").replace("-", "").isalnum():
        return text
    pieces = [ESCAPES.get(sign) or (f"\\u{ord(sign):04x}" if sign in LINE_ENDS else sign) for sign in text]
    return f"'{''.join(pieces)}'"
