"""The law of truths with attributes that say nothing about the class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from generators.base.validation import shown
from generators.laws._shared.law import Law, law_of

__all__ = ["AddedAttributesLaw"]


@dataclass(frozen=True)
class AddedAttributesLaw(Law):
    """A law, and attributes added to its truths that say nothing further about the class; it is known which.

    Parameters
    ----------
    law : Law
        Of the other attributes and the class.
    added : sequence of str
        Names of the attributes that the best forecasts ignore.
    copies : bool, default=False
        Whether they are copies, which are informative where the original is missing.

    Raises
    ------
    ValueError
        If a value is of another type.

    Examples
    --------
    >>> from generators import NaiveBayesLaw
    >>> AddedAttributesLaw(NaiveBayesLaw(), ("z0", "z1")).words
    'naive Bayes, Dirichlet(1) rows, with 2 further attributes that are known to be irrelevant'
    """

    workbench_identity = "generators.laws:AddedAttributesLaw"
    kind = "added_attributes"
    law: Law
    added: tuple[str, ...]
    copies: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.added, str) or not isinstance(self.added, Sequence):
            raise ValueError(f"added is {shown(self.added)}; give names of attributes")
        object.__setattr__(self, "law", law_of(self.law))
        object.__setattr__(self, "added", tuple(map(str, self.added)))

    @property
    def words(self) -> str:
        """The law in words."""
        what = "copies" if self.copies else "irrelevant"
        return f"{self.law.words}, with {len(self.added)} further attributes that are known to be {what}"

    @property
    def obstacle(self) -> str | None:
        """Why the best forecasts cannot be computed; None if they can."""
        return self.law.obstacle

    def misfit(self, truth: Any) -> str | None:
        """Return what about a truth cannot come from this law; None if nothing is found."""
        lacking = [name for name in self.added if name not in truth.attribute_names]
        return f"it has no attribute {lacking[0]!r}" if lacking else None

    def with_holes(self) -> Law | None:
        """Return the law where values are missing; None for copies, which then are informative."""
        inner = None if self.copies else self.law.with_holes()
        return None if inner is None else AddedAttributesLaw(inner, self.added)
