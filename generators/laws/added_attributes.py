"""The law of truths with added attributes that are uninformative about the class."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from generators.base.validation import shown
from generators.laws._shared.law import TRUTHS, Law, check_nesting, kind_of, law_of

__all__ = ["AddedAttributesLaw"]

#: Kinds of truths that say which of their attributes were added.
MOST_DIGITS = 15  # of the number in a name
ADDING = ("irrelevant_attributes", "noisy_copies")


@dataclass(frozen=True)
class AddedAttributesLaw(Law):
    """A law of truths with added attributes that have no information beyond the other attributes.

    Parameters
    ----------
    law : Law
        Law of the other attributes and the class.
    added : sequence of str
        Names of the added attributes, which the optimal forecasts ignore.
    copies : bool, default=False
        Whether the added attributes are noisy copies. A copy is informative if the original value is missing.

    Raises
    ------
    ValueError
        If a value has another type, or 100 laws are nested.

    Examples
    --------
    >>> from generators import NaiveBayesLaw
    >>> AddedAttributesLaw(NaiveBayesLaw(), ("z0", "z1")).words
    'irrelevant attributes z0, z1 added to naive Bayes, Dirichlet(1) rows'
    """

    kind = "added_attributes"
    template = "{copies} {added} added to {law}"
    draws = ("network", *ADDING)
    law: Law
    added: tuple[str, ...]
    copies: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.added, str) or not isinstance(self.added, Sequence):
            raise ValueError(f"added is {shown(self.added)}: expected names of attributes")
        if not isinstance(self.copies, bool):
            raise ValueError(f"copies is {shown(self.copies)}: expected True or False")
        object.__setattr__(self, "law", law_of(self.law))
        object.__setattr__(self, "added", tuple(map(str, self.added)))
        check_nesting(self)

    def _texts(self) -> dict[str, str]:
        what = "copies" if self.copies else "irrelevant attributes"
        return {"copies": what, "added": _listed(self.added), "law": self.law.words}

    @property
    def obstacle(self) -> str | None:
        """Reason why the optimal forecasts cannot be computed, or None."""
        return self.law.obstacle

    @property
    def kept(self) -> Law:
        """The law of the attributes that are informative about the class."""
        return self.law.kept

    @property
    def ignored(self) -> tuple[str, ...]:
        """Names of all added attributes."""
        return (*self.law.ignored, *self.added)

    def misfit(self, truth: Any) -> str | None:
        """Return the property of a truth that contradicts this law, or None if none is found."""
        lacking = [name for name in self.added if name not in truth.attribute_names]
        return f"it has no attribute {lacking[0]!r}" if lacking else super().misfit(truth)

    def _misfit(self, truth: Any) -> str | None:
        kind = str(kind_of(truth))
        if kind == "network":
            return self._misfit_of_arcs(truth) or self.law.misfit(_without(truth, self.added))
        added = truth.copy_names if kind == "noisy_copies" else truth.irrelevant.names
        if {*added} != {*self.added} or self.copies != (kind == "noisy_copies"):
            return f"it is {TRUTHS[kind]}, which are {_listed(added)}"
        return self.law.misfit(truth.truth)

    def _misfit_of_arcs(self, network: Any) -> str | None:
        """Return the arc by which an added attribute becomes informative about the class."""
        for child, parents in enumerate(network.parent_indices):
            for parent in parents:
                of_added, on_added = (network.names[v] in self.added for v in (child, parent))
                of_copied = of_added and self.copies and parent != network.class_index
                if of_added != on_added and not of_copied:
                    return f"{network.names[child]!r} depends on {network.names[parent]!r}"
        return None

    def with_holes(self) -> Law | None:
        """Return the law with missing values, or None if the added attributes are copies."""
        inner = None if self.copies else self.law.with_holes()
        return None if inner is None else AddedAttributesLaw(inner, self.added)


def _without(network: Any, names: Sequence[str]) -> Any:
    """Return a network without some variables that have no children among the others."""
    kept = [variable for variable, name in enumerate(network.names) if name not in names]
    places = {variable: place for place, variable in enumerate(kept)}
    return replace(
        network,
        names=tuple(network.names[variable] for variable in kept),
        states=tuple(network.states[variable] for variable in kept),
        parent_indices=tuple(
            tuple(places[parent] for parent in network.parent_indices[variable]) for variable in kept
        ),
        cpts=tuple(network.cpts[variable] for variable in kept),
        class_index=places[network.class_index],
        law=None,
    )


def _listed(names: Sequence[str]) -> str:
    """Return names as text, numbered ones as "z0 to z9", so that distinct lists stay distinct."""
    runs: list[list[str]] = []
    for name in names:
        if runs and name == _next(runs[-1][-1]):
            runs[-1].append(name)
        else:
            runs.append([name])
    return ", ".join(_run(run) for run in runs) or "()"


def _next(name: str) -> str | None:
    """Return the name with the next number, or None if there is no number."""
    digits = name[len(name.rstrip("0123456789")) :]
    number = digits.lstrip("0") or digits[-1:]
    if not 0 < len(number) < MOST_DIGITS:
        return None
    return f"{name.removesuffix(number)}{int(number) + 1}"


def _run(run: Sequence[str]) -> str:
    shown_names = [name if name.isidentifier() else json.dumps(name) for name in run]
    return f"{shown_names[0]} to {shown_names[-1]}" if len(run) > 2 else ", ".join(shown_names)
