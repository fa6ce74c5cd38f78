"""Check that forecasts and priors are distributions, and convert them to double precision."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._shared.checks.columns import in_class_order
from workbench.metrics._shared.checks.values import for_kernels, numbers

__all__ = ["ROW_SUM_TOLERANCE", "check_cells", "check_forecast", "check_weights", "in_double", "check_prior"]

ROW_SUM_TOLERANCE = 1e-8
# A joint is a product of many rows, each of which may be off by the tolerance above.
TOTAL_TOLERANCE = 1e-6


def check_forecast(
    y_prob: ArrayLike,
    *,
    name: str = "y_prob",
    classes: Sequence[object] | ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Return the forecast as rows of distributions, C-contiguous float64 that cannot be written, or raise."""
    from workbench.metrics._kernels.rows import first_unsound_row

    forecast = numbers(in_class_order(y_prob, classes, name=name), name=name)
    if forecast.ndim != 2 or 0 in forecast.shape:
        raise ValueError(
            f"{name} has shape {forecast.shape}: expected one row per sample and one column per class, with "
            "at least one of each; for the probabilities p of one of two classes pass "
            "numpy.column_stack([1 - p, p])"
        )
    forecast = for_kernels(in_double(forecast))
    row = first_unsound_row(forecast, ROW_SUM_TOLERANCE)
    if row >= 0:
        raise ValueError(f"row {row} of {name} {_fault(forecast[row])}")
    return forecast


def in_double(y_prob: NDArray[Any]) -> NDArray[np.float64]:
    """Return rows in float64; rows of a shorter float that sum to one up to its rounding are normalized.

    Networks and boosted trees return float32, which misses one by 1e-7. The
    square root of the precision is allowed: 3e-4 in float32, 0.03 in float16.
    """
    wide = y_prob.astype(np.float64, copy=False)
    if y_prob.dtype.kind != "f" or y_prob.dtype.itemsize >= wide.dtype.itemsize:
        return wide
    totals = wide.sum(axis=-1, keepdims=True)
    rounded = np.abs(totals - 1.0) <= np.sqrt(np.finfo(y_prob.dtype).eps)
    return np.divide(wide, totals, out=wide, where=rounded)


def check_cells(joint: ArrayLike, y_prob: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the joint distribution and the checked forecast at the cells that are possible, or raise."""
    forecast = numbers(y_prob, name="y_prob")
    mass = check_weights(joint, forecast.shape, name="joint")
    possible = mass.any(axis=1)
    return mass[possible], check_forecast(forecast[possible])


def check_weights(weights: ArrayLike, shape: tuple[int, ...], *, name: str) -> NDArray[np.float64]:
    """Return probabilities of cells: of the given shape, nonnegative, summing to one."""
    mass = numbers(weights, name=name).astype(np.float64, copy=False)
    if mass.shape != shape:
        raise ValueError(
            f"{name} has shape {mass.shape}: expected {shape} to match the forecast; give each of its rows "
            "or cells a probability"
        )
    if not (mass >= 0.0).all() or not abs(mass.sum() - 1.0) <= TOTAL_TOLERANCE:
        raise ValueError(
            f"{name} has least entry {mass.min():g} and sum {mass.sum():.12g}: "
            "give probabilities of all cells, which sum to one"
        )
    return mass


def _fault(row: NDArray[np.float64]) -> str:
    """Describe why a row is not a distribution, and what to do."""
    wrong = np.flatnonzero(~(np.isfinite(row) & (row >= 0.0)))
    if wrong.size:
        return f"holds {row[wrong[0]]:g} for class {wrong[0]}: give finite probabilities of at least 0"
    return f"sums to {row.sum():.12g}: expected 1; divide each row by its sum before scoring"


#: Expressions for the priors that studies and scorers know by name.
MEANT = {
    "training": "workbench.metrics.class_prior(y_train)",
    "test": "workbench.metrics.class_prior(y_true)",
    "uniform": "numpy.full(n_classes, 1 / n_classes)",
}


def check_prior(
    prior: ArrayLike | None,
    n_classes: int,
    *,
    metric: str,
    classes: Sequence[object] | ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Return the prior as a float64 vector of positive entries that sum to one, or raise."""
    if prior is None:
        raise ValueError(
            f"{metric} compares the forecast with a prior, but got prior=None: pass "
            "prior=workbench.metrics.class_prior(y_train)"
        )
    if isinstance(prior, str):
        raise ValueError(
            f"{metric} takes the probabilities of a prior but got its name, prior={prior!r}: pass "
            f"prior={MEANT.get(prior, MEANT['training'])}"
        )
    reference = in_double(numbers(in_class_order(prior, classes, name="prior"), name="prior"))
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
    return for_kernels(reference)
