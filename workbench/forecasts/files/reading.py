"""Read predictions that another program wrote."""

import io
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from workbench.base.errors import WorkbenchError
from workbench.base.text import and_of, count_of, shown
from workbench.datasets._shared.lines import Readable
from workbench.datasets.delimited.content import Content, content_of
from workbench.datasets.delimited.options import TextOptions
from workbench.forecasts.files.arff_tables import arff_table, is_arff
from workbench.forecasts.files.columnar import columnar_kind, columnar_table, name_of
from workbench.forecasts.files.predictions import Predictions
from workbench.forecasts.files.printed_rows import probabilities_of
from workbench.forecasts.files.tables import columns_for, delimited_table, one_column_rows, table_rows
from workbench.forecasts.files.weka import is_weka_header, weka_rows

__all__ = ["read_forecasts", "read_predictions"]


def read_predictions(
    path: Readable,
    *,
    actual: str | Sequence[str] | None = None,
    classes: Sequence[str] | None = None,
    columns: Mapping[str, str] | None = None,
    positive: object = None,
    row: str | Sequence[str] | None = None,
    sep: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
) -> Predictions:
    r"""Read predictions from a file that was written by Weka, OpenML, R, H2O, pandas or another program.

    Parameters
    ----------
    path : str, Path or open file
        A file with probabilities of all classes. It may contain Weka's predictions with the distribution, as
        CSV or as the plain text of its window, also with other text around them. Otherwise it must be a table
        with one column of probabilities for each class: a text with a header, ARFF, Parquet or Feather.
        Separator, decimal mark and encoding of a text are detected.
    actual : str or sequence of str, optional
        For tables, the column with the true class. By default this is the column called actual, obs,
        observed, y_true or truth, or correct in OpenML's files. If the file does not have the true classes,
        pass a sequence with the true class of each row.
    classes : sequence of str, optional
        All classes. For Weka's files they must be in Weka's order, and by default they are those that ARFF
        declares or the rows name. For tables, they must be in the order of their columns. If an unused column
        of a table would complete the sums of the rows to one, an error is raised.
    columns : dict of str to str, optional
        For tables, maps each class to the column of its probabilities. By default the name of the column is
        the label of the class. The label may follow ".pred_" (tidymodels), "prob." (mlr3), "confidence."
        (OpenML), ``p_`` (our benchmarks) or, for an integer, "p" (H2O), and may be converted by R's
        make.names.
    positive : str, bool or number, optional
        For tables with only one column of probabilities, the class of these probabilities. The other class
        gets the remaining probability. The column must be called score, y_score, y_prob, y_proba,
        probability, prob or p, or must be the only column besides `actual` and `row`, or must be named in
        `columns`.
    row : str or sequence of str, optional
        The column or columns that identify rows, so that files in different orders can be compared. In Weka's
        files these are attributes printed with the option -p.
    sep, decimal, encoding : str, optional
        For text, as in `workbench.datasets.load_table`. By default they are detected.

    Returns
    -------
    Predictions
        The predictions, without rows whose true class is missing. These rows are counted.

    Raises
    ------
    WorkbenchError
        If the file cannot be read, has an unknown format, or has no distribution. If a class has no column,
        or a column of probabilities belongs to no class. If a probability is not a number from 0 to 1, or a
        row does not sum to one within its rounding. If Weka's row numbers neither increase by one nor restart
        at 1. The message names the line.

    Examples
    --------
    >>> from io import StringIO
    >>> predictions = read_predictions(StringIO('''inst#,actual,predicted,error,distribution,
    ... 1,2:yes,1:no,+,*0.667,0.333
    ... 2,1:no,1:no,,*1,0
    ... 1,1:?,2:yes,,0.25,*0.75
    ... '''))
    >>> predictions.classes, predictions.y_true.tolist(), predictions.n_missing
    (('no', 'yes'), ['yes', 'no'], 1)
    >>> predictions = read_predictions(StringIO("y_true,score\n1,0.75\n0,0.5\n"), positive="1")
    >>> predictions.classes, predictions.y_prob.tolist()
    (('0', '1'), [[0.25, 0.75], [0.5, 0.5]])
    """
    named = None if classes is None else _checked(classes)
    naming = [str(name) for name in ((row,) if isinstance(row, str) else row or ())]
    if columns is not None:
        columns = {str(label): str(name) for label, name in columns.items()}
    if (kind := columnar_kind(path)) is not None:
        table = columnar_table(name_of(path), path, kind)
    else:
        options = TextOptions.of(name_of(path), sep=sep, decimal=decimal, encoding=encoding, header=True)
        content = content_of(path, encoding)
        numbered = _numbered(content)
        if any(is_weka_header(text) for _, text in numbered):
            if actual is not None or columns is not None or positive is not None:
                raise WorkbenchError(
                    f"{content.name} is a file of Weka, whose columns are known: leave out actual=, columns= "
                    "and positive="
                )
            return Predictions.of(weka_rows(content.name, numbered, classes=named, row=naming))
        is_declared = is_arff(numbered)
        table = (
            arff_table(content.name, numbered, "utf-8") if is_declared else delimited_table(content, options)
        )
    if positive is None:
        printed = table_rows(table, actual=actual, classes=named, columns=columns, row=naming)
    else:
        printed = one_column_rows(
            table, positive=positive, actual=actual, classes=named, columns=columns, row=naming
        )
    return Predictions.of(printed)


