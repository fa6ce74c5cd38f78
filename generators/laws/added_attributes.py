"""The law of truths with attributes that say nothing about the class."""

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
        If a value is of another type, or 100 laws are nested.

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
            raise ValueError(f"added is {shown(self.added)}; give names of attributes")
        if not isinstance(self.copies, bool):
            raise ValueError(f"copies is {shown(self.copies)}; give True or False")
        object.__setattr__(self, "law", law_of(self.law))
        object.__setattr__(self, "added", tuple(map(str, self.added)))
        check_nesting(self)

    def _texts(self) -> dict[str, str]:
        what = "copies" if self.copies else "irrelevant attributes"
        return {"copies": what, "added": _listed(self.added), "law": self.law.words}

    @property
    def obstacle(self) -> str | None:
        """Why the best forecasts cannot be computed; None if they can."""
        return self.law.obstacle

    @property
    def kept(self) -> Law:
        """The law of what says something about the class."""
        return self.law.kept

    @property
    def ignored(self) -> tuple[str, ...]:
        """All attributes that were added."""
        return (*self.law.ignored, *self.added)

    def misfit(self, truth: Any) -> str | None:
        """Return what about a truth cannot come from this law; None if nothing is found."""
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
        """Return which arc makes an added attribute say something further about the class."""
        for child, parents in enumerate(network.parent_indices):
            for parent in parents:
                of_added, on_added = (network.names[v] in self.added for v in (child, parent))
                of_copied = of_added and self.copies and parent != network.class_index
                if of_added != on_added and not of_copied:
                    return f"{network.names[child]!r} depends on {network.names[parent]!r}"
        return None

    def with_holes(self) -> Law | None:
        """Return the law where values are missing; None for copies, which then are informative."""
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
    """Return names in words, numbered ones as "z0 to z9"; other names never look the same."""
    runs: list[list[str]] = []
    for name in names:
        if runs and name == _next(runs[-1][-1]):
            runs[-1].append(name)
        else:
            runs.append([name])
    return ", ".join(_run(run) for run in runs) or "()"


def _next(name: str) -> str | None:
    """Return the name with the next number; None if there is no number."""
    digits = name[len(name.rstrip("0123456789")) :]
    number = digits.lstrip("0") or digits[-1:]
    if not 0 < len(number) < MOST_DIGITS:
        return None
    return f"{name.removesuffix(number)}{int(number) + 1}"


def _run(run: Sequence[str]) -> str:
    shown_names = [name if name.isidentifier() else json.dumps(name) for name in run]
    return f"{shown_names[0]} to {shown_names[-1]}" if len(run) > 2 else ", ".join(shown_names)
