"""Input checks of all metrics: forecasts, outcomes, sets, priors, weights of cells, options."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from numbers import Real
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from generators.tables.cells import repeated_name
from generators.tables.columns import class_codes
from workbench.base.checks import as_integer
from workbench.base.text import sentence, shown

ROW_SUM_TOLERANCE = 1e-8
# A joint is a product of many rows, each of which may be off by the tolerance above.
TOTAL_TOLERANCE = 1e-6
#: Expressions for the priors that studies and scorers know by name.
MEANT = {
    "training": "workbench.metrics.class_prior(y_train)",
    "test": "workbench.metrics.class_prior(y_true)",
    "uniform": "numpy.full(n_classes, 1 / n_classes)",
}

Numbers = NDArray[np.float64]
Codes = NDArray[np.intp]
Sets = NDArray[np.bool_]
Labels = Sequence[object] | ArrayLike
Classes = Labels | None
Given = ParamSpec("Given")
Checked = TypeVar("Checked")
#: What was given to a check and what it returned, inside `checked_once`.
_known: ContextVar[dict[Any, tuple[Any, Any]] | None] = ContextVar("known", default=None)


@contextmanager
def checked_once() -> Iterator[None]:
    """Check each array once, as many metrics score the same arrays, which must not change meanwhile."""
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


def _once(check: Callable[Given, Checked]) -> Callable[Given, Checked]:
    """Cache, inside `checked_once`, the result of a check by its first argument."""

    @functools.wraps(check)
    def remembering(*args: Given.args, **options: Given.kwargs) -> Checked:
        known = _known.get()
        if known is None:
            return check(*args, **options)
        key = check, id(args[0])
        if key not in known:
            known[key] = args[0], check(*args, **options)  # held, so that its identity stays its own
        return known[key][1]

    return remembering


# ---- forecasts, priors and cells


@_once
def check_forecast(y_prob: ArrayLike, *, name: str = "y_prob", classes: Classes = None) -> Numbers:
    """Return the forecast as rows of distributions, C-contiguous read-only float64, or raise."""
    forecast = numbers(in_class_order(y_prob, classes, name=name), name=name)
    if forecast.ndim != 2 or 0 in forecast.shape:
        raise ValueError(
            f"{name} has shape {forecast.shape}: expected one row per sample and one column per class. If p "
            "has the probabilities of one of two classes, pass numpy.column_stack([1 - p, p])"
        )
    forecast = _read_only(in_double(forecast))
    gaps = forecast.dot(np.ones(forecast.shape[1])) - 1.0
    # Quick if all is well; a NaN is in the least entry, and an infinity in a gap.
    if not (forecast.min() >= 0.0 and gaps.dot(gaps) <= ROW_SUM_TOLERANCE**2):
        sound = (forecast >= 0.0).all(axis=1) & (np.abs(gaps) <= ROW_SUM_TOLERANCE)
        for row in np.flatnonzero(~sound):
            raise ValueError(f"row {row} of {name} {_fault(forecast[row])}")
    return forecast


def _fault(row: Numbers) -> str:
    """Describe why a row is not a distribution, and what to do."""
    for wrong in np.flatnonzero(~(np.isfinite(row) & (row >= 0.0))):
        return f"holds {row[wrong]:g} for class {wrong}: give finite probabilities of at least 0"
    return f"sums to {row.sum():.12g}: expected 1; divide each row by its sum before scoring"


def in_double(y_prob: NDArray[Any]) -> Numbers:
    """Return rows in float64. Rows of a shorter float that sum to one up to its rounding are normalized.

    Networks return float32. The tolerance is the root of the precision: 3e-4 in float32, 0.03 in float16.
    """
    wide = y_prob.astype(np.float64, copy=False)
    if y_prob.dtype.kind != "f" or y_prob.dtype.itemsize >= wide.dtype.itemsize:
        return wide
    totals = wide.sum(axis=-1, keepdims=True)
    rounded = np.abs(totals - 1.0) <= np.sqrt(np.finfo(y_prob.dtype).eps)
    return np.divide(wide, totals, out=wide, where=rounded)


def check_cells(joint: ArrayLike, y_prob: ArrayLike) -> tuple[Numbers, Numbers]:
    """Return the joint distribution and the checked forecast at the possible cells, or raise."""
    forecast = numbers(y_prob, name="y_prob")
    mass = check_weights(joint, forecast.shape, name="joint")
    possible = mass.any(axis=1)
    return mass[possible], check_forecast(forecast[possible])


def check_weights(weights: ArrayLike, shape: tuple[int, ...], *, name: str) -> Numbers:
    """Return probabilities of cells: of the given shape, nonnegative, summing to one."""
    mass = numbers(weights, name=name).astype(np.float64, copy=False)
    if mass.shape != shape:
        raise ValueError(f"{name} has shape {mass.shape}: expected {shape}, one probability for each cell")
    if not (mass >= 0.0).all() or not abs(mass.sum() - 1.0) <= TOTAL_TOLERANCE:
        raise ValueError(
            f"{name} has least entry {mass.min():g} and sum {mass.sum():.12g}: "
            "give probabilities of all cells, which sum to one"
        )
    return mass


@_once
def check_prior(prior: ArrayLike | None, n_classes: int, *, metric: str, classes: Classes = None) -> Numbers:
    """Return the prior as a float64 vector of positive entries that sum to one, or raise."""
    if prior is None:
        raise ValueError(
            f"{metric} compares the forecast with a prior, but got prior=None: pass "
            "prior=workbench.metrics.class_prior(y_train)"
        )
    if isinstance(prior, str):
        raise ValueError(
            f"{metric} needs a prior as probabilities, but got the name prior={shown(prior)}: pass "
            f"prior={MEANT.get(prior, MEANT['training'])}"
        )
    reference = in_double(numbers(in_class_order(prior, classes, name="prior"), name="prior"))
    if reference.shape != (n_classes,):
        raise ValueError(
            f"prior has shape {reference.shape} and y_prob has {n_classes} columns: "
            "give one probability for each column"
        )
    sums_to_one = abs(reference.sum() - 1.0) <= ROW_SUM_TOLERANCE
    if not (n_classes > 1 and reference.min() > 0.0 and sums_to_one):
        raise ValueError(_fault_of_prior(reference))
    return _read_only(reference)


def _fault_of_prior(prior: Numbers) -> str:
    if np.count_nonzero(prior) == 1 and prior.max() == 1.0:
        return (
            "the prior gives one class probability 1, so rewards relative to it are undefined: declare the "
            "other classes, workbench.metrics.class_prior(y_train, classes=...), or leave this data set out"
        )
    if not (prior > 0.0).all():
        return (
            f"prior is {prior.tolist()}, but every class needs a positive probability: use "
            "workbench.metrics.class_prior(y_train, classes=...)"
        )
    return f"prior sums to {prior.sum():.12g}: divide it by its sum"


# ---- outcomes and sets


@_once
def check_outcomes(
    y_true: ArrayLike, shape: tuple[int, ...], classes: Classes, *, table: str = "y_prob"
) -> Codes:
    """Return the class codes of `y_true`, which are codes, or labels if `classes` is given."""
    n_samples, n_classes = shape
    outcomes = np.asarray(y_true)
    if outcomes.shape != (n_samples,):
        raise ValueError(
            f"y_true has shape {outcomes.shape} and {table} has {n_samples} rows: give one class for each row"
        )
    if classes is not None:
        if len(np.asarray(classes)) != n_classes:
            raise ValueError(
                f"classes names {len(np.asarray(classes))} classes and {table} has {n_classes} columns: "
                "name one class for each column"
            )
        return _read_only(label_codes(outcomes, classes))
    if outcomes.dtype == np.bool_ and n_classes == 2:  # False is the first column, as in scikit-learn
        outcomes = outcomes.astype(np.intp)
    if outcomes.dtype.kind not in "iu":
        raise ValueError(
            f"y_true has {outcomes.dtype} values: give integer class codes, "
            f"or labels together with classes= in the order of the columns of {table}"
        )
    codes = _read_only(outcomes.astype(np.intp, copy=False))
    if codes.view(np.uintp).max() >= n_classes:  # without a sign, what is below 0 is large
        outside = outcomes[(outcomes < 0) | (outcomes >= n_classes)][0]
        raise ValueError(
            f"y_true has code {outside} and {table} has {n_classes} columns: "
            f"give codes 0 to {n_classes - 1}, or labels together with classes="
        )
    return codes


def label_codes(labels: NDArray[np.generic], classes: Labels) -> Codes:
    """Return the index of each label in `classes`. Unknown labels and repeated classes raise."""
    known = np.asarray(classes)
    if (twice := repeated_name(known.tolist())) is not None:
        raise ValueError(f"classes names {shown(twice)} twice: name each class once")
    codes = class_codes(labels, known)
    if codes.size and codes.min() < 0:
        raise ValueError(
            f"label {shown(labels[codes < 0].tolist()[0])} is not among the classes {shown(known)}: "
            "add it to classes= or leave its samples out"
        )
    return codes


def check_sets(y_true: ArrayLike, y_set: ArrayLike, classes: Classes) -> tuple[Codes, Sets]:
    """Return the class codes of `y_true`, and `y_set` as truth values, or raise."""
    sets = np.asarray(in_class_order(y_set, classes, name="y_set"))
    if sets.ndim != 2 or 0 in sets.shape:
        raise ValueError(
            f"y_set has shape {sets.shape}: expected one row per sample and one column per class, as "
            "workbench.metrics.as_sets makes from labels"
        )
    if sets.dtype != np.bool_:
        raise ValueError(
            f"y_set has {sets.dtype} values: give True where a class is predicted, otherwise False"
        )
    return check_outcomes(y_true, sets.shape, classes, table="y_set"), sets


# ---- columns of classes


def in_class_order(table: ArrayLike, classes: Classes, *, name: str) -> ArrayLike:
    """Return a table, or a vector, with its classes in the wanted order, by the names in pandas.

    Names are the columns of a DataFrame and the index of a Series, unless they only count from 0. Without
    `classes` the wanted order is that of the codes, and names that are not codes are ignored. With `classes`,
    names other than these raise.
    """
    names = _names(table)
    if names is None:
        return table
    values = np.asarray(table)
    count = list(range(len(names)))
    wanted = count if classes is None else np.asarray(classes).tolist()
    if names == wanted or len(names) != len(wanted):  # another number of classes raises elsewhere
        return values
    place = {label: column for column, label in enumerate(names)}
    if len(place) == len(names) and place.keys() == set(wanted):
        return values[..., [place[label] for label in wanted]]
    if classes is None or (names == count and not place.keys() & set(wanted)):
        return values
    raise ValueError(
        f"{name} names its classes {names}, but classes= names {wanted}: use the same names, or pass "
        "numbers without names (.to_numpy()) if they are in the order of classes="
    )


def _names(table: Any) -> list[Any] | None:
    """Return the names of the last axis, or None if they are pandas' defaults."""
    if not hasattr(table, "iloc"):
        return None
    index = table.columns if table.ndim == 2 else table.index
    names = index.tolist()
    made_up = type(index).__name__ == "RangeIndex" and names == list(range(len(names)))
    return None if made_up else names


