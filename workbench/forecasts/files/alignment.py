"""Predictions of several programs for the same rows."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from workbench.base.errors import WorkbenchError
from workbench.forecasts.files.predictions import Predictions
from workbench.forecasts.forecasts import Forecasts

__all__ = ["on_same_rows"]


def on_same_rows(predictions: Mapping[str, Predictions]) -> Forecasts:
    r"""Align the predictions of several programs for the same rows.

    Parameters
    ----------
    predictions : dict of str to Predictions
        Predictions by the name of the program. Rows are matched by name if all files were read with ``row=``.
        Otherwise they must be in the same order.

    Returns
    -------
    Forecasts
        The aligned predictions, with rows and classes in the order of the first program: `outcomes`,
        `by_learner`, `classes`.

    Raises
    ------
    WorkbenchError
        If there are no predictions, if classes or rows differ, if a row has different true classes, or if
        only some predictions have names of rows.

    Notes
    -----
    Without names of rows, the only check is that the true classes are the same in the same order. This finds
    a file in another order unless the file is sorted by class.

    Examples
    --------
    >>> from io import StringIO
    >>> from workbench.forecasts.files import read_predictions
    >>> one = read_predictions(StringIO("id,obs,no,yes\n7,no,0.9,0.1\n8,yes,0.4,0.6"), row="id")
    >>> other = read_predictions(StringIO("id,obs,yes,no\n8,yes,0.7,0.3\n7,no,0.2,0.8"), row="id")
    >>> both = on_same_rows({"one": one, "other": other})
    >>> both.outcomes.tolist(), both.by_learner["other"].tolist()
    ([0, 1], [[0.8, 0.2], [0.3, 0.7]])
    """
    if not predictions:
        raise WorkbenchError("predictions is empty: expected a dict of program to predictions")
    first_key, first = next(iter(predictions.items()))
    tables = {}
    for key, other in predictions.items():
        pair = f"{first_key} and {key}"
        order = _order(first, other, pair)
        if set(other.classes) != set(first.classes):
            raise WorkbenchError(
                f"{pair} have different classes, {', '.join(first.classes)} and {', '.join(other.classes)}: "
                "name all classes with classes= when the files are read"
            )
        for i in np.flatnonzero(other.y_true[order] != first.y_true)[:1]:
            raise WorkbenchError(
                f"{pair} are not of the same rows: {first.unit} {first.lines[i]} of the first has class "
                f"{str(first.y_true[i])!r}, but {other.unit} {other.lines[order][i]} of the second has "
                f"{str(other.y_true[order][i])!r}: sort both files in the same way, or read both with row="
            )
        columns = [other.classes.index(label) for label in first.classes]
        tables[key] = other.y_prob[order][:, columns]
    return Forecasts.of(first.y_true, tables, classes=first.classes)


def _order(first: Predictions, other: Predictions, pair: str) -> NDArray[np.intp]:
    """Return the indices of the first program's rows in the other."""
    if (first.names is None) != (other.names is None):
        raise WorkbenchError(f"only one of {pair} has names of rows: read both with row=, or both without")
    if first.n_samples != other.n_samples:
        raise WorkbenchError(
            f"{pair} have {first.n_samples} and {other.n_samples} rows ({first.n_missing} and "
            f"{other.n_missing} left out): give predictions for the same rows"
        )
    if first.names is None or other.names is None:
        return np.arange(other.n_samples)
    places = {name: i for i, name in enumerate(other.names)}
    for name in first.names:
        if name not in places:
            raise WorkbenchError(f"{pair} are not of the same rows: only the first has row {name!r}")
    return np.array([places[name] for name in first.names], dtype=np.intp)
