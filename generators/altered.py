"""Alterations of a truth by the parameters of studies: irrelevant, redundant, noisy, missing, numeric."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from generators.alterations.irrelevant_attributes import add_irrelevant
from generators.alterations.label_noise import add_label_noise
from generators.alterations.missing_values import add_missing
from generators.alterations.numeric_cuts import make_numeric
from generators.alterations.redundant_attributes import add_redundant
from generators.base.draw import RandomState, as_generator

__all__ = ["ALTERATIONS", "altered", "random_altered"]

#: The options of `altered`, with the values that leave a truth unchanged.
ALTERATIONS: Mapping[str, Any] = MappingProxyType(
    {
        "irrelevant": 0,
        "redundant": 0,
        "fidelity": 0.9,
        "label_noise": 0.0,
        "missing": 0.0,
        "mechanism": "completely_at_random",
        "numeric": 0,
    }
)


def altered(
    truth: Any,
    *,
    irrelevant: int = 0,
    redundant: int = 0,
    fidelity: float = 0.9,
    label_noise: float = 0.0,
    missing: float = 0.0,
    mechanism: str = "completely_at_random",
    numeric: int | str = 0,
    random_state: RandomState = None,
) -> Any:
    """Alter a truth and keep its probabilities exact.

    Parameters
    ----------
    truth : Truth
        Nominal truth with a class. If no alteration is requested, the truth may also be numeric, and is
        returned unchanged.
    irrelevant : int, default=0
        Number of added attributes that are independent of all other variables.
    redundant : int, default=0
        Number of added attributes that are noisy copies of the truth's attributes.
    fidelity : float, default=0.9
        Probability that a copy equals the original.
    label_noise : float, default=0.0
        Share of wrong labels. A wrong label is any of the other classes with equal probability.
    missing : float, default=0.0
        Share of missing values in the attributes that can have missing values.
    mechanism : {"completely_at_random", "at_random", "not_at_random"}, default="completely_at_random"
        Missing-value mechanism. See `generators.add_missing`.
    numeric : int or "all", default=0
        Number of attributes that are represented by numbers.
    random_state : int, Generator, SeedSequence or None
        Seed. Random numbers are drawn in the order copies, irrelevant attributes, missing values, numeric
        attributes, and only for requested alterations.

    Returns
    -------
    Truth or NumericTruth

    Raises
    ------
    ValueError
        If an argument is invalid.

    Notes
    -----
    Alterations are applied in the order redundant, irrelevant, label noise, missing, numeric.

    Examples
    --------
    >>> from generators import random_tan
    >>> truth = altered(random_tan(n_attributes=3, random_state=0), redundant=1, missing=0.1, random_state=1)
    >>> truth.attribute_names, round(truth.rate, 6)
    (('x0', 'x1', 'x2', 'x2_copy'), 0.1)
    """
    rng = as_generator(random_state)
    if redundant != 0:
        truth = add_redundant(truth, redundant, fidelity=fidelity, random_state=rng)
    if irrelevant != 0:
        truth = add_irrelevant(truth, irrelevant, random_state=rng)
    if label_noise != 0:
        truth = add_label_noise(truth, label_noise)
    if missing != 0:
        truth = add_missing(truth, missing, mechanism=mechanism, random_state=rng)
    if numeric != 0:
        n = None if numeric == "all" else numeric
        truth = make_numeric(truth, n, random_state=rng)  # type: ignore[arg-type]
    return truth


def random_altered(
    generator: Callable[..., Any], *, random_state: RandomState = None, **parameters: Any
) -> Any:
    """Draw a truth and alter it."""
    rng = as_generator(random_state)
    options = {name: value for name, value in parameters.items() if name in ALTERATIONS}
    own = {name: value for name, value in parameters.items() if name not in ALTERATIONS}
    return altered(generator(**own, random_state=rng), **options, random_state=rng)
