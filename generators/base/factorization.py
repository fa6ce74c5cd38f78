"""A joint distribution in factored form: a directed graph, and a conditional distribution for each variable.

Drawing, files and computations use it. `generators.networks.network.Network` adds the methods.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from generators.base._kernels.elimination import FlatFamilies
from generators.base.probabilities import logs
from generators.base.validation import check_cpts, check_names, check_parents, check_states, topological_order
from generators.base.variables import Variables

__all__ = ["Factorization"]


@dataclass(frozen=True, eq=False, repr=False)
class Factorization(Variables):
    """Checked variables, parents and CPTs (parameters as for `Network`)."""

    names: tuple[str, ...]
    states: tuple[tuple[Hashable, ...], ...]
    parent_indices: tuple[tuple[int, ...], ...]
    cpts: tuple[NDArray[np.float64], ...]
    class_index: int | None = None

    def __post_init__(self) -> None:
        names = check_names(self.names)
        states = check_states(names, self.states)
        parents = check_parents(names, self.parent_indices)
        checked = {
            "names": names,
            "states": states,
            "parent_indices": parents,
            "order": topological_order(names, parents),
            "cpts": check_cpts(names, states, parents, self.cpts),
            "class_index": _checked_class_index(self.class_index, len(names)),
        }
        for field, value in checked.items():
            object.__setattr__(self, field, value)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Indices of the variables, parents before children, and otherwise in ascending order."""
        return topological_order(self.names, self.parent_indices)

    @property
    def arc_notes(self) -> dict[tuple[int, int], str]:
        """Return the texts on the arcs of a drawing. A discrete network has none."""
        return {}

    @property
    def arc_caption(self) -> str:
        """Return the caption that explains the texts on the arcs of a drawing."""
        return ""

    @cached_property
    def log_cpts(self) -> tuple[NDArray[np.float64], ...]:
        """Natural logs of the CPTs, -inf for zeros."""
        flat = self.flat_families
        parts = np.split(flat.log_cpts, flat.starts[1:])
        return tuple(part.reshape(cpt.shape) for part, cpt in zip(parts, self.cpts, strict=True))

    @cached_property
    def flat_families(self) -> FlatFamilies:
        """Parents and CPTs, one after the other, for compiled code."""
        families = [(*parents, child) for child, parents in enumerate(self.parent_indices)]
        strides = [stride // cpt.itemsize for cpt in self.cpts for stride in cpt.strides]
        sizes = np.array([0, *(cpt.size for cpt in self.cpts)])
        return FlatFamilies(
            arities=self.arities.copy(),  # writable, as after pickling, or kernels are compiled for both
            order=np.array(self.order),
            members=np.array([variable for family in families for variable in family]),
            strides=np.array(strides),
            bounds=np.cumsum([0, *map(len, families)]),
            log_cpts=logs(np.concatenate([cpt.ravel() for cpt in self.cpts])),
            starts=np.cumsum(sizes)[:-1],
        )


def _checked_class_index(class_index: int | None, n_variables: int) -> int | None:
    if class_index is None:
        return None
    if isinstance(class_index, bool) or not isinstance(class_index, int | np.integer):
        raise ValueError(f"class_index is {class_index!r}: expected the index of a variable, or None")
    if not 0 <= class_index < n_variables:
        raise ValueError(
            f"class_index is {class_index}: expected an index from 0 to {n_variables - 1}, or None"
        )
    return int(class_index)
