"""Missing values, at random or not, with posteriors that account for the mechanism."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from generators.alterations._shared.alterable import add_evidence, alterable, only_before
from generators.base.draw import RandomState, as_generator, check_n_rows, random_integer, random_order
from generators.base.probabilities import logs
from generators.base.validation import shown
from generators.files import documents
from generators.laws._shared.law import Law
from generators.laws.intractable import IntractableLaw
from generators.networks.enumeration import Enumeration, cell_codes
from generators.networks.programs import SoftEvidence
from generators.networks.truth import ENUMERABLE_CELLS, Truth
from generators.tables.codes import MISSING

__all__ = ["MissingValues", "MECHANISMS", "add_missing"]


@dataclass(frozen=True, eq=False, repr=False)
class MissingValues(Truth):
    """A truth with missing attribute values.

    The probability that an attribute value is missing depends on the attribute's *driver*: none (missing
    completely at random), an attribute that is always observed (missing at random), the attribute itself
    (missing not at random), or any other variable. Given the drivers, values are missing independently. A
    missing value is evidence: all probabilities are conditional on the observed values and on the
    missing-value pattern.

    Parameters
    ----------
    truth : Truth
        Nominal truth with a class and without missing values.
    drivers : sequence of (int or None)
        For each attribute, the index of its driver, or None.
    rates : sequence of array-like
        For each attribute, the probability that its value is missing, given each state of its driver (a
        single probability if it has no driver). An attribute whose rates are all 0 is always observed. If a
        row passed to `posterior` lacks such a value nevertheless, the value is summed out.

    Attributes
    ----------
    names, states, class_index
        Names, states and class index of the truth.

    Raises
    ------
    ValueError
        If the truth is invalid, a driver is not a variable, or rates are not probabilities.

    See Also
    --------
    add_missing : Draw drivers and rates.

    Notes
    -----
    Whether a value is missing is soft evidence about the driver. The likelihood of each state of the driver
    is the rate if the value is missing, and one minus the rate if the value is observed. `enumerate` has a
    cell for each combination of observed states and missing values.

    Examples
    --------
    >>> from generators import Network
    >>> test = Network(("t", "y"), ((0, 1), (0, 1)), ((1,), ()), ([[0.9, 0.1], [0.2, 0.8]], [0.5, 0.5]), 1)
    >>> shy = MissingValues(test, drivers=[0], rates=[[0.0, 0.5]])  # positive tests get lost
    >>> shy.posterior([[-1]]).round(3), test.posterior([[-1]])
    (array([[0.111, 0.889]]), array([[0.5, 0.5]]))
    """

    kind = "missing_values"
    __getattr__ = only_before
    truth: Truth
    drivers: tuple[int | None, ...]
    rates: tuple[NDArray[np.float64], ...]

    def __post_init__(self) -> None:
        truth = alterable(self.truth, "a missing value")
        n = len(truth.attributes)
        if not len(self.drivers) == len(self.rates) == n:
            raise ValueError(
                f"there are {len(self.drivers)} drivers and {len(self.rates)} lists of rates for {n} "
                "attributes: expected a driver and a list of rates for every attribute"
            )
        pairs = list(zip(truth.attribute_names, self.drivers, self.rates, strict=True))
        checked = {
            "drivers": tuple(_checked_driver(name, driver, truth) for name, driver, _ in pairs),
            "rates": tuple(_checked_rates(name, driver, rates, truth) for name, driver, rates in pairs),
            "names": truth.names,
            "states": truth.states,
            "class_index": truth.class_index,
        }
        for field, value in checked.items():
            object.__setattr__(self, field, value)

    def __repr__(self) -> str:
        return f"MissingValues({self.truth!r}, {self.rate:.3g} of the values missing)"

    @property
    def law(self) -> Law | None:
        """The law of the truth with missing values, which is tractable only without drivers."""
        if any(driver is not None for driver in self.drivers):
            return IntractableLaw("which values are missing depends on values of the row")
        inner = self.truth.law
        if inner is None or inner.obstacle is not None:
            return inner
        holed = inner.with_holes()
        return holed or IntractableLaw(
            f"values are missing, and then an optimum is known for naive Bayes alone, not for {inner.words}"
        )

    @property
    def structure(self) -> str:
        """Description of the dependencies."""
        return f"{self.truth.structure}; {self.rate:.1%} of the values are missing"

    @property
    def complete(self) -> bool:
        """Whether sampled rows never have missing values."""
        return not any(self.can_miss)

    @property
    def can_miss(self) -> tuple[bool, ...]:
        """Whether each attribute can have missing values."""
        return tuple(bool(rates.any()) for rates in self.rates)

    @cached_property
    def attribute_rates(self) -> NDArray[np.float64]:
        """Probability that each attribute value is missing, of shape (n_attributes,)."""
        names = self.truth.names
        mean = [
            float(rates[0]) if driver is None else float(rates @ self.truth.class_marginal(names[driver]))
            for driver, rates in zip(self.drivers, self.rates, strict=True)
        ]
        return np.array(mean)

    @property
    def rate(self) -> float:
        """Share of missing attribute values."""
        return float(self.attribute_rates.mean()) if len(self.attribute_rates) else 0.0

    @property
    def n_cells(self) -> int:
        """Number of combinations of attribute states and missing values."""
        return math.prod(self._cell_arities)

    @property
    def _cell_arities(self) -> list[int]:
        pairs = zip(self.attributes, self.can_miss, strict=True)
        return [int(self.arities[variable]) + can_miss for variable, can_miss in pairs]

    def to_document(self) -> dict[str, Any]:
        """Return the truth, drivers by name and rates as plain data."""
        missing = [
            {"driver": None if driver is None else self.names[driver], "rates": rates.tolist()}
            for driver, rates in zip(self.drivers, self.rates, strict=True)
        ]
        return {**documents.head(self.kind), "truth": self.truth.to_document(), "missing": missing}

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Self:
        """Make the truth from a document that `to_document` returned."""
        truth = documents.altered_truth(document, "the missing values")
        missing = documents.field_of(document, "missing", list, "the missing values")
        rates = tuple(documents.field_of(entry, "rates", list, "an attribute") for entry in missing)
        places = {name: place for place, name in enumerate(truth.names)}
        named = [entry.get("driver") for entry in missing]
        drivers = tuple(None if name is None else documents.place_of(places, name) for name in named)
        return cls(truth, drivers, rates)

    def sample_codes(self, n: int, random_state: RandomState = None) -> NDArray[Any]:
        """Draw rows as state codes, -1 where a value is missing.

        Parameters
        ----------
        n : int
            Number of rows.
        random_state : int, Generator, SeedSequence or None
            Seed. Random numbers are drawn first for the truth, so that the same seed draws the same values.
            Then, for each attribute that can have missing values, one uniform number is drawn for each row.

        Returns
        -------
        ndarray of shape (n, n_variables)
            Codes in the smallest signed type, column-major.
        """
        n, rng = check_n_rows(n), as_generator(random_state)
        values = self.truth.sample_codes(n, rng).T
        codes = values.astype(np.min_scalar_type(-int(self.arities.max())))
        for variable, driver, rates in zip(self.attributes, self.drivers, self.rates, strict=True):
            if rates.any():
                rate = rates[0] if driver is None else rates[values[driver]]
                codes[variable, rng.random(n) < rate] = MISSING
        return codes.T

    def class_marginal(self, of: str | None = None) -> NDArray[np.float64]:
        """Return the marginal distribution of the class, or of the named variable."""
        return self.truth.class_marginal(of)

    def _marginal_tables(self, scopes: Sequence[tuple[int, ...]]) -> Iterator[NDArray[np.float64]]:
        """Yield the marginal table of each scope, as observed."""
        wider = [(*scope, *sorted(self._drivers_of(scope) - set(scope))) for scope in scopes]
        for scope, with_drivers, table in zip(scopes, wider, self.truth._marginal_tables(wider), strict=True):
            yield self._observed(table, scope, with_drivers)

    def _drivers_of(self, variables: Sequence[int]) -> set[int]:
        found = (self._mechanism[v][0] for v in variables if v in self._mechanism)
        return {driver for driver in found if driver is not None}

    def _observed(
        self, table: NDArray[np.float64], variables: Sequence[int], scope: Sequence[int]
    ) -> NDArray[np.float64]:
        """Return the table of some variables as observed. `scope` also contains their drivers."""
        named = [v for v in variables if v in self._mechanism]
        letters = {v: place for place, v in enumerate(scope)}
        operands: list[Any] = [table, list(range(len(scope)))]
        out = list(range(len(variables)))
        for v in named:
            driver, _ = self._mechanism[v]
            shown_axis = len(scope) + letters[v]
            drives = letters[v] if driver is None else letters[driver]
            axes = [letters[v], shown_axis] if drives == letters[v] else [drives, letters[v], shown_axis]
            operands += [self._seen_table(v), axes]
            out[letters[v]] = shown_axis
        return np.einsum(*operands, out)

    def joint_array(self, axes: Sequence[int]) -> NDArray[np.float64]:
        """Return the joint distribution of the complete values, with axes in the given order."""
        return self.truth.joint_array(axes)

    def enumerate(self) -> Enumeration:
        """Return every combination of observed and missing values with its joint probabilities.

        Returns
        -------
        Enumeration
            `codes` has shape (n_cells, n_attributes). The code -1 (missing) follows the states of each
            attribute.

        Raises
        ------
        ValueError
            If there are more than 100,000 cells.
        """
        if not self.enumerable:
            raise ValueError(
                f"there are {self.n_cells} cells, more than {ENUMERABLE_CELLS}: score on a sample instead"
            )
        arities = np.array(self._cell_arities, dtype=np.int64)
        codes = cell_codes(arities).astype(np.min_scalar_type(-int(arities.max())))
        codes[codes == self.arities[list(self.attributes)]] = MISSING
        columns = np.full((self.n_variables, len(codes)), MISSING, dtype=np.intp)
        columns[list(self.attributes)] = codes.T
        return Enumeration(codes, np.exp(self._log_joint_table(columns, self.class_index)), self)

    def _log_joint_table(
        self, columns: NDArray[np.intp], target: int | None, soft: SoftEvidence | None = None
    ) -> NDArray[np.float64]:
        passed, scalar = self._evidence(columns, target)
        for variable, values in (soft or {}).items():
            passed[variable] = passed[variable] + values if variable in passed else values
        return self.truth._log_joint_table(columns, target, passed) + scalar[:, np.newaxis]

    def _log_posterior_table(self, columns: NDArray[np.intp], target: int) -> NDArray[np.float64]:
        out = np.empty((columns.shape[1], int(self.arities[target])))
        drivers = sorted({driver for driver, _ in self._mechanism.values() if driver is not None})
        hidden = (columns[drivers] < 0).any(axis=0)
        # row by row, so that a row's result has the same bits alone and in a batch
        for rows, informed in ((np.flatnonzero(hidden), True), (np.flatnonzero(~hidden), False)):
            if not len(rows):
                continue
            if informed:
                out[rows] = self._log_joint_table(columns[:, rows], target)
                continue
            # missing values add nothing, except where they are impossible
            _, scalar = self._evidence(columns[:, rows], target)
            table = self.truth._log_posterior_table(columns[:, rows], target)
            out[rows] = np.where(np.isneginf(scalar)[:, np.newaxis], -np.inf, table)
        return out

    def _evidence(
        self, columns: NDArray[np.intp], target: int | None
    ) -> tuple[dict[int, NDArray[np.float64]], NDArray[np.float64]]:
        """Return soft evidence on hidden drivers, and nats of each row, from the missing-value pattern."""
        soft: dict[int, NDArray[np.float64]] = {}
        scalar = np.zeros(columns.shape[1])
        for variable, (driver, rates) in self._mechanism.items():
            if variable == target:
                continue  # the missingness of the requested variable is unknown
            missing = columns[variable] < 0
            log_likelihood = np.where(missing[:, np.newaxis], logs(rates), logs(1 - rates))
            if driver is None:
                scalar += log_likelihood[:, 0]
                continue
            codes = np.full(len(missing), MISSING) if driver == target else columns[driver]
            said: dict[int, NDArray[np.float64]] = {}
            scalar += add_evidence(said, driver, log_likelihood, codes)
            if (codes < 0).any():
                soft[driver] = soft[driver] + said[driver] if driver in soft else said[driver]
        return soft, scalar

    @cached_property
    def _mechanism(self) -> dict[int, tuple[int | None, NDArray[np.float64]]]:
        """Return driver and rates of each attribute that can have missing values."""
        triples = zip(self.attributes, self.drivers, self.rates, strict=True)
        return {variable: (driver, rates) for variable, driver, rates in triples if rates.any()}

    def _seen_table(self, variable: int) -> NDArray[np.float64]:
        """Return P(observed or missing | driver, value), with a driver's axis only for another variable."""
        driver, rates = self._mechanism[variable]
        arity = int(self.arities[variable])
        if driver is None or driver == variable:
            rate = np.broadcast_to(rates, (arity,))
            return np.column_stack([np.diag(1 - rate), rate])
        return np.stack([np.column_stack([np.eye(arity) * (1 - r), np.full(arity, r)]) for r in rates])


