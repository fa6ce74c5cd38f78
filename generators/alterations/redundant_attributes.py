"""Redundant attributes: noisy copies of a truth's attributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from generators.alterations._shared.alterable import (
    add_evidence,
    alterable,
    fresh_names,
    likelihood,
    only_before,
    split_evidence,
)
from generators.base.draw import RandomState, as_generator, random_order
from generators.base.probabilities import inverse_cdf, log_sum, logs
from generators.base.validation import check_names, shown
from generators.files import documents
from generators.laws._shared.law import Law
from generators.laws.added_attributes import AddedAttributesLaw
from generators.networks.programs import SoftEvidence
from generators.networks.truth import Truth
from generators.tables.codes import code_dtype

__all__ = ["RedundantAttributes", "add_redundant"]


@dataclass(frozen=True, eq=False, repr=False)
class RedundantAttributes(Truth):
    """A truth with redundant attributes, each a noisy copy of one attribute.

    A copy depends only on the copied attribute. If a copy differs from it, all other states are equally
    likely.

    Parameters
    ----------
    truth : Truth
        Nominal truth with a class and without missing values.
    copied : sequence of int
        For each copy, the index of the copied attribute.
    fidelity : sequence of float
        For each copy, the probability that it equals the original, from 0 to 1.
    copy_names : sequence of str
        For each copy, its name.

    Attributes
    ----------
    names, states, class_index
        Names and states of the truth's variables, then of the copies, and the index of the class.

    Raises
    ------
    ValueError
        If an argument is invalid.

    See Also
    --------
    add_redundant : Draw the attributes to copy.

    Examples
    --------
    >>> from generators import random_tan
    >>> truth = add_redundant(random_tan(n_attributes=2, n_classes=2, random_state=0), 1, random_state=1)
    >>> truth.attribute_names
    ('x0', 'x1', 'x0_copy')
    """

    kind = "noisy_copies"  # the word of documents, which checksums of suites hash
    __getattr__ = only_before
    truth: Truth
    copied: tuple[int, ...]
    fidelity: tuple[float, ...]
    copy_names: tuple[str, ...]

    def __post_init__(self) -> None:
        truth = alterable(self.truth, "a copy of an attribute")
        if not len(self.copied) == len(self.fidelity) == len(self.copy_names):
            raise ValueError(
                f"there are {len(self.copied)} copied attributes, {len(self.fidelity)} fidelities and "
                f"{len(self.copy_names)} names: expected an attribute, a fidelity and a name for every copy"
            )
        for variable in self.copied:
            if isinstance(variable, bool) or variable not in truth.attributes:
                raise ValueError(
                    f"copied has {shown(variable)}, which is not an attribute: expected indices of attributes"
                )
        checked = {
            "copied": tuple(int(variable) for variable in self.copied),
            "fidelity": tuple(_checked_fidelity(value) for value in self.fidelity),
            "copy_names": tuple(self.copy_names),
            "names": check_names((*truth.names, *self.copy_names)),
            "states": (*truth.states, *(truth.states[variable] for variable in self.copied)),
            "class_index": truth.class_index,
        }
        for field, value in checked.items():
            object.__setattr__(self, field, value)

    def __repr__(self) -> str:
        return f"RedundantAttributes({self.truth!r}, {len(self.copied)} more)"

    @property
    def law(self) -> Law | None:
        """The law of the truth, extended by the names of the copies."""
        inner = self.truth.law
        return None if inner is None else AddedAttributesLaw(inner, self.copy_names, copies=True)

    @property
    def structure(self) -> str:
        """Description of the dependencies."""
        copies = ", ".join(self.names[variable] for variable in self.copied)
        return f"{self.truth.structure}; noisy copies of {copies}"

    @property
    def tables(self) -> tuple[NDArray[np.float64], ...]:
        """P(copy | original), one array of shape (arity, arity) for each copy."""
        pairs = zip(self.copied, self.fidelity, strict=True)
        return tuple(_table(int(self.truth.arities[variable]), fidelity) for variable, fidelity in pairs)

    def to_document(self) -> dict[str, Any]:
        """Return the truth and the copies as plain data."""
        copies = [
            {"name": name, "of": self.truth.names[variable], "fidelity": fidelity}
            for name, variable, fidelity in zip(self.copy_names, self.copied, self.fidelity, strict=True)
        ]
        return {**documents.head(self.kind), "truth": self.truth.to_document(), "copies": copies}

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Self:
        """Make the truth from a document that `to_document` returned."""
        truth = documents.altered_truth(document, "the copies")
        copies = documents.field_of(document, "copies", list, "the copies")
        parts = {
            key: [documents.field_of(copy, key, kind, "a copy") for copy in copies]
            for key, kind in (("of", str), ("fidelity", float), ("name", str))
        }
        places = {name: place for place, name in enumerate(truth.names)}
        copied = tuple(documents.place_of(places, name) for name in parts["of"])
        return cls(truth, copied, tuple(parts["fidelity"]), tuple(parts["name"]))

    def sample_codes(self, n: int, random_state: RandomState = None) -> NDArray[Any]:
        """Draw rows as state codes, of shape (n, n_variables).

        Random numbers are drawn first for the truth, then for each copy one uniform number for each row.
        """
        rng = as_generator(random_state)
        own = self.truth.sample_codes(n, rng).T
        codes = np.empty((self.n_variables, own.shape[1]), dtype=code_dtype(self.arities, missing=False))
        codes[: len(own)] = own
        for place, (variable, table) in enumerate(zip(self.copied, self.tables, strict=True), len(own)):
            codes[place] = inverse_cdf(table, own[variable], rng.random((own.shape[1],)))
        return codes.T

    def _log_joint_table(
        self, columns: NDArray[np.intp], target: int | None, soft: SoftEvidence | None = None
    ) -> NDArray[np.float64]:
        n = self.truth.n_variables
        own_soft, copy_soft = split_evidence(soft, n)
        seen = columns[:n].copy()
        if target is not None and target < n:
            seen[target] = -1
        of_copy = None if target is None or target < n else target - n
        scalar = np.zeros(columns.shape[1])
        for place, (variable, table) in enumerate(zip(self.copied, self.tables, strict=True)):
            if place != of_copy:
                known = likelihood(logs(table), columns[n + place], copy_soft.get(place))
                scalar += add_evidence(own_soft, variable, known, seen[variable])
        if of_copy is None:
            return self.truth._log_joint_table(seen, target, own_soft) + scalar[:, np.newaxis]
        through = self._log_copied(seen, self.copied[of_copy], own_soft)
        log_table = logs(self.tables[of_copy])
        found = log_sum(through[:, :, np.newaxis] + log_table, axis=1) + scalar[:, np.newaxis]
        return found + copy_soft[of_copy] if of_copy in copy_soft else found

    def _log_copied(
        self, seen: NDArray[np.intp], variable: int, soft: dict[int, NDArray[np.float64]]
    ) -> NDArray[np.float64]:
        """Return log P(evidence, variable), -inf for the states that the evidence excludes."""
        codes = seen[variable]
        table = self.truth._log_joint_table(seen, variable, soft)
        others = (codes[:, np.newaxis] >= 0) & (codes[:, np.newaxis] != np.arange(table.shape[1]))
        return np.where(others, -np.inf, table)


def add_redundant(
    truth: Truth, n: int, *, fidelity: float = 0.9, random_state: RandomState = None
) -> RedundantAttributes:
    """Add noisy copies of randomly chosen attributes.

    Parameters
    ----------
    truth : Truth
        Nominal truth with a class and without missing values.
    n : int
        Number of copies, at least 1. Every attribute is copied once before an attribute is copied twice.
    fidelity : float, default=0.9
        Probability that a copy equals the original. 1 gives exact copies.
    random_state : int, Generator, SeedSequence or None
        Seed of the random order in which attributes are copied.

    Returns
    -------
    RedundantAttributes

    Raises
    ------
    ValueError
        If an argument is invalid.

    Examples
    --------
    >>> from generators import random_tan
    >>> add_redundant(random_tan(n_attributes=2, n_classes=2, random_state=0), 3, random_state=1).copy_names
    ('x0_copy', 'x1_copy', 'x0_copy2')
    """
    rng = as_generator(random_state)
    alterable(truth, "a copy of an attribute")
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
        raise ValueError(f"n is {n!r}: expected the number of copies, 1 or more")
    order = random_order(rng, len(truth.attributes))
    copied: Sequence[int] = [truth.attributes[order[i % len(order)]] for i in range(n)]
    names = fresh_names([f"{truth.names[variable]}_copy" for variable in copied], truth.names)
    return RedundantAttributes(truth, tuple(copied), (fidelity,) * n, names)


def _table(arity: int, fidelity: float) -> NDArray[np.float64]:
    if arity == 1:
        return np.ones((1, 1))
    table = np.full((arity, arity), (1 - fidelity) / (arity - 1))
    np.fill_diagonal(table, fidelity)
    return table


def _checked_fidelity(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 <= value <= 1:
        raise ValueError(f"fidelity is {shown(value)}: expected a probability, from 0 to 1")
    return float(value)
