"""Bayesian networks of discrete variables: a known truth, or what a learner believes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from generators import documents, interop
from generators.coding import code_dtype
from generators.divergence import kl_by_enumeration, kl_by_families
from generators.draw import RandomState, as_generator
from generators.enumeration import network_joint
from generators.inference import log_joint_table, log_posterior_table
from generators.truth import ENUMERABLE_CELLS, Truth
from generators.validation import check_cpts, check_names, check_parents, check_states, topological_order

if TYPE_CHECKING:
    import networkx

__all__ = ["ENUMERABLE_CELLS", "Network"]


@dataclass(frozen=True, eq=False, repr=False)
class Network(Truth):
    """A Bayesian network: each variable depends on its parents alone.

    It answers `sample`, `log_joint`, `posterior` and `enumerate`, and learns nothing.

    Parameters
    ----------
    names : sequence of str
        The variables; distinct.
    states : sequence of sequence of hashable
        The states of each variable, in order; distinct, none of them None or NaN.
    parents : sequence of sequence of int
        The parents of each variable, by index.
    cpts : sequence of array-like
        P(variable | parents): one axis per parent in the order given, the variable last; the last axis sums to
        one within 1e-8.
    class_index : int or None, default=None
        Which variable is the class; None for a joint distribution without one.

    Attributes
    ----------
    arities : ndarray of shape (n_variables,)
        Number of states of each variable.
    attributes, attribute_names : tuple
        Indices and names of the variables without the class.
    classes, class_name : tuple, str
        States and name of the class.
    n_cells, enumerable : int, bool
        Size of the attribute space, and whether `enumerate` takes it.

    Raises
    ------
    ValueError
        If names or states are not distinct, the parents form a cycle, or a CPT has another shape or a row that is
        not a distribution.

    See Also
    --------
    Mixture : a weighted sum of networks.

    Examples
    --------
    >>> rain = Network(
    ...     names=("rain", "grass"),
    ...     states=(("no", "yes"), ("dry", "wet")),
    ...     parents=((), (0,)),
    ...     cpts=([0.8, 0.2], [[0.9, 0.1], [0.25, 0.75]]),
    ...     class_index=0,
    ... )
    >>> rain
    Network(2 variables, 1 arc, class 'rain' of 2)
    >>> rain.posterior([[1]]).round(3)
    array([[0.348, 0.652]])
    """

    names: tuple[str, ...]
    states: tuple[tuple[Hashable, ...], ...]
    parents: tuple[tuple[int, ...], ...]
    cpts: tuple[NDArray[np.float64], ...]
    class_index: int | None = None

    def __post_init__(self) -> None:
        names = check_names(self.names)
        states = check_states(names, self.states)
        parents = check_parents(names, self.parents)
        checked = {
            "names": names,
            "states": states,
            "parents": parents,
            "order": topological_order(names, parents),
            "cpts": check_cpts(names, states, parents, self.cpts),
            "class_index": _checked_class_index(self.class_index, len(names)),
        }
        for field, value in checked.items():
            object.__setattr__(self, field, value)

    order: tuple[int, ...] = ()

    def __repr__(self) -> str:
        n_arcs = sum(map(len, self.parents))
        arcs = f"{n_arcs} arc{'' if n_arcs == 1 else 's'}"
        variables = f"{self.n_variables} variable{'' if self.n_variables == 1 else 's'}"
        role = "no class" if self.class_index is None else f"class {self.class_name!r} of {len(self.classes)}"
        return f"Network({variables}, {arcs}, {role})"
