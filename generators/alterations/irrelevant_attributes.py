"""Irrelevant attributes: independent of everything else in a truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from generators.alterations._shared.alterable import alterable, fresh_names, only_before, split_evidence
from generators.base.draw import Bounds, RandomState, as_generator, random_between
from generators.base.probabilities import random_rows
from generators.base.validation import check_names, shown
from generators.files import documents
from generators.laws._shared.law import Law
from generators.laws.added_attributes import AddedAttributesLaw
from generators.networks.inference import log_joint_table
from generators.networks.network import Network
from generators.networks.programs import SoftEvidence
from generators.networks.truth import Truth
from generators.tables.codes import code_dtype

__all__ = ["IrrelevantAttributes", "add_irrelevant"]


@dataclass(frozen=True, eq=False, repr=False)
class IrrelevantAttributes(Truth):
    """A truth with irrelevant attributes, which are independent of the truth's variables.

    Parameters
    ----------
    truth : Truth
        Nominal truth with a class and without missing values.
    irrelevant : Network
        Distribution of the irrelevant attributes, without a class. They may depend on each other.

    Attributes
    ----------
    names, states, class_index
        Names and states of the truth's variables, then of the irrelevant attributes, and the index of the
        class.

    Raises
    ------
    ValueError
        If the truth or the network is invalid, or a name is given twice.

    See Also
    --------
    add_irrelevant : Draw irrelevant attributes.

    Examples
    --------
    >>> from generators import random_tan
    >>> truth = add_irrelevant(random_tan(n_attributes=2, n_classes=2, random_state=0), 2, random_state=1)
    >>> truth.attribute_names
    ('x0', 'x1', 'z0', 'z1')
    """

    kind = "irrelevant_attributes"
    __getattr__ = only_before
    truth: Truth
    irrelevant: Network

    def __post_init__(self) -> None:
        truth = alterable(self.truth, "an irrelevant attribute")
        if not isinstance(self.irrelevant, Network) or self.irrelevant.class_index is not None:
            raise ValueError(
                f"the irrelevant attributes are {shown(self.irrelevant)}: expected a Network without a class"
            )
        checked = {
            "names": check_names((*truth.names, *self.irrelevant.names)),
            "states": (*truth.states, *self.irrelevant.states),
            "class_index": truth.class_index,
        }
        for field, value in checked.items():
            object.__setattr__(self, field, value)

    def __repr__(self) -> str:
        return f"IrrelevantAttributes({self.truth!r}, {self.irrelevant.n_variables} more)"

    @property
    def law(self) -> Law | None:
        """The law of the truth, extended by the names of the irrelevant attributes."""
        inner = self.truth.law
        return None if inner is None else AddedAttributesLaw(inner, self.irrelevant.names)

    @property
    def structure(self) -> str:
        """Description of the dependencies."""
        return f"{self.truth.structure}; independent of all that: {', '.join(self.irrelevant.names)}"

    @property
    def reduced(self) -> Truth:
        """The truth without the irrelevant attributes, which have no information about the class."""
        return self.truth.reduced

    def to_document(self) -> dict[str, Any]:
        """Return the truth and the irrelevant attributes as plain data."""
        inner, further = self.truth.to_document(), documents.network_document(self.irrelevant)
        return {**documents.head(self.kind), "truth": inner, "irrelevant": further}

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Self:
        """Make the truth from a document that `to_document` returned."""
        owner = "the irrelevant attributes"
        further = documents.checked(documents.field_of(document, "irrelevant", dict, owner), "network")
        return cls(documents.altered_truth(document, owner), Network.from_document(further))

    def sample_codes(self, n: int, random_state: RandomState = None) -> NDArray[Any]:
        """Draw rows as state codes, of shape (n, n_variables).

        Random numbers are drawn first for the truth, then for the irrelevant attributes.
        """
        rng = as_generator(random_state)
        parts = [self.truth.sample_codes(n, rng).T, self.irrelevant.sample_codes(n, rng).T]
        return np.concatenate(parts, dtype=code_dtype(self.arities, missing=False)).T

    def joint_array(self, axes: Sequence[int]) -> NDArray[np.float64]:
        """Return the joint distribution of all variables as one array with axes in the given order."""
        own = self.truth.joint_array(range(self.truth.n_variables))
        further = self.irrelevant.joint_array(range(self.irrelevant.n_variables))
        return np.multiply.outer(own, further).transpose(list(axes))

    def _log_joint_table(
        self, columns: NDArray[np.intp], target: int | None, soft: SoftEvidence | None = None
    ) -> NDArray[np.float64]:
        n = self.truth.n_variables
        own_soft, further_soft = split_evidence(soft, n)
        of_own = target is not None and target < n
        own = self.truth._log_joint_table(columns[:n], target if of_own else None, own_soft)
        place = None if target is None or of_own else target - n
        return own + log_joint_table(self.irrelevant, columns[n:], place, further_soft)

    def _log_posterior_table(self, columns: NDArray[np.intp], target: int) -> NDArray[np.float64]:
        n = self.truth.n_variables
        if target < n:
            return self.truth._log_posterior_table(columns[:n], target)
        return self.irrelevant._log_posterior_table(columns[n:], target - n)


def add_irrelevant(
    truth: Truth,
    n: int,
    *,
    arity: Bounds = (2, 4),
    concentration: float = 5.0,
    random_state: RandomState = None,
) -> IrrelevantAttributes:
    """Add irrelevant attributes, which are independent of each other and of all other variables.

    Parameters
    ----------
    truth : Truth
        Nominal truth with a class and without missing values.
    n : int
        Number of attributes, at least 1. They are named z0, z1, ...
    arity : int or (low, high), default=(2, 4)
        Number of states of each attribute. If a range is given, the number is drawn independently for each
        attribute.
    concentration : float, default=5.0
        Dirichlet parameter of the added attributes' distributions. Larger values give distributions closer to
        uniform.
    random_state : int, Generator, SeedSequence or None
        Seed. Random numbers are drawn in this order: arities, then distributions.

    Returns
    -------
    IrrelevantAttributes

    Raises
    ------
    ValueError
        If an argument is invalid.

    Examples
    --------
    >>> from generators import random_tan
    >>> add_irrelevant(random_tan(n_attributes=3, n_classes=2, random_state=0), 4, random_state=1)
    IrrelevantAttributes(Network(4 variables, 5 arcs, class 'y' of 2), 4 more)
    """
    rng = as_generator(random_state)
    alterable(truth, "an irrelevant attribute")
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
        raise ValueError(f"n is {n!r}: expected the number of irrelevant attributes, 1 or more")
    arities = [random_between(rng, "arity", arity) for _ in range(n)]
    cpts = tuple(random_rows(rng, (r,), concentration=concentration) for r in arities)
    names = fresh_names([f"z{i}" for i in range(n)], truth.names)
    states = tuple(tuple(range(r)) for r in arities)
    return IrrelevantAttributes(truth, Network(names, states, ((),) * n, cpts))