def _checked(classes: Sequence[str]) -> tuple[str, ...]:
    named = (classes,) if isinstance(classes, str) else tuple(str(label) for label in classes)
    if len(set(named)) < max(2, len(named)):
        raise WorkbenchError(f"classes is {shown(classes)}: name at least two classes, each once")
    return named


def read_forecasts(
    path: Path,
    form: Literal["weka", "csv"],
    *,
    classes: Sequence[str],
    unseen: Container[str] = (),
    n_rows: int,
) -> NDArray[np.float64]:
    """Read forecasts, (n_rows, n_classes), of rows of unknown class, in the order of these rows."""
    # `unseen` classes had no training rows: those without a column have probability 0
    content = content_of(path, None)
    has_column = np.ones(len(classes), dtype=bool)
    if form == "csv":
        table = delimited_table(content, TextOptions.of(content.name, header=True))
        has_column = np.array(
            [not frozenset(columns_for(label)).isdisjoint(table.header) for label in classes]
        )
        if not all(own or label in unseen for own, label in zip(has_column, classes, strict=True)):
            raise WorkbenchError(
                f"{content.name} has the columns {table.columns}: expected one for each class, called "
                f"{and_of(list(map(repr, classes)))}"
            )
        unknown: list[str | None] = [None] * n_rows
        named = [label for own, label in zip(has_column, classes, strict=True) if own]
        printed = table_rows(table, actual=unknown, classes=named, columns=None, row=())
    else:
        numbered = _numbered(content)
        if not any(is_weka_header(text) for _, text in numbered):
            raise WorkbenchError(f"{content.name} has no header of Weka's predictions (inst#, actual, ...)")
        printed = weka_rows(content.name, numbered, classes=classes, row=())
    if len(printed.rows) != n_rows or printed.rows[-1].fold:
        parts = f" in {last + 1} parts, each numbered from 1" if (last := printed.rows[-1].fold) else ""
        raise WorkbenchError(
            f"{content.name} has {count_of(len(printed.rows), 'row')}{parts}: expected {n_rows}, one for "
            "each row that was to be predicted, in the same order"
        )
    out = np.zeros((n_rows, len(classes)))
    out[:, has_column] = probabilities_of(printed, printed.rows).y_prob
    return out


def _numbered(content: Content) -> list[tuple[int, str]]:
    """Return the lines of a text, numbered from 1."""
    return list(enumerate(io.StringIO(bytes(content.data).decode("utf-8")), start=1))