def _checked_driver(name: str, driver: Any, truth: Truth) -> int | None:
    if driver is None:
        return None
    if (
        isinstance(driver, bool)
        or not isinstance(driver, int | np.integer)
        or not 0 <= driver < truth.n_variables
    ):
        raise ValueError(
            f"the driver of {shown(name)} is {shown(driver)}: expected the index of a variable from 0 to "
            f"{truth.n_variables - 1}, or None"
        )
    return int(driver)


def _checked_rates(name: str, driver: int | None, rates: Any, truth: Truth) -> NDArray[np.float64]:
    n = 1 if driver is None else len(truth.states[driver])
    try:
        checked = np.array(rates, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        checked = np.empty(0)
    if checked.shape != (n,) or not ((checked >= 0) & (checked <= 1)).all():
        raise ValueError(
            f"the rates of missing values of {shown(name)} are {shown(rates)}: expected {n} from 0 to 1"
        )
    checked.flags.writeable = False
    return checked


def add_missing(
    truth: Truth,
    rate: float,
    *,
    mechanism: str = "completely_at_random",
    random_state: RandomState = None,
) -> MissingValues:
    """Add missing values to the attributes.

    Parameters
    ----------
    truth : Truth
        Nominal truth with a class and without missing values. "at_random" needs at least two attributes.
    rate : float
        Share of missing values in the attributes that can have them, from 0 to 1 (exclusive).
    mechanism : {"completely_at_random", "at_random", "not_at_random"}, default="completely_at_random"
        Missing-value mechanism. "completely_at_random" is independent of all values. With "at_random", half
        of the attributes (rounded down, at least one) are always observed, and whether a value of another
        attribute is missing depends on one of the observed attributes. With "not_at_random", it depends on
        the value itself.
    random_state : int, Generator, SeedSequence or None
        Seed. For "at_random", the order of the attributes is drawn first, then the driver of each attribute
        that can have missing values. Then, except for "completely_at_random", the rates of each attribute for
        the states of its driver are drawn.

    Returns
    -------
    MissingValues
        Every attribute that can have missing values has the given overall rate.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Notes
    -----
    The rates for the states of a driver are drawn uniformly and scaled to the requested mean. If a rate would
    exceed 1, the differences between the rates and their mean are reduced.

    Examples
    --------
    >>> from generators import random_tan
    >>> truth = random_tan(n_attributes=4, n_classes=2, random_state=0)
    >>> add_missing(truth, 0.2, mechanism="at_random", random_state=1).attribute_rates.round(12)
    array([0. , 0.2, 0. , 0.2])
    """
    rng = as_generator(random_state)
    alterable(truth, "a missing value")
    if isinstance(rate, bool) or not isinstance(rate, int | float | np.number) or not 0 <= rate < 1:
        raise ValueError(f"the rate of missing values is {shown(rate)}: expected a number from 0 to below 1")
    if mechanism not in MECHANISMS:
        raise ValueError(
            f"mechanism is {shown(mechanism)}: expected one of {', '.join(map(repr, MECHANISMS))}"
        )
    can_miss = MECHANISMS[mechanism](rng, truth)
    rates = []
    for variable in truth.attributes:
        driver = can_miss.get(variable)
        if driver is None:
            rates.append(np.full(1, float(rate) if variable in can_miss else 0.0))
        else:
            rates.append(_random_rates(rng, float(rate), truth.class_marginal(truth.names[driver])))
    return MissingValues(truth, tuple(map(can_miss.get, truth.attributes)), tuple(rates))


# each returns the attributes that can be missing, with their drivers
def _by_nothing(_: np.random.Generator, truth: Truth) -> dict[int, int | None]:
    return dict.fromkeys(truth.attributes)


def _by_others(rng: np.random.Generator, truth: Truth) -> dict[int, int | None]:
    n = len(truth.attributes)
    if n < 2:
        raise ValueError(
            'values missing "at_random" depend on an attribute that is always observed: expected a '
            "truth with two attributes or more"
        )
    order = [truth.attributes[place] for place in random_order(rng, n)]
    seen = sorted(order[: max(1, n // 2)])
    others = [variable for variable in truth.attributes if variable not in seen]
    return {variable: seen[random_integer(rng, 0, len(seen) - 1)] for variable in others}


def _by_itself(_: np.random.Generator, truth: Truth) -> dict[int, int | None]:
    return {variable: variable for variable in truth.attributes}


MECHANISMS: dict[str, Callable[[np.random.Generator, Truth], dict[int, int | None]]] = {
    "completely_at_random": _by_nothing,
    "at_random": _by_others,
    "not_at_random": _by_itself,
}


def _random_rates(
    rng: np.random.Generator, rate: float, marginal: NDArray[np.float64]
) -> NDArray[np.float64]:
    drawn = rng.random(len(marginal))
    mean = float(drawn @ marginal)
    deviation = drawn * (rate / mean) - rate if mean > 0 else np.zeros(len(marginal))
    highest = float(deviation.max())
    shrunk = min(1.0, (1 - rate) / highest) if highest > 0 else 1.0
    return np.clip(rate + shrunk * deviation, 0.0, 1.0)
