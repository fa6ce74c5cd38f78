"""Nominal truths presented as numbers, with a known posterior for learners of numeric attributes."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from generators.alterations._shared.alterable import alterable, only_before
from generators.base.draw import RandomState, as_generator, random_order
from generators.base.probabilities import random_rows
from generators.base.validation import shown
from generators.files import documents
from generators.laws.intractable import IntractableLaw
from generators.networks.numeric_truth import NumericTruth
from generators.networks.truth import Truth
from generators.tables.columns import declared_codes

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["NumericAttributes", "make_numeric"]


@dataclass(frozen=True, eq=False, repr=False)
class NumericAttributes(NumericTruth):
    """A nominal truth in which some attributes are represented by numbers.

    Each state is an interval, in the order of the states. The number is uniformly distributed within the
    interval and has no information beyond the state. Posteriors are therefore the same as for the nominal
    truth, but a learner has to find the cut points.

    Parameters
    ----------
    truth : Truth
        Nominal truth with a class. It may have missing values.
    edges : sequence of (array-like or None)
        For each attribute, the ascending edges of its intervals: one edge more than the attribute has states.
        None leaves the attribute nominal.

    Attributes
    ----------
    attribute_names, class_name, classes
        Names of the attributes, name of the class, and states of the class, as in the truth.

    Raises
    ------
    ValueError
        If an argument is invalid.

    See Also
    --------
    make_numeric : Draw the edges.

    Examples
    --------
    >>> from generators import random_naive_bayes
    >>> nominal = random_naive_bayes(n_attributes=2, arity=2, n_classes=2, random_state=0)
    >>> truth = NumericAttributes(nominal, [[0.0, 0.4, 1.0], None])
    >>> X, y = truth.sample(3, random_state=1)
    >>> X.dtypes.astype(str).tolist()
    ['float64', 'category']
    """

    kind = "numeric_cuts"
    __getattr__ = only_before
    law = IntractableLaw("states are shown as numbers, and the cuts between them are hidden")
    truth: Truth
    edges: tuple[NDArray[np.float64] | None, ...]

    def __post_init__(self) -> None:
        truth = alterable(self.truth, "showing numbers", complete=False)
        if len(self.edges) != len(truth.attributes):
            raise ValueError(
                f"edges has {len(self.edges)} entries, and the truth has {len(truth.attributes)} attributes: "
                "expected edges or None for each attribute"
            )
        pairs = zip(truth.attributes, self.edges, strict=True)
        edges = tuple(_checked_edges(truth.names[v], len(truth.states[v]), given) for v, given in pairs)
        object.__setattr__(self, "edges", edges)

    def __repr__(self) -> str:
        numeric = f"{len(self._numeric)} of {len(self.edges)} attributes as numbers"
        return f"NumericAttributes({self.truth!r}, {numeric})"

    @property
    def attribute_names(self) -> tuple[str, ...]:  # type: ignore[override]
        """Names of the attributes."""
        return self.truth.attribute_names

    @property
    def class_name(self) -> str:  # type: ignore[override]
        """Name of the class."""
        return str(self.truth.class_name)

    @property
    def classes(self) -> tuple[Hashable, ...]:  # type: ignore[override]
        """States of the class."""
        return self.truth.classes

    @property
    def structure(self) -> str:
        """Description of the dependencies."""
        return f"{self.truth.structure}; {', '.join(self._numeric) or 'no attribute'} shown as numbers"

    def to_document(self) -> dict[str, Any]:
        """Return the truth and the edges as plain data."""
        edges = [None if given is None else given.tolist() for given in self.edges]
        return {**documents.head(self.kind), "truth": self.truth.to_document(), "edges": edges}

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Self:
        """Make the truth from a document that `to_document` returned."""
        edges = documents.field_of(document, "edges", list, "the numbers")
        return cls(documents.altered_truth(document, "the numbers"), tuple(edges))

    def sample(self, n: int, random_state: RandomState = None) -> tuple[pd.DataFrame, pd.Series]:
        """Draw rows.

        Parameters
        ----------
        n : int
            Number of rows.
        random_state : int, Generator, SeedSequence or None
            Seed. Random numbers are drawn first for the nominal truth, so that the same seed draws the same
            states. Then, for each numeric attribute, one uniform number is drawn for each row.

        Returns
        -------
        X : DataFrame of shape (n, n_attributes)
            Floats for numeric attributes, categoricals for nominal ones.
        y : Series of shape (n,)
            Categorical.
        """
        import pandas as pd

        rng, truth = as_generator(random_state), self.truth
        codes = truth.sample_codes(n, rng)
        X = truth.attribute_table(codes[:, list(truth.attributes)])
        for variable, edges in zip(truth.attributes, self.edges, strict=True):
            if edges is not None:
                X[truth.names[variable]] = _numbers(codes[:, variable], edges, rng.random(len(codes)))
        target = truth.names.index(self.class_name)
        y = truth.columns_declared[target].labels(codes[:, target])
        return X, pd.Series(y, name=self.class_name)

    def nominal(self, X: pd.DataFrame) -> pd.DataFrame:
        """Return the rows with states instead of numbers, which are missing outside all intervals.

        Examples
        --------
        >>> from generators import random_naive_bayes
        >>> truth = random_naive_bayes(n_attributes=1, arity=2, n_classes=2, random_state=0)
        >>> import pandas as pd
        >>> X = pd.DataFrame({"x0": [0.1, 0.7, 3.0]})
        >>> NumericAttributes(truth, [[0.0, 0.4, 1.0]]).nominal(X)["x0"].cat.codes.tolist()
        [0, 1, -1]
        """
        if not hasattr(X, "columns"):
            raise ValueError(f"X is {shown(X)}: expected a DataFrame with the columns of the attributes")
        found = X.copy(deep=False)
        for name, (variable, edges) in self._numeric.items():
            if name in found.columns:
                codes = _codes(found[name], edges)
                found[name] = self.truth.columns_declared[variable].labels(codes)
        return found

    def log_joint(self, X: pd.DataFrame, y: Any = None) -> NDArray[np.float64]:
        """Return the log-density of each row in nats. Missing values are summed out.

        Parameters
        ----------
        X : DataFrame of n_samples rows
        y : array-like of shape (n_samples,), optional
            Labels.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        states = self.nominal(X)
        found = self.truth.log_joint(states, y)
        for name, (_, edges) in self._numeric.items():
            if name in states.columns:
                # the code of a missing value, -1, takes the last entry
                found = found - np.append(np.log(np.diff(edges)), 0.0)[declared_codes(states[name])]
        return found

    def posterior(self, X: pd.DataFrame) -> NDArray[np.float64]:
        """Return the distribution of the class given numbers and states, exactly.

        Parameters
        ----------
        X : DataFrame of n_samples rows
            Columns are matched by name. Absent columns, NaN and numbers outside all intervals are missing
            values.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Rows sum to one.
        """
        return self.truth.posterior(self.nominal(X))

    def class_marginal(self) -> NDArray[np.float64]:
        """Return the marginal distribution of the class, of shape (n_classes,)."""
        return self.truth.class_marginal()

    @cached_property
    def _numeric(self) -> dict[str, tuple[int, NDArray[np.float64]]]:
        """Return index and edges of each numeric attribute, by name."""
        pairs = zip(self.truth.attributes, self.edges, strict=True)
        return {self.truth.names[v]: (v, edges) for v, edges in pairs if edges is not None}


