"""Ways for values to get lost: completely at random, at random, not at random."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from generators.alterable import alterable
from generators.draw import RandomState, as_generator, random_integer, random_order
from generators.missing_values import MissingValues
from generators.truth import Truth
from generators.validation import shown

__all__ = ["MECHANISMS", "add_missing"]


def add_missing(
    truth: Truth,
    rate: float,
    *,
    mechanism: str = "completely_at_random",
    random_state: RandomState = None,
) -> MissingValues:
    """Let attribute values be missing.

    Parameters
    ----------
    truth : Truth
        Nominal, complete, with a class; with two attributes or more for "at_random".
    rate : float
        How often a value is missing of the attributes that can miss, from 0 to 1 (exclusive).
    mechanism : {"completely_at_random", "at_random", "not_at_random"}, default="completely_at_random"
        All values alike; or by the value of another attribute, where half of the attributes (rounded down, at
        least one) are always seen and each other one hangs on one of these; or by the very value.
    random_state : int, Generator, SeedSequence or None
        The stream: for "at_random" the order of the attributes and the driver of each that can miss; then,
        but for "completely_at_random", the rates of each by the states of its driver.

    Returns
    -------
    MissingValues
        Every attribute that can miss does so at the given rate over all.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Notes
    -----
    Rates by state are uniform, scaled to the mean asked for; where one would go above 1 their differences are
    shrunk.

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
        raise ValueError(f"the rate of missing values is {shown(rate)}; give a number from 0 to below 1")
    if mechanism not in MECHANISMS:
        raise ValueError(f"mechanism is {shown(mechanism)}; give one of {', '.join(map(repr, MECHANISMS))}")
    can_miss = MECHANISMS[mechanism](rng, truth)
    rates = []
    for variable in truth.attributes:
        driver = can_miss.get(variable)
        if driver is None:
            rates.append(np.full(1, float(rate) if variable in can_miss else 0.0))
        else:
            rates.append(_random_rates(rng, float(rate), truth.class_marginal(truth.names[driver])))
    return MissingValues(truth, tuple(map(can_miss.get, truth.attributes)), tuple(rates))


# each gives the attributes that can miss, with their drivers
def _by_nothing(_: np.random.Generator, truth: Truth) -> dict[int, int | None]:
    return dict.fromkeys(truth.attributes)


def _by_others(rng: np.random.Generator, truth: Truth) -> dict[int, int | None]:
    n = len(truth.attributes)
    if n < 2:
        raise ValueError(
            'values missing "at_random" hang on an attribute that is always seen; give a truth with two '
            "attributes or more"
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
    apart = drawn * (rate / mean) - rate if mean > 0 else np.zeros(len(marginal))
    highest = float(apart.max())
    shrunk = min(1.0, (1 - rate) / highest) if highest > 0 else 1.0
    return np.clip(rate + shrunk * apart, 0.0, 1.0)