def align(y_prob: ArrayLike, found: Sequence[Any] | NDArray[Any], declared: Sequence[Any]) -> Numbers:
    """Align columns with the declared classes, with probability 0 for classes unknown to the learner.

    The columns of a DataFrame are matched by their names.
    """
    named = in_class_order(y_prob, found, name="predict_proba")
    y_prob = numbers(named, name="predict_proba").astype(np.float64, copy=False)
    columns = _columns("predict_proba", y_prob.shape, found, declared)
    aligned = np.zeros((len(y_prob), len(declared)))
    aligned[:, columns] = y_prob
    return aligned


def align_sets(y_set: Sets, found: Sequence[Any] | NDArray[Any], declared: Sequence[Any]) -> Sets:
    """Align sets with the declared classes. Classes unknown to the learner are in no set."""
    y_set = np.asarray(y_set)
    if y_set.dtype != np.bool_:
        raise ValueError(
            f"predict_set has {y_set.dtype} values: expected True where a class is predicted, otherwise False"
        )
    columns = _columns("predict_set", y_set.shape, found, declared)
    aligned = np.zeros((len(y_set), len(declared)), dtype=np.bool_)
    aligned[:, columns] = y_set
    return aligned


def _columns(
    verb: str, shape: tuple[int, ...], found: Sequence[Any] | NDArray[Any], declared: Sequence[Any]
) -> list[int]:
    """Return the index of each of the learner's classes among the declared ones."""
    place = {label: column for column, label in enumerate(declared)}
    labels = np.asarray(found).tolist()
    if np.ndim(found) != 1:
        raise ValueError(f"classes_ of the learner is {shown(labels)}: expected a list of its classes")
    if (twice := repeated_name(labels)) is not None:
        raise ValueError(f"the learner names class {shown(twice)} twice in classes_: name each class once")
    columns = [place.get(label, -1) for label in labels]
    if len(shape) != 2 or shape[1] != len(columns):
        raise ValueError(f"{verb} has shape {shape}: expected a column for each of {len(columns)} classes")
    if -1 in columns:
        raise ValueError(
            f"the learner names class {shown(labels[columns.index(-1)])}, which is not among the declared "
            f"classes {shown(list(declared))}"
        )
    return columns


