"""Input checks that all metrics share: forecasts, outcomes, priors, weights of cells."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

ROW_SUM_TOLERANCE = 1e-8
# A joint is a product of many rows, each of which may be off by the tolerance above.
TOTAL_TOLERANCE = 1e-6


def check_forecast(y_prob: ArrayLike, *, name: str = "y_prob") -> NDArray[np.float64]:
    """Return the forecast as rows of distributions, C-contiguous float64 that cannot be written, or raise."""
    from workbench.metrics._kernels.forecast_check import first_unsound_row

    forecast = np.asarray(y_prob, dtype=np.float64)
    if forecast.ndim != 2 or 0 in forecast.shape:
        raise ValueError(
            f"{name} has shape {forecast.shape}: give one row a sample and one column a class, "
            "with at least one of each"
        )
    forecast = _for_kernels(forecast)
    row = first_unsound_row(forecast, ROW_SUM_TOLERANCE)
    if row >= 0:
        raise ValueError(f"row {row} of {name} {_fault(forecast[row])}")
    return forecast


def check_outcomes(
    y_true: ArrayLike, shape: tuple[int, ...], classes: Sequence[object] | ArrayLike | None
) -> NDArray[np.intp]:
    """Return the class codes of `y_true`, which holds codes, or labels where `classes` is given."""
    n_samples, n_classes = shape
    outcomes = np.asarray(y_true)
    if outcomes.shape != (n_samples,):
        raise ValueError(
            f"y_true has shape {outcomes.shape} and y_prob has {n_samples} rows: give one class for each row"
        )
    if classes is not None:
        if len(np.asarray(classes)) != n_classes:
            raise ValueError(
                f"classes names {len(np.asarray(classes))} classes and y_prob has {n_classes} columns: "
                "name one class for each column"
            )
        return _for_kernels(label_codes(outcomes, classes))
    if outcomes.dtype.kind not in "iu":
        raise ValueError(
            f"y_true holds {outcomes.dtype} values: give integer class codes, "
            "or labels together with classes= in the order of the columns of y_prob"
        )
    if outcomes.min() < 0 or outcomes.max() >= n_classes:
        outside = outcomes[(outcomes < 0) | (outcomes >= n_classes)][0]
        raise ValueError(
            f"y_true holds code {outside} and y_prob has {n_classes} columns: "
            f"give codes 0 to {n_classes - 1}, or labels together with classes="
        )
    return _for_kernels(outcomes.astype(np.intp, copy=False))


def label_codes(labels: NDArray[np.generic], classes: Sequence[object] | ArrayLike) -> NDArray[np.intp]:
    """Return the place of each label in `classes`; an unknown label or a class named twice raises."""
    import pandas as pd  # only labels need it, codes do not

    index = pd.Index(np.asarray(classes))
    if not index.is_unique:
        raise ValueError(
            f"classes names {index[index.duplicated()].tolist()[0]!r} twice: name each class once"
        )
    codes = np.asarray(index.get_indexer(pd.Index(labels)), dtype=np.intp)
    if codes.size and codes.min() < 0:
        raise ValueError(
            f"label {labels[codes < 0].tolist()[0]!r} is not among the classes {index.tolist()}: "
            "add it to classes= or leave its samples out"
        )
    return codes


def check_prior(prior: ArrayLike | None, n_classes: int, *, metric: str) -> NDArray[np.float64]:
    """Return the prior as a float64 vector of positive entries that sum to one, or raise."""
    if prior is None:
        raise ValueError(
            f"{metric} compares the forecast with a prior and got prior=None: pass "
            "prior=workbench.metrics.class_prior(y_train)"
        )
    reference = np.asarray(prior, dtype=np.float64)
    if reference.shape != (n_classes,):
        raise ValueError(
            f"prior has shape {reference.shape} and y_prob has {n_classes} columns: "
            "give one probability for each column"
        )
    if np.count_nonzero(reference) == 1 and reference.max() == 1.0:
        raise ValueError(
            "the prior gives one class probability 1: a reward against it is undefined; "
            "declare the other classes with workbench.metrics.class_prior(y_train, classes=...) "
            "or leave this data set out"
        )
    if not (reference > 0.0).all():
        raise ValueError(
            f"prior is {reference.tolist()}: every class needs a positive probability; "
            "workbench.metrics.class_prior(y_train, classes=...) gives one"
        )
    if not abs(reference.sum() - 1.0) <= ROW_SUM_TOLERANCE:
        raise ValueError(f"prior sums to {reference.sum():.12g}: divide it by its sum")
    return _for_kernels(reference)


def check_weights(weights: ArrayLike, shape: tuple[int, ...], *, name: str) -> NDArray[np.float64]:
    """Return probabilities of cells: of the given shape, nonnegative, summing to one."""
    mass = np.asarray(weights, dtype=np.float64)
    if mass.shape != shape:
        raise ValueError(f"{name} has shape {mass.shape}: the forecast calls for {shape}")
    if not (mass >= 0.0).all() or not abs(mass.sum() - 1.0) <= TOTAL_TOLERANCE:
        raise ValueError(
            f"{name} has least entry {mass.min():g} and sum {mass.sum():.12g}: "
            "give probabilities of all cells, which sum to one"
        )
    return mass


def _fault(row: NDArray[np.float64]) -> str:
    """Say why a row is no distribution, and what to do."""
    wrong = np.flatnonzero(~(np.isfinite(row) & (row >= 0.0)))
    if wrong.size:
        return f"holds {row[wrong[0]]:g} for class {wrong[0]}: give finite probabilities of at least 0"
    return f"sums to {row.sum():.12g}: divide each row by its sum before scoring"


def _for_kernels(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array, or a contiguous copy, as a view that cannot be written.

    Every array then has one type, for which kernels are compiled once, and no metric can change its input.
    """
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
