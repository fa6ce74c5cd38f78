"""Multivariate normal distributions of named variables, with exact conditioning."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from generators.base.validation import check_names, shown
from generators.networks.directed_graph import check_requested, listed, place_of
from generators.tables.cells import columns_named

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Normal", "number_columns", "requested", "seen_values"]

MOST_SHOWN = 4  # variables in a repr


@dataclass(frozen=True, eq=False, repr=False)
class Normal:
    """A multivariate normal distribution of named variables.

    Attributes
    ----------
    names : tuple of str
    means : ndarray of shape (n_variables,)
    covariance : ndarray of shape (n_variables, n_variables)

    Examples
    --------
    >>> both = Normal(("a", "b"), np.zeros(2), np.array([[1.0, 0.6], [0.6, 1.0]]))
    >>> both.given({"a": 1.0})
    Normal(b: 0.6 ± 0.8)
    >>> both.of("a").interval(0.95).round(2)
        low  high
    a -1.96  1.96
    """

    names: tuple[str, ...]
    means: NDArray[np.float64]
    covariance: NDArray[np.float64]

    def __post_init__(self) -> None:
        names, n = check_names(self.names), len(self.names)
        means, covariance = np.array(self.means, np.float64), np.array(self.covariance, np.float64)
        if means.shape != (n,) or covariance.shape != (n, n):
            raise ValueError(
                f"means and covariance have the shapes {means.shape} and {covariance.shape}: expected {n} "
                f"means and a {n} by {n} matrix"
            )
        for field, value in (("names", names), ("means", means), ("covariance", covariance)):
            object.__setattr__(self, field, value)

    def __repr__(self) -> str:
        parts = [
            f"{name}: {mean:.4g} ± {deviation:.4g}"
            for name, mean, deviation in zip(self.names, self.means, self.deviations, strict=True)
        ]
        more = [f"{len(parts) - MOST_SHOWN} more"] if len(parts) > MOST_SHOWN else []
        return f"Normal({', '.join([*parts[:MOST_SHOWN], *more])})"

    @cached_property
    def deviations(self) -> NDArray[np.float64]:
        """Standard deviation of each variable, of shape (n_variables,)."""
        return np.asarray(np.sqrt(self.covariance.diagonal()))

    @property
    def correlation(self) -> pd.DataFrame:
        """Correlation matrix, by name."""
        return self._square(self.covariance / np.outer(self.deviations, self.deviations))

    def summary(self) -> pd.DataFrame:
        """Return the mean and deviation of each variable, one row per variable."""
        import pandas as pd

        return pd.DataFrame({"mean": self.means, "deviation": self.deviations}, index=list(self.names))

    def covariance_table(self) -> pd.DataFrame:
        """Return the covariance matrix, by name."""
        return self._square(self.covariance)

    def interval(self, probability: float = 0.95) -> pd.DataFrame:
        """Return the central interval of each variable's marginal distribution.

        Parameters
        ----------
        probability : float, default=0.95
            Probability of the interval, strictly between 0 and 1.

        Returns
        -------
        DataFrame of shape (n_variables, 2)
            Columns low and high.
        """
        import pandas as pd
        from scipy.special import ndtri

        if not 0 < probability < 1:
            raise ValueError(f"probability is {shown(probability)}: expected a number between 0 and 1")
        half = float(ndtri(0.5 + probability / 2)) * self.deviations
        return pd.DataFrame({"low": self.means - half, "high": self.means + half}, index=list(self.names))

    def of(self, variables: str | Sequence[str]) -> Normal:
        """Return the marginal distribution of some of the variables."""
        names = requested(variables)
        places = [place_of(self.names, name) for name in names]
        check_requested(names, places, ())
        return Normal(names, self.means[places], self.covariance[np.ix_(places, places)])

    def given(self, evidence: Mapping[Any, Any]) -> Normal:
        """Return the conditional distribution of all other variables, given values of some variables.

        Parameters
        ----------
        evidence : mapping of str to float

        Raises
        ------
        ValueError
            If a name is unknown, a value is not a finite number, or the evidence has values for all
            variables.
        """
        if not evidence:
            return self
        seen, values, left = seen_values(self.names, evidence)
        try:
            gain = np.linalg.solve(self.covariance[np.ix_(seen, seen)], self.covariance[np.ix_(seen, left)]).T
        except np.linalg.LinAlgError:
            raise ValueError(
                f"the evidence {listed(map(str, evidence))} is redundant, as some values follow from "
                "others: leave out one"
            ) from None
        means = self.means[left] + gain @ (values - self.means[seen])
        rest = self.covariance[np.ix_(left, left)] - gain @ self.covariance[np.ix_(seen, left)]
        return Normal(tuple(self.names[place] for place in left), means, (rest + rest.T) / 2)

    def _square(self, values: NDArray[np.float64]) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(values, index=list(self.names), columns=list(self.names))


def number_columns(X: Any, names: Sequence[str]) -> NDArray[np.float64]:
    """Return the numbers of a table, one row per variable, by name or in order, with NaN for missing."""
    if hasattr(X, "columns"):
        nothing = np.full(len(X), np.nan)
        found = [nothing if cells is None else cells for cells in columns_named(X, names, names)]
    else:
        table = np.asarray(X)
        if table.ndim != 2 or table.shape[1] != len(names):
            raise ValueError(
                f"X has the shape {table.shape}: expected {len(names)} columns ({listed(names)})"
            )
        found = list(table.T)
    values = np.empty((len(names), len(X)))
    for row, name, column in zip(values, names, found, strict=True):
        given = np.asarray(column)
        try:
            if given.shape != row.shape or given.dtype.kind in "cUS":
                raise TypeError
            row[:] = given.astype(np.float64)
        except (TypeError, ValueError):
            raise ValueError(
                f"the column {name!r} does not contain numbers: expected floats, NaN where missing"
            ) from None
        if np.isinf(row).any():
            raise ValueError(f"the column {name!r} has an infinite value: expected finite numbers")
    return values


def requested(variables: Any) -> tuple[str, ...]:
    """Return the names that a query requests, or raise ValueError if they are neither one nor several."""
    if not isinstance(variables, str) and not isinstance(variables, Iterable):
        raise ValueError(f"variables is {shown(variables)}: expected a name, or a list of names")
    return (variables,) if isinstance(variables, str) else tuple(variables)


def seen_values(
    names: Sequence[str], evidence: Mapping[Any, Any]
) -> tuple[list[int], NDArray[np.float64], list[int]]:
    """Return the indices and values of evidence, and the indices of the other variables."""
    seen = [place_of(names, name) for name in evidence]
    values = np.array([_finite(name, value) for name, value in evidence.items()])
    left = [place for place in range(len(names)) if place not in seen]
    if not left:
        raise ValueError(
            "the evidence has values for all variables: leave out the variables whose distribution is "
            "requested"
        )
    return seen, values, left


def _finite(name: Any, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"the evidence {name} is {shown(value)}: expected a finite number")
    return number