# ---- arrays and options


def numbers(values: ArrayLike, *, name: str) -> NDArray[Any]:
    """Return an array of real numbers without changing its type, or raise."""
    if values is None or (isinstance(values, Iterable) and not hasattr(values, "__len__")):
        raise ValueError(f"{name} is {_short(values)}: give an array of real numbers")
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(f"{name} has masked cells, whose numbers are unknown: give real numbers")
    if hasattr(values, "tocsr"):  # numpy takes a sparse array for a single object
        raise ValueError(f"{name} is sparse: give a dense array, such as .toarray()")
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as error:
        why = "" if "inhomogeneous" in str(error) else f" ({sentence(str(error))})"
        raise ValueError(
            f"{name} is not an array of numbers{why}: give rows of equal length, all numbers"
        ) from error
    found = _of_objects(array, name) if array.dtype.kind == "O" else array
    if found.dtype.kind not in "fiub":
        kinds = {"c": "complex numbers", "U": "text", "S": "bytes"}
        kind = kinds.get(found.dtype.kind, f"{found.dtype} values")
        raise ValueError(f"{name} has {kind}: give real numbers")
    return found


def _of_objects(array: NDArray[Any], name: str) -> Numbers:
    """Convert an array of objects, each of which must be a real number, as numpy would also read text."""
    for cell in array.ravel():
        if not isinstance(cell, Real | Decimal | np.bool_):
            raise ValueError(f"{name} has {_short(cell)}, which is not a real number: give real numbers")
    try:
        return array.astype(np.float64)
    except (OverflowError, ValueError) as error:
        raise ValueError(
            f"{name} has a number that has no floating-point value ({error}): give real numbers"
        ) from error


def _short(cell: object) -> str:
    text = shown(cell)
    return text if len(text) <= 40 else f"{text[:40]}..."


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array, or a contiguous copy, as a read-only view: no metric changes its input.

    Every array then has one type, for which kernels are compiled once.
    """
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def check_integer(value: object, *, least: int, name: str, meaning: str) -> int:
    """Return an integer of at least `least`, or raise. Floats are rejected, even whole ones."""
    number = as_integer(value)
    if number is None or number < least:
        raise ValueError(f"{name} is {shown(value)}: give {meaning}, an integer of at least {least}")
    return number


def check_number(value: object, *, name: str, meaning: str) -> float:
    """Return a finite number as a float, or raise."""
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise ValueError(f"{name} is {shown(value)}: give {meaning}, a finite number")
    return float(value)


def check_choice(value: object, choices: Iterable[str], *, name: str) -> None:
    """Raise if a word is unknown."""
    known = tuple(choices)
    if not (isinstance(value, str) and value in known):
        raise ValueError(f"{name} is {shown(value)}: give one of {', '.join(map(repr, known))}")
