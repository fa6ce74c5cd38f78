"""The variables and tables that a file declares, checked as they are read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.validation import ROW_SUM_TOLERANCE, shown
from generators.files.labels import restored

__all__ = ["CLASS_ROLE", "NETWORK_NAME", "Families"]

NETWORK_NAME = "bayesian_network"
CLASS_ROLE = "role = class"  # a property of the class, in every format
ROUNDED_ROW_TOLERANCE = 1e-3  # other programs print a few digits: such rows are divided by their sum


class Families:
    """States, parents and tables by name, in the order in which variables are declared."""

    def __init__(self) -> None:
        self.states: dict[str, list[str]] = {}
        self.parents: dict[str, list[str]] = {}
        self._cpts: dict[str, NDArray[np.float64]] = {}
        self._by_lower: dict[str, list[str]] = {}
        self.class_name: str | None = None

    def declare(self, name: str, states: Sequence[str], place: str, is_class: bool = False) -> None:
        """Add a variable."""
        if name in self.states:
            raise ValueError(f"{place}: {shown(name)} is declared a second time: declare it once")
        if not states:
            raise ValueError(f"{place}: {shown(name)} has no states: expected at least one")
        self.states[name] = list(states)
        self._by_lower.setdefault(name.lower(), []).append(name)
        if is_class and self.class_name is None:
            self.class_name = name

    def define(self, name: str, parents: Sequence[str], place: str) -> str:
        """Add the parents of a variable, all declared, and return its name as declared."""
        own, *above = (self._declared(one, name, place) for one in (name, *parents))
        if own in self.parents:
            raise ValueError(f"{place}: {shown(own)} has a second block of probabilities: remove one of them")
        self.parents[own] = above
        return own

    def _declared(self, name: str, owner: str, place: str) -> str:
        # some writers change the case of names
        near = [name] if name in self.states else self._by_lower.get(name.lower(), [])
        if len(near) != 1:
            raise ValueError(
                f"{place}: the block of {shown(owner)} is about {shown(name)}, which is not a variable: "
                "declare each variable"
            )
        return near[0]

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the numbers of states of the parents, then of the variable."""
        return tuple(len(self.states[one]) for one in (*self.parents[name], name))

    def fill(self, name: str, numbers: Sequence[float] | NDArray[np.float64], place: str) -> None:
        """Set the table of a variable. Its states change fastest, those of its first parent slowest."""
        shape = self.shape(name)
        if np.size(numbers) != math.prod(shape):
            raise ValueError(
                f"{place}: the table of {shown(name)} has {np.size(numbers)} numbers: expected "
                f"{math.prod(shape)}, one for each state and combination of the parents' states"
            )
        rows = np.asarray(numbers, dtype=np.float64).reshape(shape)
        sums = rows.sum(axis=-1, keepdims=True)
        rounded = (np.abs(sums - 1) > ROW_SUM_TOLERANCE) & (np.abs(sums - 1) <= ROUNDED_ROW_TOLERANCE)
        self._cpts[name] = np.where(rounded, rows / np.where(rounded, sums, 1.0), rows)

    def arguments(self, exact: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
        """Return the arguments of `Network`, with the exact names and states from the comments."""
        if not self.states:
            raise ValueError("the text declares no variable: expected a network, or the path of its file")
        for name in self.states:
            if name not in self._cpts:
                raise ValueError(
                    f"{shown(name)} has no probabilities: expected a block of them for every variable"
                )
        place_of = {name: place for place, name in enumerate(self.states)}
        names, states = restored(exact, list(self.states), list(self.states.values()))
        return {
            "names": names,
            "states": states,
            "parent_indices": [[place_of[parent] for parent in self.parents[name]] for name in self.states],
            "cpts": [self._cpts[name] for name in self.states],
            "class_index": None if self.class_name is None else place_of[self.class_name],
        }