def make_numeric(
    truth: Truth, n: int | None = None, *, concentration: float = 5.0, random_state: RandomState = None
) -> NumericAttributes:
    """Represent attributes by numbers between 0 and 1, with random cut points.

    Parameters
    ----------
    truth : Truth
        Nominal truth with a class. It may have missing values.
    n : int, optional
        Number of attributes to represent by numbers, chosen at random. By default all attributes.
    concentration : float, default=5.0
        Dirichlet parameter of the interval widths. The larger it is, the more equal are the widths.
    random_state : int, Generator, SeedSequence or None
        Seed. A random order of the attributes, which chooses them, is drawn first. Then interval widths are
        drawn for the chosen attributes, in the order of the truth.

    Returns
    -------
    NumericAttributes

    Raises
    ------
    ValueError
        If the truth has fewer than `n` attributes, or an argument is invalid.

    Examples
    --------
    >>> from generators import random_tan
    >>> make_numeric(random_tan(n_attributes=3, n_classes=2, random_state=0), 2, random_state=1)
    NumericAttributes(Network(4 variables, 5 arcs, class 'y' of 2), 2 of 3 attributes as numbers)
    """
    rng = as_generator(random_state)
    n_attributes = len(alterable(truth, "showing numbers", complete=False).attributes)
    wanted = n_attributes if n is None else n
    if (
        isinstance(wanted, bool)
        or not isinstance(wanted, int | np.integer)
        or not 0 <= wanted <= n_attributes
    ):
        raise ValueError(
            f"n is {wanted!r}: expected the number of attributes to show as numbers, from 0 to {n_attributes}"
        )
    chosen = random_order(rng, n_attributes)[:wanted]
    edges = []
    for place, variable in enumerate(truth.attributes):
        widths = None
        if place in chosen:
            widths = random_rows(rng, (len(truth.states[variable]),), concentration=concentration)
        edges.append(None if widths is None else np.array([0.0, *np.cumsum(widths)[:-1], 1.0]))
    return NumericAttributes(truth, tuple(edges))


def _numbers(
    codes: NDArray[Any], edges: NDArray[np.float64], uniforms: NDArray[np.float64]
) -> NDArray[np.float64]:
    known = np.maximum(codes, 0)
    low, high = edges[:-1][known], edges[1:][known]
    # rounding must not carry a number into the next interval
    numbers = np.minimum(low + uniforms * (high - low), np.nextafter(high, low))
    return np.where(codes < 0, np.nan, numbers)


def _codes(numbers: Any, edges: NDArray[np.float64]) -> NDArray[np.intp]:
    try:
        values = np.asarray(numbers, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"{shown(numbers.name)} does not contain numbers: expected floats, NaN where missing"
        ) from None
    codes = np.searchsorted(edges, values, side="right") - 1
    return np.where((values >= edges[0]) & (values < edges[-1]), codes, -1)


def _checked_edges(name: str, arity: int, edges: Any) -> NDArray[np.float64] | None:
    if edges is None:
        return None
    try:
        checked = np.array(edges, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        checked = np.empty(0)
    if checked.shape != (arity + 1,) or not np.isfinite(checked).all() or not (np.diff(checked) > 0).all():
        raise ValueError(
            f"the edges of {shown(name)} are {shown(edges)}: expected {arity + 1} ascending finite numbers, "
            "or None"
        )
    checked.flags.writeable = False
    return checked
