"""Probabilities: random rows, rows in logs, and states drawn from rows.

All randomness comes from `Generator.random`. Other numpy distributions may change their stream between
versions. Uniforms and the transforms here do not.
"""

import functools
import math
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.validation import shown

__all__ = [
    "LARGEST_TABLE",
    "check_concentration",
    "check_n_entries",
    "inverse_cdf",
    "log_sum",
    "logs",
    "random_chi_squares",
    "random_normals",
    "random_rows",
    "skewed",
    "states_of",
    "with_class_marginal",
]

LARGEST_TABLE = 50_000_000  # entries; twice that takes a gigabyte to draw
SMALLEST_UNIFORM = 2.0**-54  # half a step of Generator.random, which can return 0


def random_rows(
    rng: np.random.Generator, shape: Sequence[int], *, rows: str = "dirichlet", concentration: float = 1.0
) -> NDArray[np.float64]:
    """Draw probability rows: an array whose last axis sums to one."""
    # Rows are independent, from a Dirichlet ("dirichlet") or uniforms over their sum ("normalized_uniform");
    # or logits that add up ("logit"): logarithms of probabilities are, but for a constant of the row, sums of
    # normal effects of precision `concentration`, one of the state and one for each axis before the last.
    # Dirichlet: at concentration 1 an entry is -log u over the sum of its row; elsewhere a gamma variate of
    # shape a is one of shape a + 1 (by inverse cdf) times u ** (1 / a), in logs, so that no row is 0 / 0.
    if rows not in _LOG_VARIATES:
        raise ValueError(f"rows is {rows!r}: expected one of {', '.join(map(repr, _LOG_VARIATES))}")
    concentration = check_concentration(concentration)
    check_n_entries(math.prod(shape))
    log_variates = _LOG_VARIATES[rows](rng, tuple(shape), concentration)
    weights = np.exp(log_variates - log_variates.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def check_concentration(value: Any) -> float:
    """Return the parameter of a Dirichlet as float, or raise ValueError if it is out of range."""
    # in this range a row can be drawn, and the log evidence of its counts is exact to 1e-9 nats a row
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not (is_number and 1e-6 <= value <= 1e6):
        raise ValueError(f"concentration is {shown(value)}: expected a number from 1e-6 to 1e6")
    return float(value)


def check_n_entries(n: int) -> None:
    """Raise an error for tables that are too large, before they are drawn."""
    if n > LARGEST_TABLE:
        raise ValueError(
            f"a probability table of the truth would have {shown(n)} entries, more than "
            f"{LARGEST_TABLE:,}: lower the number of states or attributes"
        )


def _open_uniforms(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
    return np.maximum(rng.random(shape), SMALLEST_UNIFORM)


def _log_gammas(
    rng: np.random.Generator, shape: tuple[int, ...], concentration: float
) -> NDArray[np.float64]:
    if concentration == 1.0:
        return np.log(-np.log(_open_uniforms(rng, shape)))
    from scipy.special import gammaincinv

    larger = np.log(gammaincinv(concentration + 1.0, _open_uniforms(rng, shape)))
    return larger + np.log(_open_uniforms(rng, shape)) / concentration


def _log_uniforms(rng: np.random.Generator, shape: tuple[int, ...], _: float) -> NDArray[np.float64]:
    return np.log(_open_uniforms(rng, shape))


def _additive(rng: np.random.Generator, shape: tuple[int, ...], concentration: float) -> NDArray[np.float64]:
    heights = random_normals(rng, shape[-1:])
    for axis, size in enumerate(shape[:-1]):
        places = [1] * (len(shape) - 1)
        places[axis] = size
        heights = heights + random_normals(rng, (size, shape[-1])).reshape(*places, shape[-1])
    return heights / math.sqrt(concentration)


_LOG_VARIATES: dict[str, Callable[[np.random.Generator, tuple[int, ...], float], NDArray[np.float64]]] = {
    "dirichlet": _log_gammas,
    "normalized_uniform": _log_uniforms,
    "logit": _additive,
}


def random_normals(rng: np.random.Generator, shape: Sequence[int]) -> NDArray[np.float64]:
    """Draw standard normal numbers by the inverse cumulative distribution of uniforms."""
    from scipy.special import ndtri

    return np.asarray(ndtri(_open_uniforms(rng, tuple(shape))), dtype=np.float64)


def random_chi_squares(rng: np.random.Generator, shape: Sequence[int], degrees: float) -> NDArray[np.float64]:
    """Draw chi-squared numbers by the inverse cumulative distribution of uniforms."""
    from scipy.special import gammaincinv

    return np.asarray(2 * gammaincinv(degrees / 2, _open_uniforms(rng, tuple(shape))), dtype=np.float64)


def with_class_marginal(
    drawn: NDArray[np.float64], class_marginal: Sequence[float] | None, class_imbalance: float | None = None
) -> NDArray[np.float64]:
    """Replace the drawn class distribution by a given one, or by one with a given imbalance."""
    # it replaces a distribution that was drawn, so that all other draws of a seed stay the same
    if class_imbalance is not None:
        if class_marginal is not None:
            raise ValueError("class_marginal and class_imbalance are both given: give one of them")
        return skewed(drawn.size, class_imbalance)
    if class_marginal is None:
        return drawn
    given = np.asarray(class_marginal, dtype=np.float64)
    if given.shape != drawn.shape:
        raise ValueError(
            f"class_marginal has shape {given.shape} and the truth has {drawn.size} classes: "
            f"set n_classes={given.size}, or give {drawn.size} probabilities"
        )
    if not (given > 0).all() or abs(given.sum() - 1) > 1e-8:
        raise ValueError(
            f"class_marginal is {given.tolist()}: expected positive probabilities that sum to one"
        )
    return given / given.sum()


def skewed(n_classes: int, skew: float) -> NDArray[np.float64]:
    """Return a class distribution with the given ratio of the first to the last probability."""
    if isinstance(skew, bool) or not (isinstance(skew, Real) and 1 <= skew < np.inf):
        raise ValueError(
            f"class_imbalance is {skew!r}: expected a finite number of at least 1 (1 makes classes equal)"
        )
    weights = float(skew) ** -(np.arange(n_classes) / max(n_classes - 1, 1))
    return weights / weights.sum()


def logs(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return natural logs, with -inf for probability zero."""
    with np.errstate(divide="ignore"):
        return np.log(probabilities)


def log_sum(log_values: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """Return the log of the sum of the exponentials along an axis. -inf stays -inf."""
    # not by numpy's blocked sum: so a row's result has the same bits alone and in a batch
    largest = log_values.max(axis=axis, keepdims=True)
    largest = np.where(np.isneginf(largest), 0.0, largest)
    scaled = np.moveaxis(np.exp(log_values - largest), axis, 0)
    with np.errstate(divide="ignore"):
        return np.log(functools.reduce(np.add, scaled)) + np.moveaxis(largest, axis, 0)[0]


def inverse_cdf(
    table: NDArray[np.float64], rows: NDArray[Any], uniforms: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Map uniforms to states, each by the cumulative distribution of its row."""
    cumulative = np.cumsum(table, axis=1)
    # divided by the total, so that a last state of probability zero is never drawn
    thresholds = (cumulative / cumulative[:, -1:])[:, :-1]
    states = np.zeros(len(uniforms), dtype=np.intp)
    for column in thresholds.T:
        states += uniforms >= column[rows]
    return states


def states_of(weights: NDArray[np.float64], uniforms: NDArray[np.float64]) -> NDArray[np.intp]:
    """Map uniforms to states of one distribution, as `inverse_cdf` does."""
    cumulative = np.cumsum(weights)
    return np.searchsorted((cumulative / cumulative[-1])[:-1], uniforms, side="right")
