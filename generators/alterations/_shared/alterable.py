"""Checks, names and soft evidence of altered truths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.probabilities import log_sum
from generators.base.validation import shown
from generators.networks.programs import SoftEvidence
from generators.networks.truth import Truth

__all__ = [
    "add_evidence",
    "alterable",
    "fresh_names",
    "likelihood",
    "only_before",
    "split_evidence",
]


def alterable(truth: Truth, what: str, *, complete: bool = True) -> Truth:
    """Return a truth that can be altered, or raise ValueError."""
    if not isinstance(truth, Truth) or truth.class_index is None:
        raise ValueError(
            f"{what} is for nominal truths with a class, not {shown(truth)}: alter such a truth, and apply "
            "make_numeric last"
        )
    if complete and not truth.complete:
        raise ValueError(f"{what} is for truths without missing values: apply add_missing last")
    return truth


def fresh_names(wanted: Sequence[str], taken: Sequence[str]) -> tuple[str, ...]:
    """Return unused names: the requested ones, with a number appended where they are taken."""
    known, found = set(taken), []
    for name in wanted:
        number, candidate = 1, name
        while candidate in known:
            number += 1
            candidate = f"{name}{number}"
        known.add(candidate)
        found.append(candidate)
    return tuple(found)


def only_before(altered: Any, name: str) -> Any:
    """Raise AttributeError as `__getattr__` of an alteration, naming an inner truth that has the name."""
    place, truth = "", altered
    while not name.startswith("_") and "truth" in vars(truth):
        place, truth = f"{place}.truth", vars(truth)["truth"]
        if hasattr(type(truth), name):
            raise AttributeError(
                f"{type(altered).__name__} has no {name!r}, but the truth that it alters has: "
                f"use {place}.{name}"
            )
    raise AttributeError(f"{type(altered).__name__!r} object has no attribute {name!r}")


def likelihood(
    log_table: NDArray[np.float64], codes: NDArray[np.intp], soft: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Return the log-likelihoods of a parent's states given its child."""
    # the code of a missing value, -1, takes the last row
    found = np.concatenate([log_table.T, np.zeros((1, len(log_table)))])[codes]
    if soft is not None:
        hidden = np.flatnonzero(codes < 0)
        found[hidden] = log_sum(soft[hidden][:, np.newaxis, :] + log_table, axis=2)
    return found


def add_evidence(
    soft: dict[int, NDArray[np.float64]],
    variable: int,
    log_likelihood: NDArray[np.float64],
    codes: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Add log-likelihoods of a variable to the soft evidence, and return its values where it is observed."""
    seen = codes >= 0
    hidden_part = np.where(seen[:, np.newaxis], 0.0, log_likelihood)
    soft[variable] = soft[variable] + hidden_part if variable in soft else hidden_part
    return np.where(seen, log_likelihood[np.arange(len(codes)), np.maximum(codes, 0)], 0.0)


def split_evidence(soft: SoftEvidence | None, n_first: int) -> tuple[dict[int, Any], dict[int, Any]]:
    """Split soft evidence between the first variables and the others, which are renumbered from 0."""
    values = dict(soft or {})
    first = {variable: values[variable] for variable in values if variable < n_first}
    return first, {variable - n_first: values[variable] for variable in values if variable >= n_first}
